;~ sat 10 7
; Each objective for itself: no single model has both.
(set-option :opt.priority box)
(declare-const x Int)
(declare-const y Int)
(assert (and (>= x 0) (>= y 0) (<= x 10) (<= y 7) (<= (+ x y) 12)))
(maximize x)
(maximize y)
(check-sat)
(get-objectives)
