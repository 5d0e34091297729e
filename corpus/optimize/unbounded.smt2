;~ sat oo
(declare-const x Int)
(declare-const y Int)
(assert (and (>= x 0) (<= y (* 2 x))))
(maximize y)
(check-sat)
(get-objectives)
