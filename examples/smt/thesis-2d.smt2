; The first example of the SYMBA thesis: y is bounded, x + y is not.
(declare-const x Real)
(declare-const y Real)
(declare-const k1 Real)
(declare-const k2 Real)
(assert (=>
  (and (and (<= 1.0 y) (<= y 3.0))
       (or (and (<= 1.0 x) (<= x 3.0)) (>= x 4.0)))
  (and (< y k1) (< (+ x y) k2))))
