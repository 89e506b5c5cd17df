//! A text of a definition: its own, or a part of the file that somebody keeps anyway.

use std::fmt;
use std::ops::Deref;
use std::sync::Arc;

/// A text that is read like a `str`, and may be a part of a larger text that is kept anyway.
///
/// The prompt is most of an agent file. Whoever keeps the file lets the definition share it, by
/// [`Parsed::share`](crate::Parsed::share), instead of holding it twice. Two texts are equal if
/// they read the same.
#[derive(Clone)]
pub struct SharedText(Repr);

/// From how many bytes on it pays to share a text: what counts the copies takes room, too.
const LONG: usize = 64;

#[derive(Clone)]
enum Repr {
    Own(Box<str>),
    Part {
        whole: Arc<str>,
        start: u32,
        end: u32,
    },
}

impl SharedText {
    /// Makes a text of a part of another one; `None` if the text has no such part.
    #[must_use]
    pub fn part(whole: &Arc<str>, start: u32, end: u32) -> Option<Self> {
        whole.get(start as usize..end as usize)?;
        let whole = Arc::clone(whole);
        Some(SharedText(Repr::Part { whole, start, end }))
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
        }
    }

    /// Returns whether it is a part of a text that others hold too.
    #[must_use]
    pub fn is_shared(&self) -> bool {
        matches!(self.0, Repr::Part { .. })
    }

    /// Returns the text by itself; a part of another one is copied.
    #[must_use]
    pub fn into_string(self) -> String {
        match self.0 {
            Repr::Own(text) => text.into_string(),
            Repr::Part { .. } => self.as_str().to_owned(),
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
        self.as_str() == other.as_str()
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
    fn it_is_as_small_as_a_string() {
        assert_eq!(size_of::<SharedText>(), size_of::<String>());
    }
}
