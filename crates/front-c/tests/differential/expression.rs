//! Expressions of generated programs.

use crate::generator::{Generator, INTS};

impl Generator {
    /// A constant that fits some type, often at a limit of one.
    pub(crate) fn constant(&mut self) -> String {
        let value = match self.random.below(10) {
            0..=3 => self.random.below(10) as i128 - 3,
            4..=5 => i128::from(self.random.next() as i16),
            6..=7 => {
                let power = *self.random.pick(&[7, 8, 15, 16, 31, 32, 63]);
                (1i128 << power) + self.random.below(3) as i128 - 1
            }
            8 => i128::from(self.random.next() as i64),
            _ => return format!("'{}'", char::from(b'a' + self.random.below(26) as u8)),
        };
        let spelled = if value.unsigned_abs() > i64::MAX as u128 {
            format!("{}ull", value.unsigned_abs() as u64)
        } else if value.unsigned_abs() > i32::MAX as u128 {
            format!("{}ll", value.unsigned_abs())
        } else {
            let suffix = *self.random.pick(&["", "", "", "u", "l", "ul", "ll", "ull"]);
            format!("{}{suffix}", value.unsigned_abs())
        };
        if value < 0 { format!("(-{spelled})") } else { spelled }
    }

    /// A variable, member or element that is read.
    fn leaf(&mut self) -> String {
        match self.random.below(12) {
            0..=2 => self.constant(),
            3 if !self.values.is_empty() => {
                let (value, record) = self.random.pick(&self.values.clone()).clone();
                let member = self.random.pick(&self.members[record].clone()).clone();
                format!("{value}.{member}")
            }
            4 if !self.doubles.is_empty() => {
                let x = self.random.pick(&self.doubles.clone()).clone();
                format!("toint({x})")
            }
            _ if !self.names.is_empty() => self.random.pick(&self.names.clone()).text.clone(),
            _ => self.constant(),
        }
    }

    /// An integer expression without effects.
    pub(crate) fn pure(&mut self, depth: usize) -> String {
        if depth == 0 {
            return self.leaf();
        }
        let d = depth - 1;
        match self.random.below(24) {
            0..=1 => self.leaf(),
            2..=8 => {
                let op = *self.random.pick(&["+", "-", "*", "&", "|", "^"]);
                format!("({} {op} {})", self.pure(d), self.pure(d))
            }
            9..=11 => {
                let op = *self.random.pick(&["<", ">", "<=", ">=", "==", "!="]);
                format!("({} {op} {})", self.pure(d), self.pure(d))
            }
            12..=13 => {
                // The amount stays below the width of the promoted left side.
                let op = *self.random.pick(&["<<", ">>"]);
                let (ty, mask) = *self.random.pick(&[
                    ("int", 31),
                    ("unsigned", 31),
                    ("long long", 63),
                    ("unsigned long long", 63),
                    ("short", 31),
                    ("unsigned char", 31),
                    ("long", 31),
                ]);
                format!("(({ty}){} {op} ({} & {mask}))", self.pure(d), self.pure(d))
            }
            14 => {
                let (op, ty) = (*self.random.pick(&["div", "rem"]), self.some_type());
                format!("{op}_{}({}, {})", INTS[ty].1, self.pure(d), self.pure(d))
            }
            15 => {
                let op = *self.random.pick(&["/", "%"]);
                let divisor = *self.random.pick(&["3", "7u", "10ll", "16", "1000003ul", "255"]);
                format!("({} {op} {divisor})", self.pure(d))
            }
            16..=17 => {
                let op = *self.random.pick(&["-", "~", "!", "+"]);
                format!("({op}{})", self.pure(d))
            }
            18..=19 => {
                let ty = self.some_type();
                format!("(({}){})", INTS[ty].0, self.pure(d))
            }
            20 => {
                let op = *self.random.pick(&["&&", "||"]);
                format!("({} {op} {})", self.pure(d), self.pure(d))
            }
            21 => format!("({} ? {} : {})", self.pure(d), self.pure(d), self.pure(d)),
            22 if self.has_wide && self.random.chance(40) => {
                let ty = *self.random.pick(&["__int128", "unsigned __int128"]);
                let op = *self.random.pick(&["*", "+", "-", "^"]);
                let shift = self.random.below(100);
                format!(
                    "((long long)((({ty}){} {op} ({ty}){}) >> {shift}))",
                    self.pure(d),
                    self.pure(d)
                )
            }
            22 => {
                let ty = self.some_type();
                format!("(sizeof({}) + {})", INTS[ty].0, self.pure(d))
            }
            _ => {
                let x = self.double(d.min(2));
                format!("toint({x})")
            }
        }
    }

