//! The answer of `list`.

use std::borrow::Cow;
use std::collections::BTreeMap;

use agent_discovery::{Elsewhere, ElsewhereFile};
use agent_registry::{Contender, ContenderId, Registry, Verdict};
use agent_schema::{Definition, FieldName, Level, Name, ToolAccess};
use serde::Serialize;

use crate::json::{Diagnostic, stop_code};
use crate::shared::SharedFile;
use crate::survey::{SeenAgain, Survey};
use crate::verdict::{self, LostBuiltin, gives_no_agent};

/// What became of everything, in every dialect that was asked for.
#[derive(Serialize)]
pub(crate) struct Listings<'a> {
    pub(crate) dialects: Vec<Listing<'a>>,
    /// Files that more than one harness reads.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub(crate) shared: Vec<Shared<'a>>,
}

/// A file that more than one harness reads.
#[derive(Serialize)]
pub(crate) struct Shared<'a> {
    from: &'a str,
    readers: Vec<Reader<'a>>,
}

/// What a harness makes of a file.
#[derive(Serialize)]
struct Reader<'a> {
    dialect: &'static str,
    state: &'static str,
    name: Option<&'a str>,
}

impl<'a> Shared<'a> {
    pub(crate) fn new(file: &SharedFile<'a>) -> Self {
        let reader = |(survey, contender): &(&'a Survey, &'a Contender)| Reader {
            dialect: survey.reading.dialect.id,
            state: verdict::code(contender.verdict),
            name: contender.is_loaded().then_some(contender.name.as_str()),
        };
        Shared {
            from: file.reported,
            readers: file.readers.iter().map(reader).collect(),
        }
    }
}

/// What became of everything, in one dialect.
#[derive(Serialize)]
pub(crate) struct Listing<'a> {
    dialect: &'static str,
    profile: &'static str,
    /// Set only where the harness would not come back from its search; then there is no agent.
    #[serde(skip_serializing_if = "Option::is_none")]
    outcome: Option<&'static str>,
    agents: Vec<Agent<'a>>,
    #[serde(skip_serializing_if = "Option::is_none")]
    lost_to_failure: Option<Vec<Agent<'a>>>,
    /// For each name of which the harness leaves open who answers, those that may.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    undefined: Vec<Vec<Agent<'a>>>,
    /// Fallbacks, apart from what was found.
    builtins: Vec<Builtin<'a>>,
    #[serde(flatten)]
    rest: Option<Rest<'a>>,
}

/// What is no agent.
#[derive(Serialize)]
struct Rest<'a> {
    shadowed: Vec<Shadowed<'a>>,
    rejected: Vec<Rejected<'a>>,
    ignored: Vec<Ignored<'a>>,
    /// Only where the harness merges several sources.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    merged: Vec<MergedInto<'a>>,
    not_searched: Vec<NotSearched>,
}

/// An agent that answers to its name.
#[derive(Serialize)]
pub(crate) struct Agent<'a> {
    name: &'a str,
    /// What it is registered under, where that is not its name.
    #[serde(skip_serializing_if = "Option::is_none")]
    key: Option<&'a str>,
    from: &'a str,
    level: Level,
    description: Option<&'a str>,
    model: Option<&'a str>,
    /// Unset if nothing was said; `"all"` if everything was asked for.
    tools: Option<Tools<'a>>,
    /// Only where the harness merges several sources.
    #[serde(flatten)]
    provenance: Option<Provenance<'a>>,
}

/// Where a merged agent comes from.
#[derive(Serialize)]
struct Provenance<'a> {
    /// The weakest first.
    sources: Vec<&'a str>,
    field_from: BTreeMap<&'static str, &'a str>,
}

impl<'a> Provenance<'a> {
    fn of(registry: &'a Registry, contender: &'a Contender) -> Option<Self> {
        let known = registry.provenance(contender)?;
        let fields = known.fields.into_iter();
        Some(Provenance {
            sources: known.sources,
            field_from: fields.map(|(field, from)| (field.as_str(), from)).collect(),
        })
    }
}

