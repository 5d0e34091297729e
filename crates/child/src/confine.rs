//! Holding a child to its [`Reach`] by the kernel.
//!
//! Landlock restricts a thread and whatever it starts from then on. So a thread
//! of its own restricts itself, starts the child, and ends; nobody else is
//! restricted. Kernels before 5.13, and those without Landlock, restrict
//! nothing; newer ones restrict more than older ones: reading always, connections from 6.7 on.

use crate::Reach;
use std::io;
use std::process::{Child, Command};

/// Starts a command within reach; whether the kernel sees to it.
pub(crate) fn spawn(command: &mut Command, reach: &Reach) -> io::Result<(Child, bool)> {
    let start = || {
        let is_confined = restrict(reach);
        command.spawn().map(|child| (child, is_confined))
    };
    std::thread::scope(|scope| {
        let thread = std::thread::Builder::new().name("child".into()).spawn_scoped(scope, start)?;
        thread.join().unwrap_or_else(|_| Err(io::Error::other("cannot start a thread")))
    })
}

/// Restricts this thread; whether it is restricted now.
#[cfg(target_os = "linux")]
fn restrict(reach: &Reach) -> bool {
    use landlock::{
        ABI, Access, AccessFs, AccessNet, Ruleset, RulesetAttr, RulesetCreatedAttr, RulesetError,
        RulesetStatus, path_beneath_rules,
    };
    const NEWEST: ABI = ABI::V5;
    let restricted = || -> Result<RulesetStatus, RulesetError> {
        let reading = AccessFs::ReadFile | AccessFs::ReadDir;
        let status = Ruleset::default()
            .handle_access(AccessFs::from_all(NEWEST))?
            .handle_access(AccessNet::from_all(NEWEST))?
            .create()?
            .add_rules(path_beneath_rules(&reach.programs, reading | AccessFs::Execute))?
            .add_rules(path_beneath_rules(&reach.folders, reading))?
            .add_rules(path_beneath_rules(&reach.own, AccessFs::from_all(NEWEST)))?
            .add_rules(path_beneath_rules(["/dev/null"], AccessFs::ReadFile | AccessFs::WriteFile))?
            .restrict_self()?;
        Ok(status.ruleset)
    };
    restricted().is_ok_and(|status| status != RulesetStatus::NotEnforced)
}

/// Other systems are not asked.
#[cfg(not(target_os = "linux"))]
fn restrict(_: &Reach) -> bool {
    false
}
