;~ satisfiable holds
;@ decided-by: pdr
; One cell of an array is followed by an index that does not move.
(set-logic HORN)
(declare-fun inv (Int Int (Array Int Int)) Bool)
(assert (forall ((k Int) (a (Array Int Int))) (=> (and (<= 0 k) (< k 10)) (inv 0 k a))))
(assert (forall ((i Int) (k Int) (a (Array Int Int)))
  (=> (and (inv i k a) (< i 10)) (inv (+ i 1) k (store a i 7)))))
(assert (forall ((i Int) (k Int) (a (Array Int Int)))
  (=> (and (inv i k a) (>= i 10) (not (= (select a k) 7))) false)))
(check-sat)
