//! The machine that runs the campaign, as far as it affects times: kernel, processor, cores,
//! memory.

use std::fs;

use luthier_records::{Bytes, Machine};
use luthier_runner::process::available_cores;

/// This machine. Unknown values are empty or zero.
pub fn this_machine() -> Machine {
    let uname = rustix::system::uname();
    let text = |field: &std::ffi::CStr| field.to_string_lossy().into_owned();
    Machine {
        host: text(uname.nodename()),
        system: format!("{} {}", text(uname.sysname()), text(uname.release())),
        processor: fs::read_to_string("/proc/cpuinfo")
            .ok()
            .and_then(|text| field(&text, "model name").map(str::to_owned))
            .unwrap_or_else(|| text(uname.machine())),
        cores: u32::try_from(available_cores().len()).unwrap_or(u32::MAX),
        memory: fs::read_to_string("/proc/meminfo")
            .ok()
            .and_then(|text| field(&text, "MemTotal")?.strip_suffix(" kB")?.parse().ok())
            .map_or(Bytes(0), Bytes::kibibytes),
    }
}

/// The value of the first line `key : value`.
fn field<'a>(text: &'a str, key: &str) -> Option<&'a str> {
    let lines = text.lines().filter_map(|line| line.split_once(':'));
    lines
        .map(|(name, value)| (name.trim(), value.trim()))
        .find(|(name, _)| *name == key)
        .map(|f| f.1)
}

#[cfg(test)]
mod tests {
    use super::this_machine;

    #[test]
    fn the_machine_is_known() {
        let machine = this_machine();
        assert!(machine.cores >= 1 && machine.memory.0 > 1 << 20, "{machine:?}");
        assert!(!machine.system.is_empty() && !machine.processor.is_empty());
    }
}
