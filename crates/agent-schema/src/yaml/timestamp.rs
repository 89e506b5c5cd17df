//! Dates and times of YAML 1.1, as Python's `datetime` holds and prints them.

use std::fmt;

/// A date, or a date with a time, as written; whether it exists is another question.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Timestamp {
    year: u32,
    month: u32,
    day: u32,
    time: Option<Time>,
}

#[derive(Debug, Clone, PartialEq, Eq)]
struct Time {
    hour: u32,
    minute: u32,
    second: u32,
    microsecond: u32,
    /// Minutes east of Greenwich; `None` for a time without a zone.
    offset: Option<i32>,
}

const MINUTES_PER_DAY: i32 = 24 * 60;

impl Timestamp {
    /// Returns whether a plain scalar is a timestamp. A date alone needs all its digits.
    pub(super) fn is_implicit(text: &str) -> bool {
        const DATE: &str = "2026-03-09";
        Timestamp::parse(text)
            .is_some_and(|timestamp| timestamp.time.is_some() || text.len() == DATE.len())
    }

    /// Reads `2026-03-09` or `2026-03-09 12:30:00.5 +01:00` with all the variants of YAML 1.1.
    pub(super) fn parse(text: &str) -> Option<Self> {
        let mut rest = Rest(text);
        let year = rest.digits(4..=4)?;
        rest.sign("-")?;
        let month = rest.digits(1..=2)?;
        rest.sign("-")?;
        let day = rest.digits(1..=2)?;
        let time = if rest.0.is_empty() {
            None
        } else {
            Some(Time::parse(&mut rest)?)
        };
        rest.0.is_empty().then_some(Timestamp {
            year,
            month,
            day,
            time,
        })
    }

    pub(super) fn is_date(&self) -> bool {
        self.time.is_none()
    }

    /// Says why Python has no such date or time.
    pub(super) fn fault(&self) -> Option<String> {
        if self.year == 0 {
            return Some("there is no year 0".to_owned());
        }
        if !(1..=12).contains(&self.month) {
            return Some(format!("there is no month {}", self.month));
        }
        if !(1..=days_in_month(self.year, self.month)).contains(&self.day) {
            return Some(format!("that month has no day {}", self.day));
        }
        let time = self.time.as_ref()?;
        if time.hour > 23 || time.minute > 59 || time.second > 59 {
            return Some("there is no such time of day".to_owned());
        }
        let offset = time.offset.unwrap_or(0);
        (offset.abs() >= MINUTES_PER_DAY)
            .then(|| "its zone is a day or more away from UTC".to_owned())
    }

    /// Returns the moment in microseconds, for a time with a zone.
    pub(super) fn instant(&self) -> Option<i64> {
        let time = self.time.as_ref()?;
        let offset = time.offset?;
        let minutes = (self.days() * 24 + i64::from(time.hour)) * 60 + i64::from(time.minute)
            - i64::from(offset);
        Some((minutes * 60 + i64::from(time.second)) * 1_000_000 + i64::from(time.microsecond))
    }

    /// Returns what JavaScript's `toISOString` prints for the date object that js-yaml makes: in
    /// UTC, with milliseconds, and days and hours beyond the end of their month or day go on into
    /// the next one.
    pub(super) fn to_javascript(&self) -> String {
        // `Date.UTC` takes a year of two digits for one of the twentieth century.
        let year = match self.year {
            0..=99 => self.year + 1900,
            year => year,
        };
        // Months beyond December go on into the next year.
        let months = i64::from(year) * 12 + i64::from(self.month) - 1;
        let (year, month) = (months.div_euclid(12), months.rem_euclid(12) + 1);
        let days = days_before_month(year, month) + i64::from(self.day) - 1;
        let (mut minutes, mut milliseconds) = (0, 0);
        if let Some(time) = &self.time {
            let offset = i64::from(time.offset.unwrap_or(0));
            minutes = i64::from(time.hour) * 60 + i64::from(time.minute) - offset;
            milliseconds = i64::from(time.second) * 1000 + i64::from(time.microsecond) / 1000;
        }
        let moment = (days * 1440 + minutes) * 60_000 + milliseconds;
        let (day, in_day) = (moment.div_euclid(86_400_000), moment.rem_euclid(86_400_000));
        let (year, month, date) = civil_from_days(day);
        format!(
            "{year:04}-{month:02}-{date:02}T{:02}:{:02}:{:02}.{:03}Z",
            in_day / 3_600_000,
            in_day / 60_000 % 60,
            in_day / 1000 % 60,
            in_day % 1000,
        )
    }

