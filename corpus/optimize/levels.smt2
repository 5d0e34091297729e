;~ sat 9
;~ sat 4
;~ sat 9
;~ unsat
(declare-const x Int)
(assert (<= x 9))
(maximize x)
(check-sat)
(push 1)
(assert (<= x 4))
(check-sat)
(pop 1)
(check-sat)
(push 1)
(assert (>= x 10))
(check-sat)
(pop 1)
