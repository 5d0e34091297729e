;~ unsat
(set-option :opt.priority lex)
(declare-const x Int)
(declare-const y Int)
(assert (and (> x y) (> y x)))
(minimize x)
(check-sat)
