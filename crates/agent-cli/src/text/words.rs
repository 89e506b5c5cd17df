//! What the codes of the libraries mean, in words.

use agent_discovery::{Deciding, PlaceState};
use agent_registry::{Contender, ContenderId, Decision, Registry};
use agent_schema::dialect::{Base, Basis, FileRules, Holds, Precedence, SearchPlace, SkipRule};
use agent_schema::{Dialect, FieldName, Level, ToolAccess};

use crate::text::paint::{self, painted};
use crate::text::printable::printable;

/// Writes a number with its noun.
pub(crate) fn count(number: usize, noun: &str) -> String {
    match (number, noun.strip_suffix('y')) {
        (1, _) => format!("1 {noun}"),
        (_, Some(stem)) => format!("{number} {stem}ies"),
        (_, None) => format!("{number} {noun}s"),
    }
}

/// Writes a noun with its article.
pub(crate) fn article(noun: &str) -> String {
    let article = if noun.starts_with(['A', 'E', 'I', 'O', 'U']) {
        "an"
    } else {
        "a"
    };
    format!("{article} {noun}")
}

/// Writes things of which one is meant.
pub(crate) fn one_of(things: impl Iterator<Item = String>) -> String {
    things.collect::<Vec<_>>().join(" or ")
}

/// Tells who a contender is: `reviewer` is an OpenHands agent of level project.
pub(crate) fn headline(title: &str, contender: &Contender) -> String {
    let name = painted(paint::NAME, format!("`{}`", printable(&contender.name)));
    let level = contender.source.level;
    format!("{name} is {} agent of level {level}", article(title))
}

/// Tells that nobody has a name.
pub(crate) fn nobody(title: &str, name: &str) -> String {
    let no = painted(paint::BAD, "no");
    let name = painted(paint::NAME, format!("`{}`", printable(name)));
    format!("{no} {title} agent is called {name}")
}

/// Tells why a contender lost its name.
pub(crate) fn decision(decision: Decision, winner: &Contender, loser: &Contender) -> String {
    let (stronger, weaker) = (winner.source.level, loser.source.level);
    match decision {
        Decision::Search(Deciding::SameFolder) => {
            "both lie in one folder, where the first file name wins".to_owned()
        }
        Decision::Search(Deciding::EarlierFolder) => "its folder is searched later".to_owned(),
        Decision::Search(Deciding::FoundLast) => "another one is found after it".to_owned(),
        Decision::Search(Deciding::Covered) => {
            format!("the same path of level {stronger} is read instead")
        }
        Decision::Search(Deciding::StrongerLevel) => {
            format!("level {weaker} is searched after level {stronger}")
        }
        Decision::Search(Deciding::FirstPlace) => {
            format!("only names that level {stronger} does not have are added")
        }
        Decision::Search(Deciding::NameTaken) => {
            "the search adds only names that no program and no built-in agent has".to_owned()
        }
        Decision::Search(Deciding::LastInPlace) => {
            "both lie in one place, where the last one wins".to_owned()
        }
        Decision::Search(Deciding::LaterPlace) => {
            "the folder of this one is searched earlier, and the last one wins".to_owned()
        }
        Decision::Search(Deciding::LaterLevel) => {
            format!("level {weaker} is searched before level {stronger}, and the last one wins")
        }
        Decision::FirstRegistration if weaker == Level::Builtin => {
            "built-in agents only fill names that are free".to_owned()
        }
        Decision::FirstRegistration if stronger == weaker => "it is registered later".to_owned(),
        Decision::FirstRegistration => {
            format!("level {weaker} is registered after level {stronger}")
        }
        _ => decision.code().to_owned(),
    }
}

