//! What became of recursive calls, between tasks and evidence files.

use super::CTask;
use parallax_cfa::Program;
use parallax_encode::Calls;
use parallax_evidence::{ContractClaim, Recursion};
use parallax_transform::contracts::{Contract, ContractText, Mode};

/// Deepest recursion that a file may ask for.
const MAX_DEPTH: u32 = 10_000;

impl CTask {
    /// What became of recursive calls, as evidence files say it; `None` if
    /// nothing in particular did.
    pub fn recursion(&self) -> Option<Recursion> {
        match &self.calls {
            Calls::Deepest => None,
            Calls::Depth(depth) => Some(Recursion::Depth(u32::try_from(*depth).ok()?)),
            Calls::Contracts(contracts, _) => {
                let claim = |contract: &Contract| {
                    let text = contract.text(&self.source.program)?;
                    let ContractText { function, requires, ensures } = text;
                    Some(ContractClaim { function, requires, ensures })
                };
                contracts.iter().map(claim).collect::<Option<_>>().map(Recursion::Contracts)
            }
        }
    }
}

/// How recursive calls of a program are to be treated; fails with a sentence.
pub(crate) fn calls_of(program: &Program, recursion: &Recursion) -> Result<Calls, String> {
    match recursion {
        Recursion::Depth(depth) if *depth <= MAX_DEPTH => Ok(Calls::Depth(*depth as usize)),
        Recursion::Depth(depth) => Err(format!("recursion to a depth of {depth} is too deep")),
        Recursion::Contracts(claims) => {
            let read = |claim: &ContractClaim| {
                let ContractClaim { function, requires, ensures } = claim.clone();
                Contract::read(program, &ContractText { function, requires, ensures })
            };
            let contracts = claims.iter().map(read).collect::<Result<_, String>>()?;
            Ok(Calls::Contracts(contracts, Mode::Whole))
        }
    }
}
