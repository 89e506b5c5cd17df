//! What stands between two values: signs, white space, comments, anchors and tags.
//!
//! The parser reports values, not the text between them. Walking over that text gives what the
//! parser leaves open: where a block list or a block text begins, where a missing value would
//! stand, and which tabs the reader refuses.

/// A walk over a text from value to value.
#[derive(Debug)]
pub(super) struct Between<'t> {
    source: &'t str,
    at: usize,
    /// One past the last value.
    value_end: usize,
    /// One past the last value or sign.
    after_sign: usize,
    /// The first dash since the last value.
    first_dash: Option<usize>,
    /// Whether a `?` came since the last key or value.
    question: bool,
    /// Whether libyaml would accept a key here, and hence no tab.
    key_allowed: bool,
    /// After a value without quotes: the column that its next line would need.
    plain_column: Option<usize>,
    tabs: TabRule,
}

/// Which tabs between values are refused.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum TabRule {
    /// Those that could indent a key or a line of a value, as in libyaml.
    Indentation,
    /// All but those in comments and right behind a value without quotes, as in SnakeYAML.
    Everywhere,
}

/// What a value leaves behind.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Left {
    /// A value without quotes; its next line would have to start in this column.
    Plain { column: usize },
    /// The end of a line, after a block text.
    Line,
    /// Anything else.
    Other,
}

impl<'t> Between<'t> {
    pub(super) fn new(source: &'t str, tabs: TabRule) -> Self {
        let start = if source.starts_with('\u{feff}') {
            '\u{feff}'.len_utf8()
        } else {
            0
        };
        Between {
            source,
            at: start,
            value_end: 0,
            after_sign: start,
            first_dash: None,
            question: false,
            key_allowed: true,
            plain_column: None,
            tabs,
        }
    }

    /// Returns the offset after the last value; 0 if there was none.
    pub(super) fn value_end(&self) -> usize {
        self.value_end
    }

    /// Returns the offset after the last value or sign.
    pub(super) fn after_sign(&self) -> usize {
        self.after_sign
    }

    /// Returns the first dash since the last value.
    pub(super) fn first_dash(&self) -> Option<usize> {
        self.first_dash
    }

    /// Returns whether a `?` came since the last key or value, and forgets it.
    pub(super) fn take_question(&mut self) -> bool {
        std::mem::take(&mut self.question)
    }

    /// Walks to an offset; returns the first tab on the way that is refused.
    pub(super) fn walk(&mut self, to: usize, in_brackets: bool) -> Option<usize> {
        let mut tab = self.leave_plain(to);
        while self.at < to {
            self.step(to, in_brackets, &mut tab);
        }
        tab
    }

    /// Walks to the `|` or `>` of a block text; returns its offset.
    pub(super) fn walk_to_block_text(
        &mut self,
        to: usize,
        tab: &mut Option<usize>,
    ) -> Option<usize> {
        *tab = self.leave_plain(to);
        while self.at < to {
            if self.rest().starts_with(['|', '>']) {
                return Some(self.at);
            }
            self.step(to, false, tab);
        }
        None
    }

    /// Goes on after a value.
    pub(super) fn value(&mut self, end: usize, left: Left) {
        self.at = self.at.max(end);
        self.value_end = self.at;
        self.after_sign = self.at;
        self.first_dash = None;
        self.question = false;
        self.key_allowed = left == Left::Line;
        self.plain_column = match left {
            Left::Plain { column } => Some(column),
            _ => None,
        };
    }

    /// Takes white space and line ends after a value without quotes, as the reader does while it
    /// looks for the next line of the value. A tab that stands left of that line's place fails.
    fn leave_plain(&mut self, to: usize) -> Option<usize> {
        let needed = match (self.plain_column.take()?, self.tabs) {
            (column, TabRule::Indentation) => column,
            (_, TabRule::Everywhere) => usize::MAX,
        };
        let mut tab = None;
        let mut column = None;
        while self.at < to {
            match self.source.as_bytes()[self.at] {
                b'\n' | b'\r' => {
                    column = Some(0);
                    self.key_allowed = true;
                }
                b'\t' if column.is_some_and(|column| column < needed) => {
                    tab = tab.or(Some(self.at));
                }
                b' ' | b'\t' => column = column.map(|column| column + 1),
                _ => break,
            }
            self.at += 1;
        }
        tab
    }

    fn step(&mut self, to: usize, in_brackets: bool, tab: &mut Option<usize>) {
        let rest = self.rest();
        let Some(sign) = rest.chars().next() else {
            self.at = to;
            return;
        };
        let mut length = sign.len_utf8();
        match sign {
            '\t' if self.tabs == TabRule::Everywhere || self.key_allowed && !in_brackets => {
                *tab = tab.or(Some(self.at))
            }
            '\n' | '\r' => self.key_allowed = true,
            '#' | '%' => length = rest.find(['\n', '\r']).unwrap_or(rest.len()),
            '&' | '!' => {
                length = rest
                    .find([' ', '\t', '\n', '\r', ',', '[', ']', '{', '}'])
                    .unwrap_or(rest.len());
                self.key_allowed = false;
            }
            '-' if rest.starts_with("---") => {
                length = "---".len();
                self.key_allowed = false;
            }
            '-' => {
                self.first_dash = self.first_dash.or(Some(self.at));
                self.key_allowed = true;
            }
            '?' => {
                self.question = true;
                self.key_allowed = true;
            }
            // Behind a key on its line no other key may start; behind a `:` that starts a line
            // one may. So the sign itself changes nothing.
            _ => {}
        }
        self.at = (self.at + length).min(to);
        if !matches!(sign, ' ' | '\t' | '\n' | '\r' | '#' | '%') {
            self.after_sign = self.at;
        }
    }

    fn rest(&self) -> &'t str {
        self.source.get(self.at..).unwrap_or("")
    }
}