    /// Returns the number of days since the start of year 1.
    fn days(&self) -> i64 {
        let years = i64::from(self.year) - 1;
        let months: u32 = (1..self.month)
            .map(|month| days_in_month(self.year, month))
            .sum();
        years * 365 + years / 4 - years / 100 + years / 400 + i64::from(months + self.day)
    }
}

impl Time {
    fn parse(rest: &mut Rest<'_>) -> Option<Self> {
        if rest.sign("T").or_else(|| rest.sign("t")).is_none() {
            rest.blanks().then_some(())?;
        }
        let hour = rest.digits(1..=2)?;
        rest.sign(":")?;
        let minute = rest.digits(2..=2)?;
        rest.sign(":")?;
        let second = rest.digits(2..=2)?;
        let microsecond = match rest.sign(".") {
            Some(()) => rest.microseconds(),
            None => 0,
        };
        rest.blanks();
        Some(Time {
            hour,
            minute,
            second,
            microsecond,
            offset: rest.zone()?,
        })
    }
}

/// What is still to be read.
struct Rest<'t>(&'t str);

impl Rest<'_> {
    /// Takes as many digits as there are, within a range of counts.
    fn digits(&mut self, count: std::ops::RangeInclusive<usize>) -> Option<u32> {
        let found = self
            .0
            .bytes()
            .take(*count.end())
            .take_while(u8::is_ascii_digit)
            .count();
        if found < *count.start() {
            return None;
        }
        let (digits, rest) = self.0.split_at(found);
        self.0 = rest;
        digits.parse().ok()
    }

    fn sign(&mut self, sign: &str) -> Option<()> {
        self.0 = self.0.strip_prefix(sign)?;
        Some(())
    }

    fn blanks(&mut self) -> bool {
        let before = self.0.len();
        self.0 = self.0.trim_start_matches([' ', '\t']);
        self.0.len() < before
    }

    /// Takes the digits of a fraction; those after the sixth are dropped.
    fn microseconds(&mut self) -> u32 {
        let end = self
            .0
            .find(|c: char| !c.is_ascii_digit())
            .unwrap_or(self.0.len());
        let (digits, rest) = self.0.split_at(end);
        self.0 = rest;
        digits
            .bytes()
            .chain(std::iter::repeat(b'0'))
            .take(6)
            .fold(0, |value, digit| value * 10 + u32::from(digit - b'0'))
    }

    /// Takes a zone: nothing, `Z`, or a signed offset.
    fn zone(&mut self) -> Option<Option<i32>> {
        if self.0.is_empty() {
            return Some(None);
        }
        if self.sign("Z").is_some() {
            return Some(Some(0));
        }
        let direction = match self.sign("-") {
            Some(()) => -1,
            None => {
                self.sign("+")?;
                1
            }
        };
        let hours = self.digits(1..=2)?;
        let minutes = match self.sign(":") {
            Some(()) => self.digits(2..=2)?,
            None => 0,
        };
        let offset = i32::try_from(hours * 60 + minutes).ok()?;
        Some(Some(direction * offset))
    }
}

/// Returns the days from March 1 of year 0 to the first day of a month.
fn days_before_month(year: i64, month: i64) -> i64 {
    let (year, month) = if month <= 2 {
        (year - 1, month + 9)
    } else {
        (year, month - 3)
    };
    let era = year.div_euclid(400);
    let year = year.rem_euclid(400);
    era * 146_097 + year * 365 + year / 4 - year / 100 + (153 * month + 2) / 5
}