/// Tells why an entry of a folder is passed over.
pub(crate) fn skip(rule: SkipRule, files: &FileRules) -> String {
    match rule {
        SkipRule::Suffix => format!("its suffix is not `{}`", files.suffix),
        SkipRule::SkippedName => "a file of this name is no agent".to_owned(),
        SkipRule::Folder => "a folder is no agent".to_owned(),
        SkipRule::WholeRoster => "it holds many agents and is none itself".to_owned(),
        SkipRule::Removed => "a layer takes the agent off the roster".to_owned(),
        SkipRule::NoRoster => "the roster that it builds on cannot be read".to_owned(),
        SkipRule::SharedPrompt => "it is part of every prompt".to_owned(),
        SkipRule::UnusedPrompt => "no agent has it for its prompt".to_owned(),
        SkipRule::NoHeader => "it has no header".to_owned(),
        SkipRule::EmptyHeader => "its header sets nothing".to_owned(),
        SkipRule::HeaderNotAMap => "its header holds no keys".to_owned(),
        SkipRule::BrokenHeader => "its header cannot be read".to_owned(),
        SkipRule::NoName => "it has no name".to_owned(),
        SkipRule::NoDescription => "it has no description".to_owned(),
        SkipRule::Link => "it is a link, and links are not followed".to_owned(),
        SkipRule::LinkLoop => "it is a link back to a folder around it".to_owned(),
        SkipRule::DeadLink => "it is a link that leads nowhere".to_owned(),
        SkipRule::RefusedValue => "a value in it is refused".to_owned(),
        SkipRule::LostPlugin => "the manifest of its plugin is refused".to_owned(),
        SkipRule::Unlisted => "the manifest of its plugin does not name it".to_owned(),
        SkipRule::Disabled => "it says itself that it is switched off".to_owned(),
        SkipRule::Settings => "it holds settings and no agent".to_owned(),
        SkipRule::InvalidName => "its name is not allowed".to_owned(),
        SkipRule::DroppedTogether => {
            "it is given together with something that cannot be used".to_owned()
        }
        SkipRule::Unreadable => "it cannot be read, or is no text".to_owned(),
        SkipRule::Covered => {
            "a file at the same path of a stronger folder is read instead".to_owned()
        }
        SkipRule::NameTaken => "its name is taken already".to_owned(),
        SkipRule::Pruned => "the folder is left out of the search".to_owned(),
        _ => rule.code().to_owned(),
    }
}

/// Tells what a contender gives to the one that it is merged into.
pub(crate) fn gives(registry: &Registry, into: ContenderId, giver: &Contender) -> String {
    let into = registry.contender(into);
    // The name under which an agent is registered is no field of its file.
    let given = registry
        .given(into, giver)
        .filter(|field| *field != FieldName::KEY);
    let gives = named_fields("gives", given);
    let takes_back = named_fields("takes back", registry.taken_back(into, giver));
    match (gives, takes_back) {
        (None, None) => "adds nothing".to_owned(),
        (Some(words), None) | (None, Some(words)) => words,
        (Some(gives), Some(takes_back)) => format!("{gives}; {takes_back}"),
    }
}

fn named_fields(verb: &str, fields: impl Iterator<Item = FieldName>) -> Option<String> {
    let names: Vec<&str> = fields.map(|field| field.as_str()).collect();
    (!names.is_empty()).then(|| format!("{verb} {}", names.join(", ")))
}

/// Tells why an agent has its name, of several that want it.
pub(crate) fn wins(precedence: Precedence) -> &'static str {
    match precedence {
        Precedence::LastFound | Precedence::LastReplaces { .. } => "the last one that loads",
        Precedence::FirstPlace | Precedence::FirstPlaceNoTwins | Precedence::Additions => {
            "the one of the first place that has the name"
        }
        Precedence::Merged | Precedence::MergedInOrder => "the last one that is merged",
        Precedence::AllStay => "all of the name stay, and this one answers",
        _ => "the first one that loads",
    }
}

/// Tells what the other profiles of a dialect come to, so many of them: one sentence if all make
/// the same of something, else the title of what each makes of it.
pub(crate) fn settled(dialect: &Dialect, others: usize, all_same: bool) -> Result<String, String> {
    let title = dialect.title;
    let profiles = match dialect.has_programs() {
        true => "loaders",
        false => "versions",
    };
    match (all_same, others) {
        (true, 1) => Ok(format!("The same in both {profiles} of {title}.")),
        (true, others) => Ok(format!(
            "The same in all {} {profiles} of {title}.",
            others + 1
        )),
        (false, 1) => Err(format!(
            "Under the other {} of {title}:",
            profiles.trim_end_matches('s')
        )),
        (false, _) => Err(format!("Under the other {profiles} of {title}:")),
    }
}

