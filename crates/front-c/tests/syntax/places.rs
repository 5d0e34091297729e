//! Preprocessing: places in the files people wrote, flags, encodings. Needs
//! `cc`; where there is none the tests say so and pass.

use super::show;
use parallax_base::{Diagnostics, SourceMap};
use parallax_cfa::DataModel;
use parallax_front_c::ast::{ExprKind, Item, StmtKind, Unit};
use parallax_front_c::{Input, Options, compile_commands, on_large_stack, parse_inputs};
use std::path::{Path, PathBuf};

/// A folder of files, removed at the end.
struct Folder(PathBuf);

impl Folder {
    fn new(name: &str, files: &[(&str, &[u8])]) -> Folder {
        let path = std::env::temp_dir().join(format!("parallax-{name}-{}", std::process::id()));
        std::fs::create_dir_all(&path).expect("a temporary folder");
        for (name, text) in files {
            let file = path.join(name);
            std::fs::create_dir_all(file.parent().expect("a folder")).expect("a folder");
            std::fs::write(file, text).expect("a temporary file");
        }
        Folder(path)
    }
}

impl Drop for Folder {
    fn drop(&mut self) {
        let _ = std::fs::remove_dir_all(&self.0);
    }
}

fn has_cc() -> bool {
    let found = std::process::Command::new("cc").arg("--version").output().is_ok();
    if !found {
        println!("no `cc`: nothing is tested");
    }
    found
}

fn parse(inputs: &[Input], options: &Options) -> (SourceMap, Result<Vec<Unit>, Diagnostics>) {
    let mut sources = SourceMap::default();
    let mut warnings = Diagnostics::default();
    let units = on_large_stack(|| parse_inputs(&mut sources, inputs, options, &mut warnings));
    (sources, units)
}

/// The messages about a file, with the folder left out.
fn messages(folder: &Path, inputs: &[Input], options: &Options) -> String {
    let (sources, units) = parse(inputs, options);
    let errors = units.err().unwrap_or_default();
    show(&sources, errors.iter()).replace(&format!("{}/", folder.display()), "")
}

#[test]
fn places_are_those_of_the_original_files() {
    if !has_cc() {
        return;
    }
    let main = b"#include \"inc.h\"\n\
        #define BAD(x) ((x) +)\n\
        /* a comment\n   of two lines */\n\
        int  f(void)   { return BAD(one); }\n\
        \n\n\n\n\n\n\n\n\n\n\n\
        #ifdef NO\nint\n#else\n\
        \tint g = 1 2;\n#endif\n";
    let folder = Folder::new("places", &[("m.c", main), ("inc.h", b"int ok;\n\nint 3;\n")]);
    let found = messages(&folder.0, &[Input::file(folder.0.join("m.c"))], &Options::default());
    assert_eq!(
        found,
        "error[C0020] inc.h:3:5: expected a name, found `3`\n  \
           inc.h:3:5 `3`: expected a name\n\
         error[C0020] m.c:5:32: expected an expression, found `)`\n  \
           m.c:5:32 `)`: expected an expression\n\
         error[C0020] m.c:20:12: expected `;` after the declaration, found `2`\n  \
           m.c:20:12 `2`: expected `;` after the declaration\n  \
           m.c:20:10 `1`: after this\n"
    );
}

#[test]
fn line_directives_do_not_hide_the_file() {
    if !has_cc() {
        return;
    }
    let main = b"int a;\n#line 100 \"gone.y\"\nint b;\n# 7 \"other.c\"\nint c\n;\nint 4;\n";
    let folder = Folder::new("lines", &[("m.c", main)]);
    let path = folder.0.join("m.c");
    let found = messages(&folder.0, &[Input::file(&path)], &Options::default());
    assert!(found.starts_with("error[C0020] m.c:7:5: expected a name, found `4`"), "{found}");
    // A `.i` file as it is: the same.
    std::fs::rename(&path, folder.0.join("m.i")).expect("a file can be renamed");
    let found = messages(&folder.0, &[Input::file(folder.0.join("m.i"))], &Options::default());
    assert!(found.starts_with("error[C0020] m.i:7:5: expected a name, found `4`"), "{found}");
}

#[test]
fn what_the_preprocessor_says_is_shown() {
    if !has_cc() {
        return;
    }
    let folder = Folder::new("cpp", &[("m.c", b"int x;\n#include <no/such.h>\nint y;\n")]);
    let found = messages(&folder.0, &[Input::file(folder.0.join("m.c"))], &Options::default());
    assert_eq!(
        found,
        "error[C0002] m.c:2:10: no/such.h: No such file or directory\n  \
           help: name the folder it lies in with `-I`\n"
    );
    let folder = Folder::new("cpp-error", &[("m.c", b"#error no\n#error never\n")]);
    let found = messages(&folder.0, &[Input::file(folder.0.join("m.c"))], &Options::default());
    assert_eq!(found.matches("error[C0002]").count(), 2, "{found}");
}

