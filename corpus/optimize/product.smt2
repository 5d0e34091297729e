;~ refused
; A product of variables is no linear term.
(declare-const x Int)
(declare-const y Int)
(assert (and (<= 0 x 5) (<= 0 y 5)))
(maximize (* x y))
(check-sat)
