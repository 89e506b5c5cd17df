//! The nearest known spelling of a word.

/// Returns the candidate that is most like the word, if one is close enough to be meant.
///
/// Case, hyphens and underscores do not count as differences; beyond that a third of the letters
/// may differ. Of equally close candidates the first one is returned.
#[must_use]
pub fn nearest<'a>(word: &str, candidates: impl IntoIterator<Item = &'a str>) -> Option<&'a str> {
    let folded = fold(word);
    let most = folded.chars().count() / 3;
    candidates
        .into_iter()
        .map(|candidate| (strsim::osa_distance(&folded, &fold(candidate)), candidate))
        .filter(|(distance, candidate)| *distance <= most && *candidate != word)
        .min_by_key(|(distance, _)| *distance)
        .map(|(_, candidate)| candidate)
}

/// Returns whether two words differ in case, hyphens, underscores and blanks alone.
#[must_use]
pub fn is_spelling(word: &str, other: &str) -> bool {
    fold(word) == fold(other)
}

fn fold(word: &str) -> String {
    word.chars()
        .filter(|c| !matches!(c, '-' | '_' | ' '))
        .flat_map(char::to_lowercase)
        .collect()
}

#[cfg(test)]
mod tests {
    use super::nearest;

    #[test]
    fn the_nearest_word_is_close() {
        let known = ["description", "tools", "max_iteration_per_run"];
        assert_eq!(nearest("descripton", known), Some("description"));
        assert_eq!(nearest("Tools", known), Some("tools"));
        assert_eq!(
            nearest("maxIterationPerRun", known),
            Some("max_iteration_per_run")
        );
        assert_eq!(nearest("colour", known), None);
        assert_eq!(nearest("", known), None);
    }
}
