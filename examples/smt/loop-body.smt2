; One pass through a loop body, as one formula:
;   if (n > 0) { x = x + 2; n = n - 1; } else { x = 0; }
; from states with 0 <= x <= 10 and n <= 5.
(declare-const x0 Real)
(declare-const n0 Real)
(declare-const x1 Real)
(declare-const n1 Real)
(declare-const then Bool)
(declare-const kx Real)
(declare-const kn Real)
(declare-const kd Real)
(assert (=>
  (and (<= 0.0 x0) (<= x0 10.0) (<= n0 5.0)
       (= then (>= n0 1.0))
       (or (and then (= x1 (+ x0 2.0)) (= n1 (- n0 1.0)))
           (and (not then) (= x1 0.0) (= n1 n0))))
  (and (< x1 kx) (< n1 kn) (< (- x1 n1) kd))))
