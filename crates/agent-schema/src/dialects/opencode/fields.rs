//! The fields of an OpenCode agent, as its schema checks them.
//!
//! Source: `core/src/v1/config/agent.ts` of OpenCode, and the cases `parse/*`. Nothing is turned
//! into another type: a value that does not fit fails the whole configuration.

use crate::coerce::{Coerced, Problem, Remarks, javascript, pydantic, shorten};
use crate::definition::{FieldName, FieldValue};
use crate::diagnostic::{Diagnostic, Severity};
use crate::dialect::{Absent, Field};
use crate::parse::holds_token;
use crate::rules;
use crate::source::Span;
use crate::value::{Int, Node, Value};

use super::{known_words, permission, second_line};

/// Which variant of the model is used.
pub(super) const VARIANT: FieldName = FieldName::of_dialect("variant");
/// Whether the agent is taken away.
pub(super) const DISABLE: FieldName = FieldName::of_dialect("disable");
/// The model, split into its provider and its own name.
pub(super) const MODEL_RESOLVED: FieldName = FieldName::of_dialect("model_resolved");
/// The rules that follow from the permissions, in order.
pub(super) const PERMISSION_RULES: FieldName = FieldName::of_dialect("permission_rules");
/// Options for the model's provider, until they join the unknown keys.
pub(super) const OPTIONS: FieldName = FieldName::of_dialect("options");
/// The old form of the most steps.
pub(super) const MAX_STEPS: FieldName = FieldName::of_dialect("max_steps");
/// A key that JavaScript takes for something else.
const PROTOTYPE: FieldName = FieldName::of_dialect("__proto__");

/// The fields of a Markdown file, in the order in which the schema complains.
pub(super) static MARKDOWN: &[Field] = &[
    MODEL,
    VARIANT_FIELD,
    TEMPERATURE,
    TOP_P,
    Field {
        read: body_counts,
        ..PROMPT
    },
    TOOLS,
    DISABLE_FIELD,
    DESCRIPTION,
    MODE,
    HIDDEN,
    OPTIONS_FIELD,
    COLOR,
    STEPS,
    MAX_STEPS_FIELD,
    PERMISSION,
    NAME,
    PROTO,
];

/// The fields of an entry of a JSON file.
pub(super) static ENTRY: &[Field] = &[
    MODEL,
    VARIANT_FIELD,
    TEMPERATURE,
    TOP_P,
    PROMPT,
    TOOLS,
    DISABLE_FIELD,
    DESCRIPTION,
    MODE,
    HIDDEN,
    OPTIONS_FIELD,
    COLOR,
    STEPS,
    MAX_STEPS_FIELD,
    PERMISSION,
    NAME,
    PROTO,
];

const MODEL: Field = field("model", FieldName::MODEL, model, "a text: `provider/model`");
const VARIANT_FIELD: Field = field("variant", VARIANT, text, "a text");
const TEMPERATURE: Field = field("temperature", FieldName::TEMPERATURE, number, "a number");
const TOP_P: Field = field("top_p", FieldName::TOP_P, number, "a number");
const PROMPT: Field = field("prompt", FieldName::PROMPT, text, "a text");
const TOOLS: Field = field(
    "tools",
    FieldName::TOOLS,
    permission::read_tools,
    "a mapping from tool names to `true` or `false`; better write `permission`",
);
const DISABLE_FIELD: Field = field("disable", DISABLE, flag, "`true` or `false`");
const DESCRIPTION: Field = field(
    "description",
    FieldName::DESCRIPTION,
    text,
    "a text; put it in quotes if it looks like something else",
);
const MODE: Field = field(
    "mode",
    FieldName::MODE,
    mode,
    "`subagent`, `primary` or `all`",
);
const HIDDEN: Field = field("hidden", FieldName::HIDDEN, flag, "`true` or `false`");
const OPTIONS_FIELD: Field = field("options", OPTIONS, map, "a mapping");
const COLOR: Field = field(
    "color",
    FieldName::COLOR,
    color,
    "`\"#rrggbb\"` in quotes, or `primary`, `secondary`, `accent`, `success`, `warning`, `error` \
     or `info`",
);
const STEPS: Field = field(
    "steps",
    FieldName::MAX_TURNS,
    positive,
    "an integer greater than 0",
);
const MAX_STEPS_FIELD: Field = field(
    "maxSteps",
    MAX_STEPS,
    positive,
    "an integer greater than 0; better write `steps`",
);
const PERMISSION: Field = field(
    "permission",
    FieldName::PERMISSION,
    permission::read,
    "`ask`, `allow` or `deny`, or a mapping from permissions to one of these or to a mapping from \
     patterns to one of these",
);
const NAME: Field = Field {
    absent: Absent::FileStem,
    ..field("name", FieldName::NAME, name, "a text")
};
const PROTO: Field = field("__proto__", PROTOTYPE, prototype, "nothing");