#[test]
fn missing_files_are_named() {
    let (sources, units) =
        parse(&[Input::file("no/such/file.c"), Input::file("no/such.i")], &Options::default());
    let found = show(&sources, units.expect_err("there are no files").iter());
    assert_eq!(found.matches("error[C0001]").count(), 2, "{found}");
}

/// The value of the first `return` of the last function, if it is a number.
fn returned(unit: &Unit) -> Option<u128> {
    let Item::Function(function) = unit.items.last()? else { return None };
    let StmtKind::Block { items, .. } = &unit.stmts[function.body].kind else { return None };
    let StmtKind::Return(Some(value)) = unit.stmts[*items.first()?].kind else { return None };
    match &unit.exprs[value].kind {
        ExprKind::Int(int) => Some(int.value),
        _ => None,
    }
}

#[test]
fn macros_folders_and_data_models_reach_the_preprocessor() {
    if !has_cc() {
        return;
    }
    let main = b"#include <stdlib.h>\n#include \"h.h\"\nint main(void) { return VALUE; }\n";
    let folder = Folder::new("flags", &[("m.c", main), ("inc/h.h", b"#define VALUE X Y\n")]);
    let input = Input::file(folder.0.join("m.c"));
    let value = |options: Options| {
        let (sources, units) = parse(std::slice::from_ref(&input), &options);
        let units = units.map_err(|errors| show(&sources, errors.iter()));
        returned(&units.expect("the file is right")[0])
    };
    let includes = vec![folder.0.join("inc")];
    let options = |model, defines: &[&str]| Options {
        model,
        includes: includes.clone(),
        defines: defines.iter().map(|&define| define.to_owned()).collect(),
        ..Options::default()
    };
    assert_eq!(value(options(DataModel::Lp64, &["X=4", "Y="])), Some(4));
    for (model, bytes) in [(DataModel::Lp64, 8), (DataModel::Ilp32, 4)] {
        assert_eq!(value(options(model, &["X=__SIZEOF_LONG__", "Y="])), Some(bytes));
    }
}

#[test]
fn files_that_are_not_utf8_keep_their_bytes() {
    let text = b"/* caf\xe9 */ char *s = \"\xe9\xff\";\n";
    let folder = Folder::new("latin", &[("m.i", text), ("m.c", text)]);
    let names: &[&str] = if has_cc() { &["m.i", "m.c"] } else { &["m.i"] };
    for name in names {
        let (_, units) = parse(&[Input::file(folder.0.join(name))], &Options::default());
        let units = units.expect("the file is right");
        let strings = units[0].exprs.iter().filter_map(|expr| match &expr.kind {
            ExprKind::Str(units, _) => Some(units.to_vec()),
            _ => None,
        });
        assert_eq!(strings.collect::<Vec<_>>(), [vec![0xe9, 0xff]], "{name}");
    }
}

#[test]
fn texts_need_no_files() {
    let (_, units) = parse(&[Input::text("m.c", "int x;")], &Options::default());
    assert!(units.is_ok());
    if has_cc() {
        let text = "#define X 3\nint main(void) { return X; }\nint f = ;\n";
        let (sources, units) = parse(&[Input::text("m.c", text)], &Options::default());
        let found = show(&sources, units.expect_err("there is an error").iter());
        assert!(found.starts_with("error[C0020] m.c:3:9: expected an expression"), "{found}");
    }
}

#[test]
fn a_compilation_database_is_read_and_not_run() {
    let json = br#"[
      { "directory": "sub", "file": "a.c", "command": "touch evil; cc -DX=3 -I../inc -c a.c" },
      { "directory": "sub", "file": "a.c", "arguments": ["cc", "-DX=4", "a.c"] },
      { "directory": "sub", "file": "b.cpp", "arguments": ["c++", "b.cpp"] }
    ]"#;
    let folder = Folder::new(
        "database",
        &[
            ("compile_commands.json", json),
            ("sub/a.c", b"#include \"h.h\"\nint main(void) { return V; }\n"),
            ("inc/h.h", b"#define V X\n"),
        ],
    );
    let mut sources = SourceMap::default();
    let database = folder.0.join("compile_commands.json");
    let inputs = compile_commands(&mut sources, &database).expect("the database is right");
    assert_eq!(inputs.len(), 1);
    if has_cc() {
        let (_, units) = parse(&inputs, &Options::default());
        assert_eq!(returned(&units.expect("the file is right")[0]), Some(3));
    }
    assert!(!folder.0.join("evil").exists() && !Path::new("evil").exists());
    let broken = Folder::new("broken", &[("c.json", b"[\n  {,\n]")]);
    let errors = compile_commands(&mut sources, &broken.0.join("c.json")).expect_err("not JSON");
    assert!(show(&sources, errors.iter()).contains("c.json:2:"));
}