#[derive(Serialize)]
#[serde(untagged)]
enum Tools<'a> {
    Word(&'static str),
    Names(Vec<&'a str>),
}

impl<'a> Agent<'a> {
    pub(crate) fn new(registry: &'a Registry, name: &'a str, contender: &'a Contender) -> Self {
        let definition = contender.definition.as_deref();
        let start = &registry.profile().rules.factory.start;
        let texts = |names: &'a [Name]| names.iter().map(|name| name.text.as_str()).collect();
        let shown = definition.and_then(|it| it.text(FieldName::NAME));
        let shown = shown.unwrap_or(name);
        Agent {
            name: shown,
            key: (shown != name).then_some(name),
            from: &contender.source.reported,
            level: contender.source.level,
            description: definition.and_then(|it| it.text(FieldName::DESCRIPTION)),
            model: definition.and_then(Definition::model),
            tools: match definition.map(|it| start.asked_tools(it)) {
                None | Some(ToolAccess::Unset) => None,
                Some(ToolAccess::All) => Some(Tools::Word("all")),
                Some(ToolAccess::Listed(names)) => Some(Tools::Names(texts(names))),
            },
            provenance: Provenance::of(registry, contender),
        }
    }
}

/// A definition that lost its name.
#[derive(Serialize)]
struct Shadowed<'a> {
    name: &'a str,
    from: Cow<'a, str>,
    by: &'a str,
    /// Others that may have the name in the place of that one, where the harness leaves it open; at
    /// most seven, and all are among the `undefined`.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    or_by: Vec<&'a str>,
    rule: &'static str,
}

fn or_by(registry: &Registry, by: ContenderId) -> Vec<&str> {
    let others = registry.standing_with(by);
    let others = others.filter(|other| !std::ptr::eq(*other, registry.contender(by)));
    others.map(|other| other.source.reported.as_str()).collect()
}

impl<'a> Shadowed<'a> {
    fn new(registry: &'a Registry, contender: &'a Contender) -> Option<Self> {
        match contender.verdict {
            Verdict::Shadowed { by, rule } => Some(Shadowed {
                name: &contender.name,
                from: contender.source.reported.as_str().into(),
                by: &registry.contender(by).source.reported,
                or_by: or_by(registry, by),
                rule: rule.code(),
            }),
            _ => None,
        }
    }

    /// An agent of the harness itself that a file replaces.
    fn replaced_builtin(lost: LostBuiltin<'a>) -> Self {
        Shadowed {
            name: lost.name,
            from: lost.source.into(),
            by: &lost.winner.source.reported,
            or_by: Vec::new(),
            rule: "builtin",
        }
    }

    /// A file that is found once more under another path.
    fn seen_again(again: &'a SeenAgain) -> Option<Self> {
        let (name, holder) = again.lost.as_ref()?;
        Some(Shadowed {
            name,
            from: again.reported.as_str().into(),
            by: holder,
            or_by: Vec::new(),
            rule: "same-file",
        })
    }
}

/// A built-in agent, which answers to its name only if nobody else has it.
#[derive(Serialize)]
struct Builtin<'a> {
    #[serde(flatten)]
    agent: Agent<'a>,
    state: &'static str,
    #[serde(skip_serializing_if = "Option::is_none")]
    by: Option<&'a str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    rule: Option<&'static str>,
}

impl<'a> Builtin<'a> {
    fn new(registry: &'a Registry, contender: &'a Contender) -> Self {
        let lost = Shadowed::new(registry, contender);
        Builtin {
            agent: Agent::new(registry, &contender.name, contender),
            state: if lost.is_some() { "shadowed" } else { "active" },
            by: lost.as_ref().map(|lost| lost.by),
            rule: lost.as_ref().map(|lost| lost.rule),
        }
    }
}

/// A file that does not load, or of which no agent can be made.
#[derive(Serialize)]
struct Rejected<'a> {
    from: &'a str,
    /// What ended the registration before this file.
    #[serde(skip_serializing_if = "Option::is_none")]
    because_of: Option<&'a str>,
    diagnostics: Vec<Diagnostic<'a>>,
}

impl<'a> Rejected<'a> {
    fn new(registry: &'a Registry, contender: &'a Contender) -> Self {
        let because_of = match contender.verdict {
            Verdict::NotReached { because_of } => Some(registry.contender(because_of)),
            _ => None,
        };
        Rejected {
            from: &contender.source.reported,
            because_of: because_of.map(|it| it.source.reported.as_str()),
            diagnostics: Diagnostic::of(contender, registry),
        }
    }

    /// A file that is found once more under another path.
    fn seen_again(registry: &'a Registry, again: &'a SeenAgain) -> Option<Self> {
        let mut contenders = registry.contenders().iter();
        let first = contenders.find(|contender| contender.source.reported == again.first)?;
        (first.verdict == Verdict::Rejected).then(|| Rejected {
            from: &again.reported,
            ..Rejected::new(registry, first)
        })
    }
}

