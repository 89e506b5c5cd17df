//! Numbers of YAML 1.1: their patterns, and integers of any size.

use crate::value::Int;

/// Longest number that is converted to another base, so that the time for it stays short.
const MOST_DIGITS: usize = 4_000;

/// Returns whether a text matches YAML 1.1's pattern of integers.
pub(super) fn is_int(text: &str) -> bool {
    let text = text.strip_prefix(['+', '-']).unwrap_or(text);
    if let Some(digits) = text.strip_prefix("0b") {
        return all(digits, |b| matches!(b, b'0' | b'1' | b'_'));
    }
    if let Some(digits) = text.strip_prefix("0x") {
        return all(digits, |b| b.is_ascii_hexdigit() || b == b'_');
    }
    if let Some(digits) = text.strip_prefix('0') {
        return digits.is_empty() || all(digits, |b| matches!(b, b'0'..=b'7' | b'_'));
    }
    match split_digits(text) {
        Some((_, "")) => true,
        Some((_, rest)) => after_sexagesimal(rest) == Some(""),
        None => false,
    }
}

/// Returns whether a text matches PyYAML's pattern of floats.
pub(super) fn is_float(text: &str) -> bool {
    if matches!(text, ".nan" | ".NaN" | ".NAN") {
        return true;
    }
    let unsigned = text.strip_prefix(['+', '-']).unwrap_or(text);
    if matches!(unsigned, ".inf" | ".Inf" | ".INF") {
        return true;
    }
    if let Some(fraction) = text.strip_prefix('.') {
        // No sign here, and the first place has to be a digit.
        return split_digits(fraction).is_some_and(|(_, rest)| is_exponent(rest));
    }
    let Some((_, rest)) = split_digits(unsigned) else {
        return false;
    };
    let fraction_of = |rest: &str| {
        let fraction = rest.strip_prefix('.')?;
        Some(
            fraction
                .trim_start_matches(|c: char| c.is_ascii_digit() || c == '_')
                .to_owned(),
        )
    };
    match fraction_of(rest) {
        Some(rest) => is_exponent(&rest),
        None => after_sexagesimal(rest)
            .and_then(fraction_of)
            .is_some_and(|rest| rest.is_empty()),
    }
}

fn all(digits: &str, allowed: impl Fn(u8) -> bool) -> bool {
    !digits.is_empty() && digits.bytes().all(allowed)
}

/// Splits `[0-9][0-9_]*` from the front.
fn split_digits(text: &str) -> Option<(&str, &str)> {
    if !text.starts_with(|c: char| c.is_ascii_digit()) {
        return None;
    }
    let end = text
        .find(|c: char| !c.is_ascii_digit() && c != '_')
        .unwrap_or(text.len());
    Some(text.split_at(end))
}

/// Returns what follows `(:[0-5]?[0-9])+`; `None` if the text does not start like that.
pub(super) fn after_sexagesimal(text: &str) -> Option<&str> {
    let mut rest = text;
    while let Some(part) = rest.strip_prefix(':') {
        let digits = part.bytes().take(2).take_while(u8::is_ascii_digit).count();
        if digits == 0 || (digits == 2 && part.as_bytes()[0] > b'5') {
            return None;
        }
        rest = &part[digits..];
    }
    (rest.len() < text.len()).then_some(rest)
}

/// Returns whether a text is empty or `[eE][-+][0-9]+`.
fn is_exponent(text: &str) -> bool {
    let Some(exponent) = text.strip_prefix(['e', 'E']) else {
        return text.is_empty();
    };
    exponent
        .strip_prefix(['+', '-'])
        .is_some_and(|digits| all(digits, |b| b.is_ascii_digit()))
}

/// Reads digits of a base up to 16; `None` if there are none, or others, or too many.
pub(super) fn parse(digits: &str, base: u32) -> Option<Int> {
    if digits.is_empty() || !digits.chars().all(|c| c.is_digit(base)) {
        return None;
    }
    if let Ok(value) = i64::from_str_radix(digits, base) {
        return Some(Int::Small(value));
    }
    let digits = digits.trim_start_matches('0');
    if base == 10 {
        return Some(Int::Big(digits.into()));
    }
    if digits.len() > MOST_DIGITS {
        return None;
    }
    let mut number = Decimal::default();
    number.append(digits, base)?;
    Some(number.into_int())
}

