//! `parallax completions` and `parallax man`: what shells and `man` want to know, made of
//! the definition of the command line.

use crate::args::{Args, CompletionsArgs, ManArgs};
use crate::exit::Exit;
use crate::failure::Failure;
use crate::{files, terminal};
use clap::CommandFactory;

/// What the program is called.
const NAME: &str = "parallax";

/// Prints the completions for a shell.
pub(crate) fn completions(args: &CompletionsArgs) -> Result<Exit, Failure> {
    let mut script = Vec::new();
    clap_complete::generate(args.shell, &mut Args::command(), NAME, &mut script);
    terminal::print_bytes(&script);
    Ok(Exit::Holds)
}

/// Writes a page for the program and one for each command.
pub(crate) fn man(args: &ManArgs) -> Result<Exit, Failure> {
    files::prepare_folder(&args.folder)?;
    files::create_folder(&args.folder)?;
    let mut program = Args::command();
    program.build();
    let commands = program.get_subcommands().filter(|command| command.get_name() != "help");
    let pages = commands.map(|command| (format!("{NAME}-{}", command.get_name()), command.clone()));
    let pages: Vec<_> = pages.chain([(NAME.to_owned(), program.clone())]).collect();
    for (name, command) in pages {
        let page = clap_mangen::Man::new(command).title(name.clone());
        files::write(&args.folder.join(format!("{name}.1")), |out| page.render(&mut { out }))?;
    }
    Ok(Exit::Holds)
}
