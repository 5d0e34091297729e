//! Random models and random damage, from a seed.

/// A small generator (xorshift64*); the same seed gives the same numbers.
pub(crate) struct Random(u64);

impl Random {
    pub(crate) fn new(seed: u64) -> Random {
        Random(seed.wrapping_mul(0x9E37_79B9_7F4A_7C15) | 1)
    }

    pub(crate) fn below(&mut self, n: usize) -> usize {
        self.0 ^= self.0 >> 12;
        self.0 ^= self.0 << 25;
        self.0 ^= self.0 >> 27;
        (self.0.wrapping_mul(0x2545_F491_4F6C_DD1D) >> 33) as usize % n.max(1)
    }

    fn pick<'a>(&mut self, from: &[&'a str]) -> &'a str {
        from[self.below(from.len())]
    }

    /// The text with one to three small damages: of bytes or of whole words.
    pub(crate) fn mutate(&mut self, text: &str) -> String {
        let mut text = text.to_owned();
        for _ in 0..=self.below(3) {
            text =
                if self.below(2) == 0 { self.mutate_byte(&text) } else { self.mutate_word(&text) };
        }
        text
    }

    fn mutate_byte(&mut self, text: &str) -> String {
        let mut bytes = text.as_bytes().to_vec();
        let at = self.below(bytes.len());
        match self.below(3) {
            0 => bytes.insert(at, self.below(128) as u8),
            1 if !bytes.is_empty() => {
                bytes.remove(at);
            }
            _ if !bytes.is_empty() => bytes[at] = self.below(256) as u8,
            _ => {}
        }
        String::from_utf8_lossy(&bytes).into_owned()
    }

    fn mutate_word(&mut self, text: &str) -> String {
        const WORDS: &[&str] = &[
            "(",
            ")",
            "[",
            "]",
            "{",
            "}",
            ";",
            ",",
            ":",
            ":=",
            "->",
            "..",
            "..=",
            "@",
            ".",
            "-",
            "!",
            "==",
            "=>",
            "<=>",
            "&&",
            "+",
            "*",
            "/",
            "%",
            "0",
            "1",
            "99999999999999999999",
            "true",
            "any",
            "if",
            "else",
            "then",
            "when",
            "do",
            "forall i in 0..3:",
            "sum",
            "process",
            "var",
            "const",
            "location",
            "final",
            "x",
            "N",
            "int",
            "bool",
            "init",
            "enum",
            "//",
            "/*",
            "*/",
        ];
        let mut words: Vec<&str> = text.split_inclusive(|c: char| !c.is_alphanumeric()).collect();
        let at = self.below(words.len());
        match self.below(4) {
            0 => words.insert(at, self.pick(WORDS)),
            1 if !words.is_empty() => {
                words.remove(at);
            }
            2 if !words.is_empty() => words[at] = self.pick(WORDS),
            _ if !words.is_empty() => {
                let other = self.below(words.len());
                words.swap(at, other);
            }
            _ => {}
        }
        words.concat()
    }
}

/// A model that parses (and rarely means anything), oddly laid out.
pub(crate) fn model(seed: u64) -> String {
    let mut random = Random::new(seed + 1);
    let mut words = Words { out: Vec::new(), random: &mut random };
    words.model();
    let mut text = String::new();
    let tokens = words.out;
    for token in tokens {
        text.push_str(&token);
        text.push_str(match random.below(40) {
            0 => " // c\n",
            1 => " /* c */ ",
            2 => "\n// own\n",
            3 => "\n\n\n",
            4 => "/* a\n b */",
            5..=12 => "\n",
            _ => " ",
        });
    }
    text
}

struct Words<'r> {
    out: Vec<String>,
    random: &'r mut Random,
}

