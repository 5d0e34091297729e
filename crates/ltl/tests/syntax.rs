//! What formulas are read as, and what is said about broken ones.

use parallax_base::{Diagnostics, FileId, LineColumn, SourceFile};
use parallax_ltl::{Node, parse, parse_word};
use rand::rngs::StdRng;
use rand::{RngExt, SeedableRng};

/// The formula read and printed again.
fn check(text: &str, expected: &str) {
    let (formula, diagnostics) = parse(FileId::default(), text);
    let errors: Vec<_> = diagnostics.iter().collect();
    assert!(errors.is_empty(), "{text}: {errors:?}");
    let formula = formula.expect("a formula");
    let shown = formula.show();
    assert_eq!(shown, expected, "{text}");
    let (again, _) = parse(FileId::default(), &shown);
    assert_eq!(again.expect("what was printed is read").show(), shown, "{text}");
}

/// `code line:column` of every message, with its help.
fn messages(text: &str, diagnostics: &Diagnostics) -> Vec<String> {
    let file = SourceFile::new("f", text);
    let one = |d: &parallax_base::Diagnostic| {
        let LineColumn { line, column } = file.line_column(d.labels[0].span.lo);
        let help = d.help.as_deref().unwrap_or("");
        format!("{} {line}:{column} {} | {help}", d.code, d.message)
    };
    diagnostics.iter().map(one).collect()
}

fn broken(text: &str, expected: &[&str]) {
    let (formula, diagnostics) = parse(FileId::default(), text);
    assert!(formula.is_none(), "{text} is read");
    assert_eq!(messages(text, &diagnostics), expected, "{text}");
}

#[test]
fn both_families_of_spellings() {
    check("[] <> a", "[] <> a");
    check("G F a", "[] <> a");
    check("GF a", "[] <> a");
    check("GFX(a)", "[] <> X a");
    check("! a & ~b | c", "(!a && !b) || c");
    check("a V b", "a R b");
    // An atom whose text would be read as something else.
    check("\"!!p\" && \"(q)\"", "\"!!p\" && \"(q)\"");
    check("a => b <=> c", "((!a || b) && c) || (!(!a || b) && !c)");
    check("[ ] a && < > b".replace("< >", "<>").as_str(), "[] a && <> b");
}

#[test]
fn precedence_and_grouping() {
    check("! a U b", "!a U b");
    check("a U b U c", "a U (b U c)");
    check("a U b && c U d", "(a U b) && (c U d)");
    check("a && b || c && d", "(a && b) || (c && d)");
    check("a -> b -> c", "!a || !b || c");
    check("a W b", "a W b");
    check("a M b", "b U (a && b)");
    check("[] (request -> <> answer)", "[] (!request || <> answer)");
    check("X X X a", "X X X a");
    check("true U a", "<> a");
}

#[test]
fn atoms_are_names_quotes_or_expressions() {
    check("[] P[0]@critical", "[] P[0]@critical");
    check("<> x > 3 && y", "<> (x > 3) && y");
    check("[] (x + 1 > y U z == 2)", "[] ((x + 1 > y) U (z == 2))");
    check("(x + 1) * 2 > 3 -> a", "!((x + 1) * 2 > 3) || a");
    check("((x + 1) * 2 > 3)", "((x + 1) * 2 > 3)");
    check("<> \"x > 3 && y\"", "<> \"x > 3 && y\"");
    check("[] !(forall i in 0..3: a[i] > 0 || b)", "[] !(forall i in 0..3: a[i] > 0 || b)");
    check("min(a, b) > 3 U c", "(min(a, b) > 3) U c");
    check("X > 3 && F@idle && \"G\"", "(X > 3) && F@idle && \"G\"");
    check("true == b U -x < 2", "(true == b) U (-x < 2)");
    check("P.v == 3 R a[i + 1] >= 0", "(P.v == 3) R (a[i + 1] >= 0)");
}

#[test]
fn two_spellings_of_an_atom_are_one() {
    let (formula, _) = parse(FileId::default(), "x>3 && \"x > 3\" && x  > 3 && y");
    let formula = formula.expect("a formula");
    let texts: Vec<&str> = formula.atoms.iter().map(|a| a.text.as_str()).collect();
    assert_eq!(texts, ["x>3", "y"]);
}

#[test]
fn several_messages_with_place_and_help() {
    broken(
        "",
        &[
            "L0002 1:1 expected a formula, found the end | a formula is, for instance, `[] (request -> <> answer)`",
        ],
    );
    broken(
        "a U && (b",
        &[
            "L0002 1:5 expected a formula, found `&&` | an operand is missing here",
            "L0003 1:8 `(` is never closed | close it with `)`",
        ],
    );
    broken(
        "[] p\n&& <> ) § q r",
        &[
            "L0002 2:7 expected a formula, found `)` | an operand is missing here",
            "L0003 2:7 `)` closes nothing | take it away, or open it with `(`",
            "L0001 2:9 unknown character `§` | names consist of the letters a-z and A-Z, digits and `_`",
            "L0004 2:11 expected an operator, found `q` | such as `&&`, `||`, `->` or `U`",
            "L0004 2:13 expected an operator, found `r` | such as `&&`, `||`, `->` or `U`",
        ],
    );
    broken(
        "always p",
        &["L0004 1:8 expected an operator, found `p` | always is written `[]` or `G`"],
    );
    broken(
        "p until q",
        &[
            "L0004 1:3 expected an operator, found `until` | until is written `U`",
            "L0004 1:9 expected an operator, found `q` | until is written `U`",
        ],
    );
    broken(
        "p && F",
        &[
            "L0002 1:6 expected a formula, found `F` | `F` is an operator; as a name it is written `\"F\"`",
        ],
    );
    broken(
        "p = 1 U",
        &[
            "L0001 1:3 unknown sign `=` | equality is written `==`",
            "L0002 1:8 expected a formula, found the end | an operand is missing here",
        ],
    );
    broken("1 U p", &["L0007 1:1 a number is no formula | the constants are `true` and `false`"]);
    broken("<> \"x", &["L0005 1:4 the quote is never closed | close it with `\"`"]);
    broken(
        "<> \" \"",
        &["L0007 1:6 an atom without a text | write a name or an expression between the quotes"],
    );
    broken("a[1 && b", &["L0003 1:2 `[` is never closed | "]);
}

