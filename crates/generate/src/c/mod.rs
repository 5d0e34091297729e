//! Random C programs whose truth is found by running them on all inputs, and
//! the ways to write each of them that must not change its verdict.

mod driver;
mod writer;

pub use driver::driver;
pub use writer::{Program, program};

/// How a program is written. Nothing but `narrow` changes what it does.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Style {
    /// Stands before every name that is ours.
    pub prefix: &'static str,
    /// Code that no run reaches.
    pub dead: bool,
    /// Functions behind `main`, last first, after prototypes.
    pub reordered: bool,
    /// Calls replaced by what they do.
    pub inlined: bool,
    /// Functions in a file of their own.
    pub split: bool,
    /// Types of fixed width, which mean the same in every data model.
    pub fixed: bool,
    /// Runs whose first input is large end at once. If the error was not reached
    /// before, it is not reached now.
    pub narrow: bool,
}

/// The styles of the campaign, with their names.
pub const STYLES: [(&str, Style); 8] = {
    let plain = Style {
        prefix: "",
        dead: false,
        reordered: false,
        inlined: false,
        split: false,
        fixed: false,
        narrow: false,
    };
    [
        ("plain", plain),
        ("renamed", Style { prefix: "other_", ..plain }),
        ("dead", Style { dead: true, ..plain }),
        ("reordered", Style { reordered: true, ..plain }),
        ("inlined", Style { inlined: true, ..plain }),
        ("split", Style { split: true, ..plain }),
        ("fixed", Style { fixed: true, ..plain }),
        ("narrow", Style { narrow: true, ..plain }),
    ]
};

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn programs_repeat_and_variants_differ_in_names_only() {
        for seed in 0..50 {
            let plain = program(seed, &Style::default());
            assert_eq!(plain, program(seed, &Style::default()));
            let renamed = program(seed, &Style { prefix: "zz_", ..Style::default() });
            let text = &plain.files[0].1;
            assert_eq!(*text, renamed.files[0].1.replace("zz_", ""), "{seed}");
            let dead = program(seed, &Style { dead: true, ..Style::default() });
            assert!(dead.files[0].1.len() > text.len());
            let split = program(seed, &Style { split: true, ..Style::default() });
            assert_eq!(split.files.len(), if plain.functions > 0 { 2 } else { 1 });
        }
    }
}
