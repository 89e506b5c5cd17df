//! `agentry check`: everything that is wrong, file by file, and what can be mended of it.
//!
//! Files are gathered with what each harness makes of them (`gather`), their findings are sifted
//! by what the command line, the settings, comments and the baseline say (`sift`), mended in
//! memory if that was asked for (`fixing`), and only then written and told.

mod baseline;
mod diff;
mod fixing;
mod gather;
mod progress;
mod report;
mod selection;
mod shown;
mod sift;
mod stdin;

use std::path::{Path, PathBuf};

use agent_discovery::{DiskTree, FileTree, OverlayTree};

use crate::answer::{Answer, Finish};
use crate::commands::check::baseline::Baseline;
use crate::commands::check::fixing::{Mended, Mender};
use crate::commands::check::gather::{Files, Gatherer};
use crate::commands::check::progress::Progress;
use crate::commands::check::report::Checkup;
use crate::commands::check::selection::Selection;
use crate::commands::check::sift::Sieve;
use crate::failure::Failure;
use crate::options::{Check, Format};
use crate::request::Request;
use crate::settings::Settings;
use crate::write;

pub(crate) fn run(request: &Request, options: &Check) -> Result<Answer, Failure> {
    if options.unsafe_fixes && !options.fix && !options.diff {
        return Err(Failure::new("`--unsafe-fixes` alone fixes nothing")
            .help("add `--fix`, or `--diff` to see what it would change"));
    }
    if options.diff && request.common.format != Format::Text {
        return Err(Failure::new("`--diff` has a form of its own").help("leave `--format` out"));
    }
    let settings = Settings::read(request, &options.settings)?;
    let request = &request.clone().or_dialect(settings.dialect);
    let selection = Selection::new(options, &settings, request.common.format)?;
    let baseline = options.baseline.as_ref().or(settings.baseline.as_ref());
    let baseline = baseline.filter(|_| options.write_baseline.is_none());
    let baseline = baseline.map(|file| Baseline::read(request, file));
    let baseline = baseline.transpose()?;
    let from_stdin = options.path.iter().any(|path| path.as_os_str() == "-");
    let job = Job {
        request,
        options,
        settings: &settings,
        selection: &selection,
        baseline: baseline.as_ref(),
        progress: &Progress::new(),
        paths: &options.path,
        is_whole: options.path.is_empty(),
        on_disk: true,
    };
    match (from_stdin, &options.file_name) {
        (true, _) => stdin::run(&job),
        (false, Some(_)) => Err(
            Failure::new("`--file-name` is the name of what stdin holds")
                .help("say `-` for the file"),
        ),
        (false, None) => job.run(),
    }
}

/// Everything that was asked.
struct Job<'a> {
    request: &'a Request,
    options: &'a Check,
    settings: &'a Settings,
    selection: &'a Selection,
    baseline: Option<&'a Baseline>,
    progress: &'a Progress,
    /// The files and folders that were named.
    paths: &'a [PathBuf],
    /// Whether all is checked that there is.
    is_whole: bool,
    /// Whether the files lie on the disk, among others.
    on_disk: bool,
}

