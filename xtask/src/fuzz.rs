//! Runs the fuzz targets with a stable compiler: changed inputs, and what they led to decides which
//! of them are changed again.

use std::collections::BTreeSet;
use std::fs;
use std::io::{Seek, SeekFrom, Write};
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::thread;
use std::time::{Duration, Instant};

use agentry_tests::fuzz::{Fault, Mutator, Target, Trace};

type Error = Box<dyn std::error::Error>;

/// The longest input that is tried.
const LONGEST: usize = 4096;

/// An input of at most [`LONGEST`] bytes that takes longer, whenever it is tried, is a fault.
const SLOW: Duration = Duration::from_millis(1500);

/// An input that takes longer ends the run.
const STUCK: Duration = Duration::from_secs(60);

/// The most inputs that are kept to be changed again.
const MOST_KEPT: usize = 20_000;

/// Runs a target for some minutes.
pub(crate) fn run(
    root: &Path,
    target: &'static Target,
    minutes: f64,
    seed: u64,
) -> Result<bool, Error> {
    let corpus = root.join("fuzz/corpus").join(target.name);
    let mut pool = Vec::new();
    for path in files_in(&corpus)? {
        pool.push(fs::read(path)?);
    }
    if pool.is_empty() {
        return Err(format!("`{}` holds no inputs", corpus.display()).into());
    }
    let current = std::env::temp_dir().join(format!("agentry-fuzz-{}", target.name));
    let shared = Arc::new(Shared::default());
    // What panics is told by the run itself.
    std::panic::set_hook(Box::new(|_| {}));
    let end = Instant::now() + Duration::from_secs_f64(minutes * 60.0);
    let worker = Worker {
        target,
        corpus,
        current: current.clone(),
        shared: Arc::clone(&shared),
        mutator: Mutator::new(seed, LONGEST),
        pool,
        traces: BTreeSet::new(),
        told: BTreeSet::new(),
        slowest: Duration::ZERO,
    };
    // The stack is that of any thread which a user of the library starts.
    let running = thread::spawn(move || worker.work(end));
    let mut last = (0, Instant::now());
    while !running.is_finished() {
        thread::sleep(Duration::from_millis(250));
        let done = shared.executions.load(Ordering::Relaxed);
        if done != last.0 {
            last = (done, Instant::now());
        } else if last.1.elapsed() > STUCK && !shared.minimising.load(Ordering::Relaxed) {
            println!(
                "{}: an input takes more than {STUCK:?}: {}",
                target.name,
                current.display()
            );
            return Ok(false);
        }
    }
    let done = running.join().map_err(|_| "the run itself panicked")?;
    Ok(done?)
}

/// Runs a target on one input.
pub(crate) fn run_one(target: &Target, path: &Path) -> Result<bool, Error> {
    let input = fs::read(path)?;
    let started = Stopwatch::start();
    let result = (target.run)(&input);
    println!("{}: {:?}", target.name, started.elapsed());
    if let Err(fault) = &result {
        println!("{fault}");
    }
    Ok(result.is_ok())
}

/// Tells how long this thread works: by its processor time where the system tells it, as other
/// programs take none of that, and else by the clock.
struct Stopwatch {
    clock: Instant,
    processor: Option<Duration>,
}

impl Stopwatch {
    fn start() -> Self {
        Stopwatch {
            clock: Instant::now(),
            processor: processor_time(),
        }
    }

    fn elapsed(&self) -> Duration {
        match (self.processor, processor_time()) {
            (Some(start), Some(now)) => now.saturating_sub(start),
            _ => self.clock.elapsed(),
        }
    }
}

/// Returns the processor time that this thread has had; Linux tells it.
fn processor_time() -> Option<Duration> {
    let told = fs::read_to_string("/proc/thread-self/schedstat").ok()?;
    let nanoseconds = told.split_whitespace().next()?.parse().ok()?;
    Some(Duration::from_nanos(nanoseconds))
}

/// What the watching thread sees.
#[derive(Default)]
struct Shared {
    executions: AtomicU64,
    minimising: AtomicBool,
}

struct Worker {
    target: &'static Target,
    corpus: PathBuf,
    /// Holds the input that is being tried, should it end the whole process.
    current: PathBuf,
    shared: Arc<Shared>,
    mutator: Mutator,
    pool: Vec<Vec<u8>>,
    traces: BTreeSet<String>,
    told: BTreeSet<String>,
    slowest: Duration,
}

