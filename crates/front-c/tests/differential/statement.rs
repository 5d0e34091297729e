//! Statements and functions of generated programs.

use crate::generator::{Callable, Generator, INTS, Name};

impl Generator {
    /// A function; later ones may call it.
    pub(crate) fn function(&mut self, number: usize) {
        let prefix = self.prefix.clone();
        if number == 0 {
            self.record_functions();
            self.recursive_function();
        }
        let result = self.some_type();
        let parameters: Vec<usize> =
            (0..1 + self.random.below(3)).map(|_| self.some_type()).collect();
        let names: Vec<String> = parameters.iter().map(|_| self.new_name("a")).collect();
        let list: Vec<String> =
            parameters.iter().zip(&names).map(|(t, n)| format!("{} {n}", INTS[*t].0)).collect();
        let name = format!("{prefix}f{number}");
        self.line(&format!("static {} {name}({}) {{", INTS[result].0, list.join(", ")));
        self.indent += 1;
        self.line("if (fuel-- <= 0) return 1;");
        for (ty, text) in parameters.iter().zip(&names) {
            self.names.push(Name { text: text.clone(), ty: *ty, writable: true });
        }
        self.budget = 10;
        for _ in 0..3 + self.random.below(4) {
            self.statement();
        }
        let value = self.effect(2);
        self.line(&format!("return {value};"));
        self.indent -= 1;
        self.line("}");
        self.doubles.clear();
        if self.random.chance(50) {
            self.line(&format!(
                "static long {prefix}w{number}(int x) {{ return {name}({}); }}",
                vec!["x"; parameters.len()].join(", ")
            ));
            let table = format!("{prefix}tab{number}");
            self.line(&format!(
                "static long (*const {table}[2])(int) = {{ {prefix}w{number}, {prefix}rec1 }};"
            ));
            self.functions
                .push(Callable { name: format!("{table}[crc & 1]"), parameters: vec![5] });
        }
        self.functions.push(Callable { name, parameters });
    }

    fn record_functions(&mut self) {
        let prefix = self.prefix.clone();
        for record in 0..self.records {
            let members = self.members[record].clone();
            let first = self.random.pick(&members).clone();
            let second = self.random.pick(&members).clone();
            let ty = format!("{prefix}R{record}");
            self.line(&format!(
                "static {ty} {prefix}twist{record}({ty} v, int x) \
                 {{ v.{first} += x; v.{second} ^= v.{first}; return v; }}"
            ));
            self.line(&format!(
                "static long {prefix}touch{record}({ty} *p, long x) \
                 {{ p->{second} -= x; return p->{first}++; }}"
            ));
        }
    }

    fn recursive_function(&mut self) {
        let name = format!("{}rec", self.prefix);
        let ty = self.some_type();
        let spelled = INTS[ty].0;
        let factor = 2 + self.random.below(9);
        self.line(&format!(
            "static {spelled} {name}(int n, {spelled} sum) {{ \
             if (n <= 0 || fuel-- <= 0) return sum; \
             if (n & 1) return {name}(n - 1, sum * {factor} + n) + 1; \
             return {name}(n / 2, sum ^ n) - {name}(n / 3, sum); }}"
        ));
        self.line(&format!("static long {name}1(int x) {{ return {name}(x & 31, x); }}"));
        self.functions.push(Callable { name: format!("{name}1"), parameters: vec![5] });
    }

    fn block(&mut self, statements: usize) {
        let (names, doubles, values) = (self.names.len(), self.doubles.len(), self.values.len());
        self.indent += 1;
        self.depth += 1;
        for _ in 0..statements {
            self.statement();
        }
        self.depth -= 1;
        self.indent -= 1;
        self.names.truncate(names);
        self.doubles.truncate(doubles);
        self.values.truncate(values);
    }

