//! Signs of quotes and brackets in a text of which nobody knows yet whether it is YAML.

/// Returns the length of the text in quotes that a text begins with.
pub(super) fn end_of_quotes(text: &str) -> Option<usize> {
    let quote = text.chars().next().filter(|c| matches!(c, '"' | '\''))?;
    let mut signs = text.char_indices().skip(1).peekable();
    while let Some((at, sign)) = signs.next() {
        if sign == '\\' && quote == '"' {
            signs.next();
        } else if sign == quote {
            let is_doubled = quote == '\'' && signs.next_if(|(_, next)| *next == quote).is_some();
            if !is_doubled {
                return Some(at + 1);
            }
        }
    }
    None
}

/// Returns the length of the list or map in brackets that a text begins with.
pub(super) fn end_of_brackets(text: &str) -> Option<usize> {
    let mut end = None;
    walk(text, |at, sign, _, depth| {
        end = (depth == 0).then_some(at + sign.len_utf8());
        depth == 0
    });
    end
}

/// Returns the offset of the first comma without an item before it, in the list or map in brackets
/// that a text begins with.
pub(super) fn comma_without_item(text: &str) -> Option<usize> {
    let mut comma = None;
    walk(text, |at, sign, before, depth| {
        let is_first = sign == ',' && matches!(before, '[' | '{' | ',');
        comma = is_first.then_some(at);
        is_first || depth == 0
    });
    comma
}

/// Walks over the signs outside quotes and comments, each with the one before it that is no white
/// space and with the number of brackets that are open behind it, until one is the last.
fn walk(text: &str, mut is_last: impl FnMut(usize, char, char, usize) -> bool) {
    let (mut at, mut before, mut depth) = (0, ' ', 0_usize);
    while let Some(sign) = text[at..].chars().next() {
        let starts_value = matches!(before, '[' | '{' | ',' | ':');
        if starts_value && matches!(sign, '"' | '\'') {
            let Some(length) = end_of_quotes(&text[at..]) else {
                return;
            };
            at += length;
            before = sign;
            continue;
        }
        if sign == '#' && text[..at].ends_with(char::is_whitespace) {
            at += text[at..].find('\n').unwrap_or(text.len() - at);
            continue;
        }
        match sign {
            '[' | '{' => depth += 1,
            ']' | '}' => depth = depth.saturating_sub(1),
            _ => {}
        }
        if is_last(at, sign, before, depth) {
            return;
        }
        if !sign.is_whitespace() {
            before = sign;
        }
        at += sign.len_utf8();
    }
}
