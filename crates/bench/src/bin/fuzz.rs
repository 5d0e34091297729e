//! `bench/fuzz`: random inputs with ground truth, of every kind, in every setting.

use std::io::{self, Write};
use std::path::PathBuf;
use std::process::ExitCode;
use std::time::{Duration, Instant};

use parallax_bench::fuzz::{Asker, Counts, Kind, folder};

const USAGE: &str = "\
Random inputs whose truth is known without Parallax, asked in every setting.

Usage: bench/fuzz [OPTIONS]

  --kind KIND        c, model, lts, magic, optimize or testgen; may be repeated [default: all]
  --seed N           the first input of each kind [default: 1]
  --for SECONDS      how long the campaign goes on [default: 60]
  --inputs N         how many inputs of each kind at most
  --time SECONDS     the time limit of one answer [default: 3]
  --keep FOLDER      where an input goes that is answered wrongly [default: fuzz-finds]
  --parallax FILE    the binary to run; by default the one beside this one

Ends with 1 at the first answer that is wrong, evidence that `certify` refuses, or crash; the input
and the command are kept. The same seed gives the same inputs.
";

struct Options {
    kinds: Vec<Kind>,
    seed: u64,
    total: Duration,
    inputs: u64,
    time: u64,
    keep: PathBuf,
    parallax: PathBuf,
}

fn options() -> Result<Option<Options>, String> {
    let beside = std::env::current_exe().map_err(|error| error.to_string())?;
    let mut options = Options {
        kinds: Vec::new(),
        seed: 1,
        total: Duration::from_secs(60),
        inputs: u64::MAX,
        time: 3,
        keep: PathBuf::from("fuzz-finds"),
        parallax: beside.with_file_name("parallax"),
    };
    let mut args = std::env::args().skip(1);
    while let Some(arg) = args.next() {
        let mut value = || args.next().ok_or_else(|| format!("{arg} needs a value"));
        let number = |text: String| text.parse::<u64>().map_err(|_| format!("`{text}`: a number"));
        match arg.as_str() {
            "--kind" => {
                let name = value()?;
                options.kinds.push(Kind::named(&name).ok_or(format!("no kind `{name}`"))?);
            }
            "--seed" => options.seed = number(value()?)?,
            "--for" => options.total = Duration::from_secs(number(value()?)?),
            "--inputs" => options.inputs = number(value()?)?,
            "--time" => options.time = number(value()?)?,
            "--keep" => options.keep = PathBuf::from(value()?),
            "--parallax" => options.parallax = PathBuf::from(value()?),
            "--help" | "-h" => return Ok(None),
            other => return Err(format!("no option {other}")),
        }
    }
    if options.kinds.is_empty() {
        options.kinds = Kind::ALL.to_vec();
    }
    // Inputs are written into a folder that commands run in.
    options.parallax = std::path::absolute(&options.parallax).map_err(|e| e.to_string())?;
    Ok(Some(options))
}

fn run() -> Result<ExitCode, String> {
    let mut out = io::stdout().lock();
    let mut say = |line: &str| {
        writeln!(out, "{line}").and_then(|()| out.flush()).map_err(|e| format!("stdout: {e}"))
    };
    let Some(options) = options()? else {
        say(USAGE.trim_end())?;
        return Ok(ExitCode::SUCCESS);
    };
    let asker = Asker { parallax: options.parallax, folder: folder("fuzz")?, time: options.time };
    let start = Instant::now();
    let mut all = vec![Counts::default(); options.kinds.len()];
    let mut seed = options.seed;
    let last = options.seed.saturating_add(options.inputs);
    let mut found = None;
    // Kinds take turns, so that each gets its share however short the time is.
    'campaign: while seed < last && start.elapsed() < options.total {
        for (kind, counts) in options.kinds.iter().zip(&mut all) {
            if let Err(wrong) = kind.round(&asker, seed, counts) {
                let kept = options.keep.join(format!("{}-{seed}", kind.name()));
                asker.keep(&wrong, &kept).map_err(|e| format!("{}: {e}", kept.display()))?;
                found = Some((*kind, format!("{}: {}", kept.display(), wrong.message.trim())));
                break 'campaign;
            }
        }
        seed += 1;
    }
    // A folder that stays behind does no harm.
    let _ = std::fs::remove_dir_all(&asker.folder);
    say("kind\tinputs\tviolated\tanswers\tdecided\twrong")?;
    for (kind, counts) in options.kinds.iter().zip(&all) {
        let Counts { inputs, violated, answers, decided } = counts;
        let wrong = u8::from(found.as_ref().is_some_and(|(at, _)| at == kind));
        say(&format!("{}\t{inputs}\t{violated}\t{answers}\t{decided}\t{wrong}", kind.name()))?;
    }
    match found {
        None => say(&format!("next seed {seed}")).map(|()| ExitCode::SUCCESS),
        Some((_, what)) => say(&format!("WRONG {what}")).map(|()| ExitCode::FAILURE),
    }
}

fn main() -> ExitCode {
    match run() {
        Ok(code) => code,
        Err(message) => {
            // If stderr is gone there is nobody to tell.
            let _ = writeln!(io::stderr(), "fuzz: {message}");
            ExitCode::from(2)
        }
    }
}
