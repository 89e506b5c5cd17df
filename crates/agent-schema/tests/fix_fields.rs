//! Fixes of single keys, values, lists and names: the cases under `testdata/fixes/fields`.
//!
//! A case begins with a line `## dialect rule applicability`, and `key=value` words behind it that
//! say more: `file`, `folder`, `plugin`, `profile`. The file follows, then a line `->` and the file after
//! the first fix of that rule, unless the applicability is `none`. `BLESS=1` writes the expected
//! texts anew; a person must read them.

#![expect(
    clippy::disallowed_methods,
    reason = "the cases are read from the disk, and written when they are blessed"
)]

use std::fs;
use std::path::PathBuf;

use agent_schema::dialect::ReadingRules;
use agent_schema::fix::{apply, mend};
use agent_schema::parse::parse_accepted;
use agent_schema::{
    Applicability, Diagnostic, Dialect, Fate, FieldName, File, Fix, ParseInputs, Parsed, Profile,
    dialects,
};
use proptest::prelude::*;

struct Case {
    title: String,
    rule: String,
    applicability: String,
    file: String,
    folder: Option<String>,
    plugin: Option<String>,
    dialect: &'static Dialect,
    profile: &'static Profile,
    before: String,
    after: Option<String>,
}

impl Case {
    fn read(text: &str) -> Case {
        let (title, content) = text.split_once('\n').expect("a case has a title");
        let mut words = title.split_whitespace();
        let mut word = || words.next().expect("a title has three words").to_owned();
        let (dialect, rule, applicability) = (word(), word(), word());
        let more: Vec<(&str, &str)> = words.filter_map(|word| word.split_once('=')).collect();
        let option = |key: &str| more.iter().find(|(other, _)| *other == key);
        let dialect = dialects::find(&dialect).expect("the dialect is known");
        let profile = match option("profile") {
            Some((_, id)) => dialect.profile(id).expect("the profile is known"),
            None => dialect.default_profile(),
        };
        let (before, after) = match content.split_once("->\n") {
            Some((before, after)) => (before, Some(after)),
            None => (content, None),
        };
        let file = match (option("file"), dialect.id) {
            (Some((_, file)), _) => file,
            (None, "agent-skills") => "SKILL.md",
            (None, _) => "reviewer.md",
        };
        Case {
            title: title.to_owned(),
            rule,
            applicability,
            file: file.to_owned(),
            folder: option("folder").map(|(_, folder)| (*folder).to_owned()),
            plugin: option("plugin").map(|(_, plugin)| (*plugin).to_owned()),
            dialect,
            profile,
            before: before.to_owned(),
            after: after.map(str::to_owned),
        }
    }

    fn inputs(&self) -> ParseInputs {
        let mut inputs = ParseInputs::new().with_fixes();
        inputs.folder.clone_from(&self.folder);
        inputs.plugin.clone_from(&self.plugin);
        inputs
    }

    fn reading(&self) -> &'static ReadingRules {
        let rules = &self.profile.rules;
        match self.plugin {
            Some(_) => rules.plugins.reading.unwrap_or(&rules.reading),
            None => &rules.reading,
        }
    }

    fn parse(&self, bytes: &[u8]) -> Parsed {
        let name = &self.file;
        let stem = self.profile.rules.agents.files.stem(name);
        let file = File { name, bytes };
        parse_accepted(file, stem, self.dialect, self.reading(), &self.inputs())
    }

    fn mend(&self, bytes: &[u8]) -> Vec<u8> {
        let name = &self.file;
        let stem = self.profile.rules.agents.files.stem(name);
        let file = File { name, bytes };
        mend(
            file,
            stem,
            self.dialect,
            self.reading(),
            &self.inputs(),
            false,
        )
        .bytes
    }

    /// Checks the case, and returns what it should say.
    fn check(&self) -> String {
        let parsed = self.parse(self.before.as_bytes());
        let mut findings = parsed
            .diagnostics
            .iter()
            .filter(|finding| finding.code() == self.rule);
        let finding = findings.next();
        assert!(
            finding.is_some(),
            "no finding: {}\n{:?}",
            self.title,
            codes(&parsed)
        );
        let fix = finding.and_then(|finding| finding.fix.as_ref());
        let Some(fix) = fix else {
            return self.say("none", None);
        };
        let after = apply(self.before.as_bytes(), &fix.edits).expect("edits are in order");
        if fix.applicability == Applicability::Safe {
            self.check_safe(&parsed);
        }
        let after = String::from_utf8(after).expect("a fix keeps the text a text");
        self.say(word(fix), Some(after))
    }

    /// All safe fixes together leave a file that loads at least as well, and nothing to do.
    fn check_safe(&self, before: &Parsed) {
        let mended = self.mend(self.before.as_bytes());
        let after = self.parse(&mended);
        assert!(after.fate <= before.fate, "{}", self.title);
        assert!(
            after.fate < Fate::Ignored,
            "it loads: {}\n{:?}",
            self.title,
            codes(&after)
        );
        assert_eq!(self.mend(&mended), mended, "{}", self.title);
    }

    fn say(&self, applicability: &str, after: Option<String>) -> String {
        let title = self.title.replacen(&self.applicability, applicability, 1);
        match after {
            Some(after) => format!("## {title}\n{}->\n{after}", self.before),
            None => format!("## {title}\n{}", self.before),
        }
    }
}