#[test]
fn names_that_look_like_operators_are_pointed_out() {
    let (formula, diagnostics) = parse(FileId::default(), "GFa && pUq && Fast");
    assert!(formula.is_some());
    let expected = [
        "L0901 1:1 `GFa` is read as one name | operators stand apart: `G F a`",
        "L0901 1:8 `pUq` is read as one name | operators stand apart: `p U q`",
    ];
    assert_eq!(messages("GFa && pUq && Fast", &diagnostics), expected);
}

#[test]
fn limits() {
    let many: Vec<String> = (0..65).map(|i| format!("a{i}")).collect();
    let (formula, diagnostics) = parse(FileId::default(), &many.join(" && "));
    assert!(formula.is_none() && diagnostics.iter().any(|d| d.code == "L0006"));
    let (formula, _) = parse(FileId::default(), &many[..64].join(" U "));
    assert_eq!(formula.map(|f| f.atoms.len()), Some(64));
    let (formula, diagnostics) = parse(FileId::default(), &" ".repeat(2 << 20));
    assert!(formula.is_none() && diagnostics.iter().any(|d| d.code == "L0006"));
}

#[test]
fn deep_formulas_do_not_overflow_the_stack() {
    let n = 200_000;
    let (formula, _) = parse(FileId::default(), &format!("{}a{}", "(X ".repeat(n), ")".repeat(n)));
    let formula = formula.expect("a formula");
    assert_eq!(formula.store.len(), n + 3);
    assert!(formula.show().starts_with("X X X"));
    let (store, root) = formula.normal_form(true);
    assert!(matches!(store.node(root), Node::Next(_)));
    for text in
        ["[] ".repeat(100_000), "!".repeat(300_000), "(".repeat(500_000), "a U ".repeat(200_000)]
    {
        let _ = parse(FileId::default(), &(text + "a"));
    }
}

#[test]
fn words() {
    let (formula, _) = parse(FileId::default(), "[]<>a && <>[]b");
    let formula = formula.expect("a formula");
    let lasso = |text: &str| parse_word(FileId::default(), text, &formula);
    let found = lasso(" {b} ( {a,b}{ b } {} )^w ").expect("a word");
    assert_eq!((found.stem, found.cycle), (vec![2], vec![3, 2, 0]));
    assert_eq!(lasso("({a})").expect("a word").cycle, [1]);
    let failed = |text: &str| match lasso(text) {
        Ok(found) => panic!("{text} is read as {found:?}"),
        Err(diagnostics) => messages(text, &diagnostics),
    };
    let help = "| a word is, for instance, `{b}({a,b}{b})^w`";
    assert_eq!(
        failed("{a}"),
        [format!("L0101 1:4 expected letters in parentheses, which come for ever {help}")]
    );
    assert_eq!(failed("{a}({b}"), [format!("L0101 1:8 expected `)` {help}")]);
    assert_eq!(
        failed("({b}){a}"),
        [format!("L0101 1:6 nothing comes after what comes for ever {help}")]
    );
    assert_eq!(
        failed("{c}({d}{a})"),
        [
            "L0102 1:2 `c` is no atom of the formula | its atoms are `a`, `b`",
            "L0102 1:6 `d` is no atom of the formula | its atoms are `a`, `b`"
        ]
    );
}

/// Whatever the text, there is a formula or an error, and no panic.
#[test]
fn any_text_is_read_or_refused() {
    let pieces = [
        "a",
        "P[0]@b",
        "(",
        ")",
        "[",
        "]",
        "[]",
        "<>",
        "<",
        ">",
        "X",
        "G F",
        "U",
        "R",
        "!",
        "&&",
        "||",
        "->",
        "<->",
        "==",
        "=",
        "x + 1 >",
        "\"",
        "\"q\"",
        "3",
        "true",
        ".",
        ",",
        ":",
        "-",
        "§",
        "forall i in 0..2:",
        "if",
        "@",
        "min(a, b)",
        "\n",
    ];
    let mut rng = StdRng::seed_from_u64(3);
    let mut read = 0;
    for _ in 0..30_000 {
        let count = rng.random_range(1..9);
        let text: Vec<&str> =
            (0..count).map(|_| pieces[rng.random_range(0..pieces.len())]).collect();
        let text = text.join(if rng.random_bool(0.5) { " " } else { "" });
        let (formula, diagnostics) = parse(FileId::default(), &text);
        assert_eq!(formula.is_none(), diagnostics.has_errors(), "{text}");
        for diagnostic in diagnostics.iter() {
            let span = diagnostic.labels[0].span;
            assert!(span.lo <= span.hi && span.hi as usize <= text.len(), "{text}");
        }
        if let Some(formula) = formula {
            read += 1;
            let shown = formula.show();
            let (again, _) = parse(FileId::default(), &shown);
            let again = again.map(|f| f.show());
            assert_eq!(again.as_deref(), Some(shown.as_str()), "{text}");
            let _ = parse_word(FileId::default(), &text, &formula);
        }
    }
    assert!(read > 500, "{read} formulas");
}