const fn field(
    key: &'static str,
    target: FieldName,
    read: fn(&Node, &mut Remarks<'_>) -> Coerced,
    accepts: &'static str,
) -> Field {
    Field {
        key,
        aliases: &[],
        target,
        read,
        absent: Absent::Unset,
        accepts,
    }
}

fn refused(node: &Node, wanted: &str) -> Problem {
    Problem::rejects(
        node.span,
        format!("must be {wanted}, not {}", pydantic::article(node)),
    )
}

fn text(node: &Node, _: &mut Remarks<'_>) -> Coerced {
    let text = node.as_text().ok_or_else(|| refused(node, "a text"))?;
    Ok(Some(FieldValue::text(text.to_owned())))
}

/// No model is looked up here. Without a slash all of the text names a provider.
fn model(node: &Node, remarks: &mut Remarks<'_>) -> Coerced {
    let read = text(node, remarks)?;
    let written = node.as_text();
    let written = written.filter(|text| !text.is_empty() && !holds_token(text));
    remarks
        .list
        .extend(written.and_then(|written| half_a_model(written, node.span)));
    Ok(read)
}

/// In a definition of the first line the second one takes a model without a slash for none.
fn model_or_none(node: &Node, remarks: &mut Remarks<'_>) -> Coerced {
    let written = node.as_text();
    let Some(written) = written.filter(|text| !text.is_empty() && !text.contains('/')) else {
        return model(node, remarks);
    };
    let message = format!("`model` is `{}`, which names no provider", shorten(written));
    let finding = Diagnostic::new(&rules::MODEL_WITHOUT_PROVIDER, message)
        .at(node.span)
        .because("OpenCode leaves such a model unset, and the agent has the usual one")
        .help(known_words::help_without_provider(written));
    remarks.lost(finding);
    Ok(Some(FieldValue::text(written.to_owned())))
}

/// Tells of a model of which a half is missing.
fn half_a_model(written: &str, span: Span) -> Option<Diagnostic> {
    let (asked, help) = match written.split_once('/') {
        None => (
            format!("provider `{}` and no model", shorten(written)),
            known_words::help_without_provider(written),
        ),
        Some((provider, "")) => (
            format!("provider `{}` and no model", shorten(provider)),
            format!("write the name of a model behind `{}`", shorten(written)),
        ),
        Some(("", model)) => (
            format!("model `{}` of no provider", shorten(model)),
            known_words::help_without_provider(model),
        ),
        Some(_) => return None,
    };
    let finding = Diagnostic::new(
        &rules::MODEL_WITHOUT_PROVIDER,
        format!("`model` asks for {asked}"),
    );
    let why = "OpenCode takes what stands before the first slash for the provider";
    Some(finding.at(span).because(why).help(help))
}

fn flag(node: &Node, _: &mut Remarks<'_>) -> Coerced {
    match node.get() {
        Value::Bool(flag) => Ok(Some(FieldValue::Flag(*flag))),
        _ => Err(refused(node, "`true` or `false`")),
    }
}

fn number(node: &Node, _: &mut Remarks<'_>) -> Coerced {
    match javascript::number(node.get()) {
        Some(value) if value.is_finite() => Ok(Some(FieldValue::Number(value))),
        Some(_) => Err(Problem::rejects(node.span, "must be finite")),
        None => Err(refused(node, "a number")),
    }
}

fn positive(node: &Node, _: &mut Remarks<'_>) -> Coerced {
    if javascript::number(node.get()).is_none() {
        return Err(refused(node, "an integer greater than 0"));
    }
    match javascript::integer(node.get()) {
        Some(value) if value > 0 => Ok(Some(FieldValue::Integer(Int::Small(value)))),
        Some(_) => Err(Problem::rejects(node.span, "must be greater than 0")),
        None => Err(Problem::rejects(node.span, "must be a whole number")),
    }
}

fn map(node: &Node, _: &mut Remarks<'_>) -> Coerced {
    match node.get() {
        Value::Map(_) => Ok(Some(FieldValue::config(node.resolved().clone()))),
        _ => Err(refused(node, "a mapping")),
    }
}

fn mode(node: &Node, _: &mut Remarks<'_>) -> Coerced {
    one_of(node, &["subagent", "primary", "all"])
}

fn color(node: &Node, _: &mut Remarks<'_>) -> Coerced {
    const THEME: [&str; 7] = [
        "primary",
        "secondary",
        "accent",
        "success",
        "warning",
        "error",
        "info",
    ];
    let is_hex = |text: &str| {
        text.strip_prefix('#').is_some_and(|digits| {
            digits.len() == 6 && digits.bytes().all(|byte| byte.is_ascii_hexdigit())
        })
    };
    if let Some(text) = node.as_text().filter(|text| is_hex(text)) {
        return Ok(Some(FieldValue::text(text.to_owned())));
    }
    if node.is_null() && node.span.is_empty() {
        // An unquoted `#a1b2c3` is a comment and leaves the value empty.
        return Err(Problem::rejects(node.span, "has no value")
            .help("put a colour that begins with `#` in quotes"));
    }
    one_of(node, &THEME)
}

fn one_of(node: &Node, words: &[&str]) -> Coerced {
    match node.as_text() {
        Some(text) if words.contains(&text) => Ok(Some(FieldValue::text(text.to_owned()))),
        Some(text) => Err(Problem::rejects(
            node.span,
            format!("cannot be `{}`", shorten(text)),
        )),
        None => Err(refused(node, "a text")),
    }
}

/// The schema does not check names. One that is no text cannot be shown: it fails the list of all
/// agents.
fn name(node: &Node, remarks: &mut Remarks<'_>) -> Coerced {
    let text = match node.get() {
        Value::Text(text) => return Ok(Some(FieldValue::text(text.to_string()))),
        // The agent gets its key as name, and the key is `String(null)`.
        Value::Null => "null".to_owned(),
        _ => javascript::text(node),
    };
    if node.is_null() {
        remarks.becomes_text("name", node, &text);
        return Ok(Some(FieldValue::text(text)));
    }
    let mut finding = Diagnostic::new(
        &rules::UNREACHABLE_NAME,
        format!("the agent `{}` cannot be shown or used", shorten(&text)),
    )
    .at(node.span)
    .because("OpenCode does not check names, and fails wherever it lists an agent with such a one")
    .help("write the name as a text");
    finding.severity = Severity::Error;
    remarks.list.push(finding);
    Ok(Some(FieldValue::config(node.resolved().clone())))
}

fn body_counts(node: &Node, remarks: &mut Remarks<'_>) -> Coerced {
    remarks.loses_part = true;
    remarks.list.push(
        Diagnostic::new(
            &rules::DROPPED_SETTING,
            "`prompt` has no effect in this file",
        )
        .at(node.span)
        .because("OpenCode takes the body of a Markdown file as prompt, even an empty one")
        .help("write the prompt below the header"),
    );
    Ok(None)
}

fn prototype(node: &Node, _: &mut Remarks<'_>) -> Coerced {
    Err(Problem::leaves_unset(
        node.span,
        "is what JavaScript calls the parent of an object, and is dropped",
    )
    .help("rename the key"))
}

/// The fields of a Markdown file in the form of the second line.
pub(super) static NATIVE: &[Field] = &[
    Field {
        read: model_selection,
        accepts: "a text: `provider/model` or `provider/model#variant`",
        ..MODEL
    },
    VARIANT_FIELD,
    REQUEST,
    CACHE,
    Field {
        key: "system",
        read: body_counts,
        ..PROMPT
    },
    DESCRIPTION,
    MODE,
    HIDDEN,
    HEX_COLOR,
    STEPS,
    DISABLED,
    PERMISSIONS,
];

/// The fields of an entry of `agents` in the second line.
pub(super) static NATIVE_ENTRY: &[Field] = &[
    Field {
        read: model_selection,
        accepts: "a text: `provider/model` or `provider/model#variant`",
        ..MODEL
    },
    VARIANT_FIELD,
    REQUEST,
    CACHE,
    Field {
        key: "system",
        ..PROMPT
    },
    DESCRIPTION,
    MODE,
    HIDDEN,
    HEX_COLOR,
    STEPS,
    DISABLED,
    PERMISSIONS,
];

/// The fields of a Markdown file of the first line that the second one reads.
pub(super) static FIRST_LINE: &[Field] = &[
    MODEL_OF_FIRST_LINE,
    VARIANT_FIELD,
    TEMPERATURE,
    TOP_P,
    Field {
        read: body_counts,
        ..PROMPT
    },
    TOOLS,
    DISABLE_FIELD,
    DESCRIPTION,
    MODE,
    HIDDEN,
    OPTIONS_FIELD,
    COLOR,
    STEPS,
    MAX_STEPS_FIELD,
    PERMISSION,
    second_line::inert(NAME),
    PROTO,
];

/// The fields of an entry of `agent` in the second line.
pub(super) static FIRST_LINE_ENTRY: &[Field] = &[
    MODEL_OF_FIRST_LINE,
    VARIANT_FIELD,
    TEMPERATURE,
    TOP_P,
    PROMPT,
    TOOLS,
    DISABLE_FIELD,
    DESCRIPTION,
    MODE,
    HIDDEN,
    OPTIONS_FIELD,
    COLOR,
    STEPS,
    MAX_STEPS_FIELD,
    PERMISSION,
    NAME,
    PROTO,
];

const MODEL_OF_FIRST_LINE: Field = Field {
    read: model_or_none,
    ..MODEL
};

const CACHE: Field = second_line::inert(field(
    "cache",
    FieldName::of_dialect("cache"),
    map,
    "anything; it has no meaning for agents here",
));
const PERMISSIONS: Field = field(
    "permissions",
    PERMISSION_RULES,
    second_line::read_permissions,
    "a list of mappings with `action`, `resource` and `effect`",
);
const REQUEST: Field = field(
    "request",
    OPTIONS,
    request,
    "a mapping with `body` or `headers`",
);
const HEX_COLOR: Field = Field {
    read: hex_color,
    accepts: "`\"#rrggbb\"`",
    ..COLOR
};
const DISABLED: Field = Field {
    key: "disabled",
    ..DISABLE_FIELD
};

/// The fields of an entry of `agents` that the first line reads.
pub(super) static SECOND_LINE_ENTRY: &[Field] = &[
    Field {
        read: model_selection,
        accepts: "a text: `provider/model` or `provider/model#variant`",
        ..MODEL
    },
    REQUEST,
    Field {
        key: "system",
        ..PROMPT
    },
    DESCRIPTION,
    MODE,
    HIDDEN,
    HEX_COLOR,
    STEPS,
    DISABLED,
];

/// `^[^/#]+/[^#]+(#[^#]+)?$`, or a map with the same parts.
fn model_selection(node: &Node, _: &mut Remarks<'_>) -> Coerced {
    let text = match node.get() {
        Value::Text(text) => text.to_string(),
        Value::Map(map) => {
            let part = |key| map.get(key).and_then(|entry| entry.value.as_text());
            let variant = part("variant").map(|variant| format!("#{variant}"));
            match (part("providerID"), part("model")) {
                (Some(provider), Some(model)) => {
                    format!("{provider}/{model}{}", variant.unwrap_or_default())
                }
                _ => {
                    return Err(Problem::rejects(
                        node.span,
                        "needs `providerID` and `model`",
                    ));
                }
            }
        }
        _ => return Err(refused(node, "a text or a mapping")),
    };
    let (name, variant) = match text.split_once('#') {
        Some((name, variant)) => (name, Some(variant)),
        None => (text.as_str(), None),
    };
    let named = name
        .split_once('/')
        .is_some_and(|(provider, model)| !provider.is_empty() && !model.is_empty());
    let variant_fits = variant.is_none_or(|variant| !variant.is_empty() && !variant.contains('#'));
    if named && variant_fits {
        return Ok(Some(FieldValue::text(text)));
    }
    Err(Problem::rejects(
        node.span,
        format!("cannot be `{}`", shorten(&text)),
    ))
}

/// The body of the requests becomes the options; their headers have no effect.
fn request(node: &Node, remarks: &mut Remarks<'_>) -> Coerced {
    let Value::Map(request) = node.get() else {
        return Err(refused(node, "a mapping"));
    };
    if let Some(headers) = request.get("headers") {
        remarks.dropped(headers.key.span, "`headers` has no effect here");
    }
    match request.get("body") {
        Some(body) => map(&body.value, remarks),
        None => Ok(None),
    }
}

fn hex_color(node: &Node, remarks: &mut Remarks<'_>) -> Coerced {
    match node.as_text() {
        Some(text) if text.starts_with('#') => color(node, remarks),
        _ => Err(refused(node, "`\"#rrggbb\"`")),
    }
}
