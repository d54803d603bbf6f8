//! CPU time of the process and of the current thread.

use std::time::Duration;

/// The processor time that this process has used.
pub fn of_process() -> Duration {
    clock::read(clock::PROCESS)
}

/// The processor time that this thread has used.
pub fn of_thread() -> Duration {
    clock::read(clock::THREAD)
}

#[cfg(unix)]
mod clock {
    use rustix::time::{ClockId, clock_gettime};
    use std::time::Duration;

    pub const PROCESS: ClockId = ClockId::ProcessCPUTime;
    pub const THREAD: ClockId = ClockId::ThreadCPUTime;

    pub fn read(clock: ClockId) -> Duration {
        // Neither number is ever negative for these clocks.
        let time = clock_gettime(clock);
        let seconds = u64::try_from(time.tv_sec).unwrap_or(0);
        let nanoseconds = u32::try_from(time.tv_nsec).unwrap_or(0);
        Duration::new(seconds, nanoseconds)
    }
}

/// Where there is no such clock, the time since the first look is the best that is known.
#[cfg(not(unix))]
mod clock {
    use std::sync::LazyLock;
    use std::time::{Duration, Instant};

    pub const PROCESS: () = ();
    pub const THREAD: () = ();

    static START: LazyLock<Instant> = LazyLock::new(Instant::now);

    pub fn read((): ()) -> Duration {
        START.elapsed()
    }
}
