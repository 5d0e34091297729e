//! Amounts on the command line: times, sizes, constants; and their defaults.

use parallax_base::address_space_left;
use std::time::Duration;

/// The default time limit.
pub(crate) const DEFAULT_TIME: &str = "5m";

/// `90`, `90s`, `1.5m`, `2h` or `250ms`.
pub(crate) fn time(text: &str) -> Result<Duration, String> {
    let units = [("ms", 1e-3), ("s", 1.0), ("min", 60.0), ("m", 60.0), ("h", 3600.0), ("", 1.0)];
    let seconds = amount(text, &units).ok_or("expected a time such as `90s`, `5m` or `250ms`")?;
    // A year is for ever; larger numbers overflow clocks.
    Ok(Duration::from_secs_f64(seconds.min(366.0 * 86_400.0)))
}

/// `4G`, `512M`, `1.5GiB` or a number of bytes. All units are binary.
pub(crate) fn size(text: &str) -> Result<u64, String> {
    let units = [
        ("KiB", 1024.0),
        ("MiB", 1_048_576.0),
        ("GiB", 1_073_741_824.0),
        ("KB", 1024.0),
        ("MB", 1_048_576.0),
        ("GB", 1_073_741_824.0),
        ("K", 1024.0),
        ("M", 1_048_576.0),
        ("G", 1_073_741_824.0),
        ("", 1.0),
    ];
    let bytes = amount(text, &units).ok_or("expected a size such as `4G` or `512M`")?;
    Ok(bytes as u64)
}

/// A positive number with one of the units, which are tried in order.
fn amount(text: &str, units: &[(&str, f64)]) -> Option<f64> {
    let lower = text.trim().to_ascii_lowercase();
    let (digits, factor) = units.iter().find_map(|(unit, factor)| {
        let digits = lower.strip_suffix(&unit.to_ascii_lowercase())?;
        let plain = !digits.is_empty() && digits.bytes().all(|b| b.is_ascii_digit() || b == b'.');
        plain.then_some((digits, factor))
    })?;
    let value = digits.parse::<f64>().ok()? * factor;
    (value > 0.0 && value.is_finite()).then_some(value)
}

/// `NAME=VALUE`.
pub(crate) fn define(text: &str) -> Result<(String, String), String> {
    match text.split_once('=') {
        Some((name, value)) if !name.trim().is_empty() && !value.trim().is_empty() => {
            Ok((name.trim().to_owned(), value.trim().to_owned()))
        }
        _ => Err("expected NAME=VALUE".to_owned()),
    }
}

/// Three quarters of what this machine, or the groups of processes we are in,
/// may use, and half of the address space that is left to us; `None` where the
/// system does not tell.
pub(crate) fn default_memory() -> Option<u64> {
    let read = |path: &str| std::fs::read_to_string(path).ok();
    let total = read("/proc/meminfo").and_then(|text| {
        let line = text.lines().find_map(|l| l.strip_prefix("MemTotal:"))?;
        line.trim().trim_end_matches("kB").trim().parse::<u64>().ok().map(|kib| kib * 1024)
    });
    let groups = group_files(&read("/proc/self/cgroup").unwrap_or_default());
    let groups = groups.iter().filter_map(|path| read(path)?.trim().parse::<u64>().ok());
    let memory = total.into_iter().chain(groups).min().map(|bytes| bytes / 4 * 3);
    memory.into_iter().chain(address_space_left().map(|left| left / 2)).min()
}

/// Where the limits of our groups of processes stand, and of the groups around
/// them, given the text of `/proc/self/cgroup`.
fn group_files(groups: &str) -> Vec<String> {
    let mut found = Vec::new();
    for line in groups.lines() {
        let mut parts = line.splitn(3, ':').skip(1);
        let (Some(kinds), Some(path)) = (parts.next(), parts.next()) else { continue };
        let (root, file) = match kinds {
            "" => ("/sys/fs/cgroup", "memory.max"),
            _ if kinds.split(',').any(|kind| kind == "memory") => {
                ("/sys/fs/cgroup/memory", "memory.limit_in_bytes")
            }
            _ => continue,
        };
        let folders = std::path::Path::new(path).ancestors();
        found.extend(folders.map(|folder| {
            let folder = folder.to_string_lossy();
            format!("{root}{}/{file}", folder.trim_end_matches('/'))
        }));
    }
    found
}

/// A size as people read it.
pub(crate) fn show_size(bytes: u64) -> String {
    match bytes {
        b if b >= 10 << 30 => format!("{} GiB", b >> 30),
        b if b >= 1 << 30 => format!("{:.1} GiB", b as f64 / (1u64 << 30) as f64),
        b => format!("{} MiB", b >> 20),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn times_and_sizes() {
        let check = |text: &str, expected: Option<u128>| {
            assert_eq!(time(text).ok().map(|t| t.as_millis()), expected, "{text}");
        };
        check("60s", Some(60_000));
        check("250ms", Some(250));
        check("1.5m", Some(90_000));
        check("2h", Some(7_200_000));
        check(" 7 ", Some(7_000));
        for bad in ["", "s", "-1s", "0", "1e3", "1d", "1.2.3s", "NaN", "inf"] {
            check(bad, None);
        }
        assert_eq!(size("4G"), Ok(4 << 30));
        assert_eq!(size("512MiB"), Ok(512 << 20));
        assert_eq!(size("1000"), Ok(1000));
        assert!(size("4T").is_err() && size("G").is_err());
    }

    #[test]
    fn groups_and_those_around_them() {
        assert_eq!(
            group_files("5:cpu:/a\n4:memory:/a/b\n0::/c\n"),
            [
                "/sys/fs/cgroup/memory/a/b/memory.limit_in_bytes",
                "/sys/fs/cgroup/memory/a/memory.limit_in_bytes",
                "/sys/fs/cgroup/memory/memory.limit_in_bytes",
                "/sys/fs/cgroup/c/memory.max",
                "/sys/fs/cgroup/memory.max",
            ]
        );
    }

    #[test]
    fn constants() {
        assert_eq!(define("N=3"), Ok(("N".into(), "3".into())));
        assert_eq!(define("N = a==b"), Ok(("N".into(), "a==b".into())));
        assert!(define("N").is_err() && define("=3").is_err() && define("N=").is_err());
    }
}
