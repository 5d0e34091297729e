;~ refused
; Formulas with quantifiers are not answered, and not answered as something else.
(declare-const x Int)
(assert (forall ((y Int)) (=> (> y x) (> y 0))))
(minimize x)
(check-sat)
