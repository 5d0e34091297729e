;~ satisfiable violated
;@ decided-by: pdr, bmc
; A derivation of a few steps, with facts that say nothing on the way.
(set-logic HORN)
(declare-fun start () Bool)
(declare-fun p (Int Bool) Bool)
(declare-fun q (Bool Int) Bool)
(assert start)
(assert (forall ((x Int)) (=> (and start (<= 0 x 3)) (p x true))))
(assert (forall ((x Int) (b Bool)) (=> (p x b) (q (not b) (* 2 x)))))
(assert (forall ((x Int) (b Bool)) (=> (q b x) (p (+ x 1) b))))
(assert (not (exists ((x Int)) (and (p x true) (= x 15)))))
(check-sat)
