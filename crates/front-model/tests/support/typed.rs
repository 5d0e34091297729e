//! Random well-typed models for the reference interpreter.

use super::random::Random;

pub(crate) const ARRAYS: [(&str, i128); 2] = [("a", 3), ("bf", 2)];
pub(crate) const ENUM: [&str; 3] = ["red", "green", "blue"];
pub(crate) const LOCATIONS: [&str; 2] = ["here", "there"];

const HEADER: &str = "const N = 2;
enum Color { red, green, blue }
var x: int = 0, r: 0..4 = 0, a: [3] -1..=3 = 0, b: bool = false, bf: [2] bool = false;
var c: Color = red;
process P[i in 0..N] {
  var v: -1..=2 = 0;
  location here, there;
";

/// A model with a few commands.
pub(crate) fn model(seed: u64) -> String {
    let mut random = Random::new(seed + 77);
    let mut text = HEADER.to_owned();
    for n in 0..=random.below(3) {
        let mut maker = Maker { random: &mut random, indexed: false };
        let command = maker.command(n);
        text.push_str(&format!("  {command}\n"));
    }
    text + "}\n"
}

struct Maker<'r> {
    random: &'r mut Random,
    /// Whether the index `k` of the command is in scope.
    indexed: bool,
}

impl Maker<'_> {
    fn pick(&mut self, from: &[&str]) -> String {
        from[self.random.below(from.len())].to_owned()
    }

    fn command(&mut self, n: usize) -> String {
        self.indexed = self.random.below(4) == 0;
        let index = if self.indexed { "[k in 0..2]" } else { "" };
        let sources = self.pick(&["here", "there", "here, there"]);
        let target = self.pick(&LOCATIONS);
        let mut text = format!("c{n}{index}: {sources} -> {target}");
        if self.random.below(3) > 0 {
            text += &format!(" when {}", self.truth(3));
        }
        match self.random.below(3) {
            0 => text += &format!(" do {};", self.list(true)),
            1 => {
                let first = self.list(true);
                text += &format!(" do {{ {first}; {} }}", self.block(2));
            }
            _ => text += &format!(" do {{ {} }}", self.block(2)),
        }
        text
    }

    fn block(&mut self, depth: usize) -> String {
        let mut text = String::new();
        for _ in 0..=self.random.below(2) {
            if depth > 0 && self.random.below(2) == 0 {
                let condition = self.truth(2);
                text += &format!("if {condition} {{ {} }}", self.block(depth - 1));
                if self.random.below(3) == 0 {
                    let condition = self.truth(1);
                    text += &format!(" else if {condition} {{ {} }}", self.block(depth - 1));
                }
                if self.random.below(2) == 0 {
                    text += &format!(" else {{ {} }}", self.block(depth - 1));
                }
            } else {
                text += &format!("{}; ", self.list(false));
            }
        }
        text
    }

    /// Assignments to different variables; the ranges of `any` depend on the
    /// state only if `first`.
    fn list(&mut self, first: bool) -> String {
        let mut names = vec!["x", "r", "v", "b", "c", "a", "bf"];
        let mut parts = Vec::new();
        for _ in 0..=self.random.below(2) {
            let name = names.swap_remove(self.random.below(names.len()));
            let target = match name {
                "a" | "bf" => format!("{name}[{}]", self.number(1)),
                _ => name.to_owned(),
            };
            let value = match (name, self.random.below(5)) {
                ("x" | "r" | "v" | "a", 0) if first => {
                    format!("any {}..={}", self.number(0), self.number(0))
                }
                ("x" | "r" | "v" | "a", 0 | 1) => {
                    let low = self.random.below(2);
                    format!("any {low}..{}", low + 1 + self.random.below(4))
                }
                ("r" | "v" | "a" | "b" | "bf" | "c", 2) => "any".to_owned(),
                ("b" | "bf", _) => self.truth(2),
                ("c", 3) => self.pick(&ENUM),
                ("c", _) => format!("if {} then c else red", self.truth(1)),
                _ => self.number(2),
            };
            parts.push(format!("{target} := {value}"));
        }
        parts.join(", ")
    }

    fn number(&mut self, depth: usize) -> String {
        if depth == 0 {
            let index = if self.indexed { "k" } else { "3" };
            return self.pick(&["0", "1", "2", "x", "r", "v", "i", "N", index]);
        }
        let d = depth - 1;
        match self.random.below(12) {
            0..=2 => self.number(0),
            3 | 4 => format!("({} + {})", self.number(d), self.number(d)),
            5 => format!("({} - {})", self.number(d), self.number(d)),
            6 => format!("({} * {})", self.number(d), self.pick(&["2", "3", "r", "-1"])),
            7 => {
                let op = self.pick(&["/", "%"]);
                format!("({} {op} {})", self.number(d), self.pick(&["2", "3", "r", "x", "-2"]))
            }
            8 => format!("a[{}]", self.number(d)),
            9 => {
                let (c, t, e) = (self.truth(d), self.number(d), self.number(d));
                format!("(if {c} then {t} else {e})")
            }
            10 => {
                let f = self.pick(&["min", "max"]);
                format!("{f}({}, abs({}))", self.number(d), self.number(d))
            }
            _ => {
                let word = self.random.below(2);
                match word {
                    0 => format!("(sum j in 0..3: a[j] * j + {})", self.number(d)),
                    _ => format!("(count j in 0..2: bf[j] && {})", self.truth(d)),
                }
            }
        }
    }

    fn truth(&mut self, depth: usize) -> String {
        if depth == 0 {
            return self.pick(&["b", "x > r", "v == 1", "c == blue", "r <= 2", "bf[1]", "true"]);
        }
        let d = depth - 1;
        match self.random.below(10) {
            0 => self.truth(0),
            1..=3 => {
                let op = self.pick(&["<", "<=", "==", "!=", ">", ">="]);
                format!("({} {op} {})", self.number(d), self.number(d))
            }
            4 | 5 => {
                let op = self.pick(&["&&", "||", "=>", "<=>", "&&"]);
                format!("({} {op} {})", self.truth(d), self.truth(d))
            }
            6 => format!("!{}", self.wrapped(d)),
            7 => format!("bf[{}]", self.number(d)),
            8 => {
                let location = self.pick(&LOCATIONS);
                format!("P[{}]@{location}", self.number(d))
            }
            _ => {
                let word = self.pick(&["forall", "exists"]);
                format!("({word} j in 0..3: a[j] <= {} + j)", self.number(d))
            }
        }
    }

    fn wrapped(&mut self, depth: usize) -> String {
        format!("({})", self.truth(depth))
    }
}