impl Worker {
    fn work(mut self, end: Instant) -> Result<bool, String> {
        let started = Instant::now();
        let mut current = fs::File::create(&self.current).map_err(|error| error.to_string())?;
        let mut waiting = self.pool.clone();
        while Instant::now() < end {
            let input = waiting
                .pop()
                .unwrap_or_else(|| self.mutator.changed(&self.pool));
            let written = current
                .seek(SeekFrom::Start(0))
                .and_then(|_| current.write_all(&input))
                .and_then(|()| current.set_len(input.len() as u64));
            written.map_err(|error| error.to_string())?;
            self.try_input(&input);
        }
        let executions = self.shared.executions.load(Ordering::Relaxed);
        let seconds = started.elapsed().as_secs();
        println!(
            "{}: {executions} executions in {seconds} s, {} kinds of results, {} inputs kept, slowest {:?}, {} faults",
            self.target.name,
            self.traces.len(),
            self.pool.len(),
            self.slowest,
            self.told.len(),
        );
        Ok(self.told.is_empty())
    }

    fn try_input(&mut self, input: &[u8]) {
        let started = Stopwatch::start();
        let result = self.execute(input);
        let took = started.elapsed();
        self.shared.executions.fetch_add(1, Ordering::Relaxed);
        self.slowest = self.slowest.max(took);
        match result {
            Err(fault) => self.tell(input, &fault),
            Ok(_) if took > SLOW && self.is_slow(input) => {
                self.tell(input, "it takes too long");
            }
            Ok(trace) => {
                let before = self.traces.len();
                self.traces.extend(trace);
                // What takes longer than anything before is worth another look.
                let longer = took.as_millis().next_power_of_two();
                self.traces.insert(format!("takes {longer} ms"));
                if self.traces.len() > before && self.pool.len() < MOST_KEPT {
                    self.pool.push(input.to_vec());
                }
            }
        }
    }

    fn execute(&self, input: &[u8]) -> Result<Trace, Fault> {
        execute(self.target, input)
    }

    /// Whether the input is to blame and not what else the machine does.
    fn is_slow(&self, input: &[u8]) -> bool {
        (0..4).all(|_| {
            let started = Stopwatch::start();
            let _ = self.execute(input);
            started.elapsed() > SLOW
        })
    }

    /// Tells of a fault once, and keeps the smallest input that still has it.
    fn tell(&mut self, input: &[u8], fault: &str) {
        if !self.told.insert(kind_of(fault)) {
            return;
        }
        println!("{}: {fault}", self.target.name);
        self.shared.minimising.store(true, Ordering::Relaxed);
        let small = match fault {
            "it takes too long" => input.to_vec(),
            fault => self.minimised(input, fault),
        };
        self.shared.minimising.store(false, Ordering::Relaxed);
        let number = small.iter().fold(0xcbf2_9ce4_8422_2325_u64, |hash, byte| {
            (hash ^ u64::from(*byte)).wrapping_mul(0x100_0000_01b3)
        });
        let path = self.corpus.join(format!("fault-{number:016x}"));
        match fs::write(&path, &small) {
            Ok(()) => println!(
                "  kept as {}: {:?}",
                path.display(),
                String::from_utf8_lossy(&small)
            ),
            Err(error) => println!("  cannot be kept: {error}"),
        }
    }

    fn minimised(&self, input: &[u8], fault: &str) -> Vec<u8> {
        let same = |input: &[u8]| matches!(self.execute(input), Err(found) if kind_of(&found) == kind_of(fault));
        let end = Instant::now() + Duration::from_secs(20);
        let mut best = input.to_vec();
        let mut size = best.len() / 2;
        while size > 0 && Instant::now() < end {
            let mut at = 0;
            let mut smaller = false;
            while at < best.len() && Instant::now() < end {
                let mut less = best.clone();
                less.drain(at..(at + size).min(best.len()));
                if same(&less) {
                    best = less;
                    smaller = true;
                } else {
                    at += size;
                }
            }
            if !smaller {
                size /= 2;
            }
        }
        best
    }
}

/// Runs an input; a panic is a fault.
fn execute(target: &Target, input: &[u8]) -> Result<Trace, Fault> {
    let run = AssertUnwindSafe(|| (target.run)(input));
    catch_unwind(run).unwrap_or_else(|panic| {
        let text = panic
            .downcast_ref::<String>()
            .cloned()
            .or_else(|| panic.downcast_ref::<&str>().map(|text| (*text).to_owned()));
        Err(format!("panic: {}", text.unwrap_or_default()))
    })
}

/// The fault without what is quoted in it, and without numbers.
fn kind_of(fault: &str) -> String {
    let words: Vec<&str> = fault.split(['`', '"']).step_by(2).collect();
    let words: String = words.concat();
    words
        .chars()
        .filter(|c| !c.is_ascii_digit())
        .take(80)
        .collect()
}

fn files_in(folder: &Path) -> Result<Vec<PathBuf>, Error> {
    let items = fs::read_dir(folder).map_err(|error| format!("`{}`: {error}", folder.display()))?;
    let mut paths = Vec::new();
    for item in items {
        paths.push(item?.path());
    }
    paths.sort();
    Ok(paths)
}
