//! Where the parts of a value stand in the file: the names of a list that is written as one text.

use super::Remarks;
use crate::source::Span;
use crate::value::Node;

/// Finds the parts of a value in the order in which they stand in it.
#[derive(Debug)]
pub struct Places<'a> {
    whole: Span,
    bytes: Option<&'a [u8]>,
    from: usize,
}

impl<'a> Places<'a> {
    /// Looks for parts in the bytes of a value, quotes and line ends included.
    #[must_use]
    pub fn of(node: &Node, remarks: &Remarks<'a>) -> Self {
        let range = node.span.start as usize..node.span.end as usize;
        Places {
            whole: node.span,
            bytes: remarks.bytes.and_then(|bytes| bytes.get(range)),
            from: 0,
        }
    }

    /// Returns the bytes of the next part; those of the whole value if the part does not stand
    /// there as it is, for example because it is written with escapes.
    pub fn next(&mut self, part: &str) -> Span {
        let found = self.bytes.and_then(|bytes| {
            let rest = bytes.get(self.from..)?;
            let mut windows = rest.windows(part.len().max(1));
            Some(self.from + windows.position(|window| window == part.as_bytes())?)
        });
        let Some(at) = found else {
            return self.whole;
        };
        self.from = at + part.len();
        let offset = |at: usize| self.whole.start + u32::try_from(at).unwrap_or(u32::MAX);
        Span::new(offset(at), offset(self.from))
    }
}
