;~ sat 3
; The three wishes contradict each other in pairs: the dearest one is kept.
(declare-const x Int)
(assert-soft (= x 1) :weight 2 :id wish)
(assert-soft (= x 2) :weight 1 :id wish)
(assert-soft (= x 3) :weight 4 :id wish)
(check-sat)
(get-objectives)
