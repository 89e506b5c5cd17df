//! A text of a definition: its own, or a part of the file that somebody keeps anyway.

use std::fmt;
use std::ops::Deref;
use std::sync::Arc;

use crate::indented_lines::IndentedLines;
use crate::source::Span;

/// A text that is read like a `str`, and may be a part of a larger text that is kept anyway.
///
/// Prompt and description are most of an agent file. Whoever keeps the file lets the definition
/// share it, by [`Parsed::share`](crate::Parsed::share), instead of holding them twice. A text whose
/// lines are indented in the file is put together when it is first asked for. Two texts are equal if
/// they read the same.
#[derive(Clone)]
pub struct SharedText(Repr);

/// From how many bytes on it pays to share a text: what counts the copies takes room, too.
const LONG: usize = 128;

#[derive(Clone)]
enum Repr {
    Own(Box<str>),
    Part {
        whole: Arc<str>,
        start: u32,
        end: u32,
    },
    Lines(Arc<IndentedLines>),
}

impl SharedText {
    /// Makes a text of a part of another one; `None` if the text has no such part.
    #[must_use]
    pub fn part(whole: &Arc<str>, start: u32, end: u32) -> Option<Self> {
        whole.get(start as usize..end as usize)?;
        let whole = Arc::clone(whole);
        Some(SharedText(Repr::Part { whole, start, end }))
    }

    /// Lets a text be what stands in a file, as it is or as indented lines behind the one in which
    /// its bytes begin. Does nothing if it reads otherwise there.
    pub(crate) fn share(&mut self, file: &Arc<str>, at: Span) {
        if let Repr::Part { whole, .. } = &self.0
            && Arc::ptr_eq(whole, file)
        {
            return;
        }
        let part = SharedText::part(file, at.start, at.end).filter(|part| part == self);
        let lines = || match self.len() < LONG {
            true => None,
            false => IndentedLines::of(self, file, at.start),
        };
        let shared = part.or_else(|| Some(SharedText(Repr::Lines(Arc::new(lines()?)))));
        if let Some(shared) = shared {
            *self = shared;
        }
    }

    /// Lets copies share the text, if it is long.
    pub(crate) fn let_copies_share(&mut self) {
        if let Repr::Own(text) = &self.0
            && text.len() >= LONG
            && let Ok(end) = u32::try_from(text.len())
        {
            let whole = Arc::from(&**text);
            self.0 = Repr::Part {
                whole,
                start: 0,
                end,
            };
        }
    }

    /// Returns the text.
    #[must_use]
    pub fn as_str(&self) -> &str {
        match &self.0 {
            Repr::Own(text) => text,
            Repr::Part { whole, start, end } => &whole[*start as usize..*end as usize],
            Repr::Lines(lines) => lines.together(),
        }
    }

    /// Returns how many characters it has, and puts nothing together for that.
    #[must_use]
    pub fn characters(&self) -> usize {
        match &self.0 {
            Repr::Lines(lines) => lines.pieces().map(|piece| piece.chars().count()).sum(),
            _ => self.as_str().chars().count(),
        }
    }

    /// Returns whether it is a part of a text that others hold too.
    #[must_use]
    pub fn is_shared(&self) -> bool {
        !matches!(self.0, Repr::Own(_))
    }

    /// Returns the text by itself; a part of another one is copied.
    #[must_use]
    pub fn into_string(self) -> String {
        match self.0 {
            Repr::Own(text) => text.into_string(),
            _ => self.as_str().to_owned(),
        }
    }
}

impl Deref for SharedText {
    type Target = str;

    fn deref(&self) -> &str {
        self.as_str()
    }
}

impl From<String> for SharedText {
    fn from(text: String) -> Self {
        SharedText(Repr::Own(text.into_boxed_str()))
    }
}

impl From<&str> for SharedText {
    fn from(text: &str) -> Self {
        SharedText(Repr::Own(text.into()))
    }
}

impl PartialEq for SharedText {
    fn eq(&self, other: &Self) -> bool {
        match (&self.0, &other.0) {
            (Repr::Lines(mine), Repr::Lines(theirs)) if Arc::ptr_eq(mine, theirs) => true,
            _ => self.as_str() == other.as_str(),
        }
    }
}

impl Eq for SharedText {}

impl fmt::Debug for SharedText {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.as_str().fmt(f)
    }
}

impl fmt::Display for SharedText {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.as_str().fmt(f)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_part_reads_like_a_text_of_its_own() {
        let whole: Arc<str> = "naïve".into();
        let part = SharedText::part(&whole, 2, 5).expect("it has this part");
        assert_eq!(part, SharedText::from("ïv"));
        assert_eq!(part.clone().into_string(), "ïv");
        assert!(part.is_shared());
        assert_eq!(SharedText::part(&whole, 3, 5), None, "inside a character");
        assert_eq!(SharedText::part(&whole, 2, 9), None, "behind the end");
    }

    #[test]
    fn copies_of_a_long_text_share_it() {
        for (length, is_shared) in [(LONG - 1, false), (LONG, true)] {
            let own = SharedText::from("x".repeat(length));
            let mut text = own.clone();
            text.let_copies_share();
            assert_eq!(text, own);
            let copy = text.clone();
            let is_same = std::ptr::eq(text.as_str(), copy.as_str());
            assert_eq!((is_same, text.is_shared()), (is_shared, is_shared));
        }
    }

    #[test]
    fn indented_lines_read_like_the_text_that_they_were() {
        let line = "Use this agent when the naïve way is too slow.\n";
        let text = format!("{line}  - {line}\n{line}").repeat(2);
        let indented: String = text
            .split_inclusive('\n')
            .map(|it| format!("   {it}"))
            .collect();
        let file: Arc<str> = format!("key: |\n{indented}\nnext: 1\n").into();
        let mut shared = SharedText::from(text.as_str());
        shared.share(&file, Span::new(5, 9));
        let held = |text: &SharedText| matches!(&text.0, Repr::Lines(lines) if lines.is_together());
        assert!(shared.is_shared() && !held(&shared));
        assert_eq!(shared.characters(), text.chars().count());
        assert!(shared == shared.clone() && !held(&shared));
        assert_eq!((shared.as_str(), held(&shared)), (text.as_str(), true));
        let mut other = SharedText::from(format!("{text}x"));
        other.share(&file, Span::new(5, 9));
        assert!(!other.is_shared(), "the file says something else");
    }
}
