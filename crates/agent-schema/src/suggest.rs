//! The nearest known spelling of a word.

/// Returns the candidate that is most like the word, if one is close enough to be meant.
///
/// Case, hyphens and underscores do not count as differences; beyond that a third of the letters
/// may differ. Of equally close candidates the first one is returned.
#[must_use]
pub fn nearest<'a>(word: &str, candidates: impl IntoIterator<Item = &'a str>) -> Option<&'a str> {
    similar(word, candidates).first().copied()
}

/// Returns the candidates that are close enough to a word to be meant, each once, the closest
/// first. What counts as close is told at [`nearest`].
#[must_use]
pub fn similar<'a>(word: &str, candidates: impl IntoIterator<Item = &'a str>) -> Vec<&'a str> {
    let folded = fold(word);
    let length = folded.chars().count();
    let most = length / 3;
    let letters = Letters::of(&folded);
    let mut close: Vec<(usize, &str)> = Vec::new();
    for candidate in candidates {
        // The distance is at least the difference in length, and takes far longer to work out.
        if folded_length(candidate).abs_diff(length) > most {
            continue;
        }
        let known = fold(candidate);
        if letters.missing_in(&known) > most {
            continue;
        }
        let distance = strsim::osa_distance(&folded, &known);
        let is_known = close.iter().any(|(_, known)| *known == candidate);
        if distance <= most && candidate != word && !is_known && words_are_alike(word, candidate) {
            close.push((distance, candidate));
        }
    }
    close.sort_by_key(|(distance, _)| *distance);
    close.into_iter().map(|(_, candidate)| candidate).collect()
}

/// Words that look alike and say the opposite: neither is a slip for the other.
const OPPOSITES: [[&str; 2]; 4] = [
    ["global", "local"],
    ["include", "exclude"],
    ["internal", "external"],
    ["enabled", "disabled"],
];

fn are_opposites(word: &str, other: &str) -> bool {
    let mut pairs = OPPOSITES.iter();
    pairs.any(|pair| pair.contains(&word) && pair.contains(&other) && word != other)
}

/// Returns whether two names of as many words are alike word by word: a name with another word in
/// it is another name, whatever the rest has in common.
fn words_are_alike(name: &str, other: &str) -> bool {
    let (words, others) = (words_of(name), words_of(other));
    let is_alike = |(word, other): (&String, &String)| {
        let length = word.chars().count().max(other.chars().count());
        let most = (length.saturating_sub(1) / 2).max(1);
        strsim::osa_distance(word, other) <= most && !are_opposites(word, other)
    };
    words.len() != others.len() || words.iter().zip(&others).all(is_alike)
}

/// Returns the words that a name is put together of, in small letters.
fn words_of(name: &str) -> Vec<String> {
    let mut words = Vec::new();
    let mut word = String::new();
    let mut was_small = false;
    let mut chars = name.chars().peekable();
    while let Some(c) = chars.next() {
        let parts = matches!(c, '-' | '_' | ' ');
        // The last capital of several begins a word, as in `MCPSearch`.
        let is_first = was_small || chars.peek().is_some_and(|next| next.is_lowercase());
        if (parts || c.is_uppercase() && is_first) && !word.is_empty() {
            words.push(std::mem::take(&mut word));
        }
        if !parts {
            word.extend(c.to_lowercase());
        }
        was_small = c.is_lowercase();
    }
    words.push(word);
    words
}

/// Returns whether two words differ in case, hyphens, underscores and blanks alone.
#[must_use]
pub fn is_spelling(word: &str, other: &str) -> bool {
    folded_signs(word).eq(folded_signs(other))
}

fn fold(word: &str) -> String {
    folded_signs(word).collect()
}

/// Returns how many characters a word has once it is folded.
fn folded_length(word: &str) -> usize {
    match word.is_ascii() {
        true => word.bytes().filter(|byte| !is_joint(*byte as char)).count(),
        false => folded_signs(word).count(),
    }
}

fn folded_signs(word: &str) -> impl Iterator<Item = char> {
    let signs = word.chars().filter(|c| !is_joint(*c));
    signs.flat_map(char::to_lowercase)
}

/// Returns whether a sign only joins the words of a name.
fn is_joint(c: char) -> bool {
    matches!(c, '-' | '_' | ' ')
}

/// How often each letter stands in a word, all signs that are no small letters of English as one.
struct Letters([u8; 27]);

impl Letters {
    fn of(word: &str) -> Self {
        let mut letters = Letters([0; 27]);
        for c in word.chars() {
            let count = letters.count(c);
            *count = count.saturating_add(1);
        }
        letters
    }

    fn count(&mut self, c: char) -> &mut u8 {
        let number = match c {
            'a'..='z' => c as usize - 'a' as usize,
            _ => 26,
        };
        &mut self.0[number]
    }

    /// Returns how many letters of the word another one has not. Each of them takes a step to the
    /// other word, so that it is no nearer than that.
    fn missing_in(&self, other: &str) -> usize {
        let mut left = Letters(self.0);
        for c in other.chars() {
            let count = left.count(c);
            *count = count.saturating_sub(1);
        }
        left.0.iter().map(|count| *count as usize).sum()
    }
}

#[cfg(test)]
mod tests {
    use super::{nearest, similar};

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

    #[test]
    fn a_name_with_another_word_is_another_name() {
        let known = ["WebSearch", "TaskOutput", "disallowedTools"];
        assert_eq!(nearest("WebSerch", known), Some("WebSearch"));
        assert_eq!(nearest("webserch", known), Some("WebSearch"));
        assert_eq!(nearest("MCPSearch", known), None);
        assert_eq!(nearest("web_find", known), None);
        assert_eq!(nearest("BashOutput", known), None);
        assert_eq!(nearest("disallow_tools", known), Some("disallowedTools"));
    }

    #[test]
    fn all_close_words_are_told_the_closest_first() {
        let known = ["reviser", "reviewer-2", "tester", "reviewers", "reviewers"];
        assert_eq!(
            similar("reviewer", known),
            ["reviewer-2", "reviewers", "reviser"]
        );
        assert!(similar("nobody", known).is_empty());
    }
}
