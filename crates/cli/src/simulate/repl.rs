//! The dialogue: shows what can happen, reads what shall happen.
//!
//! Works on a terminal and on a pipe alike: the end of the input ends it.

use super::steps::{self, Item, Step};
use super::{Simulation, start};
use crate::exit::Exit;
use crate::failure::Failure;
use crate::terminal::print;
use parallax::Task;
use parallax::report::escape::{clip, visible};
use parallax::report::state_values;
use parallax_base::Chance;
use std::io::{BufRead, IsTerminal};

const HELP: &str = "     \
     NUMBER  take that step            r [N]  take N steps at random
     b       go back one step          g N    go to step N of the run
     s       show the whole state      i      start over
     q       quit                      Enter  show the steps again
";

/// As many steps are shown; the others can be taken all the same.
const LISTED: usize = 60;

/// A line of input; `None` at the end.
fn ask(prompt: &str) -> Option<String> {
    print(prompt);
    let mut line = Vec::new();
    let read = std::io::stdin().lock().read_until(b'\n', &mut line);
    match read {
        Ok(n) if n > 0 => {
            let line = String::from_utf8_lossy(&line).trim().to_owned();
            // A terminal shows what is typed; the transcript of a script should too.
            if !std::io::stdin().is_terminal() {
                print(&format!("{}\n", clip(&visible(&line), 200)));
            }
            Some(line)
        }
        _ => {
            print("\n");
            None
        }
    }
}

/// Talks until the user quits.
pub(super) fn run(task: &Task, chance: &mut Chance) -> Result<Exit, Failure> {
    let mut simulation = Simulation::new(task);
    print(&format!("{}: type ? for help\n", visible(&task.program.name)));
    let Some(()) = begin(task, &mut simulation, chance)? else { return Ok(Exit::Holds) };
    let mut show = true;
    loop {
        let state = simulation.state().clone();
        let menu = steps::menu(&mut simulation.interpreter, &state);
        if show {
            print(&list(task, &simulation, &menu));
        }
        let Some(line) = ask("> ") else { return Ok(Exit::Holds) };
        let (word, rest) = line.split_once(char::is_whitespace).unwrap_or((&line, ""));
        let number = rest.trim().parse::<usize>();
        show = true;
        match (word, number) {
            ("", _) => {}
            ("q", _) => return Ok(Exit::Holds),
            ("?" | "h" | "help", _) => {
                print(HELP);
                show = false;
            }
            ("s", _) => {
                for line in state_values(&task.program, &state) {
                    print(&format!("     {line}\n"));
                }
                show = false;
            }
            ("i", _) => {
                if begin(task, &mut simulation, chance)?.is_none() {
                    return Ok(Exit::Holds);
                }
            }
            ("b", _) if simulation.at > 0 => {
                simulation.at -= 1;
                print(&simulation.describe_last());
            }
            ("g", Ok(to)) if to < simulation.run.len() => {
                simulation.at = to;
                print(&simulation.describe_last());
            }
            ("r", number) => random_steps(&mut simulation, chance, number.unwrap_or(1)),
            (word, _) => match word.parse::<usize>().ok().and_then(|n| menu.get(n.wrapping_sub(1)))
            {
                Some(item) => match chosen(task, &mut simulation, item) {
                    Some(step) => {
                        simulation.take(step);
                        print(&simulation.describe_last());
                    }
                    None => print("     not taken\n"),
                },
                None => {
                    print("     not possible here; type ? for help\n");
                    show = false;
                }
            },
        }
    }
}

fn random_steps(simulation: &mut Simulation<'_>, chance: &mut Chance, count: usize) {
    for _ in 0..count {
        let Some(step) = simulation.random_step(chance) else { break };
        simulation.take(step);
        print(&simulation.describe_last());
    }
}

/// Asks where to start; `None` if nowhere.
fn begin(
    task: &Task,
    simulation: &mut Simulation<'_>,
    chance: &mut Chance,
) -> Result<Option<()>, Failure> {
    let open = steps::open_variables(task);
    loop {
        let mut values = Vec::new();
        let mut at_random = false;
        if !open.is_empty() {
            print("     open initial values: type a value, Enter for any, r for all at random\n");
        }
        for &id in &open {
            let variable = &task.program.variables[id];
            let name = visible(&variable.name);
            let (domain, sort) = (&variable.domain, variable.domain.sort());
            let question = format!("     {name} ({}): ", steps::show_domain(domain));
            let value = loop {
                let Some(line) = ask(&question) else { return Ok(None) };
                match line.as_str() {
                    "" => break None,
                    "r" => {
                        at_random = true;
                        break None;
                    }
                    line => match steps::parse(line, sort, Some(domain)) {
                        Some(value) if domain.contains(&value) => break Some(value),
                        _ => print("     not a value of the type\n"),
                    },
                }
            };
            if at_random {
                break;
            }
            values.extend(value.map(|value| (id, value)));
        }
        let interpreter = &mut simulation.interpreter;
        let found = match at_random {
            true => start::random(task, interpreter, chance)?,
            false => start::with(task, interpreter, &values)?,
        };
        if let Some(initial) = found {
            simulation.begin(initial);
            print(&simulation.describe_last());
            return Ok(Some(()));
        }
        if values.is_empty() {
            print(start::NONE);
            return Ok(None);
        }
        print("     no initial state has these values\n");
    }
}

/// The menu as text.
fn list(task: &Task, simulation: &Simulation<'_>, menu: &[Item]) -> String {
    if menu.is_empty() {
        return steps::STUCK.to_owned();
    }
    let mut out = String::new();
    for (i, item) in menu.iter().enumerate().take(LISTED) {
        let text = match item {
            Item::Step(step) => step.show(task, &simulation.interpreter),
            Item::Ask(transition) => {
                let name = &simulation.interpreter.transitions()[*transition].name;
                format!("{} (asks for values)", visible(name))
            }
        };
        out.push_str(&format!("{:>3}) {}\n", i + 1, clip(&text, 160)));
    }
    if menu.len() > LISTED {
        out.push_str(&format!("     ... and so on up to {}\n", menu.len()));
    }
    out
}

/// The step an item stands for; asks for the values it leaves open.
fn chosen(task: &Task, simulation: &mut Simulation<'_>, item: &Item) -> Option<Step> {
    let transition = match item {
        Item::Step(step) => return Some(step.clone()),
        Item::Ask(transition) => *transition,
    };
    let state = simulation.state().clone();
    let inputs = simulation.interpreter.transitions()[transition].inputs.clone();
    let bounds = steps::bounds(task, &state, transition);
    let mut values = Vec::new();
    for (input, [low, high]) in inputs.iter().zip(&bounds) {
        let (sort, domain) = (steps::task_sort(task, input), steps::domain(task, &input.name));
        let range = match (low, high) {
            (Some(low), Some(high)) => format!("{low} to {high}"),
            (Some(low), None) => format!("{low} or more"),
            (None, Some(high)) => format!("{high} or less"),
            (None, None) => domain.map_or_else(|| sort.to_string(), steps::show_domain),
        };
        let name = visible(&input.name);
        let line = ask(&format!("     {name} ({}): ", clip(&range, 120)))?;
        let Some(value) = steps::parse(&line, sort, domain) else {
            print("     not a value of the type\n");
            return None;
        };
        values.push(value);
    }
    let fits = simulation.interpreter.inputs_fit(&state, transition, &values);
    if !fits {
        print("     out of range\n");
    }
    fits.then_some(Step { transition, inputs: values })
}