    fn statement(&mut self) {
        if self.budget == 0 {
            return;
        }
        self.budget -= 1;
        let nested = self.depth < 3;
        match self.random.below(30) {
            0..=5 => {
                let text = self.effect(2);
                self.line(&format!("{text};"));
            }
            6..=8 => {
                let (ty, name) = (self.some_type(), self.new_name("x"));
                let value = self.effect(2);
                let storage = if self.random.chance(10) { "volatile " } else { "" };
                self.line(&format!("{storage}{} {name} = {value};", INTS[ty].0));
                self.names.push(Name { text: name, ty, writable: true });
            }
            9..=11 if nested => self.branch(),
            12..=13 if nested => self.counted_loop(),
            14 if nested => self.while_loop(),
            15..=16 if nested => self.switch(),
            17 if nested => self.jumps(),
            18..=19 => self.array(),
            20 => self.pointer(),
            21 => self.variable_length(),
            22 => self.strings(),
            23..=24 => self.record(),
            25..=26 => {
                let name = self.new_name("d");
                let value = self.double(2);
                let ty = *self.random.pick(&["double", "float", "double"]);
                self.line(&format!("{ty} {name} = {value};"));
                self.line(&format!("mixd({name});"));
                self.doubles.push(name);
            }
            27 => self.heap(),
            28 => {
                let (ty, name) = (self.some_type(), self.new_name("s"));
                let value = self.constant();
                self.line(&format!("static {} {name} = {value};", INTS[ty].0));
                self.line(&format!("{name} += 3;"));
                self.names.push(Name { text: name, ty, writable: true });
            }
            _ if self.loops > 0 && self.random.chance(50) => {
                let condition = self.pure(2);
                let leave = *self.random.pick(&["break", "continue"]);
                self.line(&format!("if ({condition}) {leave};"));
            }
            _ => {
                let value = self.pure(3);
                self.line(&format!("mix({value});"));
            }
        }
    }

    fn branch(&mut self) {
        let condition = self.effect(1);
        self.line(&format!("if ({condition}) {{"));
        self.block(2);
        if self.random.chance(60) {
            self.line("} else {");
            self.block(2);
        }
        self.line("}");
    }

    fn counted_loop(&mut self) {
        let name = self.new_name("i");
        let ty = *self.random.pick(&[5usize, 6, 3, 1, 10]);
        let (from, to) = (self.random.below(4), 3 + self.random.below(6));
        let (start, test, step) = *self.random.pick(&[
            ("A", "N < B", "N++"),
            ("A", "N < B", "N += 2"),
            ("B", "N > A", "N--"),
            ("B", "N-- > A", ""),
        ]);
        let fill = |text: &str| {
            text.replace('N', &name).replace('A', &from.to_string()).replace('B', &to.to_string())
        };
        self.line(&format!(
            "for ({} {name} = {}; {} && fuel-- > 0; {}) {{",
            INTS[ty].0,
            fill(start),
            fill(test),
            fill(step)
        ));
        let names = self.names.len();
        self.names.push(Name { text: name, ty, writable: false });
        self.loops += 1;
        self.block(2);
        self.loops -= 1;
        self.names.truncate(names);
        self.line("}");
    }

    fn while_loop(&mut self) {
        let name = self.new_name("n");
        let condition = self.effect(1);
        let count = 2 + self.random.below(5);
        self.line(&format!("int {name} = 0;"));
        self.loops += 1;
        if self.random.chance(50) {
            self.line(&format!("while ({name}++ < {count} && fuel-- > 0 && {condition}) {{"));
            self.block(2);
            self.line("}");
        } else {
            self.line("do {");
            self.block(2);
            self.line(&format!("}} while ({name}++ < {count} && fuel-- > 0 && {condition});"));
        }
        self.loops -= 1;
    }

