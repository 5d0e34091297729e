//! `parallax show`

use crate::args::{Format, ShowArgs};
use crate::exit::Exit;
use crate::failure::Failure;
use crate::{files, terminal};
use parallax::load;
use parallax::report::{program_graph, render_diagnostics, show_program, to_dot, to_svg};

/// Shows a model as it is analyzed.
pub(crate) fn run(args: &ShowArgs) -> Result<Exit, Failure> {
    let task = load(&args.file, &args.defines)?;
    let look = terminal::look(&std::io::stderr());
    let warnings = render_diagnostics(&task.sources, &task.warnings, look);
    if !warnings.is_empty() {
        terminal::note(warnings.trim_end());
    }
    let text = match args.format {
        Format::Text => show_program(&task.program),
        Format::Dot => to_dot(&program_graph(&task.program)),
        Format::Svg => to_svg(&program_graph(&task.program)),
    };
    match &args.output {
        Some(path) => files::write(path, |out| out.write_all(text.as_bytes()))?,
        None => terminal::print(&text),
    }
    Ok(Exit::Holds)
}
