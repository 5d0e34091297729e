;~ sat front 0 2, 1 1, 2 0
; All trade-offs between the two, at once.
(set-option :opt.priority pareto)
(declare-const x Int)
(declare-const y Int)
(assert (and (>= x 0) (>= y 0) (= (+ x y) 2)))
(maximize x)
(maximize y)
(check-sat)
(get-objectives)
