//! Serialisation of a run request and of its report, between us and a supervisor.
//!
//! Both sides are the same executable, so the format needs no versions: numbers in the machine's
//! own byte order, byte strings with their length before them.

use std::ffi::OsString;
use std::os::unix::ffi::{OsStrExt, OsStringExt};
use std::path::{Path, PathBuf};
use std::time::Duration;
use std::{env, io};

use luthier_records::{Bytes, Clock, CpuTime, Ending, Measured, WallTime};

use super::{Command, CoreId, Limits};

/// One run, as the supervisor needs to know it. Standard streams travel as descriptors beside it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct RunRequest {
    pub program: PathBuf,
    pub arguments: Vec<OsString>,
    pub working_directory: PathBuf,
    /// The complete environment.
    pub environment: Vec<(OsString, OsString)>,
    pub cpu: Duration,
    pub wall: Duration,
    pub memory: u64,
    pub core: Option<CoreId>,
}

/// The reply of the supervisor at the end of a run.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Report {
    pub ending: Ending,
    pub measured: Measured,
}

const DEFAULT_PATH: &str = "/usr/local/bin:/usr/bin:/bin";

impl RunRequest {
    /// Everything that depends on our own process, such as its working directory, is settled
    /// here, because the supervisor may have been started long ago.
    pub(crate) fn new(
        command: &Command,
        limits: &Limits,
        core: Option<CoreId>,
    ) -> io::Result<RunRequest> {
        let here = env::current_dir()?;
        let is_name = command.program.parent() == Some(Path::new(""));
        let program = if is_name { command.program.clone() } else { here.join(&command.program) };
        let working_directory = match &command.working_directory {
            Some(folder) => here.join(folder),
            None => here,
        };
        let ours = |name: &str, default: &str| {
            (OsString::from(name), env::var_os(name).unwrap_or_else(|| default.into()))
        };
        let mut environment =
            vec![ours("PATH", DEFAULT_PATH), ours("HOME", "/"), ("LANG".into(), "C".into())];
        environment.extend(command.environment.iter().cloned());
        Ok(RunRequest {
            program,
            arguments: command.arguments.clone(),
            working_directory,
            environment,
            cpu: limits.cpu.0,
            wall: limits.wall.0,
            memory: limits.memory.0,
            core,
        })
    }

    pub(crate) fn encode(&self) -> Vec<u8> {
        let mut writer = Writer::default();
        writer.text(self.program.as_os_str().as_bytes());
        writer.text(self.working_directory.as_os_str().as_bytes());
        writer.number(self.arguments.len() as u64);
        for argument in &self.arguments {
            writer.text(argument.as_bytes());
        }
        writer.number(self.environment.len() as u64);
        for (name, value) in &self.environment {
            writer.text(name.as_bytes());
            writer.text(value.as_bytes());
        }
        writer.duration(self.cpu);
        writer.duration(self.wall);
        writer.number(self.memory);
        writer.number(self.core.map_or(u64::MAX, |core| core.number() as u64));
        writer.0
    }

    pub(crate) fn decode(bytes: &[u8]) -> Option<RunRequest> {
        let mut reader = Reader(bytes);
        let program = PathBuf::from(reader.os_string()?);
        let working_directory = PathBuf::from(reader.os_string()?);
        let mut arguments = Vec::new();
        for _ in 0..reader.number()? {
            arguments.push(reader.os_string()?);
        }
        let mut environment = Vec::new();
        for _ in 0..reader.number()? {
            environment.push((reader.os_string()?, reader.os_string()?));
        }
        Some(RunRequest {
            program,
            arguments,
            working_directory,
            environment,
            cpu: reader.duration()?,
            wall: reader.duration()?,
            memory: reader.number()?,
            core: usize::try_from(reader.number()?).ok().and_then(CoreId::new),
        })
    }
}

impl Report {
    pub(crate) fn encode(&self) -> Vec<u8> {
        let (kind, code, message): (u64, i32, &str) = match &self.ending {
            Ending::Exited(code) => (0, *code, ""),
            Ending::Signalled(signal) => (1, *signal, ""),
            Ending::TimedOut(Clock::Cpu) => (2, 0, ""),
            Ending::TimedOut(Clock::Wall) => (3, 0, ""),
            Ending::OutOfMemory => (4, 0, ""),
            Ending::OutputLimit => (5, 0, ""),
            Ending::NotStarted(cause) => (6, 0, cause),
            Ending::Lost(cause) => (7, 0, cause),
            Ending::Inexpressible(cause) => (8, 0, cause),
            Ending::Unrecorded => (9, 0, ""),
        };
        let mut writer = Writer::default();
        writer.number(kind);
        writer.number(u64::from(code.cast_unsigned()));
        writer.text(message.as_bytes());
        writer.duration(self.measured.cpu.0);
        writer.duration(self.measured.wall.0);
        writer.number(self.measured.peak_memory.0);
        writer.number(u64::from(self.measured.left_behind));
        writer.0
    }

