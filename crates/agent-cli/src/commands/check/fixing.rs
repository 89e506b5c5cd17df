//! Mending what has a fix: in memory, round by round, and only what helps every reader.
//!
//! A fix was tried by the harness whose finding it mends. Other harnesses may read the same file;
//! after each round they are asked again, and a fix that takes something from one of them is left
//! out. What is left in memory in the end is what is written. A fix that was left out is no safe one
//! any more; where nothing is mended, the doubtful ones are tried all the same (`foreseen`).

mod foreseen;
mod harm;

use std::collections::{BTreeMap, BTreeSet, HashSet};
use std::path::{Path, PathBuf};
use std::sync::Arc;

use agent_discovery::{DiskTree, FileTree, Kind, OverlayTree, repository_root};
use agent_schema::fix::{apply, compatible};
use agent_schema::parse::LARGEST_FILE;
use agent_schema::{Applicability, Diagnostic, Dialect, Edit, Fix, Level};

use crate::commands::check::fixing::harm::{gained, harm, vain};
use crate::commands::check::gather::{Checked, Files, Noted};
use crate::failure::Failure;
use crate::request::Request;

/// The most rounds: each makes a fix or finds one to leave out.
const MOST_ROUNDS: usize = 64;

/// Everything that is needed to mend files.
pub(super) struct Mender<'a> {
    /// Where the files are that are mended.
    base: &'a dyn FileTree,
    /// The files and folders that were named.
    paths: &'a [PathBuf],
    unsafe_too: bool,
    /// The root of the project's repository, or the project, without links.
    root: Option<PathBuf>,
}

/// What was mended, in memory.
pub(super) struct Mended<'a> {
    pub(super) tree: OverlayTree<'a>,
    /// The bytes of the files that are replaced, as they were read before.
    pub(super) read: BTreeMap<PathBuf, Arc<[u8]>>,
    /// What there is to check now.
    pub(super) files: Files,
    /// The fixes that were made, in their order.
    pub(super) made: Vec<Made>,
    /// The fixes that were left out because of another harness.
    pub(super) left_out: Vec<LeftOut>,
    /// Files that have fixes and are not written, with the reason.
    pub(super) untouched: BTreeMap<PathBuf, &'static str>,
    /// Whether files that were to be replaced stayed as they were.
    pub(super) has_unwritten: bool,
}

/// A fix that was made.
pub(super) struct Made {
    /// The file, links followed.
    pub(super) real: PathBuf,
    /// The file as it was come across.
    pub(super) path: PathBuf,
    pub(super) code: &'static str,
    pub(super) title: String,
}

/// A fix that was left out because of what it would do to somebody else.
pub(super) struct LeftOut {
    pub(super) path: PathBuf,
    pub(super) because: String,
    pub(super) fix: Fix,
    /// Whether it is made if fixes are wanted that are only probably right.
    is_made_unsafely: bool,
}

/// A fix that may be made.
#[derive(Clone)]
struct Planned {
    path: PathBuf,
    code: &'static str,
    fix: Fix,
    /// Those that want it.
    dialects: Vec<&'static Dialect>,
}

/// The fixes of one round for one file.
struct Round {
    /// The file as it was read.
    bytes: Arc<[u8]>,
    fixes: Vec<Planned>,
}

/// What a fix is known by as long as its file stays the same.
type Known = (PathBuf, String, Vec<Edit>);

/// What is tried and what is not, between the rounds.
#[derive(Default)]
struct Memory {
    left_out: Vec<LeftOut>,
    banned: Vec<Known>,
    /// Files whose fixes are tried one by one.
    singly: BTreeSet<PathBuf>,
    /// What the files were in earlier rounds.
    past: BTreeMap<PathBuf, Vec<Arc<[u8]>>>,
    /// Files that have fixes and are not written, with the reason.
    untouched: BTreeMap<PathBuf, &'static str>,
}

/// Why fixes are left out.
struct Refusal {
    because: String,
    is_made_unsafely: bool,
}

impl<'a> Mender<'a> {
    pub(super) fn new(
        request: &'a Request,
        base: &'a dyn FileTree,
        paths: &'a [PathBuf],
        unsafe_too: bool,
    ) -> Self {
        let project = &request.common.project;
        let root = repository_root(&DiskTree, project);
        Mender {
            base,
            paths,
            unsafe_too,
            root: root.or_else(|| DiskTree.real_path(project).ok()),
        }
    }

