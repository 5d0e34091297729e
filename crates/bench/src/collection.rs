//! What benchmarks on a collection of tasks take from the command line.

use crate::measure::Limits;
use crate::task::{Task, parse_tasks, sample};
use std::path::PathBuf;

/// The options that all of them know, for their help.
pub const COLLECTION_OPTIONS: &str = "\
ROOT is a collection of C programs, INDEX its list of tasks: tab-separated path,
property, expected verdict (true, false), data model, group; the first line
names the columns.

  --groups A,B,..  only groups whose name begins with one of these
  --property P     only tasks with this property, or any [default: unreach-call]
  --sample N       so many tasks, drawn at random
  --seed S         the seed of the draw [default: 1]
  --time SECONDS   limit per task [default: 60]
  --memory SIZE    limit per task [default: 4G]
  --parallax FILE  the binary to run
";

/// Which tasks are run, and how.
#[derive(Clone, Debug)]
pub struct Collection {
    /// The folder of the programs.
    pub root: PathBuf,
    index: PathBuf,
    groups: Vec<String>,
    property: String,
    sample: Option<usize>,
    seed: u64,
    /// What each task may use.
    pub limits: Limits,
    /// A file for a picture.
    pub svg: Option<PathBuf>,
    /// Words that only one benchmark knows.
    pub flags: Vec<String>,
    /// The binary.
    pub parallax: PathBuf,
    /// Arguments for it.
    pub pass_on: Vec<String>,
}

impl Collection {
    /// Reads the command line. `flags` are further words without a value.
    ///
    /// # Errors
    /// What is wrong, with the help.
    pub fn read(usage: &str, flags: &[&str]) -> Result<Collection, String> {
        let mut given = std::env::args().skip(1);
        let mut plain = Vec::new();
        let help = || format!("{usage}\n{COLLECTION_OPTIONS}");
        let mut found = Collection {
            root: PathBuf::new(),
            index: PathBuf::new(),
            groups: Vec::new(),
            property: "unreach-call".into(),
            sample: None,
            seed: 1,
            limits: Limits { seconds: 60, memory: "4G".into() },
            svg: None,
            flags: Vec::new(),
            parallax: sibling(),
            pass_on: Vec::new(),
        };
        while let Some(word) = given.next() {
            if word == "--" {
                found.pass_on = given.by_ref().collect();
                break;
            }
            if word == "-h" || word == "--help" {
                return Err(help());
            }
            if flags.contains(&word.as_str()) {
                found.flags.push(word);
                continue;
            }
            if !word.starts_with("--") {
                plain.push(PathBuf::from(word));
                continue;
            }
            let value =
                given.next().ok_or_else(|| format!("`{word}` needs a value\n{}", help()))?;
            let number = || value.parse::<u64>().map_err(|_| format!("`{value}` is no number"));
            match word.as_str() {
                "--groups" => found.groups = value.split(',').map(str::to_owned).collect(),
                "--property" => found.property = value,
                "--sample" => found.sample = Some(number()? as usize),
                "--seed" => found.seed = number()?,
                "--time" => found.limits.seconds = number()?,
                "--memory" => found.limits.memory = value,
                "--svg" => found.svg = Some(value.into()),
                "--parallax" => found.parallax = value.into(),
                _ => return Err(format!("what is `{word}`?\n{}", help())),
            }
        }
        let [root, index] = &plain[..] else { return Err(help()) };
        (found.root, found.index) = (root.clone(), index.clone());
        Ok(found)
    }

    /// The tasks, those of the sample only if one is asked for.
    ///
    /// # Errors
    /// The index cannot be read.
    pub fn tasks(&self) -> Result<Vec<Task>, String> {
        let tasks = self.all()?;
        Ok(match self.sample {
            Some(count) => sample(&tasks, count, self.seed),
            None => tasks,
        })
    }

    /// How many tasks of each group are wanted.
    pub fn per_group(&self, otherwise: usize) -> usize {
        self.sample.unwrap_or(otherwise)
    }

    /// The seed of draws.
    pub fn seed(&self) -> u64 {
        self.seed
    }

    /// The tasks without regard to a sample.
    ///
    /// # Errors
    /// The index cannot be read.
    pub fn all(&self) -> Result<Vec<Task>, String> {
        let text = std::fs::read_to_string(&self.index)
            .map_err(|e| format!("{}: {e}", self.index.display()))?;
        let mut tasks = parse_tasks(&text)?;
        tasks.retain(|t| {
            let groups = &self.groups;
            (self.property == "any" || t.property == self.property)
                && (groups.is_empty() || groups.iter().any(|g| t.group.starts_with(g.as_str())))
        });
        Ok(tasks)
    }
}

/// The binary beside this one.
fn sibling() -> PathBuf {
    let here = std::env::current_exe().unwrap_or_default();
    here.with_file_name("parallax")
}