impl Job<'_> {
    fn run(&self) -> Result<Answer, Failure> {
        let files = self.files(&OverlayTree::new(&DiskTree))?;
        if let Some(file) = &self.options.write_baseline {
            return self.write_baseline(file, &files);
        }
        if !self.options.fix && !self.options.diff {
            return self.tell(&DiskTree, files);
        }
        let mended = self.mend(&DiskTree, files)?;
        match self.options.diff {
            true => Ok(self.diff(&mended)),
            false => self.write(mended),
        }
    }

    /// Tells what there is, with fixes as they would be made.
    fn tell(&self, base: &dyn FileTree, mut files: Files) -> Result<Answer, Failure> {
        let mender = Mender::new(self.request, base, self.paths, false);
        let tree = OverlayTree::new(base);
        mender.foresee(&tree, &mut files, |tree| self.gatherer(false).gather(tree))?;
        self.checkup(&files).answer()
    }

    /// Gathers and sifts what there is in a tree.
    fn files(&self, tree: &OverlayTree<'_>) -> Result<Files, Failure> {
        let mut files = self.gatherer(true).gather(tree)?;
        self.sieve().sift(&mut files);
        Ok(files)
    }

    fn gatherer(&self, with_fixes: bool) -> Gatherer<'_> {
        Gatherer {
            request: self.request,
            settings: self.settings,
            paths: self.paths,
            on_disk: self.on_disk,
            with_fixes,
            fixes_from: self.selection.least_told(),
            progress: self.progress,
        }
    }

    /// Makes all fixes in memory.
    fn mend<'t>(&self, base: &'t dyn FileTree, files: Files) -> Result<Mended<'t>, Failure> {
        let unsafe_too = self.options.unsafe_fixes;
        let mender = Mender::new(self.request, base, self.paths, unsafe_too);
        mender.mend(OverlayTree::new(base), files, |tree| self.files(tree))
    }

    fn sieve(&self) -> Sieve<'_> {
        Sieve {
            request: self.request,
            settings: self.settings,
            selection: self.selection,
            baseline: self.baseline,
            is_whole: self.is_whole,
        }
    }

    fn checkup<'f>(&'f self, files: &'f Files) -> Checkup<'f> {
        let vanished = self.baseline.map(|baseline| {
            let is_on = |code: &str| self.selection.is_on(code);
            baseline.vanished(self.request, files, self.is_whole, is_on)
        });
        let vanished = vanished.unwrap_or_default();
        let mender = Mender::new(self.request, &DiskTree, self.paths, false);
        let unwritten = mender.unwritten(files);
        Checkup::new(self.request, self.selection, files, vanished, unwritten)
    }

    fn write_baseline(&self, file: &Path, files: &Files) -> Result<Answer, Failure> {
        let (text, count) = baseline::written(self.request, file, files)?;
        write::write_anew(&self.request.full(file), text.as_bytes()).map_err(|why| {
            let shown = self.request.paths.show(file);
            Failure::new(format!("cannot write `{shown}`: {why}"))
        })?;
        let shown = self.request.paths.show(file);
        let count = crate::text::words::count(count, "known finding");
        Ok(Answer::text("", Finish::Clean).with_talk(format!("wrote `{shown}`: {count}\n")))
    }

    /// Shows what would be written.
    fn diff(&self, mended: &Mended<'_>) -> Answer {
        let mut text = String::new();
        for (real, old, new) in mended.changes() {
            let made = mended.made.iter().find(|made| made.real == real);
            let path = made.map_or(real, |made| &made.path);
            text.push_str(&diff::unified(self.request, path, old, new));
        }
        let finish = Finish::of(text.is_empty());
        let talk = report::fixes(self.request, mended, "would be made");
        let answer = match self.request.environment.terminal_width {
            Some(_) => Answer::text(text, finish),
            None => Answer::exact(text, finish),
        };
        answer.with_talk(talk)
    }

    /// Writes what was mended, and tells what is left.
    fn write(&self, mut mended: Mended<'_>) -> Result<Answer, Failure> {
        let mut trouble = String::new();
        let mut unwritten = Vec::new();
        for (real, old, new) in mended.changes() {
            if let Err(why) = write::replace(real, old, new) {
                let shown = self.request.paths.show(real);
                trouble.push_str(&format!("cannot write `{shown}`: {why}\n"));
                unwritten.push(real.to_owned());
            }
        }
        // What is told is what the disk holds now.
        if !unwritten.is_empty() {
            mended.give_up(&unwritten);
            mended.files = self.files(&mended.tree)?;
        }
        let talk = report::fixes(self.request, &mended, "made");
        let answer = self.checkup(&mended.files).answer()?;
        let answer = answer.after_talk(&talk);
        if trouble.is_empty() {
            return Ok(answer);
        }
        Ok(answer.after_talk(&trouble).with_trouble())
    }
}