    /// A floating expression without effects.
    pub(crate) fn double(&mut self, depth: usize) -> String {
        if depth == 0 {
            return match self.random.below(4) {
                0 if !self.doubles.is_empty() => self.random.pick(&self.doubles.clone()).clone(),
                1 => (*self.random.pick(&["0.1", "1e10", "3.5f", "1.0/3", "-2.25", "1e-300"]))
                    .to_string(),
                2 => format!("(float){}", self.leaf()),
                _ => format!("(double){}", self.leaf()),
            };
        }
        let d = depth - 1;
        match self.random.below(8) {
            0..=3 => {
                let op = *self.random.pick(&["+", "*", "/"]);
                format!("({} {op} {})", self.double(d), self.double(d))
            }
            // GCC folds `0.0 - x` to `-x` if `x` comes from an integer, which
            // gives the other zero; a variable keeps it from doing so.
            4 if !self.doubles.is_empty() => {
                let x = self.random.pick(&self.doubles.clone()).clone();
                format!("({} - {x})", self.double(d))
            }
            4..=5 => format!("(float)({})", self.double(d)),
            6 => format!("({} ? {} : {})", self.pure(d), self.double(d), self.double(d)),
            _ => format!("(double)({} < {})", self.double(d), self.double(d)),
        }
    }

    /// An lvalue of integer type that may be written, without effects.
    pub(crate) fn target(&mut self) -> Option<String> {
        if !self.values.is_empty() && self.random.chance(30) {
            let (value, record) = self.random.pick(&self.values.clone()).clone();
            let member = self.random.pick(&self.members[record].clone()).clone();
            return Some(format!("{value}.{member}"));
        }
        let writable: Vec<String> =
            self.names.iter().filter(|n| n.writable).map(|n| n.text.clone()).collect();
        (!writable.is_empty()).then(|| self.random.pick(&writable).clone())
    }

    /// An expression with one effect, or a sequence of effects in fixed order.
    pub(crate) fn effect(&mut self, depth: usize) -> String {
        let d = depth.saturating_sub(1);
        let choice = if depth == 0 { self.random.below(5) } else { self.random.below(11) };
        match choice {
            0..=1 => match self.target() {
                Some(target) => {
                    let value = self.pure(2);
                    let op = *self.random.pick(&["=", "+=", "-=", "*=", "&=", "|=", "^="]);
                    format!("({target} {op} {value})")
                }
                None => self.pure(1),
            },
            2 => match self.target() {
                Some(target) => {
                    (*self.random.pick(&["X++", "X--", "++X", "--X"])).replace('X', &target)
                }
                None => self.pure(1),
            },
            3 => match self.target() {
                Some(target) => {
                    let op = *self.random.pick(&["<<=", ">>="]);
                    // Bit-fields and short types are promoted to at least `int`.
                    format!("({target} {op} ({} & 7))", self.pure(1))
                }
                None => self.pure(1),
            },
            4 => self.call(),
            5..=6 => {
                let op = *self.random.pick(&["&&", "||"]);
                format!("({} {op} {})", self.effect(d), self.effect(d))
            }
            7 => format!("({} ? {} : {})", self.effect(d), self.effect(d), self.effect(d)),
            8 => format!("({}, {})", self.effect(d), self.effect(d)),
            9 => {
                let name = self.new_name("t");
                let ty = self.some_type();
                format!(
                    "({{ {} {name} = {}; {name} {} {}; {name}; }})",
                    INTS[ty].0,
                    self.effect(d),
                    self.random.pick(&["+=", "^=", "="]),
                    self.pure(1)
                )
            }
            _ => {
                let ty = self.some_type();
                format!("(({}){})", INTS[ty].0, self.effect(d))
            }
        }
    }

    /// A call of a function written before, or of a library function.
    pub(crate) fn call(&mut self) -> String {
        if self.functions.is_empty() || self.random.chance(15) {
            let count = 1 + self.random.below(4);
            let arguments: Vec<String> =
                (0..count).map(|_| format!("(int){}", self.pure(1))).collect();
            return format!("total({count}, {})", arguments.join(", "));
        }
        let function = self.random.pick(&self.functions.clone()).clone();
        let arguments: Vec<String> = function.parameters.iter().map(|_| self.pure(2)).collect();
        format!("{}({})", function.name, arguments.join(", "))
    }
}