impl Words<'_> {
    fn put(&mut self, words: &str) {
        self.out.extend(words.split(' ').map(str::to_owned));
    }

    fn name(&mut self) {
        let name = self.random.pick(&["x", "y", "count", "a_long_name_for_a_variable", "init"]);
        self.put(name);
    }

    fn list(&mut self, one: impl Fn(&mut Self)) {
        one(self);
        for _ in 0..self.random.below(3) {
            self.put(",");
            one(self);
        }
    }

    fn range(&mut self, depth: usize) {
        self.term(depth);
        let dots = self.random.pick(&["..", "..="]);
        self.put(dots);
        self.term(depth);
    }

    fn binders(&mut self, depth: usize) {
        self.list(|w| {
            w.name();
            w.put("in");
            w.range(depth);
        });
    }

    /// Something that can be an operand of `+`.
    fn term(&mut self, depth: usize) {
        match self.random.below(if depth == 0 { 3 } else { 8 }) {
            0 => self.put("42"),
            1 => self.name(),
            2 => self.put("P [ 1 ] @ here"),
            3 => {
                let op = self.random.pick(&["-", "!"]);
                self.put(op);
                self.term(depth - 1);
            }
            4 => {
                self.put("(");
                self.expr(depth - 1);
                self.put(")");
            }
            5 => {
                self.put("a [");
                self.expr(depth - 1);
                self.put("] [ 0 ]");
            }
            6 => {
                self.put("max (");
                self.list(|w| w.expr(depth - 1));
                self.put(")");
            }
            _ => {
                self.term(depth - 1);
                let op = self.random.pick(&["+", "-", "*", "/", "%"]);
                self.put(op);
                self.term(depth - 1);
            }
        }
    }

    fn expr(&mut self, depth: usize) {
        match self.random.below(if depth == 0 { 1 } else { 6 }) {
            0 => self.term(depth),
            1 => {
                self.put("(");
                self.term(depth - 1);
                let op = self.random.pick(&["==", "<", ">=", "!="]);
                self.put(op);
                self.term(depth - 1);
                self.put(")");
            }
            2 => {
                let fold = self.random.pick(&["forall", "exists", "sum", "count"]);
                self.put("(");
                self.put(fold);
                self.binders(0);
                self.put(":");
                self.expr(depth - 1);
                self.put(")");
            }
            3 => {
                self.put("( if");
                self.expr(depth - 1);
                self.put("then");
                self.expr(depth - 1);
                self.put("else");
                self.expr(depth - 1);
                self.put(")");
            }
            _ => {
                self.expr(depth - 1);
                let op = self.random.pick(&["&&", "||", "=>", "<=>", "&&"]);
                self.put(op);
                self.expr(depth - 1);
            }
        }
    }

    fn assigns(&mut self) {
        self.list(|w| {
            w.name();
            w.put(":=");
            match w.random.below(4) {
                0 => w.put("any"),
                1 => {
                    w.put("any");
                    w.range(1);
                }
                _ => w.expr(2),
            }
        });
    }

    fn block(&mut self, depth: usize) {
        self.put("{");
        for _ in 0..self.random.below(3) {
            if depth > 0 && self.random.below(2) == 0 {
                self.put("if");
                self.expr(1);
                self.block(depth - 1);
                if self.random.below(2) == 0 {
                    self.put("else");
                    self.block(depth - 1);
                }
            } else {
                self.assigns();
                self.put(";");
            }
        }
        self.put("}");
    }

    fn command(&mut self) {
        if self.random.below(2) == 0 {
            self.put("label");
            if self.random.below(3) == 0 {
                self.put("[");
                self.binders(1);
                self.put("]");
            }
            self.put(":");
        }
        if self.random.below(4) == 0 {
            self.put("[ go ]");
        }
        self.put("here , there -> here");
        if self.random.below(2) == 0 {
            self.put("when");
            self.expr(3);
        }
        match self.random.below(3) {
            0 => self.put(";"),
            1 => {
                self.put("do");
                self.assigns();
                self.put(";");
            }
            _ => {
                self.put("do");
                self.block(2);
            }
        }
    }

    fn var(&mut self) {
        self.put("var");
        self.list(|w| {
            w.list(Self::name);
            w.put(":");
            match w.random.below(4) {
                0 => w.put("int"),
                1 => w.put("[ 2 ] [ 3 ] - 1 .. 1 = { { 1 , 2 } , 3 }"),
                2 => w.range(1),
                _ => w.put("[ N ] bool = false"),
            }
        });
        self.put(";");
    }

    fn model(&mut self) {
        self.put("model m ;");
        for _ in 0..self.random.below(8) {
            match self.random.below(6) {
                0 => {
                    self.put("const N =");
                    self.expr(3);
                    self.put(";");
                }
                1 => self.var(),
                2 => self.put("enum E { a , b , c }"),
                3 => {
                    let kind = self.random.pick(&["init", "invariant p :", "reachable"]);
                    self.put(kind);
                    self.expr(4);
                    self.put(";");
                }
                4 => self.put("type T = - 1 ..= 1 ;"),
                _ => {
                    self.put("process P {");
                    self.var();
                    for _ in 0..self.random.below(4) {
                        self.command();
                    }
                    self.put("}");
                }
            }
        }
    }
}
