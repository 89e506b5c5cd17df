//! What hostile input may cost: in units of the work that the same program does in the meantime on the
//! same machine, so that neither a slow machine nor a build without optimisation counts as a fault.

use std::path::Path;
use std::time::Duration;

use super::Error;
use super::scenes::{PLAIN_AGENTS, Scene};
use super::trial::{Project, Seen};

/// How many plain agents are checked to learn how fast that is.
const PLAIN: usize = 3_000;

/// What every project may take, however small: as many thousands of plain agents may be checked in the
/// time. Trials of fixes have a limit of their own, which small files with many mistakes reach.
const LEAST_THOUSANDS: f64 = 50.0;

/// The same on a machine that is too fast to be measured.
const LEAST_TIME: Duration = Duration::from_secs(1);

/// What every project may take of memory, in MiB; the rest of its budget comes on top.
const LEAST_MEMORY: u64 = 128;

/// How many times as large the larger one of two projects is.
pub(super) const GROWTH: usize = 4;

/// How many times as long as the smaller one the larger one may take. As much as it is larger would be
/// 4, the square of that 16.
const MOST_GROWTH: f64 = 6.0;

/// How much longer than a plain agent a project must take for its growth to be measured.
const TELLING: Duration = Duration::from_millis(200);

/// The steps in which processor time is told.
const STEP: Duration = Duration::from_millis(10);

/// How fast the command is, here and now.
pub(super) struct Speed {
    /// What one plain agent takes: mostly the start of the program.
    one: Duration,
    /// What a thousand of them take beyond that.
    thousand: Duration,
}

impl Speed {
    /// Measures it.
    pub(super) fn measure(binary: &Path) -> Result<Self, Error> {
        let fastest = |size: usize| -> Result<Duration, Error> {
            let project = Project::make(&PLAIN_AGENTS, size)?;
            let times = [(); 3].map(|()| project.ask(binary).map(|seen| seen.spent));
            let times: Result<Vec<Duration>, Error> = times.into_iter().collect();
            Ok(times?.into_iter().min().unwrap_or_default())
        };
        let one = fastest(1)?;
        let beyond = fastest(PLAIN)?.saturating_sub(one).max(STEP);
        let thousand = beyond.mul_f64(1_000.0 / PLAIN as f64);
        Ok(Speed { one, thousand })
    }

    /// Tells how a scene breaks its budget, by what was seen of it in each size.
    pub(super) fn faults(&self, scene: &Scene, sizes: &[usize], seen: &[Seen]) -> Vec<String> {
        let runs = sizes.iter().zip(seen);
        let mut faults: Vec<String> = runs
            .flat_map(|(size, seen)| self.faults_of_one(scene, *size, seen))
            .collect();
        let growth = self.growth(seen).filter(|growth| *growth > MOST_GROWTH);
        if let (Some(growth), [small, large]) = (growth, sizes) {
            faults.push(format!(
                "{} take {growth:.1} times as long as {}; it may be {MOST_GROWTH} times, and grows \
                 faster than the input",
                scene.title(*large),
                scene.title(*small)
            ));
        }
        faults
    }

    fn faults_of_one(&self, scene: &Scene, size: usize, seen: &Seen) -> Vec<String> {
        let title = scene.title(size);
        let share = scene.share(size);
        let mut faults = Vec::new();
        if !seen.is_good {
            faults.push(format!("{title}: {}", seen.result));
        }
        let thousands = LEAST_THOUSANDS.max(scene.most.thousands * share);
        let most = LEAST_TIME.max(self.thousand.mul_f64(thousands));
        if seen.spent > most {
            let times = seen.spent.as_secs_f64() / most.as_secs_f64();
            let thousands = seen.spent.as_secs_f64() / self.thousand.as_secs_f64();
            faults.push(format!(
                "{title}: {:.1?} of processor time, {times:.1} times the {most:.1?} allowed; \
                 {thousands:.1} thousand plain agents are checked in that time here",
                seen.spent
            ));
        }
        let most = LEAST_MEMORY + (scene.most.memory as f64 * share) as u64;
        let mebibytes = seen.kibibytes / 1024;
        if mebibytes > most {
            let more = mebibytes - most;
            faults.push(format!(
                "{title}: {mebibytes} MiB of memory, {more} MiB more than the {most} MiB allowed"
            ));
        }
        faults
    }

    /// Returns how many times as long as the smaller one of two projects the larger one took, beyond
    /// what a plain agent takes; nothing if even the larger one is too fast to tell.
    pub(super) fn growth(&self, seen: &[Seen]) -> Option<f64> {
        let [small, large] = seen else {
            return None;
        };
        let small = small.spent.saturating_sub(self.one).max(STEP);
        let large = large.spent.saturating_sub(self.one);
        (large >= TELLING).then(|| large.as_secs_f64() / small.as_secs_f64())
    }
}
