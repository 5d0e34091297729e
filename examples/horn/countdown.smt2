; From any number that is not negative, two are taken as long as two are left.
; Nothing below zero is reached: the clauses have a solution.
(set-logic HORN)
(declare-fun down (Int) Bool)
(assert (forall ((x Int)) (=> (<= 0 x) (down x))))
(assert (forall ((x Int)) (=> (and (down x) (< 1 x)) (down (- x 2)))))
(assert (forall ((x Int)) (=> (and (down x) (< x 0)) false)))
(check-sat)