/// A file that is passed over.
#[derive(Serialize)]
struct Ignored<'a> {
    from: &'a str,
    rule: &'static str,
}

/// A file that adds to the agent of another one.
#[derive(Serialize)]
struct MergedInto<'a> {
    name: &'a str,
    from: Cow<'a, str>,
    into: &'a str,
}

impl<'a> MergedInto<'a> {
    /// An agent of the harness itself to which files add.
    fn builtin(lost: LostBuiltin<'a>) -> Self {
        MergedInto {
            name: lost.name,
            from: lost.source.into(),
            into: &lost.winner.source.reported,
        }
    }
}

/// Returns the agents of the harness itself that others replace or add to, if they are asked for.
fn lost_builtins(survey: &Survey, asked: bool) -> impl Iterator<Item = LostBuiltin<'_>> {
    let lost = asked.then(|| verdict::lost_builtins(survey));
    lost.into_iter().flatten()
}

/// A file of the project that lies in no place that is searched.
#[derive(Serialize)]
struct NotSearched {
    from: String,
    /// The name of the agent that it looks like.
    looks_like: Option<String>,
}

impl From<ElsewhereFile> for NotSearched {
    fn from(file: ElsewhereFile) -> Self {
        NotSearched {
            from: file.reported,
            looks_like: file.looks_like,
        }
    }
}

impl<'a> Listing<'a> {
    /// With `elsewhere` also what is no agent.
    pub(crate) fn new(survey: &'a Survey, elsewhere: Option<Elsewhere>) -> Self {
        let registry = &survey.registry;
        let (builtins, contenders): (Vec<_>, Vec<_>) = registry
            .contenders()
            .iter()
            .partition(|contender| contender.source.level == Level::Builtin);
        let agents: Vec<Agent<'_>> = registry
            .active()
            .filter(|(_, contender)| contender.source.level != Level::Builtin)
            .map(|(name, contender)| Agent::new(registry, name, contender))
            .collect();
        let outcome = survey.stopped.as_ref().map(|it| stop_code(it.kind));
        let (agents, lost_to_failure) = match outcome {
            None => (agents, None),
            Some(_) => (Vec::new(), Some(agents)),
        };
        let again = survey.seen_again.iter();
        let merges = verdict::merges(survey);
        let all = elsewhere.is_some();
        let rest = elsewhere.map(|elsewhere| Rest {
            shadowed: contenders
                .iter()
                .filter_map(|contender| Shadowed::new(registry, contender))
                .chain(lost_builtins(survey, !merges).map(Shadowed::replaced_builtin))
                .chain(again.clone().filter_map(Shadowed::seen_again))
                .collect(),
            rejected: contenders
                .iter()
                .filter(|contender| gives_no_agent(contender))
                .map(|contender| Rejected::new(registry, contender))
                .chain(again.filter_map(|again| Rejected::seen_again(registry, again)))
                .collect(),
            ignored: registry
                .passed_over()
                .filter_map(|contender| match contender.verdict {
                    Verdict::Ignored(rule) => Some(Ignored {
                        from: &contender.source.reported,
                        rule: rule.code(),
                    }),
                    Verdict::SameFile { .. } => Some(Ignored {
                        from: &contender.source.reported,
                        rule: verdict::code(contender.verdict),
                    }),
                    _ => None,
                })
                .collect(),
            merged: contenders
                .iter()
                .filter_map(|contender| match contender.verdict {
                    Verdict::Merged { into } => Some(MergedInto {
                        name: &contender.name,
                        from: contender.source.reported.as_str().into(),
                        into: &registry.contender(into).source.reported,
                    }),
                    _ => None,
                })
                .chain(lost_builtins(survey, merges).map(MergedInto::builtin))
                .collect(),
            not_searched: elsewhere.files.into_iter().map(NotSearched::from).collect(),
        });
        let undefined = registry.undefined().map(|(name, contenders)| {
            let agents = contenders.into_iter();
            agents
                .map(|contender| Agent::new(registry, name, contender))
                .collect()
        });
        Listing {
            dialect: survey.reading.dialect.id,
            profile: survey.reading.profile.id,
            outcome,
            agents,
            lost_to_failure,
            undefined: undefined.collect(),
            builtins: builtins
                .into_iter()
                .filter(|builtin| all || builtin.verdict == Verdict::Active)
                .map(|builtin| Builtin::new(registry, builtin))
                .collect(),
            rest,
        }
    }
}
