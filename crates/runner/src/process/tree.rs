//! CPU time, memory and children of the process tree below us, from `/proc`.
//!
//! Processes start and end during a sample. One that cannot be read any more has ended, and its CPU
//! time is then counted by the process that waited for it. Resident memory is summed per process;
//! pages shared by several are counted once only in the exact, slow sum
//! ([`exact_memory_below_us`]).

use std::fs;
use std::time::Duration;

use rustix::param::{clock_ticks_per_second, page_size};
use rustix::process::getpid;

/// What the living processes of a tree use together.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct Usage {
    /// CPU time of the processes and of those for which they waited.
    pub cpu: Duration,
    /// The sum of their resident memory; memory that several share is counted for each.
    pub memory: u64,
    /// How many processes there are.
    pub processes: u32,
}

/// One line of `/proc/<pid>/stat`, as far as it matters.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Stat {
    parent: i32,
    cpu_ticks: u64,
    threads: u64,
    resident_pages: u64,
}

/// What all processes below us use now.
pub(crate) fn usage_below_us() -> Usage {
    let mut usage = Usage::default();
    let mut ticks = 0;
    let mut waiting = children_of_us();
    while let Some(pid) = waiting.pop() {
        let Some(stat) = read_stat(pid) else { continue };
        ticks += stat.cpu_ticks;
        usage.memory += stat.resident_pages.saturating_mul(page_size() as u64);
        usage.processes += 1;
        add_children(pid, stat.threads, &mut waiting);
    }
    usage.cpu = Duration::from_secs(ticks) / (clock_ticks_per_second().max(1) as u32);
    usage
}

/// The CPU time of the processes below this one that are alive, and of those for which they waited.
pub fn cpu_below_us() -> Duration {
    usage_below_us().cpu
}

/// The memory of all processes below us with shared memory counted once. Slow for large
/// processes, so it is computed only when the fast sum is above a limit.
pub(crate) fn exact_memory_below_us() -> u64 {
    let mut memory = 0_u64;
    let mut waiting = children_of_us();
    while let Some(pid) = waiting.pop() {
        let Some(stat) = read_stat(pid) else { continue };
        let resident = stat.resident_pages.saturating_mul(page_size() as u64);
        memory = memory.saturating_add(read_proportional_memory(pid).unwrap_or(resident));
        add_children(pid, stat.threads, &mut waiting);
    }
    memory
}

/// Our own children, ended ones included.
pub(crate) fn children_of_us() -> Vec<i32> {
    let ours = getpid().as_raw_nonzero().get();
    let mut children = Vec::new();
    add_children(ours, 1, &mut children);
    children
}

/// Our own children, whichever of our threads they belong to. Orphans become children of any.
pub(crate) fn children_of_all_our_threads() -> Vec<i32> {
    let ours = getpid().as_raw_nonzero().get();
    let mut children = Vec::new();
    add_children(ours, u64::MAX, &mut children);
    children
}

/// A process has a list of children for each of its threads.
fn add_children(pid: i32, threads: u64, children: &mut Vec<i32>) {
    if threads <= 1 {
        match fs::read_to_string(format!("/proc/{pid}/task/{pid}/children")) {
            Ok(list) => add_listed(&list, children),
            Err(_) => add_children_by_search(pid, children),
        }
        return;
    }
    let Ok(tasks) = fs::read_dir(format!("/proc/{pid}/task")) else { return };
    let mut has_lists = false;
    for task in tasks.flatten() {
        if let Ok(list) = fs::read_to_string(task.path().join("children")) {
            has_lists = true;
            add_listed(&list, children);
        }
    }
    if !has_lists {
        add_children_by_search(pid, children);
    }
}

fn add_listed(list: &str, children: &mut Vec<i32>) {
    children.extend(list.split_ascii_whitespace().filter_map(|word| word.parse::<i32>().ok()));
}

/// For kernels that are built without lists of children.
fn add_children_by_search(parent: i32, children: &mut Vec<i32>) {
    if fs::exists("/proc/thread-self/children").unwrap_or(false) {
        // The lists exist, so it was the process that did not.
        return;
    }
    let Ok(entries) = fs::read_dir("/proc") else { return };
    for entry in entries.flatten() {
        let Some(pid) = entry.file_name().to_str().and_then(|name| name.parse().ok()) else {
            continue;
        };
        if read_stat(pid).is_some_and(|stat| stat.parent == parent) {
            children.push(pid);
        }
    }
}

fn read_stat(pid: i32) -> Option<Stat> {
    parse_stat(&fs::read(format!("/proc/{pid}/stat")).ok()?)
}

/// The name of the program stands in parentheses and may contain anything, so the fields are
/// counted from the last closing one.
fn parse_stat(line: &[u8]) -> Option<Stat> {
    let end_of_name = line.iter().rposition(|byte| *byte == b')')?;
    let rest = str::from_utf8(&line[end_of_name + 1..]).ok()?;
    let fields: Vec<&str> = rest.split_ascii_whitespace().collect();
    // Field 3 of proc(5), the state, is the first one here.
    let number = |field: usize| fields.get(field - 3)?.parse::<u64>().ok();
    Some(Stat {
        parent: i32::try_from(number(4)?).ok()?,
        cpu_ticks: number(14)? + number(15)? + number(16)? + number(17)?,
        threads: number(20)?,
        resident_pages: number(24)?,
    })
}

fn read_proportional_memory(pid: i32) -> Option<u64> {
    let text = fs::read_to_string(format!("/proc/{pid}/smaps_rollup")).ok()?;
    let line = text.lines().find_map(|line| line.strip_prefix("Pss:"))?;
    let kibibytes: u64 = line.trim().strip_suffix("kB")?.trim().parse().ok()?;
    Some(kibibytes.saturating_mul(1024))
}

#[cfg(test)]
mod tests {
    use super::{Stat, parse_stat, read_proportional_memory, read_stat};

    #[test]
    fn a_name_with_parentheses_and_blanks_does_not_shift_the_fields() {
        let line = b"42 (a) b (c) R 7 42 42 0 -1 4194304 100 0 0 0 11 22 33 44 20 0 3 0 5 6 70 8\n";
        let expected = Stat { parent: 7, cpu_ticks: 110, threads: 3, resident_pages: 70 };
        assert_eq!(parse_stat(line), Some(expected));
        assert_eq!(parse_stat(b"42 (a) R 7"), None);
        assert_eq!(parse_stat(b""), None);
    }

    #[test]
    fn our_own_entry_can_be_read() {
        let pid = std::process::id().cast_signed();
        let stat = read_stat(pid).unwrap();
        assert!(stat.threads >= 1 && stat.resident_pages > 0);
        assert!(read_proportional_memory(pid).is_none_or(|memory| memory > 0));
        assert_eq!(read_stat(0), None);
    }
}