/// Returns the date so many days after March 1 of year 0.
fn civil_from_days(days: i64) -> (i64, i64, i64) {
    let era = days.div_euclid(146_097);
    let day = days.rem_euclid(146_097);
    let year = (day - day / 1460 + day / 36_524 - day / 146_096) / 365;
    let day = day - (365 * year + year / 4 - year / 100);
    let month = (5 * day + 2) / 153;
    let date = day - (153 * month + 2) / 5 + 1;
    let year = era * 400 + year;
    match month {
        0..=9 => (year, month + 3, date),
        _ => (year + 1, month - 9, date),
    }
}

fn days_in_month(year: u32, month: u32) -> u32 {
    let is_leap = year.is_multiple_of(4) && (!year.is_multiple_of(100) || year.is_multiple_of(400));
    match month {
        2 if is_leap => 29,
        2 => 28,
        4 | 6 | 9 | 11 => 30,
        _ => 31,
    }
}

impl fmt::Display for Timestamp {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{:04}-{:02}-{:02}", self.year, self.month, self.day)?;
        let Some(time) = &self.time else {
            return Ok(());
        };
        write!(f, " {:02}:{:02}:{:02}", time.hour, time.minute, time.second)?;
        if time.microsecond != 0 {
            write!(f, ".{:06}", time.microsecond)?;
        }
        if let Some(offset) = time.offset {
            let sign = if offset < 0 { '-' } else { '+' };
            let offset = offset.abs();
            write!(f, "{sign}{:02}:{:02}", offset / 60, offset % 60)?;
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// What Python prints for a text; `None` if it is no timestamp.
    fn shown(text: &str) -> Option<String> {
        let timestamp = Timestamp::parse(text)?;
        Some(match timestamp.fault() {
            Some(fault) => format!("no: {fault}"),
            None => timestamp.to_string(),
        })
    }

    #[test]
    fn timestamps_print_as_python_prints_them() {
        let cases = [
            ("2026-03-09", Some("2026-03-09")),
            ("2026-3-9", Some("2026-03-09")),
            ("2026-03-09T1:02:03", Some("2026-03-09 01:02:03")),
            ("2026-03-09t01:02:03.", Some("2026-03-09 01:02:03")),
            (
                "2026-03-09 01:02:03.1234567",
                Some("2026-03-09 01:02:03.123456"),
            ),
            (
                "2026-03-09 01:02:03.000Z",
                Some("2026-03-09 01:02:03+00:00"),
            ),
            (
                "2026-03-09 \t 01:02:03\t+05",
                Some("2026-03-09 01:02:03+05:00"),
            ),
            (
                "2026-03-09 01:02:03 -01:30",
                Some("2026-03-09 01:02:03-01:30"),
            ),
            (
                "2026-03-09 01:02:03-00:00",
                Some("2026-03-09 01:02:03+00:00"),
            ),
            (
                "2026-03-09 01:02:03+1:75",
                Some("2026-03-09 01:02:03+02:15"),
            ),
            (
                "2026-03-09 01:02:03+24:00",
                Some("no: its zone is a day or more away from UTC"),
            ),
            (
                "2026-03-09 24:00:00",
                Some("no: there is no such time of day"),
            ),
            ("2026-02-30", Some("no: that month has no day 30")),
            ("2024-02-29", Some("2024-02-29")),
            ("1900-02-29", Some("no: that month has no day 29")),
            ("2026-13-01", Some("no: there is no month 13")),
            ("0000-01-01", Some("no: there is no year 0")),
            ("2026-03-09 1:2:03", None),
            ("2026-03-09 01:02", None),
            ("2026-03-09 ", None),
            ("26-03-09", None),
        ];
        for (text, expected) in cases {
            assert_eq!(shown(text).as_deref(), expected, "{text}");
        }
    }

    #[test]
    fn zones_name_the_same_instant() {
        let instant = |text| Timestamp::parse(text).and_then(|time| time.instant());
        assert_eq!(
            instant("2026-03-01 00:30:00+01:00"),
            instant("2026-02-28 23:30:00Z")
        );
        assert_eq!(instant("2026-03-01 00:30:00"), None);
    }
}
