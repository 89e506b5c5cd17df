//! Files that more than one harness reads, with what each of them makes of it.

use std::collections::HashMap;

use agent_registry::Contender;

use crate::survey::Survey;

/// A file that more than one harness reads.
pub(crate) struct SharedFile<'a> {
    pub(crate) reported: &'a str,
    /// What each harness makes of it, in the order of the surveys.
    pub(crate) readers: Vec<(&'a Survey, &'a Contender)>,
}

/// Finds the files that are contenders in more than one survey, in the order of the first one.
pub(crate) fn shared_files(surveys: &[Survey]) -> Vec<SharedFile<'_>> {
    let mut files: Vec<SharedFile<'_>> = Vec::new();
    let mut known: HashMap<&str, usize> = HashMap::new();
    for survey in surveys {
        let contenders = survey.registry.contenders().iter();
        for contender in contenders.filter(|contender| contender.source.path.is_some()) {
            let reported = contender.source.reported.as_str();
            let index = *known.entry(reported).or_insert_with(|| {
                let readers = Vec::new();
                files.push(SharedFile { reported, readers });
                files.len() - 1
            });
            let readers = &mut files[index].readers;
            if readers
                .iter()
                .all(|(reader, _)| !std::ptr::eq(*reader, survey))
            {
                readers.push((survey, contender));
            }
        }
    }
    files.retain(|file| file.readers.len() > 1);
    files
}
