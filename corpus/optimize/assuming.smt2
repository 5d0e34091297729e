;~ sat 3
;~ sat 8
; What is assumed is gone with the next question.
(declare-const p Bool)
(declare-const x Int)
(define-fun limit ((b Bool)) Int (ite b 3 8))
(assert (<= x (limit p)))
(maximize x)
(check-sat-assuming (p))
(check-sat)
