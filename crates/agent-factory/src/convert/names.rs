//! The name of an agent and the path of its file, in the form that a harness takes.

use agent_schema::writing::{FileForm, NameForm, NameStands};
use agent_schema::{FieldName, Span};

use super::{Agent, Notes, Reader};

/// The longest name of a file that is made, in bytes.
const LONGEST_STEM: usize = 120;

/// A name with the path of its file.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Named {
    /// The name.
    pub(crate) name: String,
    /// What the file is called without folders and suffix.
    pub(crate) stem: String,
    /// The path of the file with the definition.
    pub(crate) path: String,
}

/// Makes a name that the harness takes, and tells of the change.
pub(crate) fn named(agent: &Agent<'_>, span: Option<Span>, to: Reader, notes: &mut Notes) -> Named {
    let writing = to.writing();
    let name = valid(&agent.name, &writing.names);
    if name != agent.name {
        let message = format!(
            "the agent is called `{name}`, because in {} a name is {}",
            to.title(),
            writing.names.allowed
        );
        notes.change(FieldName::NAME.as_str(), span, message);
    }
    let stem = match writing.names.stands {
        NameStands::Path => name.clone(),
        NameStands::Key => file_stem(&name),
    };
    let suffix = to.profile.rules.agents.files.suffix;
    let path = match writing.form {
        FileForm::YamlHeader { folder } | FileForm::LineHeader { folder } => {
            format!("{folder}/{stem}{suffix}")
        }
        FileForm::NamedFolder { folder, file } => format!("{folder}/{name}/{file}"),
        FileForm::RosterEntry { file, .. } => file.to_owned(),
    };
    Named { name, stem, path }
}

/// Replaces what the harness does not take in a name.
fn valid(name: &str, form: &NameForm) -> String {
    if (form.allows)(name) {
        return name.to_owned();
    }
    let name = match form.lower_case {
        true => name.to_lowercase(),
        false => name.to_owned(),
    };
    // Which signs are good is asked one by one, behind a letter that always is.
    let is_good = |c: char| (form.allows)(&format!("a{c}a"));
    let mut made = String::new();
    for c in name.trim().chars() {
        match is_good(c) {
            true => made.push(c),
            false if made.ends_with('-') => {}
            false => made.push('-'),
        }
    }
    while !made.is_empty() && !(form.allows)(&made) {
        let end = made.trim_matches(['-', '.', '/', '_', ' ']);
        if end.len() < made.len() {
            made = end.to_owned();
        } else if (form.allows)(&format!("a{made}")) {
            made.insert_str(0, "agent-");
        } else {
            made.pop();
        }
    }
    match (form.allows)(&made) {
        true => made,
        false => "agent".to_owned(),
    }
}

/// A name as the name of a file; what could lead elsewhere is replaced.
fn file_stem(name: &str) -> String {
    let mut stem = String::new();
    for c in name.chars() {
        let c = match c {
            c if c.is_alphanumeric() || matches!(c, '-' | '_' | '.' | ' ') => c,
            _ => '-',
        };
        if stem.len() + c.len_utf8() > LONGEST_STEM {
            break;
        }
        stem.push(c);
    }
    let stem = stem.trim_matches(['.', ' ']);
    match stem {
        "" => "agent".to_owned(),
        stem => stem.to_owned(),
    }
}
