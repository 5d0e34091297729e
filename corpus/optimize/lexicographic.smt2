;~ sat 16 5
; The first objective comes before all: its best is 16, and with that the cost
; cannot be below 5.
(declare-const w Int)
(declare-const m Int)
(declare-const cost Int)
(assert (and (>= w 0) (>= m 0) (<= (+ w m) 6) (<= m 4)))
(assert (>= cost (+ (div w 2) m)))
(maximize (+ (* 2 w) (* 3 m)))
(minimize cost)
(check-sat)
(get-objectives)
