//! Evidence about C programs that recur: runs by their inputs, and what became
//! of recursive calls in the program that a certificate is about.

/// A run of the program that was checked, by all it was given from outside.
///
/// The program over terms says nothing about it. Only who has the source can
/// repeat the run, and must before it counts.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Execution {
    /// The inputs in the order they are asked for: integers by value, floats
    /// by their bits. Whatever else the program does not determine is zero.
    pub inputs: Vec<i128>,
}

/// What became of recursive calls.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Recursion {
    /// They were followed to a depth; deeper ones are not covered.
    Depth(u32),
    /// Contracts stand for them.
    Contracts(Vec<ContractClaim>),
}

/// How the program was made that a part of an evidence file is about.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Made {
    /// What became of recursive calls, if anything in particular did.
    pub recursion: Option<Recursion>,
    /// Whether no pass has made it smaller.
    pub plain: bool,
    /// Whether a formula of linear temporal logic is asked as an invariant.
    pub always: bool,
}

/// A contract as text. Whether it holds is part of what is proved.
#[derive(Clone, PartialEq, Eq, Debug, serde::Serialize, serde::Deserialize)]
#[serde(deny_unknown_fields)]
pub struct ContractClaim {
    /// The function.
    pub function: String,
    /// What holds when it is called.
    pub requires: Vec<String>,
    /// What holds when it returns.
    pub ensures: Vec<String>,
}

impl std::fmt::Display for ContractClaim {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let requires = self.requires.iter().map(|clause| format!("requires {clause}"));
        let ensures = self.ensures.iter().map(|clause| format!("ensures {clause}"));
        let clauses: Vec<String> = requires.chain(ensures).collect();
        let clauses = if clauses.is_empty() { "nothing".to_owned() } else { clauses.join("; ") };
        write!(f, "`{}` {clauses}", self.function)
    }
}
