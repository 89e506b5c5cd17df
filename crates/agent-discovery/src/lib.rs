#![doc = include_str!("../README.md")]

mod disk;
mod file_tree;
mod memory;
mod overlay;

mod agent_overrides;
mod agent_settings;
mod dictionary;
mod fence;
mod in_order;
mod inputs;
mod order;
mod places;
mod remembered;
mod reported;
mod repository;
mod same_key;
mod surroundings;

mod alike_names;
mod body_links;
mod definitions;
mod description_budget;
mod discover;
mod elsewhere;
mod entry;
mod layers;
mod manifest_fixes;
mod plugin;
mod precedence;
mod prompt_file;
mod reach;
mod read;
mod roster;
mod same_file;
mod settings_file;
mod tokens;
mod trail;
mod trouble;
mod trust;

mod changes;
mod refresh;
mod skill_changes;
mod spots;

#[cfg(feature = "watch")]
mod asked;
#[cfg(feature = "watch")]
mod watch;

mod listing;
mod merge;
mod told_apart;

mod glob;
mod ignore_rules;
mod skill_below;
mod skill_candidate;
mod skill_file;
mod skill_mapped;
mod skill_memory;
mod skill_plugins;
mod skill_scan;
mod skill_search;
mod skill_settings;
mod skill_sources;
mod skill_tree;
mod skills;
mod skipped;

pub use disk::DiskTree;
pub use file_tree::{FileError, FileId, FileTree, Item, Kind, ListedFile, Stamp};
pub use memory::MemoryTree;
pub use overlay::OverlayTree;

pub use inputs::{Inputs, References};
pub use places::{Extent, PlaceState, Searched};

pub use body_links::{body_of, body_of_skill, broken_links};
pub use changes::{Change, Standing, all_new, changes};
pub use discover::{Discovery, SeenAgain, Stop, StopAt, StopKind, discover};
pub use elsewhere::{Elsewhere, ElsewhereFile, Looked, MOST_ITEMS, elsewhere};
pub use entry::{Entry, Source, State};
pub use listing::Listed;
pub use merge::{Givers, Layer, Merged, OWN_TEXT};
pub use plugin::{discover_plugin, plugin_around, plugin_name};
pub use precedence::Deciding;
pub use prompt_file::{may_show_prompt_file, prompt_file_of, prompt_of};
pub use refresh::{Refreshed, RefreshedSkills};
pub use skill_changes::skill_changes;
pub use trust::{TrustDecision, TrustReason, decide_trust};
#[cfg(feature = "watch")]
pub use watch::{Noticed, Watch, WatchError, Watched};

pub use elsewhere::PASSED_OVER;
pub use ignore_rules::IgnoreRules;
pub use repository::repository_root;
pub use told_apart::{
    Reader, SearchStart, agent_folders, dialects_at, is_beside_agents, project_around, readers_at,
    search_start, stem_at,
};
pub use trouble::unreadable;

pub use roster::{
    AgentNames, NamesFrom, PromptFile, Roster, RosterFinding, Setting, TaskPrompts, discover_roster,
};

pub use skill_file::{Skill, SkillFile, Trigger, read_lone_skill};
pub use skills::{
    FoundSkill, MissedSkill, Resolution, SkillNearMiss, SkillState, SkillWarning, Skills,
    discover_skills,
};
pub use skipped::skipped_name;
