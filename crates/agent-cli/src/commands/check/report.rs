//! What a check tells: the findings in the form that was asked for, and how many there are.

use std::collections::HashSet;
use std::slice;

use agent_schema::{Applicability, Fate, Severity};

use crate::answer::{Answer, Finish};
use crate::commands::check::baseline::fingerprint;
use crate::commands::check::fixing::Mended;
use crate::commands::check::gather::{Checked, Files, Noted};
use crate::commands::check::selection::Selection;
use crate::commands::check::shown::{Shown, shown};
use crate::commands::check::sift::Standing;
use crate::failure::Failure;
use crate::finding::Finding;
use crate::formats::{self, Told};
use crate::json::{self, CheckedFile, Summary};
use crate::options::Format;
use crate::request::Request;
use crate::text::paint::{self, painted};
use crate::text::printable::printable;
use crate::text::{Page, excerpt, report, words};

/// The most bytes of lines that are shown with findings; what is told behind them is told in a line
/// each. A file may be one long line, and would be looked through as often as it has findings.
const MOST_LINE_BYTES: usize = 16 << 20;

/// What was checked, ready to be told.
pub(super) struct Checkup<'a> {
    request: &'a Request,
    selection: &'a Selection,
    files: &'a Files,
    /// How many findings the baseline knows that are not there any more.
    vanished: usize,
    /// The files that `--fix` does not write unless they are named.
    unwritten: HashSet<&'a str>,
    /// The findings that are told, in the order of files and lines.
    shown: Vec<Shown<'a>>,
}

impl<'a> Checkup<'a> {
    pub(super) fn new(
        request: &'a Request,
        selection: &'a Selection,
        files: &'a Files,
        vanished: usize,
        unwritten: HashSet<&'a str>,
    ) -> Self {
        Checkup {
            request,
            selection,
            files,
            vanished,
            unwritten,
            shown: shown(files),
        }
    }

    /// Tells it in the form that was asked for.
    pub(super) fn answer(&self) -> Result<Answer, Failure> {
        let finish = self.finish();
        match self.request.common.format {
            Format::Text => Ok(Answer::text(self.in_text(), finish)),
            Format::Json => {
                let (summary, told) = (self.summary(), self.told());
                Answer::json(
                    json::Checked::new(&told, self.checked_files(), summary),
                    finish,
                )
            }
            Format::JsonLines => {
                let (summary, told) = (self.summary(), self.told());
                let lines = formats::json_lines(&told, self.checked_files(), summary)?;
                Ok(Answer::exact(lines, finish))
            }
            Format::Concise => {
                let lines = formats::concise(self.request, &self.told());
                Ok(Answer::text(lines, finish).with_talk(self.counts()))
            }
            Format::Github => {
                let lines = formats::github(self.request, &self.told());
                Ok(Answer::exact(lines, finish).with_talk(self.counts()))
            }
            Format::Sarif => Ok(Answer::exact(
                formats::sarif(self.request, &self.told())?,
                finish,
            )),
        }
    }

    pub(super) fn finish(&self) -> Finish {
        Finish::of(
            !self
                .noted()
                .any(|(_, _, noted)| noted.standing == Standing::Counts),
        )
    }

    fn noted(&self) -> impl Iterator<Item = (&'a str, &'a Checked, &'a Noted)> {
        let files = self.files.files.iter();
        files.flat_map(|(reported, checked)| {
            let findings = checked.findings.iter();
            findings.map(move |noted| (reported.as_str(), checked, noted))
        })
    }