    fn switch(&mut self) {
        let (value, modulus) = (self.effect(1), 2 + self.random.below(7));
        let ty = *self.random.pick(&["int", "unsigned", "unsigned char", "long long"]);
        self.line(&format!("switch (({ty})({value}) % {modulus}) {{"));
        let loops = std::mem::take(&mut self.loops);
        let default = self.random.below(4);
        for case in 0..4 {
            if case == default {
                self.line("default:");
            }
            if self.random.chance(20) {
                self.line(&format!("case {} ... {}:", case * 2, case * 2 + 1));
            } else {
                self.line(&format!("case {}:", case * 2));
            }
            // A declaration may not follow a label, and the next case may not
            // jump over one.
            self.line("{");
            self.block(1);
            self.line("}");
            if self.random.chance(70) {
                self.line("break;");
            }
        }
        self.loops = loops;
        self.line("}");
    }

    fn jumps(&mut self) {
        let (again, skip, count) =
            (self.new_name("again"), self.new_name("skip"), self.new_name("k"));
        let (first, second) = (self.pure(1), self.pure(1));
        self.line(&format!("int {count} = 0;"));
        self.line(&format!("{again}: ;"));
        self.line(&format!("if ({first}) goto {skip};"));
        // A loop inside must not be left by `break` of a loop outside it.
        self.line("{");
        self.block(2);
        self.line("}");
        self.line(&format!("{skip}:"));
        self.line(&format!("if ({second} && {count}++ < 3 && fuel-- > 0) goto {again};"));
    }

    fn array(&mut self) {
        let (ty, name, index) = (self.some_type(), self.new_name("v"), self.new_name("j"));
        let size = 2 + self.random.below(7);
        let spelled = INTS[ty].0;
        if self.random.chance(30) {
            let value = self.constant();
            self.line(&format!("{spelled} {name}[{size}][3] = {{ [1] = {{ {value}, 2 }} }};"));
            let (a, b) = (self.pure(2), self.pure(1));
            let place = format!("{name}[(unsigned)({a}) % {size}][(unsigned)({b}) % 3]");
            let value = self.pure(2);
            self.line(&format!("{place} += {value};"));
            let row = self.random.below(size);
            self.names.push(Name { text: format!("{name}[{row}][1]"), ty, writable: true });
            return;
        }
        let value = self.pure(2);
        self.line(&format!("{spelled} {name}[{size}];"));
        self.line(&format!(
            "for (int {index} = 0; {index} < {size}; {index}++) {name}[{index}] = {index} * ({value});"
        ));
        let at = self.pure(2);
        let text = format!("{name}[(unsigned)({at}) % {size}]");
        let pointer = self.new_name("p");
        self.line(&format!("{spelled} *{pointer} = &{text};"));
        self.line(&format!("mix({pointer} - {name} + ({pointer} > {name} + 1));"));
        self.names.push(Name { text: format!("(*{pointer})"), ty, writable: true });
        let fixed = self.random.below(size);
        self.names.push(Name { text: format!("{name}[{fixed}]"), ty, writable: true });
    }

    fn pointer(&mut self) {
        // Locals and elements of arrays have addresses; bit-fields do not.
        let candidates: Vec<Name> = self.names.iter().filter(|n| n.writable).cloned().collect();
        if candidates.is_empty() {
            return;
        }
        let chosen = self.random.pick(&candidates).clone();
        let (name, twice) = (self.new_name("p"), self.new_name("q"));
        let spelled = INTS[chosen.ty].0;
        self.line(&format!("volatile {spelled} *{name} = &{};", chosen.text));
        self.line(&format!("volatile {spelled} **{twice} = &{name};"));
        let value = self.pure(2);
        self.line(&format!("**{twice} ^= {value};"));
        self.names.push(Name { text: format!("(*{name})"), ty: chosen.ty, writable: true });
    }