    /// Makes all fixes, round by round until none is left.
    pub(super) fn mend<'t>(
        &self,
        tree: OverlayTree<'t>,
        files: Files,
        mut gather: impl FnMut(&OverlayTree<'t>) -> Result<Files, Failure>,
    ) -> Result<Mended<'t>, Failure> {
        let mut memory = Memory::default();
        let mut mended = Mended {
            tree,
            read: BTreeMap::new(),
            files,
            made: Vec::new(),
            left_out: Vec::new(),
            untouched: BTreeMap::new(),
            has_unwritten: false,
        };
        for _ in 0..MOST_ROUNDS {
            let plan = self.plan(&mended.files, &mut memory, |_, _| true);
            if plan.is_empty() {
                break;
            }
            let mut next = mended.tree.clone();
            let mut tried = lay(plan, &mut next, &mut memory);
            let mut after = gather(&next)?;
            let refused = self.refuse(&mended.files, &mut tried, &next, &after, &mut memory);
            for (real, bytes) in &refused {
                match mended.read.contains_key(real) {
                    true => drop(next.replace(real, Arc::clone(bytes))),
                    false => next.restore(real),
                }
            }
            if !refused.is_empty() {
                after = gather(&next)?;
            }
            for (real, Round { bytes, fixes }) in tried {
                let past = memory.past.entry(real.clone()).or_default();
                past.push(Arc::clone(&bytes));
                mended.read.entry(real.clone()).or_insert(bytes);
                mended.made.extend(fixes.into_iter().map(|fix| Made {
                    real: real.clone(),
                    path: fix.path,
                    code: fix.code,
                    title: fix.fix.title,
                }));
            }
            mended.tree = next;
            mended.files = after;
        }
        mark(&mut mended.files, &memory.left_out);
        mended.left_out = memory.left_out;
        mended.untouched = memory.untouched;
        Ok(mended)
    }

    /// Chooses the fixes of one round of those that are asked for, by the files that they change.
    fn plan(
        &self,
        files: &Files,
        memory: &mut Memory,
        asks_for: impl Fn(&Checked, &Noted) -> bool,
    ) -> BTreeMap<PathBuf, Round> {
        let mut plan: BTreeMap<PathBuf, Round> = BTreeMap::new();
        for checked in files.files.values() {
            let fixes = self.wanted(checked, &asks_for);
            let Some(bytes) = checked.bytes.as_ref().filter(|_| !fixes.is_empty()) else {
                continue;
            };
            match self.may_write(checked) {
                Ok(real) => {
                    let round = plan.entry(real).or_insert_with(|| Round {
                        bytes: Arc::clone(bytes),
                        fixes: Vec::new(),
                    });
                    for fix in fixes {
                        join(&mut round.fixes, fix);
                    }
                }
                Err(reason) => {
                    memory.untouched.insert(checked.path.clone(), reason);
                }
            }
        }
        for (real, Round { fixes, .. }) in &mut plan {
            fixes.retain(|fix| !memory.banned.contains(&known(real, fix)));
            *fixes = one_round(fixes, self.unsafe_too);
            if memory.singly.contains(real) {
                fixes.truncate(1);
            }
        }
        plan.retain(|_, round| !round.fixes.is_empty());
        plan
    }

    /// Takes out of what was tried what must not be made, with the bytes of those files before.
    fn refuse(
        &self,
        before: &Files,
        tried: &mut BTreeMap<PathBuf, Round>,
        next: &OverlayTree<'_>,
        after: &Files,
        memory: &mut Memory,
    ) -> Vec<(PathBuf, Arc<[u8]>)> {
        let names = self.names(before, tried);
        let mut refused = Vec::new();
        tried.retain(|real, round| {
            let names = names.get(real).map(Vec::as_slice).unwrap_or_default();
            let gained = || {
                let safe_only = !self.unsafe_too;
                let because = safe_only.then(|| gained(self.base, names, before, after))??;
                Some(Refusal {
                    because,
                    is_made_unsafely: true,
                })
            };
            let harm = harm(names, after, &round.fixes).map(Refusal::for_good);
            let refusal = harm
                .or_else(gained)
                .or_else(|| vain(names, after, &round.fixes).map(Refusal::for_good))
                .or_else(|| memory.undoes(real, next).map(Refusal::for_good));
            let Some(refusal) = refusal else {
                return true;
            };
            match round.fixes.as_slice() {
                [fix] => {
                    memory.left_out.push(LeftOut {
                        path: fix.path.clone(),
                        because: refusal.because,
                        fix: fix.fix.clone(),
                        is_made_unsafely: refusal.is_made_unsafely,
                    });
                    memory.ban_all(real, &round.fixes);
                }
                _ => drop(memory.singly.insert(real.clone())),
            }
            refused.push((real.clone(), Arc::clone(&round.bytes)));
            false
        });
        refused
    }

    /// The fixes of the findings that are shown.
    fn wanted(
        &self,
        checked: &Checked,
        asks_for: impl Fn(&Checked, &Noted) -> bool,
    ) -> Vec<Planned> {
        let findings = checked.findings.iter();
        let shown = findings.filter(|noted| noted.standing.is_shown());
        let fixes = shown.filter(|noted| asks_for(checked, noted));
        let fixes = fixes.filter_map(|noted| {
            let fix = noted.diagnostic.fix.as_deref()?;
            let is_wanted = match fix.applicability {
                Applicability::Safe => true,
                Applicability::Unsafe => self.unsafe_too,
                Applicability::ShowOnly => false,
            };
            is_wanted.then(|| Planned {
                path: checked.path.clone(),
                code: noted.diagnostic.code(),
                fix: fix.clone(),
                dialects: noted.dialects.clone(),
            })
        });
        fixes.collect()
    }

    /// Returns the files that no run writes unless they are named, by their paths as reported.
    pub(super) fn unwritten<'f>(&self, files: &'f Files) -> HashSet<&'f str> {
        if !self.paths.is_empty() {
            return HashSet::new();
        }
        let has_fix = |checked: &Checked| {
            let mut findings = checked.findings.iter();
            findings.any(|noted| noted.diagnostic.fix.is_some())
        };
        let mended = files.files.iter().filter(|(_, checked)| has_fix(checked));
        let unwritten = mended.filter(|(_, checked)| self.may_write(checked).is_err());
        unwritten.map(|(reported, _)| reported.as_str()).collect()
    }

    /// Returns the file that may be written, links followed.
    ///
    /// Of what the searches find only the files of the project are written; any other must be
    /// named. In no case is anything written through a link that leads out of the project.
    fn may_write(&self, checked: &Checked) -> Result<PathBuf, &'static str> {
        let path = &checked.path;
        let gone = "it is not there any more";
        let real = self.base.real_path(path).map_err(|_| gone)?;
        let is_link = self.base.own_kind(path).map_err(|_| gone)? == Kind::Link;
        let in_project = self
            .root
            .as_ref()
            .is_some_and(|root| real.starts_with(root));
        if self.paths.is_empty() {
            let is_own = matches!(
                checked.level,
                Some(
                    Level::Project
                        | Level::Workspace
                        | Level::Plugin
                        | Level::Defaults
                        | Level::Deployment
                )
            );
            return match (is_own, in_project) {
                (true, true) => Ok(real),
                (true, false) if is_link => Err("a link leads out of the project to it"),
                _ => Err("it is no file of the project; name it to have it fixed"),
            };
        }
        match is_link && !in_project && !self.is_in_named_folder(&real) {
            true => Err("it is a link that leads out of the project"),
            false => Ok(real),
        }
    }

    /// Finds all names under which the files that are changed were come across.
    fn names<'f>(
        &self,
        files: &'f Files,
        tried: &BTreeMap<PathBuf, Round>,
    ) -> BTreeMap<PathBuf, Vec<(&'f str, &'f Checked)>> {
        let mut names: BTreeMap<PathBuf, Vec<(&str, &Checked)>> = BTreeMap::new();
        for (reported, checked) in &files.files {
            if let Ok(real) = self.base.real_path(&checked.path)
                && tried.contains_key(&real)
            {
                names.entry(real).or_default().push((reported, checked));
            }
        }
        names
    }

    /// Returns whether a file lies in a folder that was named.
    fn is_in_named_folder(&self, real: &Path) -> bool {
        let folders = self.paths.iter();
        let folders = folders.filter(|path| self.base.kind(path) == Ok(Kind::Folder));
        let mut folders = folders.filter_map(|path| self.base.real_path(path).ok());
        folders.any(|folder| real.starts_with(folder))
    }
}

