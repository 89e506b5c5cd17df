//! Prompts that stand in a file of their own.

use std::path::Path;

use agent_schema::parse::LARGEST_FILE;
use agent_schema::{Definition, Diagnostic, Profile, rules};

use crate::entry::Entry;
use crate::file_tree::{FileError, FileTree, Kind};
use crate::reported::reported;

/// Notes the agents that load without the prompt that their definitions name.
pub(crate) fn note_missing(
    tree: &dyn FileTree,
    title: &str,
    profile: &Profile,
    entries: &mut [Entry],
) {
    let Some(prompt) = profile.rules.factory.prompt_file else {
        return;
    };
    for entry in entries {
        let definition = entry.definition();
        let folder = definition.and_then(|definition| (prompt.folder)(definition));
        let Some(file) = folder.map(|folder| Path::new(folder).join(prompt.file)) else {
            continue;
        };
        if tree.kind(&file) == Ok(Kind::File) {
            continue;
        }
        let mut finding = Diagnostic::new(
            &rules::MISSING_PROMPT_FILE,
            format!(
                "there is no file `{}`, so that the prompt is empty",
                reported(&file)
            ),
        )
        .because(format!(
            "{title} reads the prompt from there whenever the agent starts, and says nothing if it \
             is missing"
        ))
        .help("write the prompt into that file");
        finding.span = definition.and_then(|definition| (prompt.folder_place)(definition));
        entry.diagnostics.push(finding);
    }
}

/// Returns the prompt of an agent: what its definition says, or the text of the file in the folder
/// that it names. A file that is not there is an empty prompt; `None` means that the definition
/// speaks of neither.
///
/// Bytes that are not UTF-8 become U+FFFD.
///
/// # Errors
/// If there is a file that cannot be read.
pub fn prompt_of(
    tree: &dyn FileTree,
    profile: &Profile,
    definition: &Definition,
) -> Result<Option<String>, FileError> {
    let rules = profile.rules.factory.prompt_file;
    let named = rules.and_then(|rules| Some((rules, (rules.folder)(definition)?)));
    let Some((rules, folder)) = named else {
        return Ok(definition.prompt().map(str::to_owned));
    };
    match tree.read(&Path::new(folder).join(rules.file), LARGEST_FILE) {
        Ok(bytes) => Ok(Some(String::from_utf8_lossy(&bytes).into_owned())),
        Err(FileError::Missing | FileError::NotAFolder) => Ok(Some(String::new())),
        Err(error) => Err(error),
    }
}
