//! The answer of `show`.

use agent_registry::{Contender, Registry};
use agent_schema::{Level, Span};
use serde::Serialize;
use serde_json::Value;

use crate::commands::show::Assembly;
use crate::failure::Failure;
use crate::finding::{FileView, Nowhere};
use crate::json::Diagnostic;

/// What a name gives in every dialect that was asked for.
#[derive(Serialize)]
pub(crate) struct ShownByDialect<'a> {
    pub(crate) asked: &'a str,
    pub(crate) dialects: Vec<Shown<'a>>,
}

/// What a name gives in one dialect.
#[derive(Serialize)]
pub(crate) struct Shown<'a> {
    dialect: &'static str,
    profile: &'static str,
    name: Option<&'a str>,
    from: Option<&'a str>,
    level: Option<Level>,
    /// Unset if nobody answers to the name, or no agent can be made.
    config: Option<Value>,
    diagnostics: Vec<Diagnostic<'a>>,
}

impl<'a> Shown<'a> {
    pub(crate) fn new(assembly: &'a Assembly<'a>) -> Result<Self, Failure> {
        let contender = assembly.found.as_ref().ok().map(|found| found.contender);
        let config = match (&assembly.config, contender) {
            (Some(Ok(config)), Some(contender)) => {
                let mut value = serde_json::to_value(config)
                    .map_err(|error| Failure::new(format!("cannot write JSON: {error}")))?;
                let registry = &assembly.survey.registry;
                let writer = |from: &From<'_>| writer(registry, contender, from);
                locate(&mut value, &writer);
                Some(value)
            }
            _ => None,
        };
        let findings =
            contender.map(|it| FileView::of(it).findings(&assembly.diagnostics, &Nowhere));
        Ok(Shown {
            dialect: assembly.survey.reading.dialect.id,
            profile: assembly.survey.reading.profile.id,
            name: contender.map(|it| it.name.as_str()),
            from: contender.map(|it| it.source.reported.as_str()),
            level: contender.map(|it| it.source.level),
            config,
            diagnostics: findings
                .into_iter()
                .flatten()
                .map(Diagnostic::new)
                .collect(),
        })
    }
}

/// Adds file, line and column to every provenance that is a place in the definition.
fn locate<'a>(config: &mut Value, file: &dyn Fn(&From<'_>) -> Option<FileView<'a>>) {
    let Some(config) = config.as_object_mut() else {
        return;
    };
    for (name, member) in config {
        locate_one(member, file);
        match name.as_str() {
            "tools" | "permission" | "spawning" => {
                if let Some(value) = member.get_mut("value") {
                    locate_items(value, file);
                }
            }
            "skills" | "limits" | "sampling" | "settings" | "left_out" => {
                locate_items(member, file);
            }
            _ => {}
        }
    }
}

/// The same for the items of a list, the members of an object, and lists in it.
fn locate_items<'a>(items: &mut Value, file: &dyn Fn(&From<'_>) -> Option<FileView<'a>>) {
    match items {
        Value::Array(items) => items.iter_mut().for_each(|item| locate_one(item, file)),
        Value::Object(members) => {
            for member in members.values_mut() {
                match member.is_array() {
                    true => locate_items(member, file),
                    false => locate_one(member, file),
                }
            }
        }
        _ => {}
    }
}

/// What a provenance says about a place.
struct From<'v> {
    kind: &'v str,
    field: &'v str,
    span: Span,
}

/// The file in which something is written, if it is known.
fn writer<'a>(registry: &'a Registry, of: &'a Contender, from: &From<'_>) -> Option<FileView<'a>> {
    if from.kind == ELSEWHERE {
        return registry.other_writer(of, from.span).map(FileView::of);
    }
    let mut fields = of.merged.iter().flat_map(|merged| merged.given_by.fields());
    let field = fields.find(|name| name.as_str() == from.field);
    Some(FileView::of(
        field.map_or(of, |field| registry.giver(of, field)),
    ))
}

/// The kind of a provenance that is in another file than the one that stands for the agent.
const ELSEWHERE: &str = "elsewhere";

fn locate_one<'a>(member: &mut Value, file: &dyn Fn(&From<'_>) -> Option<FileView<'a>>) {
    let Some(from) = member.get_mut("from").and_then(Value::as_object_mut) else {
        return;
    };
    let offset = |name: &str| u32::try_from(from.get("span")?.get(name)?.as_u64()?).ok();
    let Some((start, end)) = offset("start").zip(offset("end")) else {
        return;
    };
    let word = |name: &str| from.get(name).and_then(Value::as_str).unwrap_or_default();
    let place = From {
        kind: word("kind"),
        field: word("field"),
        span: Span::new(start, end),
    };
    let Some(file) = file(&place) else {
        return;
    };
    let position = file.position(place.span);
    from.insert("file".to_owned(), file.reported.into());
    from.insert("line".to_owned(), position.map(|at| at.line).into());
    from.insert("column".to_owned(), position.map(|at| at.column).into());
}