/// Tells what a searched place turned out to be.
pub(crate) fn place(state: &PlaceState) -> String {
    match state {
        PlaceState::Listed { entries: 0 } => "empty".to_owned(),
        PlaceState::Listed { entries } => count(*entries, "entry"),
        PlaceState::Missing => "not there".to_owned(),
        PlaceState::NotAFolder => "not a folder".to_owned(),
        PlaceState::Unreadable(_) => "cannot be listed".to_owned(),
        PlaceState::Outside(_) => "outside the project, not looked at".to_owned(),
        PlaceState::SwitchedOff => "switched off".to_owned(),
        PlaceState::SameAs(first) => format!("the same folder as {}", first + 1),
        _ => String::new(),
    }
}

/// Tells that an agent is asked for by another name that it has.
pub(crate) fn also_called(asked: &str, name: &str) -> String {
    let (asked, name) = (printable(asked), printable(name));
    format!("nobody has the name `{asked}`, and `{name}` answers to it")
}

/// Tells which tools an agent asks for.
pub(crate) fn tools(tools: ToolAccess<'_>) -> String {
    match tools {
        ToolAccess::Unset => "not set".to_owned(),
        ToolAccess::All => "all".to_owned(),
        ToolAccess::Listed([]) => "none".to_owned(),
        ToolAccess::Listed(names) => {
            let names: Vec<&str> = names.iter().map(|name| name.text.as_str()).collect();
            names.join(", ")
        }
    }
}

/// Tells how the rules of a profile are known.
pub(crate) fn basis(basis: Basis) -> &'static str {
    match basis {
        Basis::Ran => "observed by running",
        Basis::Read => "read from its documentation or source",
        Basis::Recommended => "recommended",
    }
}

/// The path of a place in terms of where it begins, with what is searched inside it.
pub(crate) fn place_path(place: &SearchPlace) -> String {
    let below = format!("{}{}", below(&place.shown_folder()), inside(place));
    match place.base {
        _ if is_command_line(place) => "<command line>".to_owned(),
        Base::Plugins => "<plugin>".to_owned(),
        Base::Project | Base::RealProject => format!("<project>{below}"),
        Base::RepositoryRoot => format!("<repository>{below}"),
        Base::MainRepository | Base::MainCheckout => format!("<main repository>{below}"),
        Base::Added => format!("<added folder>{below}"),
        Base::Managed => format!("<managed folder>{below}"),
        Base::ManagedOr(or) => {
            format!("<managed folder>{below}, or {or}{below} if none is given")
        }
        Base::Nearest(_) => format!("<nearest>{below}"),
        Base::Listed(list) => list.described(),
        Base::Home => format!("~{below}"),
        Base::Workspace(_) | Base::SharedWorkspace(_) => format!("<workspace>{below}"),
        Base::Namespace(_) => format!("<workspace>/<user>{below}"),
        Base::Layers(_) => format!("<layers>{below}"),
        Base::Variable { name, or_home } => {
            format!("${name}{below}, or ~/{or_home}{below} while it is not set")
        }
        Base::VariableOr { name, or } => {
            format!("${name}{below}, or {or}{below} while it is not set")
        }
        Base::VariableAlone { name } => format!("${name}{below}"),
        Base::VariableText { name } => format!("the text of ${name}"),
    }
}

/// Returns whether a place is no folder but what the command line gives.
pub(crate) fn is_command_line(place: &SearchPlace) -> bool {
    let mut parts = place.parts.iter();
    parts.any(|part| matches!(part.holds, Holds::Definitions))
}

/// A path as it is added to that of a folder.
pub(crate) fn below(path: &str) -> String {
    match path {
        "" => String::new(),
        path => format!("/{path}"),
    }
}

/// The paths inside a place as a shell would write them together: `/{agent,agents}`.
fn inside(place: &SearchPlace) -> String {
    let paths = place.parts.iter().flat_map(|part| part.paths);
    match paths.copied().collect::<Vec<&str>>().as_slice() {
        [] | [""] => String::new(),
        [path] => format!("/{path}"),
        paths => format!("/{{{}}}", paths.join(",")),
    }
}
