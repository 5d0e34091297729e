;~ sat 19
; Not every number below the bound is to be had: the next one that is 3 more
; than a multiple of 8 is 19.
(declare-const x Int)
(declare-const k Int)
(assert (and (= x (+ 3 (* 8 k))) (<= x 26) (>= x 0)))
(maximize x)
(check-sat)
(get-objectives)