    /// The findings that are shown, in the order of files and lines.
    fn told(&self) -> Vec<Told<'_>> {
        let told = self.shown.iter().map(|shown| {
            let (checked, noted) = (shown.checked, &*shown.noted);
            Told {
                finding: Finding {
                    diagnostic: &noted.diagnostic,
                    file: checked.view(shown.reported),
                    elsewhere: self.files,
                },
                dialects: noted.dialects.iter().map(|dialect| dialect.id).collect(),
                fingerprint: fingerprint(checked.bytes.as_deref(), noted),
            }
        });
        told.collect()
    }

    fn checked_files(&self) -> Vec<CheckedFile<'a>> {
        let files = self.files.files.iter();
        let readings = files.flat_map(|(reported, checked)| {
            let readings = checked.readings.iter();
            readings.map(move |reading| CheckedFile {
                file: reported,
                inside: reading.inside.as_deref(),
                dialect: reading.dialect.id,
                outcome: reading.outcome(),
                fate: reading.fate,
                verdict: reading.verdict,
                lost: reading.lost.iter().map(|field| field.as_str()).collect(),
                rights_widened: reading.rights_widened,
            })
        });
        readings.collect()
    }

    fn summary(&self) -> Summary {
        let mut summary = Summary {
            excluded: self.files.excluded,
            vanished: self.vanished,
            ..Summary::default()
        };
        for checked in self.files.files.values() {
            if let Some(fate) = checked.fate() {
                summary.files += 1;
                *summary.fates.of(fate) += 1;
                summary.shadowed += usize::from(checked.is_shadowed());
            }
        }
        for (reported, _, noted) in self.noted() {
            match noted.standing {
                Standing::Suppressed => summary.suppressed += 1,
                Standing::Known => summary.known += 1,
                Standing::Off => {}
                Standing::Quiet if self.selection.is_limited => summary.quiet += 1,
                _ => {
                    *match noted.diagnostic.severity {
                        Severity::Error => &mut summary.errors,
                        Severity::Warning => &mut summary.warnings,
                        Severity::Info => &mut summary.infos,
                    } += noted.diagnostic.stands_for;
                }
            }
            let fix = noted.diagnostic.fix.as_ref();
            match fix.map(|fix| fix.applicability) {
                Some(Applicability::Safe | Applicability::Unsafe)
                    if noted.standing.is_shown() && self.unwritten.contains(reported) =>
                {
                    summary.fixable_if_named += 1;
                }
                Some(Applicability::Safe) if noted.standing.is_shown() => summary.fixable += 1,
                Some(Applicability::Unsafe) if noted.standing.is_shown() => {
                    summary.fixable_unsafe += 1;
                }
                _ => {}
            }
        }
        summary
    }

    /// Tells it for people.
    pub(super) fn in_text(&self) -> String {
        let mut page = Page::default();
        let request = self.request;
        let mut left = MOST_LINE_BYTES;
        for told in self.told() {
            let finding = &told.finding;
            let span = finding.diagnostic.span.unwrap_or_default();
            let lines = finding
                .file
                .bytes
                .map_or(0, |bytes| excerpt::lines(bytes, span).len());
            if lines > left {
                page.block(&formats::concise(request, slice::from_ref(&told)));
                continue;
            }
            left -= lines;
            page.gap();
            page.block(&report::render(
                &told.finding,
                &request.paths,
                request.width(),
            ));
        }
        page.gap();
        page.block(&self.counts());
        page.into_text()
    }

    /// Tells how many findings and files there are.
    fn counts(&self) -> String {
        let summary = self.summary();
        let shows_infos = self.selection.shown == Severity::Info;
        let mut parts = Vec::new();
        for (number, noun, style) in [
            (summary.errors, "error", paint::BAD),
            (summary.warnings, "warning", paint::WARN),
        ] {
            if number > 0 {
                parts.push(painted(style, words::count(number, noun)).to_string());
            }
        }
        if parts.is_empty() {
            let seen = summary.files + summary.excluded + summary.infos + summary.quiet;
            let nothing = match seen {
                0 => painted(
                    paint::QUIET,
                    "nothing to check: no file lies where one is looked for",
                ),
                _ => painted(paint::GOOD, "nothing wrong"),
            };
            parts.push(nothing.to_string());
        }
        if summary.infos > 0 && shows_infos {
            parts.push(format!("{} worth knowing", summary.infos));
        }
        let hidden = match (summary.infos, summary.quiet) {
            (infos, 0) if infos > 0 && !shows_infos => {
                format!(" ({infos} more worth knowing: --all)")
            }
            (_, quiet) if quiet > 0 => {
                let least = self.selection.shown;
                format!(" ({quiet} more below severity {least})")
            }
            _ => String::new(),
        };
        let mut page = Page::default();
        page.line(format!("{}{hidden}", parts.join(", ")));
        page.line(fates(&summary));
        let mut aside = Vec::new();
        if summary.suppressed > 0 {
            aside.push(format!("{} suppressed by comments", summary.suppressed));
        }
        if summary.known > 0 {
            aside.push(format!("{} known from the baseline", summary.known));
        }
        if !aside.is_empty() {
            page.line(aside.join(", "));
        }
        if summary.vanished > 0 {
            let known = words::count(summary.vanished, "known finding");
            page.line(format!(
                "{known} gone: `--write-baseline` writes the baseline anew"
            ));
        }
        page.block(&fixable(&summary));
        page.into_text()
    }
}

