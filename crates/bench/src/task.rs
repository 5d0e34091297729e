//! Verification tasks of a collection, and samples of them.
//!
//! An index has one task per line: path, property, expected verdict (`true` or
//! `false`), data model and group, separated by tabs. The first line names the
//! columns.

/// A C program and what is asked of it.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Task {
    /// Where the program is, relative to the collection.
    pub path: String,
    /// The property, as its file is called: `unreach-call`.
    pub property: String,
    /// Whether it holds.
    pub holds: bool,
    /// `ilp32` or `lp64`.
    pub data_model: String,
    /// The group it belongs to.
    pub group: String,
}

impl Task {
    /// The verdict expected.
    pub fn expected(&self) -> &'static str {
        if self.holds { "holds" } else { "violated" }
    }
}

/// Reads an index.
///
/// # Errors
/// A line that is no task, with its number.
pub fn parse_tasks(text: &str) -> Result<Vec<Task>, String> {
    let mut tasks = Vec::new();
    for (number, line) in text.lines().enumerate().skip(1) {
        let cells: Vec<&str> = line.split('\t').collect();
        let [path, property, expected, model, group] = cells[..] else {
            return Err(format!("line {}: five cells are expected", number + 1));
        };
        let holds = match expected {
            "true" => true,
            "false" => false,
            _ => return Err(format!("line {}: `{expected}` is no verdict", number + 1)),
        };
        tasks.push(Task {
            path: path.to_owned(),
            property: property.to_owned(),
            holds,
            data_model: model.to_lowercase(),
            group: group.to_owned(),
        });
    }
    Ok(tasks)
}

/// `count` tasks drawn at random without repetition, in the order of the index.
/// The same seed draws the same tasks.
pub fn sample(tasks: &[Task], count: usize, seed: u64) -> Vec<Task> {
    let mut state = seed;
    // SplitMix64 (Steele, Lea, Flood, OOPSLA 2014).
    let mut random = || {
        state = state.wrapping_add(0x9E37_79B9_7F4A_7C15);
        let mut z = state;
        z = (z ^ (z >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
        z ^ (z >> 31)
    };
    let mut order: Vec<usize> = (0..tasks.len()).collect();
    let count = count.min(order.len());
    for i in 0..count {
        let rest = (order.len() - i) as u64;
        let j = i + (random() % rest) as usize;
        order.swap(i, j);
    }
    order.truncate(count);
    order.sort_unstable();
    order.into_iter().map(|i| tasks[i].clone()).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    const INDEX: &str = "path\tproperty\texpected\tdata_model\tcategory\n\
        a/x.c\tunreach-call\ttrue\tILP32\ta\n\
        b/y.c\tno-overflow\tfalse\tLP64\tb\n";

    #[test]
    fn an_index_is_read() {
        let tasks = parse_tasks(INDEX).expect("an index");
        assert_eq!(tasks.len(), 2);
        assert_eq!((tasks[0].expected(), tasks[1].expected()), ("holds", "violated"));
        assert_eq!(tasks[1].data_model, "lp64");
        let broken = parse_tasks("path\nx").expect_err("a short line");
        assert_eq!(broken, "line 2: five cells are expected");
    }

    #[test]
    fn a_seed_draws_the_same_tasks() {
        let task = |i: usize| Task {
            path: format!("{i}.c"),
            ..parse_tasks(INDEX).expect("ok")[0].clone()
        };
        let all: Vec<Task> = (0..100).map(task).collect();
        let drawn = sample(&all, 10, 7);
        assert_eq!(drawn, sample(&all, 10, 7));
        assert_ne!(drawn, sample(&all, 10, 8));
        let mut paths: Vec<&str> = drawn.iter().map(|t| t.path.as_str()).collect();
        paths.dedup();
        assert_eq!(paths.len(), 10);
        assert_eq!(sample(&all, 1000, 7).len(), 100);
    }
}
