;~ sat 252
; The largest multiple of 4 that eight bits hold, without a sign.
(declare-const x (_ BitVec 8))
(assert (= ((_ extract 1 0) x) #b00))
(maximize x)
(check-sat)
(get-objectives)