/// Tells what becomes of the files.
fn fates(summary: &Summary) -> String {
    let fates = summary.fates.all().into_iter();
    let told = fates.filter(|(_, number)| *number > 0);
    let told = told.map(|(fate, number)| {
        let style = match fate {
            Fate::Loaded => paint::PLAIN,
            Fate::Repaired | Fate::Degraded => paint::WARN,
            Fate::Ignored => paint::QUIET,
            Fate::Rejected | Fate::Fatal => paint::BAD,
        };
        painted(style, format!("{number} {}", fate.as_str())).to_string()
    });
    let mut parts: Vec<String> = told.collect();
    if summary.excluded > 0 {
        parts.push(format!("{} left out", summary.excluded));
    }
    let files = words::count(summary.files + summary.excluded, "file");
    let shadowed = match summary.shadowed {
        0 => String::new(),
        number => format!("; {number} shadowed by others"),
    };
    match parts.is_empty() {
        true => files,
        false => format!("{files}: {}{shadowed}", parts.join(", ")),
    }
}

/// Tells how much can be mended.
fn fixable(summary: &Summary) -> String {
    let here = match (summary.fixable, summary.fixable_unsafe) {
        (0, 0) => String::new(),
        (safe, 0) => format!("{safe} fixable with `--fix`"),
        (0, other) => format!("{other} fixable with `--fix --unsafe-fixes`"),
        (safe, other) => {
            format!("{safe} fixable with `--fix`, {other} more with `--unsafe-fixes`")
        }
    };
    match (summary.fixable_if_named, here.is_empty()) {
        (0, _) => here,
        (named, true) => format!("{named} fixable outside of the project, in files that are named"),
        (named, false) => {
            format!("{here}, {named} outside of the project, in files that are named")
        }
    }
}

/// Tells what was mended, or would be, and what was not.
pub(super) fn fixes(request: &Request, mended: &Mended<'_>, verb: &str) -> String {
    let mut page = Page::default();
    let mut files: Vec<&std::path::Path> = Vec::new();
    for made in &mended.made {
        let path = request.paths.show(&made.path);
        page.line(format!(
            "{path}: {} [{}]",
            printable(&made.title),
            made.code
        ));
        files.push(&made.real);
    }
    files.sort();
    files.dedup();
    for left_out in &mended.left_out {
        let path = request.paths.show(&left_out.path);
        let title = printable(&left_out.fix.title);
        page.line(format!(
            "{path}: left out, since {}: {title}",
            left_out.because
        ));
    }
    for (path, reason) in &mended.untouched {
        page.line(format!("{}: not fixed: {reason}", request.paths.show(path)));
    }
    match mended.made.len() {
        0 if mended.has_unwritten => page.line("no fix made"),
        0 => page.line("nothing to fix"),
        number => {
            let fixes = match number {
                1 => "1 fix".to_owned(),
                number => format!("{number} fixes"),
            };
            let files = words::count(files.len(), "file");
            page.line(format!("{fixes} {verb} in {files}"));
        }
    }
    page.into_text()
}
