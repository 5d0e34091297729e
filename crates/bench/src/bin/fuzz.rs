//! `bench/fuzz`: random C programs with ground truth against every setting.

use std::io::{self, Write};
use std::path::PathBuf;
use std::process::ExitCode;
use std::time::{Duration, Instant};

use parallax_bench::fuzz::{SETTINGS, Truth, answer, folder, truth, variants};

const USAGE: &str = "\
Random C programs whose truth is known by running them on all inputs, asked in every setting.

Usage: bench/fuzz [OPTIONS]

  --seed N           the first program [default: 1]
  --for SECONDS      how long the campaign goes on [default: 60]
  --time SECONDS     the time limit of one answer [default: 3]
  --keep FOLDER      where programs go that are answered wrongly [default: fuzz-finds]
  --parallax FILE    the binary to run; by default the one beside this one

Exits with 1 when an answer is wrong, a proof is not accepted by `certify`, or Parallax crashes.
";

struct Options {
    seed: u64,
    total: Duration,
    time: u64,
    keep: PathBuf,
    parallax: PathBuf,
}

fn options() -> Result<Option<Options>, String> {
    let beside = std::env::current_exe().map_err(|error| error.to_string())?;
    let mut options = Options {
        seed: 1,
        total: Duration::from_secs(60),
        time: 3,
        keep: PathBuf::from("fuzz-finds"),
        parallax: beside.with_file_name("parallax"),
    };
    let mut args = std::env::args().skip(1);
    while let Some(arg) = args.next() {
        let mut value = || args.next().ok_or_else(|| format!("{arg} needs a value"));
        let number = |text: String| text.parse::<u64>().map_err(|_| format!("`{text}`: a number"));
        match arg.as_str() {
            "--seed" => options.seed = number(value()?)?,
            "--for" => options.total = Duration::from_secs(number(value()?)?),
            "--time" => options.time = number(value()?)?,
            "--keep" => options.keep = PathBuf::from(value()?),
            "--parallax" => options.parallax = PathBuf::from(value()?),
            "--help" | "-h" => return Ok(None),
            other => return Err(format!("no option {other}")),
        }
    }
    Ok(Some(options))
}

#[derive(Default)]
struct Counts {
    programs: u64,
    violated: u64,
    answers: u64,
    decided: u64,
    wrong: u64,
    crashed: u64,
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
    let work = folder("fuzz")?;
    let start = Instant::now();
    let mut counts = Counts::default();
    let mut seed = options.seed;
    while start.elapsed() < options.total {
        let mut known: Option<Truth> = None;
        for (name, program) in variants(seed) {
            let truth = truth(&work, &program).map_err(|why| format!("program {seed}: {why}"))?;
            if known.is_some_and(|earlier| earlier != truth) {
                return Err(format!("program {seed}: the variant `{name}` is another program"));
            }
            known = Some(truth);
            let source = work.join("program.c");
            // Every program in the first setting, each variant in one more.
            let more = 1 + (seed as usize + name.len()) % (SETTINGS.len() - 1);
            for settings in [SETTINGS[0], SETTINGS[more]] {
                counts.answers += 1;
                let complaint = match answer(&options.parallax, &source, settings, options.time) {
                    Ok(verdict) if verdict == "unknown" => continue,
                    Ok(verdict) if verdict == truth.word() => {
                        counts.decided += 1;
                        continue;
                    }
                    Ok(verdict) => {
                        counts.wrong += 1;
                        format!("WRONG: {verdict}, and it {}", truth.word())
                    }
                    Err(why) => {
                        counts.crashed += 1;
                        why
                    }
                };
                std::fs::create_dir_all(&options.keep).map_err(|error| error.to_string())?;
                let kept = options.keep.join(format!("{seed}-{name}.c"));
                std::fs::copy(&source, &kept).map_err(|error| error.to_string())?;
                let settings = settings.join(" ");
                say(&format!("{}\t{settings}\t{}", kept.display(), complaint.trim()))?;
            }
        }
        counts.programs += 1;
        counts.violated += u64::from(known == Some(Truth::Violated));
        seed += 1;
    }
    // A folder that stays behind does no harm.
    let _ = std::fs::remove_dir_all(&work);
    let Counts { programs, violated, answers, decided, wrong, crashed } = counts;
    say(&format!(
        "{programs} programs ({violated} violated), {answers} answers, {decided} decided, \
         {wrong} wrong, {crashed} crashed or not accepted; next seed {seed}"
    ))?;
    Ok(ExitCode::from(u8::from(wrong + crashed > 0)))
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