fn word(fix: &Fix) -> &'static str {
    match fix.applicability {
        Applicability::Safe => "safe",
        Applicability::Unsafe => "unsafe",
        Applicability::ShowOnly => "show",
    }
}

fn codes(parsed: &Parsed) -> Vec<(&str, &str)> {
    let findings = parsed.diagnostics.iter();
    findings
        .map(|finding| (finding.code(), &*finding.message))
        .collect()
}

fn folder() -> PathBuf {
    PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("testdata/fixes/fields")
}

fn cases() -> Vec<(PathBuf, Vec<Case>)> {
    let mut files: Vec<PathBuf> = fs::read_dir(folder())
        .expect("the cases are there")
        .map(|item| item.expect("the folder can be read").path())
        .collect();
    files.sort();
    let read = |path: PathBuf| {
        let text = fs::read_to_string(&path).expect("the cases are text");
        let text = text
            .strip_prefix("## ")
            .expect("a file begins with a case")
            .to_owned();
        let cases = text.split("\n## ").map(|case| {
            let end = if case.ends_with('\n') { "" } else { "\n" };
            Case::read(&format!("{case}{end}"))
        });
        (path, cases.collect())
    };
    files.into_iter().map(read).collect()
}

#[test]
fn every_case_is_mended_as_written() {
    for (path, cases) in cases() {
        let said: String = cases.iter().map(Case::check).collect();
        if std::env::var_os("BLESS").is_some() {
            fs::write(&path, said).expect("the cases can be written");
            continue;
        }
        let written = fs::read_to_string(&path).expect("the cases are text");
        assert_eq!(said, written, "{}", path.display());
    }
}

/// A line end, a byte order mark, and what stands before a key must not shift an edit.
#[test]
fn edits_are_where_they_belong_in_every_shape_of_file() {
    for (_, cases) in cases() {
        for case in cases.iter().filter(|case| case.after.is_some()) {
            let is_read_with_mark = !case
                .parse(b"\xef\xbb\xbf---\nname: a\n---\n")
                .diagnostics
                .iter()
                .any(|finding| finding.code() == "hidden-header");
            check_shape(case, "", "\r\n");
            // What stands above is longer in bytes than in letters.
            let above = |text: &str| text.replacen("---\n", "---\n# \u{1f600}\t\u{e9}\n", 1);
            let before = above(&case.before);
            let after = case.after.as_deref().map(above);
            check_fix(case, &before, &after.unwrap_or_default());
            if is_read_with_mark {
                check_shape(case, "\u{feff}", "\n");
                check_shape(case, "\u{feff}", "\r\n");
            }
        }
    }
}

fn check_shape(case: &Case, mark: &str, line_end: &str) {
    let shaped = |text: &str| format!("{mark}{}", text.replace('\n', line_end));
    let expected = case.after.as_deref().map(shaped).unwrap_or_default();
    check_fix(case, &shaped(&case.before), &expected);
}

fn check_fix(case: &Case, before: &str, expected: &str) {
    let parsed = case.parse(before.as_bytes());
    let mut findings = parsed.diagnostics.iter();
    let finding: Option<&Diagnostic> = findings.find(|finding| finding.code() == case.rule);
    let fix = finding.and_then(|finding| finding.fix.as_ref());
    let fix = fix.unwrap_or_else(|| panic!("no fix: {}\n{before:?}", case.title));
    let after = apply(before.as_bytes(), &fix.edits).expect("edits are in order");
    assert_eq!(String::from_utf8_lossy(&after), expected, "{}", case.title);
}