impl Refusal {
    /// Whatever is wanted, such a fix is not made.
    fn for_good(because: String) -> Self {
        Refusal {
            because,
            is_made_unsafely: false,
        }
    }
}

impl Mended<'_> {
    /// Lists the files that are other than before, with their bytes before and now.
    pub(super) fn changes(&self) -> impl Iterator<Item = (&Path, &[u8], &[u8])> {
        self.tree.replaced().filter_map(|(real, new)| {
            let old = self.read.get(real)?;
            (old != new).then_some((real, &**old, &**new))
        })
    }

    /// Takes files for what they were before, because they cannot be written.
    pub(super) fn give_up(&mut self, unwritten: &[PathBuf]) {
        for real in unwritten {
            self.tree.restore(real);
        }
        self.made.retain(|made| !unwritten.contains(&made.real));
        self.has_unwritten |= !unwritten.is_empty();
    }
}

impl Memory {
    /// Tells whether a file would be what it was before.
    fn undoes(&self, real: &Path, next: &OverlayTree<'_>) -> Option<String> {
        let now = next.read(real, LARGEST_FILE).ok()?;
        let mut past = self.past.get(real)?.iter();
        let is_back = past.any(|past| **past == *now);
        is_back.then(|| "it would undo another fix".to_owned())
    }

