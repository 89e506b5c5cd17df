//! What a long check is doing, on one line of the terminal that vanishes in the end.

use std::cell::Cell;
use std::io::{self, IsTerminal, Write};
use std::time::{Duration, Instant};

/// How long nothing is told, so that a short check leaves the terminal alone.
const PATIENCE: Duration = Duration::from_millis(400);

/// How long a line stands at least.
const PAUSE: Duration = Duration::from_millis(80);

/// A line that tells what is being done. Without a terminal it tells nothing.
pub(super) struct Progress {
    is_told: bool,
    /// When the next line may be written.
    next: Cell<Instant>,
    is_shown: Cell<bool>,
}

impl Progress {
    /// Begins.
    pub(super) fn new() -> Self {
        Progress {
            is_told: io::stderr().is_terminal(),
            next: Cell::new(Instant::now() + PATIENCE),
            is_shown: Cell::new(false),
        }
    }

    /// Tells what is being done.
    pub(super) fn tell(&self, what: impl FnOnce() -> String) {
        if !self.is_told {
            return;
        }
        let now = Instant::now();
        if now < self.next.get() {
            return;
        }
        self.next.set(now + PAUSE);
        self.is_shown.set(true);
        write(&format!("\r\u{1b}[K{} …", what()));
    }

    /// Takes the line away.
    pub(super) fn clear(&self) {
        if self.is_shown.replace(false) {
            write("\r\u{1b}[K");
        }
    }
}

impl Drop for Progress {
    fn drop(&mut self) {
        self.clear();
    }
}

fn write(text: &str) {
    let mut stderr = io::stderr().lock();
    // Nobody can be told that stderr is closed.
    let _ = stderr
        .write_all(text.as_bytes())
        .and_then(|()| stderr.flush());
}
