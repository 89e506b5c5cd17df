//! Hostile inputs, made afresh in a temporary folder, and what the command does with each: the table in
//! `docs/robustness.md`. Each has a budget; what breaks it is told.

mod budget;
mod scenes;
mod trial;

use std::path::PathBuf;
use std::time::Duration;

use budget::{GROWTH, Speed};
use scenes::{SCENES, Scene, Size};
use trial::{Project, Seen};

type Error = Box<dyn std::error::Error>;

/// How much is tried.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Extent {
    /// All projects in full size.
    Full,
    /// Small ones of every kind, and how their cost grows: for the gate.
    Quick,
}

impl Extent {
    pub(crate) fn of(quick: bool) -> Self {
        match quick {
            true => Extent::Quick,
            false => Extent::Full,
        }
    }

    /// Returns the sizes in which a scene is made, the largest one last.
    fn sizes(self, scene: &Scene) -> Vec<usize> {
        match (scene.size, self) {
            (Size::Fixed, _) => vec![1],
            (Size::Pieces { full, .. } | Size::PiecesAtOnce { full, .. }, Extent::Full) => {
                vec![full]
            }
            (Size::PiecesAtOnce { quick, .. }, Extent::Quick) => vec![quick],
            (Size::Pieces { quick, .. }, Extent::Quick) => vec![quick, quick * GROWTH],
        }
    }

    /// Returns where the command is that the running program belongs to: the release build, or, for the
    /// gate, which makes none, the one of the same build.
    fn binary(self) -> Result<PathBuf, Error> {
        let here = std::env::current_exe()?;
        let ours = here.parent().ok_or("the running program lies nowhere")?;
        let folder = match self {
            Extent::Full => ours.with_file_name("release"),
            Extent::Quick => ours.to_owned(),
        };
        Ok(folder.join(format!("agentry{}", std::env::consts::EXE_SUFFIX)))
    }

    /// Returns the head of the table.
    fn head(self) -> &'static str {
        match self {
            Extent::Full => {
                "| input | result | findings | time | memory |\n| --- | --- | --- | --- | --- |"
            }
            Extent::Quick => {
                "| input | result | time | growth | memory |\n| --- | --- | --- | --- | --- |"
            }
        }
    }
}

/// How often a project that breaks its budget is tried; the cheapest time counts, since other programs may
/// have been in its way.
const TRIES: usize = 3;

/// Runs all scenes, or those whose name holds a word, and prints the table; then what breaks its budget.
pub(crate) fn run(
    binary: Option<PathBuf>,
    only: Option<&str>,
    extent: Extent,
) -> Result<bool, Error> {
    let binary = match binary {
        Some(binary) => binary,
        None => extent.binary()?,
    };
    if !binary.is_file() {
        return Err(format!(
            "`{}` is missing; build the package `agent-cli` first",
            binary.display()
        )
        .into());
    }
    let speed = Speed::measure(&binary)?;
    let mut gate = Gate { binary, speed };
    println!("{}", extent.head());
    let mut faults = Vec::new();
    let mut scenes = SCENES.iter();
    while let Some(scene) = scenes.find(|it| only.is_none_or(|word| it.name.contains(word))) {
        let ran = gate.run(scene, &extent.sizes(scene))?;
        println!("{}", ran.row(extent, &gate.speed));
        faults.extend(ran.faults);
    }
    for fault in &faults {
        println!("over budget: {fault}");
    }
    Ok(faults.is_empty())
}

/// What every scene has to go through.
struct Gate {
    binary: PathBuf,
    speed: Speed,
}

/// What became of a scene.
struct Ran {
    title: String,
    /// In each size.
    seen: Vec<Seen>,
    faults: Vec<String>,
}

impl Gate {
    fn run(&mut self, scene: &Scene, sizes: &[usize]) -> Result<Ran, Error> {
        let projects = sizes.iter().map(|size| Project::make(scene, *size));
        let projects: Vec<Project> = projects.collect::<Result<_, Error>>()?;
        let seen = projects.iter().map(|project| project.ask(&self.binary));
        let mut seen: Vec<Seen> = seen.collect::<Result<_, Error>>()?;
        let mut faults = self.speed.faults(scene, sizes, &seen);
        for _ in 1..TRIES {
            // What does not end well would not the next time.
            if faults.is_empty() || seen.iter().any(|it| !it.is_good) {
                break;
            }
            self.speed = Speed::measure(&self.binary)?;
            for (seen, project) in seen.iter_mut().zip(&projects) {
                seen.lower_to(&project.ask(&self.binary)?);
            }
            faults = self.speed.faults(scene, sizes, &seen);
        }
        Ok(Ran {
            title: scene.title(sizes.last().copied().unwrap_or_default()),
            seen,
            faults,
        })
    }
}

impl Ran {
    /// Returns its row of the table.
    fn row(&self, extent: Extent, speed: &Speed) -> String {
        let Some(last) = self.seen.last() else {
            return String::new();
        };
        let memory = rounded_memory(last.kibibytes);
        let cells = match extent {
            Extent::Full => {
                let (findings, time) = (last.findings(), rounded_time(last.time));
                [&last.result, &findings, &time, &memory]
                    .map(String::as_str)
                    .join(" | ")
            }
            Extent::Quick => {
                let growth = speed.growth(&self.seen);
                let growth = growth.map_or("-".to_owned(), |growth| format!("{growth:.1}"));
                let time = rounded_time(last.spent);
                [&last.result, &time, &growth, &memory]
                    .map(String::as_str)
                    .join(" | ")
            }
        };
        format!("| {} | {cells} |", self.title)
    }
}

/// An order of magnitude is all that a busy machine tells.
fn rounded_time(time: Duration) -> String {
    match time.as_millis() {
        0..100 => "< 0.1 s".to_owned(),
        100..1000 => format!("{:.1} s", time.as_secs_f64()),
        _ => format!("{:.0} s", time.as_secs_f64()),
    }
}

fn rounded_memory(kibibytes: u64) -> String {
    match kibibytes / 1024 {
        0..20 => "< 20 MiB".to_owned(),
        mebibytes => format!("{} MiB", mebibytes / 10 * 10),
    }
}