    fn ban_all(&mut self, real: &Path, fixes: &[Planned]) {
        self.banned.extend(fixes.iter().map(|fix| known(real, fix)));
    }
}

fn known(real: &Path, planned: &Planned) -> Known {
    let Fix { title, edits, .. } = &planned.fix;
    (real.to_owned(), title.clone(), edits.clone())
}

/// Lays mended files over a tree; what changes nothing is not tried again.
fn lay(
    plan: BTreeMap<PathBuf, Round>,
    next: &mut OverlayTree<'_>,
    memory: &mut Memory,
) -> BTreeMap<PathBuf, Round> {
    let mut tried = BTreeMap::new();
    for (real, round) in plan {
        let replaced = round.mended().map(|bytes| next.replace(&real, bytes));
        match replaced {
            Some(Ok(())) => drop(tried.insert(real, round)),
            _ => memory.ban_all(&real, &round.fixes),
        }
    }
    tried
}

/// Says of fixes that were left out who has to make them.
fn mark(files: &mut Files, left_out: &[LeftOut]) {
    for left_out in left_out {
        let same = files.files.values_mut();
        for checked in same.filter(|checked| checked.path == left_out.path) {
            let fixes = checked.findings.iter_mut();
            let fixes = fixes.filter_map(|noted| noted.diagnostic.fix.as_deref_mut());
            for fix in fixes.filter(|fix| **fix == left_out.fix) {
                fix.applicability = match left_out.is_made_unsafely {
                    true => Applicability::Unsafe,
                    false => Applicability::ShowOnly,
                };
            }
        }
    }
}

/// Adds a fix, or those who want it to the same one.
fn join(known: &mut Vec<Planned>, fix: Planned) {
    match known.iter_mut().find(|it| it.fix.edits == fix.fix.edits) {
        Some(same) => {
            for dialect in fix.dialects {
                if !same.dialects.iter().any(|it| it.id == dialect.id) {
                    same.dialects.push(dialect);
                }
            }
        }
        None => known.push(fix),
    }
}

/// Chooses fixes that do not touch each other, all wanted by the same harnesses, so that it can be
/// told what they do to the others.
fn one_round(fixes: &[Planned], unsafe_too: bool) -> Vec<Planned> {
    let ids = |planned: &Planned| -> BTreeSet<&str> {
        planned.dialects.iter().map(|dialect| dialect.id).collect()
    };
    let Some(first) = fixes.first().map(ids) else {
        return Vec::new();
    };
    let alike: Vec<&Planned> = fixes.iter().filter(|fix| ids(fix) == first).collect();
    let findings: Vec<Diagnostic> = alike
        .iter()
        .filter_map(|planned| {
            let rule = agent_schema::rules::find(planned.code)?;
            let mut finding = Diagnostic::new(rule, "");
            finding.fix = Some(Box::new(planned.fix.clone()));
            Some(finding)
        })
        .collect();
    let chosen = compatible(&findings, unsafe_too);
    let chosen = chosen.into_iter().filter_map(|fix| {
        let planned = alike.iter().find(|planned| planned.fix == *fix)?;
        Some((*planned).clone())
    });
    chosen.collect()
}

impl Round {
    /// Returns the bytes of the file with the fixes made, if they change anything.
    fn mended(&self) -> Option<Arc<[u8]>> {
        let edits = self.fixes.iter().flat_map(|fix| fix.fix.edits.clone());
        let mended = apply(&self.bytes, &edits.collect::<Vec<Edit>>())?;
        (*mended != *self.bytes).then(|| mended.into())
    }
}