    pub(crate) fn decode(bytes: &[u8]) -> Option<Report> {
        let mut reader = Reader(bytes);
        let kind = reader.number()?;
        let code = u32::try_from(reader.number()?).ok()?.cast_signed();
        let message = String::from_utf8_lossy(reader.text()?).into_owned();
        let ending = match kind {
            0 => Ending::Exited(code),
            1 => Ending::Signalled(code),
            2 => Ending::TimedOut(Clock::Cpu),
            3 => Ending::TimedOut(Clock::Wall),
            4 => Ending::OutOfMemory,
            5 => Ending::OutputLimit,
            6 => Ending::NotStarted(message),
            7 => Ending::Lost(message),
            8 => Ending::Inexpressible(message),
            9 => Ending::Unrecorded,
            _ => return None,
        };
        let measured = Measured {
            cpu: CpuTime(reader.duration()?),
            wall: WallTime(reader.duration()?),
            peak_memory: Bytes(reader.number()?),
            left_behind: u32::try_from(reader.number()?).ok()?,
        };
        Some(Report { ending, measured })
    }
}

#[derive(Default)]
struct Writer(Vec<u8>);

impl Writer {
    fn number(&mut self, number: u64) {
        self.0.extend_from_slice(&number.to_ne_bytes());
    }

    fn duration(&mut self, duration: Duration) {
        self.number(u64::try_from(duration.as_nanos()).unwrap_or(u64::MAX));
    }

    fn text(&mut self, text: &[u8]) {
        self.number(text.len() as u64);
        self.0.extend_from_slice(text);
    }
}

struct Reader<'a>(&'a [u8]);

impl<'a> Reader<'a> {
    fn number(&mut self) -> Option<u64> {
        let (number, rest) = self.0.split_first_chunk()?;
        self.0 = rest;
        Some(u64::from_ne_bytes(*number))
    }

    fn duration(&mut self) -> Option<Duration> {
        self.number().map(Duration::from_nanos)
    }

    fn text(&mut self) -> Option<&'a [u8]> {
        let length = usize::try_from(self.number()?).ok()?;
        let (text, rest) = self.0.split_at_checked(length)?;
        self.0 = rest;
        Some(text)
    }

    fn os_string(&mut self) -> Option<OsString> {
        self.text().map(|text| OsString::from_vec(text.to_vec()))
    }
}

#[cfg(test)]
mod tests {
    use std::ffi::OsString;
    use std::os::unix::ffi::OsStringExt;
    use std::path::Path;
    use std::time::Duration;

    use luthier_records::{Bytes, Clock, CpuTime, Ending, Measured, WallTime};

    use super::{Report, RunRequest};
    use crate::process::{Command, CoreId, Limits};

    #[test]
    fn requests_survive_the_way() {
        let mut command = Command::new("solver").arguments(["-in", ""]);
        command.arguments.push(OsString::from_vec(vec![0xff, b'a']));
        command.environment.push(("A".into(), "b=c".into()));
        let limits = Limits::with_cpu(Duration::from_millis(1500));
        for core in [None, CoreId::new(7)] {
            let request = RunRequest::new(&command, &limits, core).unwrap();
            let bytes = request.encode();
            assert_eq!(RunRequest::decode(&bytes), Some(request));
            for length in 0..bytes.len() {
                assert_eq!(RunRequest::decode(&bytes[..length]), None);
            }
        }
    }

    #[test]
    fn relative_programs_count_from_here_and_names_are_left_to_the_path() {
        let program = |name: &str| {
            let limits = Limits::with_cpu(Duration::from_secs(1));
            RunRequest::new(&Command::new(name), &limits, None).unwrap().program
        };
        assert_eq!(program("z3"), Path::new("z3"));
        assert_eq!(program("/bin/z3"), Path::new("/bin/z3"));
        assert!(program("bin/z3").is_absolute());
        assert!(program("./z3").is_absolute());
    }

    #[test]
    fn reports_survive_the_way() {
        for ending in [
            Ending::Exited(-1),
            Ending::Signalled(11),
            Ending::TimedOut(Clock::Cpu),
            Ending::TimedOut(Clock::Wall),
            Ending::OutOfMemory,
            Ending::OutputLimit,
            Ending::NotStarted("no such file".to_owned()),
            Ending::Lost("gone".to_owned()),
        ] {
            let measured = Measured {
                cpu: CpuTime(Duration::from_nanos(12_345)),
                wall: WallTime(Duration::from_secs(3)),
                peak_memory: Bytes(99),
                left_behind: 2,
            };
            let report = Report { ending, measured };
            assert_eq!(Report::decode(&report.encode()), Some(report));
        }
    }
}
