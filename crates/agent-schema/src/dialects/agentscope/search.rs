//! Where AgentScope finds declarations.
//!
//! A program may call the two loaders by themselves; an agent without further settings calls both
//! before every step, over the workspace and the working directory (cases `discover/*`). Of its
//! file systems only the local one is described, with the usual isolation by user.

use crate::dialect::{
    AllSuffix, Base, BuiltinAgent, Case, FileRules, Folders, Level, Links, NameOrder, NamedBy,
    Pass, Precedence, RosterRules, SearchPlace, SearchRules, Unreadable, WorkspaceRule,
};

/// The folder of declarations, in whatever it lies.
pub(super) const FOLDER: &str = "subagents";

/// `DynamicSubagentsMiddleware`: the direct files of the workspace, then all files of the working
/// directory, then all of the workspace or, instead, of the user's folder in it.
pub(super) const DYNAMIC: SearchRules = SearchRules {
    builtins: &[BuiltinAgent {
        name: "general-purpose",
        offered: true,
        fields: &[],
    }],
    roster: RosterRules::Replacing,
    ..SearchRules::of(
        &[
            DIRECT,
            SearchPlace::at(Level::Project, Base::Project, FOLDER).passed(COVERED),
            SearchPlace::at(Level::Workspace, Base::SharedWorkspace(WORKSPACE), FOLDER)
                .passed(DEEP),
            SearchPlace::at(Level::UserNamespace, Base::Namespace(WORKSPACE), FOLDER).passed(DEEP),
        ],
        DECLARATIONS,
        Precedence::LastFound,
    )
};

/// The first generation: all files of the workspace, at whatever depth.
pub(super) const RECURSIVE: SearchRules = SearchRules {
    places: &[SearchPlace::at(Level::Workspace, Base::Workspace(WORKSPACE), FOLDER).passed(DEEP)],
    ..DYNAMIC
};

/// The other ways.
pub(super) const OTHERS: &[(&str, SearchRules)] = &[
    // `AgentSpecLoader.loadFromDirectory(<workspace>/subagents)`.
    (
        "directory",
        SearchRules {
            places: &[DIRECT],
            precedence: Precedence::AllStay,
            ..DYNAMIC
        },
    ),
    // `AgentSpecLoader.loadFromFilesystem` on a local file system over the workspace.
    (
        "filesystem",
        SearchRules {
            places: &[
                SearchPlace::at(Level::Workspace, Base::Workspace(WORKSPACE), FOLDER)
                    .passed(DEEP_ANY_CASE),
            ],
            precedence: Precedence::AllStay,
            ..DYNAMIC
        },
    ),
    // `SubagentsMiddleware`, after `disableDynamicSubagents()`.
    (
        "static",
        SearchRules {
            places: &[
                DIRECT,
                SearchPlace::at(Level::Project, Base::Project, FOLDER).passed(COVERED_ANY_CASE),
                SearchPlace::at(Level::Workspace, Base::SharedWorkspace(WORKSPACE), FOLDER)
                    .passed(DEEP_ANY_CASE),
                SearchPlace::at(Level::UserNamespace, Base::Namespace(WORKSPACE), FOLDER)
                    .passed(DEEP_ANY_CASE),
            ],
            precedence: Precedence::Additions,
            roster: RosterRules::Everyone,
            ..DYNAMIC
        },
    ),
];

const DIRECT: SearchPlace = SearchPlace::at(Level::Workspace, Base::Workspace(WORKSPACE), FOLDER);

const DEEP: Pass = Pass::Deep {
    order: Case::Exact,
    under: None,
};

const DEEP_ANY_CASE: Pass = Pass::Deep {
    order: Case::Ignored,
    under: None,
};

/// A path of the working directory is looked up in the workspace first, there without the folder
/// of a user.
const COVERED: Pass = Pass::Deep {
    order: Case::Exact,
    under: Some(&DIRECT),
};

const COVERED_ANY_CASE: Pass = Pass::Deep {
    order: Case::Ignored,
    under: Some(&DIRECT),
};

const WORKSPACE: WorkspaceRule = WorkspaceRule {
    variables: &["agentscope.workspace", "AGENTSCOPE_WORKSPACE"],
    or_project: ".agentscope/workspace",
};

/// Cases `discover/directory-filters` and `discover/directory-failures`: a README is left out only
/// because it has no header.
pub(super) const DECLARATIONS: FileRules = FileRules {
    suffix: ".md",
    suffix_case: Case::Exact,
    split: |name| match name.strip_suffix(".md") {
        Some(stem) => name.split_at(stem.len()),
        None => (name, ""),
    },
    skipped: &[],
    skipped_case: Case::Exact,
    named_by: NamedBy::FileName,
    all_suffix: AllSuffix::NamesNothing,
    folders: Folders::PassedOver,
    links: Links::Anywhere,
    order: NameOrder::CodePoint,
    unreadable: Unreadable::Told,
};
