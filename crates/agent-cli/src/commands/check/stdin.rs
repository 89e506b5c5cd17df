//! Checking what stdin holds, for editors and hooks: its name tells whose rules count.

use std::path::Component;

use agent_discovery::{DiskTree, FileTree, MemoryTree, OverlayTree};

use crate::answer::Answer;
use crate::commands::check::{Job, report};
use crate::commands::parse::read_stdin;
use crate::failure::Failure;

/// Checks stdin. With `--fix` the mended text goes to stdout and what is left to stderr; with
/// `--diff` the changes go to stdout.
pub(super) fn run(job: &Job<'_>) -> Result<Answer, Failure> {
    let options = job.options;
    if options.path.len() > 1 {
        return Err(Failure::new("stdin is checked alone").help("leave the other paths out"));
    }
    if options.write_baseline.is_some() {
        return Err(Failure::new("what stdin holds is no known file")
            .help("write the baseline from the files of the project"));
    }
    let Some(name) = &options.file_name else {
        return Err(
            Failure::new("stdin has no file name, which tells whose rules count")
                .help("say `--file-name PATH`, with the folders: `.claude/agents/x.md`"),
        );
    };
    if name.components().any(|part| part == Component::ParentDir) {
        return Err(Failure::new("the name of a file cannot lead upwards here")
            .help("write it without `..`"));
    }
    let bytes = read_stdin()?;
    let mut alone = MemoryTree::new();
    alone.write(name, &bytes);
    let mut saved = OverlayTree::new(&DiskTree);
    // What is saved already has its project around it; anything else is judged by itself.
    let on_disk = saved.replace(name, bytes.as_slice()).is_ok();
    let base: &dyn FileTree = match on_disk {
        true => &saved,
        false => &alone,
    };
    let paths = [name.clone()];
    let job = &Job {
        paths: &paths,
        is_whole: false,
        on_disk,
        ..*job
    };
    let files = job.files(&OverlayTree::new(base))?;
    if !options.fix && !options.diff {
        return job.tell(base, files);
    }
    let mended = job.mend(base, files)?;
    if options.diff {
        return Ok(job.diff(&mended));
    }
    let new = mended.changes().next().map(|(_, _, new)| new.to_vec());
    let checkup = job.checkup(&mended.files);
    let talk = report::fixes(job.request, &mended, "made");
    let left = checkup.in_text();
    let answer = Answer::exact(new.unwrap_or(bytes), checkup.finish());
    Ok(answer.with_talk(format!("{talk}{left}")))
}
