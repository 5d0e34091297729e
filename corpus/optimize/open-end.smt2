;~ sat (- 3.0 epsilon)
; The bound is approached and never reached.
(declare-const x Real)
(assert (and (< x 3) (> x 0)))
(maximize x)
(check-sat)
(get-objectives)