/// Where two places clash, both are told.
#[test]
fn clashes_have_two_places() {
    for (_, cases) in cases() {
        for case in &cases {
            let parsed = case.parse(case.before.as_bytes());
            for finding in &parsed.diagnostics {
                let needs_two = ["duplicate-key", "key-beside-alias", "duplicate-skill"];
                if needs_two.contains(&finding.code()) {
                    let other = finding.related.first().and_then(|related| related.span);
                    assert!(other.is_some(), "{}", case.title);
                    assert_ne!(finding.span, other, "{}", case.title);
                }
            }
        }
    }
}

fn header_line() -> impl Strategy<Value = String> {
    let key = prop::sample::select(vec![
        "name",
        "description",
        "tools",
        "disallowedTools",
        "allowed-tools",
        "allowedTools",
        "model",
        "color",
        "maxTurns",
        "max_turns",
        "max_iteration_per_run",
        "steps",
        "hidden",
        "mode",
        "permission",
        "permission_mode",
        "permissionMode",
        "background",
        "memory",
        "skills",
        "on",
        "temperature",
        "compatibility",
        "descripton",
        "x",
    ]);
    let value = prop::sample::select(vec![
        "text",
        "\"10\"",
        "10",
        "10.0",
        "yes",
        "true",
        "\"true\"",
        "",
        "null",
        "[Read, Grep]",
        "Read, Grep",
        "read",
        "[Read, Read]",
        "2026-03-09",
        "#a1b2c3",
        "'it'",
        "[one]",
        "Red",
        "plan",
        "Plan",
        "bypassPermissions",
        "ALLOW",
        "a: b",
        "\n  - Read\n  - grep # why",
        "\n  read: true\n  write: false",
        "*",
        "[\"*\"]",
        "Bash(git:*)",
        "é😀",
        "|\n  text",
    ]);
    (key, value, prop::sample::select(vec!["", " # why"]))
        .prop_map(|(key, value, comment)| format!("{key}: {value}{comment}"))
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(300))]

    /// Whatever stands in a header: mending a second time changes nothing, the file loads at least
    /// as well as before, and the prompt, the comments and every written name stay.
    #[test]
    fn mending_keeps_what_is_there(
        lines in prop::collection::vec(header_line(), 0..6),
        which in 0..dialects::ALL.len(),
        line_end in prop::sample::select(vec!["\n", "\r\n"]),
    ) {
        let dialect = dialects::ALL[which];
        let header: String = lines.iter().map(|line| format!("{line}\n")).collect();
        let text = format!("---\n{header}---\nThe prompt.\n").replace('\n', line_end);
        let case = Case {
            title: text.clone(),
            rule: String::new(),
            applicability: String::new(),
            file: if dialect.id == "agent-skills" { "SKILL.md" } else { "reviewer.md" }.to_owned(),
            folder: Some("reviewer".to_owned()),
            plugin: None,
            dialect,
            profile: dialect.default_profile(),
            before: String::new(),
            after: None,
        };
        let before = case.parse(text.as_bytes());
        let mended = case.mend(text.as_bytes());
        let after = case.parse(&mended);
        prop_assert_eq!(&case.mend(&mended), &mended);
        prop_assert!(after.fate <= before.fate);
        // The prompt of a file with a broken header may be the whole file.
        let mut codes = before.diagnostics.iter().map(|found| found.code());
        let is_broken = codes.any(|code| code.starts_with("yaml-"));
        let concerned: Vec<_> = before.diagnostics.iter().filter_map(|found| found.field).collect();
        let (Some(before), Some(after)) =
            (before.outcome.definition(), after.outcome.definition()) else { return Ok(()) };
        let written = before.fields().filter(|(_, located)| located.place.is_some());
        let stays = |field: &FieldName| *field != FieldName::PROMPT && !concerned.contains(field);
        for (field, located) in written.filter(|(field, _)| stays(field)) {
            let now = after.field(field).map(|located| &located.value);
            prop_assert!(now.is_some_and(|now| now.same_content(&located.value)), "{}", field);
        }
        prop_assert!(is_broken || before.prompt() == after.prompt());
        for field in [FieldName::NAME, FieldName::DESCRIPTION, FieldName::TOOLS] {
            let written = before.field(field).filter(|field| field.place.is_some());
            prop_assert!(written.is_none() || after.field(field).is_some());
        }
        let comments = |bytes: &[u8]| String::from_utf8_lossy(bytes).matches("# why").count();
        prop_assert_eq!(comments(text.as_bytes()), comments(&mended));
    }
}
