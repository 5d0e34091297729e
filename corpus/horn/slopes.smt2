;~ satisfiable holds
;@ decided-by: bmc
; Free symbols make symbolic states, which refinement without progress must not forget.
(set-logic HORN)
(declare-fun L (Int Int) Bool)
(assert (forall ((x Int) (y Int)) (=> (and (> y (- 500)) (<= y 99999) (= x (- 30))) (L x y))))
(assert (forall ((x Int) (y Int)) (=> (and (L x y) (< x 0)) (L (+ x y) (+ y 2)))))
(assert (forall ((x Int) (y Int)) (=> (and (L x y) (< x 0) (< (+ x y) (- 2147483648))) false)))
(check-sat)
