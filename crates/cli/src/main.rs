//! Layer 9: the command line, the only room that prints or exits.
//!
//! One file per command; [`args`] says what they take. Nothing here decides
//! anything about a program: that is the façade's work.

mod args;
mod board;
mod bounds_args;
mod call_args;
mod cegar_args;
mod certify;
mod check;
mod deliver;
mod drive;
mod each;
mod engines;
mod events;
mod exit;
mod failure;
mod files;
mod fmt;
#[cfg(target_os = "linux")]
mod guardian;
mod invariants;
mod limits;
mod lsp;
mod ltl;
mod lts;
mod magic;
mod manual;
mod monitor;
mod next;
mod optimize;
mod progress;
mod question_args;
mod run;
mod servant;
mod show;
mod show_args;
mod simulate;
mod supervise;
mod terminal;
mod testgen;
mod testgen_args;
mod unfinished;
mod validate;

use args::{Args, Command};
use exit::Exit;
use failure::Failure;

fn main() {
    supervise::quiet_panics();
    if let Some(exit) = servant::served() {
        exit.leave();
    }
    let args = match Args::read() {
        Ok(args) => args,
        Err(exit) => exit.leave(),
    };
    #[cfg(target_os = "linux")]
    if let Some(code) = guardian::guarded(&args) {
        exit::leave_with(code);
    }
    let delivery = args.delivery();
    let exit = match supervise::catch(|| run(args)) {
        Ok(Ok(exit)) => exit,
        Ok(Err(failure)) | Err(failure) => delivery.failure(&failure),
    };
    exit.leave()
}

fn run(args: Args) -> Result<Exit, Failure> {
    match args.command {
        Command::Check(args) => check::run(*args),
        Command::Certify(args) => certify::run(args),
        Command::Run(args) => run::run(&args),
        Command::Show(args) => show::run(&args),
        Command::Simulate(args) => simulate::run(&args),
        Command::Ltl(args) => ltl::run(&args),
        Command::Lts(args) => lts::run(args),
        Command::Magic(args) => magic::run(args),
        Command::Fmt(args) => fmt::run(&args),
        Command::Optimize(args) => optimize::run(args),
        Command::Invariants(args) => invariants::run(args),
        Command::Testgen(args) => testgen::run(args),
        Command::Lsp => lsp::run(),
        Command::Completions(args) => manual::completions(&args),
        Command::Man(args) => manual::man(&args),
        Command::Engines => engines::run(),
    }
}
