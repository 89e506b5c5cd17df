//! SARIF 2.1.0, the form in which code scanning takes findings.
//!
//! Columns count code points. Paths are relative to the root of the repository, which is not
//! named: the same findings give the same text on every machine.

use std::path::{Component, Path};

use agent_discovery::{DiskTree, FileTree, repository_root};
use agent_schema::{Applicability, Fix, Rule, Severity, Span};
use serde::Serialize;
use serde_json::{Map, Value};

use crate::failure::Failure;
use crate::finding::{FileView, RelatedPlace};
use crate::formats::Told;
use crate::request::Request;
use crate::text::printable::escaped_in_json;

/// Where the schema of the form is.
const SCHEMA: &str = "https://json.schemastore.org/sarif-2.1.0.json";

/// What relative paths are relative to.
const ROOT: &str = "SRCROOT";

#[derive(Serialize)]
struct Log {
    #[serde(rename = "$schema")]
    schema: &'static str,
    version: &'static str,
    runs: [Run; 1],
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct Run {
    tool: Tool,
    invocations: [Invocation; 1],
    original_uri_base_ids: Map<String, Value>,
    column_kind: &'static str,
    results: Vec<ResultObject>,
}

#[derive(Serialize)]
struct Tool {
    driver: Driver,
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct Driver {
    name: &'static str,
    version: &'static str,
    semantic_version: &'static str,
    rules: Vec<RuleObject>,
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct Invocation {
    execution_successful: bool,
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct RuleObject {
    id: &'static str,
    name: String,
    short_description: Text,
    full_description: Text,
    help: Help,
    default_configuration: Configuration,
}

#[derive(Serialize)]
struct Text {
    text: String,
}

#[derive(Serialize)]
struct Help {
    text: &'static str,
    markdown: &'static str,
}

#[derive(Serialize)]
struct Configuration {
    level: &'static str,
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct ResultObject {
    rule_id: &'static str,
    rule_index: usize,
    level: &'static str,
    message: Text,
    locations: [Location; 1],
    #[serde(skip_serializing_if = "Vec::is_empty")]
    related_locations: Vec<Location>,
    partial_fingerprints: Map<String, Value>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    fixes: Vec<FixObject>,
    properties: Properties,
}

#[derive(Serialize)]
struct Properties {
    dialects: Vec<&'static str>,
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct Location {
    #[serde(skip_serializing_if = "Option::is_none")]
    id: Option<usize>,
    physical_location: PhysicalLocation,
    #[serde(skip_serializing_if = "Option::is_none")]
    message: Option<Text>,
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct PhysicalLocation {
    artifact_location: ArtifactLocation,
    #[serde(skip_serializing_if = "Option::is_none")]
    region: Option<Region>,
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct ArtifactLocation {
    uri: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    uri_base_id: Option<&'static str>,
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct Region {
    start_line: u32,
    start_column: u32,
    end_line: u32,
    end_column: u32,
    char_offset: usize,
    char_length: usize,
    byte_offset: usize,
    byte_length: usize,
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct FixObject {
    description: Text,
    artifact_changes: [ArtifactChange; 1],
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct ArtifactChange {
    artifact_location: ArtifactLocation,
    replacements: Vec<Replacement>,
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct Replacement {
    deleted_region: Region,
    inserted_content: Text,
}

/// Writes the findings as one run.
pub(crate) fn sarif(request: &Request, told: &[Told<'_>]) -> Result<String, Failure> {
    let project = &request.common.project;
    let root = repository_root(&DiskTree, project);
    let root = root.or_else(|| DiskTree.real_path(project).ok());
    let writer = Writer {
        request,
        root: root.as_deref().unwrap_or(Path::new("/")),
    };
    let mut rules: Vec<&'static Rule> = told.iter().map(|it| it.finding.diagnostic.rule).collect();
    rules.sort_by_key(|rule| rule.code);
    rules.dedup();
    let results = told.iter().map(|told| writer.result(told, &rules));
    let base = serde_json::json!({ "description": { "text": "The root of the repository" } });
    let version = env!("CARGO_PKG_VERSION");
    let log = Log {
        schema: SCHEMA,
        version: "2.1.0",
        runs: [Run {
            tool: Tool {
                driver: Driver {
                    name: "agentry",
                    version,
                    semantic_version: version,
                    rules: rules.iter().copied().map(rule).collect(),
                },
            },
            invocations: [Invocation {
                execution_successful: true,
            }],
            original_uri_base_ids: Map::from_iter([(ROOT.to_owned(), base)]),
            column_kind: "unicodeCodePoints",
            results: results.collect(),
        }],
    };
    let mut text = serde_json::to_string_pretty(&log)
        .map_err(|error| Failure::new(format!("cannot write JSON: {error}")))?;
    text.push('\n');
    Ok(escaped_in_json(&text))
}

/// What is the same for all findings.
struct Writer<'a> {
    request: &'a Request,
    root: &'a Path,
}

impl Writer<'_> {
    fn result(&self, told: &Told<'_>, rules: &[&'static Rule]) -> ResultObject {
        let finding = &told.finding;
        let diagnostic = finding.diagnostic;
        let mut message = diagnostic.message.to_string();
        for (word, more) in [("Why", &diagnostic.why), ("Help", &diagnostic.help)] {
            if let Some(more) = more {
                message.push_str(&format!("\n{word}: {more}"));
            }
        }
        let related = finding.related().enumerate();
        let related = related.map(|(index, place)| self.related(index, &place));
        let fix = diagnostic.fix.as_deref();
        // What must be completed by hand is no fix that a program could make.
        let fix = fix.filter(|fix| fix.applicability != Applicability::ShowOnly);
        let fix = fix.and_then(|fix| self.fix(finding.file, fix));
        let fingerprint = Value::String(told.fingerprint.clone());
        ResultObject {
            rule_id: diagnostic.code(),
            rule_index: rules
                .iter()
                .position(|rule| *rule == diagnostic.rule)
                .unwrap_or_default(),
            level: level(diagnostic.severity),
            message: Text { text: message },
            locations: [self.location(finding.file, diagnostic.span)],
            related_locations: related.collect(),
            partial_fingerprints: Map::from_iter([("agentry/v1".to_owned(), fingerprint)]),
            fixes: fix.into_iter().collect(),
            properties: Properties {
                dialects: told.dialects.clone(),
            },
        }
    }

    fn location(&self, file: FileView<'_>, span: Option<Span>) -> Location {
        Location {
            id: None,
            physical_location: PhysicalLocation {
                artifact_location: self.artifact(file),
                region: span.and_then(|span| region(file, span)),
            },
            message: None,
        }
    }

    fn related(&self, index: usize, place: &RelatedPlace<'_>) -> Location {
        Location {
            id: Some(index),
            message: Some(Text {
                text: place.message.to_owned(),
            }),
            ..self.location(place.file, place.span)
        }
    }

    fn fix(&self, file: FileView<'_>, fix: &Fix) -> Option<FixObject> {
        let replacements = fix.edits.iter().map(|edit| {
            Some(Replacement {
                deleted_region: region(file, edit.span)?,
                inserted_content: Text {
                    text: edit.text.clone(),
                },
            })
        });
        let description = match fix.applicability {
            Applicability::Safe => fix.title.clone(),
            _ => format!("{} (unsafe)", fix.title),
        };
        Some(FixObject {
            description: Text { text: description },
            artifact_changes: [ArtifactChange {
                artifact_location: self.artifact(file),
                replacements: replacements.collect::<Option<_>>()?,
            }],
        })
    }

    /// The address of a file: relative to the root, or absolute for files elsewhere.
    fn artifact(&self, file: FileView<'_>) -> ArtifactLocation {
        let path = file.path.unwrap_or(Path::new(file.reported));
        let full = self.request.full(path);
        let real = match (full.parent(), full.file_name()) {
            (Some(parent), Some(name)) => DiskTree.real_path(parent).map(|it| it.join(name)),
            _ => DiskTree.real_path(&full),
        };
        let real = real.unwrap_or(full);
        match real.strip_prefix(self.root) {
            Ok(below) => ArtifactLocation {
                uri: encoded(below),
                uri_base_id: Some(ROOT),
            },
            Err(_) => ArtifactLocation {
                uri: format!("file:///{}", encoded(&real)),
                uri_base_id: None,
            },
        }
    }
}

/// A path as part of an address: what is no plain letter, digit or mark is written in hex.
fn encoded(path: &Path) -> String {
    let parts = path.components().filter_map(|part| match part {
        Component::Prefix(prefix) => Some(prefix.as_os_str().to_string_lossy()),
        Component::RootDir | Component::CurDir => None,
        Component::ParentDir => Some("..".into()),
        Component::Normal(name) => Some(name.to_string_lossy()),
    });
    let encoded = parts.map(|part| {
        let mut out = String::new();
        for byte in part.bytes() {
            match byte {
                b'a'..=b'z' | b'A'..=b'Z' | b'0'..=b'9' | b'-' | b'.' | b'_' | b'~' => {
                    out.push(char::from(byte));
                }
                byte => out.push_str(&format!("%{byte:02X}")),
            }
        }
        out
    });
    encoded.collect::<Vec<String>>().join("/")
}

fn region(file: FileView<'_>, span: Span) -> Option<Region> {
    let bytes = file.bytes?;
    let clamp = |at: u32| (at as usize).min(bytes.len());
    let (start, end) = (clamp(span.start), clamp(span.end.max(span.start)));
    let from = file.line_column(span.start)?;
    let to = file.line_column(span.end)?;
    let chars = |bytes: &[u8]| String::from_utf8_lossy(bytes).chars().count();
    Some(Region {
        start_line: from.line,
        start_column: from.column,
        end_line: to.line,
        end_column: to.column,
        char_offset: chars(&bytes[..start]),
        char_length: chars(&bytes[start..end]),
        byte_offset: start,
        byte_length: end - start,
    })
}

fn rule(rule: &'static Rule) -> RuleObject {
    let name = rule.code.split('-').map(|word| {
        let (first, rest) = word.split_at(word.len().min(1));
        format!("{}{rest}", first.to_uppercase())
    });
    RuleObject {
        id: rule.code,
        name: name.collect(),
        short_description: Text {
            text: rule.summary().to_owned(),
        },
        full_description: Text {
            text: rule.summary().to_owned(),
        },
        help: Help {
            text: rule.page,
            markdown: rule.page,
        },
        default_configuration: Configuration {
            level: level(rule.severity),
        },
    }
}

fn level(severity: Severity) -> &'static str {
    match severity {
        Severity::Error => "error",
        Severity::Warning => "warning",
        Severity::Info => "note",
    }
}