    fn variable_length(&mut self) {
        let (ty, name, size, index) =
            (self.some_type(), self.new_name("v"), self.new_name("n"), self.new_name("j"));
        let (spelled, count, value) = (INTS[ty].0, self.pure(2), self.pure(1));
        self.line("{");
        self.line(&format!("  unsigned {size} = 1 + (unsigned)({count}) % 9;"));
        self.line(&format!("  {spelled} {name}[{size}][2];"));
        self.line(&format!("  for (unsigned {index} = 0; {index} < {size}; {index}++)"));
        self.line(&format!("    {name}[{index}][0] = {value}, {name}[{index}][1] = {index};"));
        self.line(&format!("  mix(sizeof {name}); mix({name}[{size} / 2][1] + {name}[0][0]);"));
        self.line("}");
    }

    fn strings(&mut self) {
        let (a, b) = (self.new_name("c"), self.new_name("c"));
        let word = *self.random.pick(&["hello", "", "a\\0b", "x\\377y", "model checker"]);
        let other = *self.random.pick(&["hello", "help", "", "x", "y"]);
        let at = self.pure(1);
        self.line(&format!("char {a}[20] = \"{word}\", {b}[20] = {{ 0 }};"));
        self.line(&format!("strcpy({b}, \"{other}\");"));
        self.line(&format!("mix(sign(strcmp({a}, {b})) + 3 * strlen({a}) + strlen({b}));"));
        self.line(&format!("memcpy({a} + 2, {b}, 7); memset({b} + 1, {at}, 3);"));
        self.line(&format!("mix(sign(memcmp({a}, {b}, 2)));"));
        let element = self.random.below(5);
        self.names.push(Name { text: format!("{a}[{element}]"), ty: 2, writable: true });
    }

    fn record(&mut self) {
        let prefix = self.prefix.clone();
        let (value, record) = self.random.pick(&self.values.clone()).clone();
        let ty = format!("{prefix}R{record}");
        let member = self.random.pick(&self.members[record].clone()).clone();
        let argument = self.pure(2);
        match self.random.below(6) {
            0 => self.line(&format!("{value} = {prefix}twist{record}({value}, {argument});")),
            1 => self.line(&format!("mix({prefix}touch{record}(&{value}, {argument}));")),
            2 => {
                let name = self.new_name("r");
                self.line(&format!("{ty} {name} = {value};"));
                self.line(&format!("{name}.{member} = {argument};"));
                self.values.push((name, record));
            }
            3 => {
                let name = self.new_name("r");
                self.line(&format!("{ty} {name} = {{ 0 }};"));
                self.line(&format!("{name} = {argument} ? {value} : {name};"));
                self.values.push((name, record));
            }
            4 => self.line(&format!("{value} = ({ty}){{ .{member} = {argument} }};")),
            _ => {
                let name = self.new_name("r");
                self.line(&format!("{ty} {name}[2] = {{ {value} }};"));
                self.line(&format!("{name}[1] = {prefix}twist{record}({name}[0], {argument});"));
                self.line(&format!("mix({prefix}twist{record}({name}[1], 1).{member});"));
                self.values.push((format!("{name}[1]"), record));
            }
        }
    }

    fn heap(&mut self) {
        let (ty, name, index) = (self.some_type(), self.new_name("h"), self.new_name("j"));
        let (spelled, size) = (INTS[ty].0, 1 + self.random.below(8));
        let (value, at) = (self.pure(2), self.pure(1));
        self.line("{");
        if self.random.chance(50) {
            self.line(&format!("  {spelled} *{name} = malloc({size} * sizeof *{name});"));
            self.line(&format!(
                "  for (int {index} = 0; {index} < {size}; {index}++) {name}[{index}] = {index};"
            ));
        } else {
            self.line(&format!("  {spelled} *{name} = calloc({size}, sizeof *{name});"));
        }
        self.line(&format!("  {name}[(unsigned)({at}) % {size}] -= {value};"));
        self.line(&format!(
            "  for (int {index} = 0; {index} < {size}; {index}++) mix({name}[{index}]);"
        ));
        self.line(&format!("  free({name});"));
        self.line("}");
    }
}
