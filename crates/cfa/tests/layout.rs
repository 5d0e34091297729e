//! Record layout against the system's C compiler.
//!
//! Random records are laid out here and printed as C; the compiled program
//! tells size, alignment and, for each member, the bytes that become ones when
//! it is set to all ones in a zeroed object.

#![expect(clippy::unwrap_used, reason = "writing to a string does not fail")]
#![expect(clippy::print_stdout, clippy::print_stderr, reason = "notes of a test")]

use parallax_cfa::{ArrayLength, DataModel, Field, FloatKind, IntKind, Qualifiers, Record};
use parallax_cfa::{RecordOptions, Type, Types};
use std::fmt::Write;
use std::process::Command;

/// A small generator of numbers: the tests must not depend on a seed source.
struct Rng(u64);

impl Rng {
    fn below(&mut self, n: u64) -> u64 {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        (self.0 >> 11) % n
    }

    fn one_in(&mut self, n: u64) -> bool {
        self.below(n) == 0
    }
}

const INTS: [(IntKind, &str); 11] = [
    (IntKind::Bool, "_Bool"),
    (IntKind::Char, "char"),
    (IntKind::UChar, "unsigned char"),
    (IntKind::Short, "short"),
    (IntKind::UShort, "unsigned short"),
    (IntKind::Int, "int"),
    (IntKind::UInt, "unsigned"),
    (IntKind::Long, "long"),
    (IntKind::ULong, "unsigned long"),
    (IntKind::LongLong, "long long"),
    (IntKind::ULongLong, "unsigned long long"),
];

const FLOATS: [(FloatKind, &str); 4] = [
    (FloatKind::Float, "float"),
    (FloatKind::Double, "double"),
    (FloatKind::LongDouble, "long double"),
    (FloatKind::Float128, "_Float128"),
];

struct Generator {
    rng: Rng,
    types: Types,
    made: Vec<(parallax_base::Id<Record>, String)>,
    text: String,
    expected: String,
}

impl Generator {
    fn new(seed: u64, model: DataModel) -> Generator {
        let text = "#include <stdio.h>\n#include <string.h>\n\
            static void dump(const void *p, unsigned long n, const char *m) {\n\
            const unsigned char *b = p; unsigned long first = n, last = 0, i;\n\
            for (i = 0; i < n; i++) if (b[i]) { if (first == n) first = i; last = i; }\n\
            printf(\"%s\", m);\n\
            for (i = first; i < n && i <= last; i++) printf(\" %lu:%x\", i, b[i]);\n\
            printf(\"\\n\"); }\n"
            .to_owned();
        Generator {
            rng: Rng(seed),
            types: Types::new(model),
            made: Vec::new(),
            text,
            expected: String::new(),
        }
    }

    fn power(&mut self) -> u64 {
        1 << self.rng.below(5)
    }

    fn record(&mut self, number: usize) {
        let is_union = self.rng.one_in(5);
        let options = RecordOptions {
            packed: self.rng.one_in(4),
            align: self.rng.one_in(6).then(|| self.power()),
            pack: self.rng.one_in(8).then(|| 1 << self.rng.below(4)),
        };
        let name = format!("s{number}");
        let keyword = if is_union { "union" } else { "struct" };
        let mut body = String::new();
        let mut prints = String::new();
        let count = self.rng.below(7) + 1;
        let fields: Vec<Field> =
            (0..count).map(|i| self.field(i, is_union, &mut body, &mut prints)).collect();
        if let Some(n) = options.pack {
            writeln!(self.text, "#pragma pack(push, {n})").unwrap();
        }
        let packed = if options.packed { " __attribute__((packed))" } else { "" };
        let aligned =
            options.align.map_or(String::new(), |n| format!(" __attribute__((aligned({n})))"));
        writeln!(self.text, "{keyword} {name} {{ {body}}}{packed}{aligned};").unwrap();
        if options.pack.is_some() {
            writeln!(self.text, "#pragma pack(pop)").unwrap();
        }
        writeln!(self.text, "static void show_{name}(void) {{ {keyword} {name} s;").unwrap();
        writeln!(
            self.text,
            "printf(\"{name} %lu %lu\\n\", (unsigned long)sizeof s, (unsigned long)_Alignof({keyword} {name}));\n{prints}}}"
        )
        .unwrap();
        let id = self.types.records.push(Record {
            name: Some(name.as_str().into()),
            is_union,
            is_complete: false,
            members: Vec::new(),
            size: 0,
            align: 1,
            span: parallax_base::Span::default(),
        });
        self.types.lay_out(id, fields, options).expect("fits");
        self.expect(id, &name);
        self.made.push((id, format!("{keyword} {name}")));
    }