/// Reads `1:30:00`, digits in base 60.
pub(super) fn parse_sexagesimal(text: &str) -> Option<Int> {
    if text.len() > MOST_DIGITS {
        return None;
    }
    let mut number = Decimal::default();
    for (place, part) in text.split(':').enumerate() {
        if !all(part, |b| b.is_ascii_digit()) {
            return None;
        }
        if place == 0 {
            number.append(part, 10)?;
        } else {
            number.multiply_add(60, part.parse().ok().filter(|part| *part < 1_000_000)?);
        }
    }
    Some(number.into_int())
}

/// Reads `1:30.5` as PyYAML does: each part is a float, times a power of 60.
pub(super) fn parse_sexagesimal_float(text: &str) -> Option<f64> {
    let mut value = 0.0;
    let mut base = 1.0f64;
    for part in text.rsplit(':') {
        if base.is_infinite() {
            return None;
        }
        value += part.trim().parse::<f64>().ok()? * base;
        base *= 60.0;
    }
    Some(value)
}

/// Changes the sign of a number that is not negative.
pub(super) fn negate(magnitude: Int) -> Int {
    match magnitude {
        Int::Small(value) => Int::Small(-value),
        Int::Big(digits) if &*digits == "9223372036854775808" => Int::Small(i64::MIN),
        Int::Big(digits) => Int::Big(format!("-{digits}").into()),
    }
}

/// A natural number in base 1,000,000,000, lowest place first.
#[derive(Default)]
struct Decimal {
    places: Vec<u32>,
}

impl Decimal {
    const BASE: u64 = 1_000_000_000;

    /// As many digits of a base up to 16 as fit 32 bits.
    const AT_ONCE: usize = 7;

    /// Writes further digits behind its own; `None` if there are others among them.
    fn append(&mut self, mut digits: &str, base: u32) -> Option<()> {
        while !digits.is_empty() {
            let count = digits.len().min(Self::AT_ONCE);
            let (first, rest) = digits.split_at_checked(count)?;
            let factor = base.checked_pow(u32::try_from(count).ok()?)?;
            self.multiply_add(factor, u32::from_str_radix(first, base).ok()?);
            digits = rest;
        }
        Some(())
    }

    fn multiply_add(&mut self, factor: u32, summand: u32) {
        let mut carry = u64::from(summand);
        for place in &mut self.places {
            let value = u64::from(*place) * u64::from(factor) + carry;
            // The remainder is below the base, which fits 32 bits; so does the rest of this line.
            *place = u32::try_from(value % Self::BASE).unwrap_or(0);
            carry = value / Self::BASE;
        }
        if carry > 0 {
            self.places.push(u32::try_from(carry).unwrap_or(0));
        }
    }

    fn into_int(self) -> Int {
        let mut places = self.places.iter().rev();
        let mut digits = places.next().map_or_else(|| "0".to_owned(), u32::to_string);
        for place in places {
            digits.push_str(&format!("{place:09}"));
        }
        match digits.parse() {
            Ok(value) => Int::Small(value),
            Err(_) => Int::Big(digits.into()),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn large_numbers_become_decimal() {
        let cases = [
            ("ffffffffffffffffff", 16, "4722366482869645213695"),
            ("7777777777777777777777777", 8, "37778931862957161709567"),
            ("0000000000000000000000000000001", 2, "1"),
            ("9223372036854775808", 10, "9223372036854775808"),
            ("00012345678901234567890", 10, "12345678901234567890"),
        ];
        for (digits, base, expected) in cases {
            let value = parse(digits, base).map(|value| value.to_string());
            assert_eq!(value.as_deref(), Some(expected), "{digits} in base {base}");
        }
        assert_eq!(parse("", 10), None);
        assert_eq!(parse("8", 8), None);
        assert_eq!(parse("+1", 10), None);
    }

    #[test]
    fn the_smallest_integer_stays_small() {
        let magnitude = parse("9223372036854775808", 10).map(negate);
        assert_eq!(magnitude, Some(Int::Small(i64::MIN)));
    }

    #[test]
    fn base_60_counts_places() {
        let value = |text| parse_sexagesimal(text).map(|value| value.to_string());
        assert_eq!(value("1:30").as_deref(), Some("90"));
        assert_eq!(value("190:20:30").as_deref(), Some("685230"));
        assert_eq!(
            value("99999999999999999999:59").as_deref(),
            Some("5999999999999999999999")
        );
        assert_eq!(value("1::2"), None);
    }
}
