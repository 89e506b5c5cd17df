//! Prompts that stand in a file of their own.

use std::path::{Path, PathBuf};

use agent_schema::dialect::Base;
use agent_schema::parse::LARGEST_FILE;
use agent_schema::{Definition, Diagnostic, Profile, rules};

use crate::entry::Entry;
use crate::fence::Fence;
use crate::file_tree::{FileError, FileTree, Kind};
use crate::inputs::Inputs;
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
        let Some(file) = definition.and_then(|it| prompt_file_of(profile, it)) else {
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

/// Returns the file that holds the prompt of an agent, if its definition names one; it need not be
/// there.
#[must_use]
pub fn prompt_file_of(profile: &Profile, definition: &Definition) -> Option<PathBuf> {
    let prompt = profile.rules.factory.prompt_file?;
    Some(Path::new((prompt.folder)(definition)?).join(prompt.file))
}

/// Returns whether the file that holds a prompt may be read for others to see: unless the project is
/// trusted, it must lie in it, in the home or in a folder that is given.
#[must_use]
pub fn may_show_prompt_file(tree: &dyn FileTree, inputs: &Inputs, file: &Path) -> bool {
    Fence::around(tree, Base::Project, inputs).lets(tree, file)
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
    let Some(file) = prompt_file_of(profile, definition) else {
        return Ok(definition.prompt().map(str::to_owned));
    };
    match tree.read(&file, LARGEST_FILE) {
        Ok(bytes) => Ok(Some(String::from_utf8_lossy(&bytes).into_owned())),
        Err(FileError::Missing | FileError::NotAFolder) => Ok(Some(String::new())),
        Err(error) => Err(error),
    }
}