    fn field(&mut self, i: u64, is_union: bool, body: &mut String, prints: &mut String) -> Field {
        let kind = self.rng.below(10);
        let mut field = Field {
            name: Some(format!("m{i}").into()),
            ty: self.types.int(IntKind::Int),
            qualifiers: Qualifiers::default(),
            width: None,
            packed: self.rng.one_in(10),
            align: self.rng.one_in(10).then(|| self.power()),
            type_align: None,
        };
        let mut attributes = String::new();
        if field.packed {
            attributes.push_str(" __attribute__((packed))");
        }
        if let Some(n) = field.align {
            write!(attributes, " __attribute__((aligned({n})))").unwrap();
        }
        let whole = format!(
            "memset(&s, 0, sizeof s); memset(&s.m{i}, 255, sizeof s.m{i}); dump(&s, sizeof s, \"m{i}\");\n"
        );
        match kind {
            0..5 => {
                let (int, text) = INTS[self.rng.below(11) as usize];
                let most = int.width(self.types.model);
                let width = match self.rng.below(8) {
                    0 => 0,
                    1 => most,
                    _ => self.rng.below(u64::from(most)) as u32 + 1,
                };
                field.ty = self.types.int(int);
                field.width = Some(width);
                if width == 0 || self.rng.one_in(8) {
                    // Attributes on unnamed bit-fields are not of this world.
                    (field.name, field.align, field.packed) = (None, None, false);
                    write!(body, "{text} : {width}; ").unwrap();
                } else {
                    write!(body, "{text} m{i} : {width}{attributes}; ").unwrap();
                    let ones = if int == IntKind::Bool { "1" } else { "-1" };
                    writeln!(
                        prints,
                        "memset(&s, 0, sizeof s); s.m{i} = {ones}; dump(&s, sizeof s, \"m{i}\");"
                    )
                    .unwrap();
                }
            }
            5 => {
                let (float, text) = FLOATS[self.rng.below(4) as usize];
                field.ty = self.types.intern(Type::Float(float));
                write!(body, "{text} m{i}{attributes}; ").unwrap();
                prints.push_str(&whole);
            }
            6 if !self.made.is_empty() => {
                let pick = self.rng.below(self.made.len() as u64) as usize;
                let (id, text) = self.made[pick].clone();
                field.ty = self.types.intern(Type::Record(id));
                write!(body, "{text} m{i}{attributes}; ").unwrap();
                prints.push_str(&whole);
            }
            _ => {
                let (int, text) = INTS[self.rng.below(11) as usize];
                let of = self.types.int(int);
                let (ty, suffix) = match self.rng.below(4) {
                    0 if !is_union => {
                        let n = self.rng.below(4);
                        let length = ArrayLength::Fixed(n);
                        (self.types.intern(Type::Array { of, length }), format!("[{n}]"))
                    }
                    _ => (of, String::new()),
                };
                field.ty = ty;
                write!(body, "{text} m{i}{suffix}{attributes}; ").unwrap();
                prints.push_str(&whole);
            }
        }
        field
    }

    fn expect(&mut self, id: parallax_base::Id<Record>, name: &str) {
        let record = &self.types.records[id];
        writeln!(self.expected, "{name} {} {}", record.size, record.align).unwrap();
        for member in record.members.iter().filter(|m| m.name.is_some()) {
            let mut bytes = vec![0u8; record.size as usize];
            let (shift, width) = match member.bits {
                Some(bits) => (u64::from(bits.shift), u64::from(bits.width)),
                None => (0, self.types.size_of(member.ty).expect("complete") * 8),
            };
            for bit in member.offset * 8 + shift..member.offset * 8 + shift + width {
                bytes[bit as usize / 8] |= 1 << (bit % 8);
            }
            self.expected.push_str(member.name.as_deref().unwrap_or_default());
            let first = bytes.iter().position(|b| *b != 0).unwrap_or(bytes.len());
            let last = bytes.iter().rposition(|b| *b != 0).map_or(0, |l| l + 1);
            for (at, byte) in bytes.iter().enumerate().take(last).skip(first) {
                write!(self.expected, " {at}:{byte:x}").unwrap();
            }
            self.expected.push('\n');
        }
    }
}

/// Runs a C program; `None` if the compiler cannot make one for this model.
fn run(text: &str, flag: &str, name: &str) -> Option<String> {
    let dir = std::env::temp_dir().join(format!("parallax-layout-{}-{name}", std::process::id()));
    std::fs::create_dir_all(&dir).ok()?;
    let (source, binary) = (dir.join("a.c"), dir.join("a"));
    std::fs::write(&source, text).ok()?;
    let compiled =
        Command::new("cc").args([flag, "-w", "-o"]).arg(&binary).arg(&source).output().ok()?;
    let output = match compiled.status.success() {
        true => Command::new(&binary).output().ok(),
        false => {
            eprintln!("{}", String::from_utf8_lossy(&compiled.stderr));
            None
        }
    };
    std::fs::remove_dir_all(&dir).ok()?;
    String::from_utf8(output?.stdout).ok()
}

fn check(model: DataModel, flag: &str, records: usize) {
    if run("int main(void) { return 0; }", flag, &format!("probe{flag}")).is_none() {
        println!("note: cc {flag} does not work here, layout not compared for {model:?}");
        return;
    }
    let seed = std::env::var("PARALLAX_SEED").ok().and_then(|s| s.parse().ok());
    let mut all = Generator::new(seed.unwrap_or(0x9e37_79b9_7f4a_7c15), model);
    (0..records).for_each(|i| all.record(i));
    let calls: String = (0..records).map(|i| format!("show_s{i}();\n")).collect();
    writeln!(all.text, "int main(void) {{ {calls} return 0; }}").unwrap();
    let actual = run(&all.text, flag, &format!("all{flag}")).expect("the program compiles");
    let mut record = "";
    for (ours, theirs) in all.expected.lines().zip(actual.lines()) {
        if ours.starts_with('s') {
            record = ours.split(' ').next().unwrap_or_default();
        }
        let text = all.text.lines().find(|l| l.contains(&format!("{record} {{ ")));
        assert_eq!(ours, theirs, "ours against the compiler's, in {text:?}");
    }
    assert_eq!(all.expected.lines().count(), actual.lines().count());
}

#[test]
fn records_are_laid_out_as_the_compiler_does_on_x86_64() {
    check(DataModel::Lp64, "-m64", 400);
}

#[test]
fn records_are_laid_out_as_the_compiler_does_on_i386() {
    check(DataModel::Ilp32, "-m32", 400);
}
