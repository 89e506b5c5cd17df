//! Generated headers with a fault in them: what their fixes make of them.

use agent_schema::dialect::Dialect;
use agent_schema::fix::{self, Mended};
use agent_schema::{Definition, Fate, File, ParseInputs, dialects};
use proptest::prelude::*;

/// A header whose description has a fault, with the text that is meant.
#[derive(Debug, Clone)]
struct Faulty {
    bytes: Vec<u8>,
    description: String,
    comment: String,
}

/// Words that need no quotes by themselves.
fn words() -> impl Strategy<Value = String> {
    proptest::collection::vec("[a-zA-Z0-9é🗺]{1,8}", 1..5).prop_map(|words| words.join(" "))
}

/// The value of a description as it is written, and the text that is meant.
fn value() -> impl Strategy<Value = (String, String)> {
    let as_it_is = |text: String| (text.clone(), text);
    prop_oneof![
        (words(), words()).prop_map(move |(one, two)| as_it_is(format!("{one}: {two}"))),
        words().prop_map(move |text| as_it_is(format!("{text}: then:"))),
        (prop_oneof!["@", "`", "%"], words())
            .prop_map(move |(sign, text)| as_it_is(format!("{sign}{text}"))),
        (words(), words()).prop_map(move |(one, two)| as_it_is(format!("\"{one}\" and {two}"))),
        (words(), words())
            .prop_map(|(one, two)| (format!("'{one}'s {two}'"), format!("{one}'s {two}"))),
        (words(), words(), words()).prop_map(|(one, two, three)| {
            let text = format!("{one} \"{two}\" {three}");
            (format!("\"{text}\""), text)
        }),
        (words(), words(), words()).prop_map(|(one, two, three)| {
            let text = format!("{one}:\n\n<example>\nuser: \"{two}\"\n</example>\nIt {three}.");
            (text.clone(), text)
        }),
        (words(), words(), words()).prop_map(|(one, two, three)| {
            let wrapped = format!("{one}\n  it {two}: so\n  it {three}");
            (wrapped, format!("{one} it {two}: so it {three}"))
        }),
    ]
}

fn faulty() -> impl Strategy<Value = Faulty> {
    let parts = (value(), words(), words(), any::<bool>(), any::<bool>());
    parts.prop_map(
        |((written, description), comment, body, is_crlf, is_first)| {
            let comment = format!("# {comment}");
            let value = format!("description: {written}\n");
            let rest = format!("{comment}\nmodel: inherit\n");
            let settings = match is_first {
                true => format!("{value}{rest}"),
                false => format!("{rest}{value}"),
            };
            let text = format!("---\nname: scout\n{settings}---\n\n{body}\n");
            let text = if is_crlf {
                text.replace('\n', "\r\n")
            } else {
                text
            };
            Faulty {
                bytes: text.into_bytes(),
                description,
                comment,
            }
        },
    )
}

fn mend(dialect: &'static Dialect, bytes: &[u8]) -> Mended {
    let name = "scout.md";
    let file = File { name, bytes };
    let reading = &dialect.default_profile().rules.reading;
    fix::mend(file, "scout", dialect, reading, &ParseInputs::new(), false)
}

fn definition(mended: &Mended) -> Option<&Definition> {
    mended.parsed.outcome.definition()
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 64, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn a_mended_header_says_what_was_meant(faulty in faulty()) {
        for id in ["openhands", "agentscope", "pi"] {
            let dialect = dialects::find(id).expect("the dialect is there");
            let mended = mend(dialect, &faulty.bytes);
            let text = String::from_utf8_lossy(&mended.bytes).into_owned();
            let found = definition(&mended);
            prop_assert!(found.is_some(), "{id} does not load:\n{text}");
            let found = found.expect("it was just seen");
            prop_assert_eq!(found.description().trim_end(), &faulty.description, "{}:\n{}", id, text);
            prop_assert!(mended.parsed.fate == Fate::Loaded, "{id}: {:?}\n{text}", mended.parsed.fate);
            // Comments, the body and the line ends survive.
            prop_assert!(text.contains(&faulty.comment));
            let before = String::from_utf8_lossy(&faulty.bytes).into_owned();
            let body = |text: &str| text.rsplit("---").next().map(str::to_owned);
            prop_assert_eq!(body(&text), body(&before));
            let bare = text.replace("\r\n", "").contains('\n');
            prop_assert_eq!(bare, !before.contains("\r\n"), "one kind of line end:\n{}", text);
            prop_assert_eq!(&mend(dialect, &mended.bytes).bytes, &mended.bytes, "a second run");
        }
    }

    #[test]
    fn what_could_be_read_is_unchanged(faulty in faulty(), cut in 0usize..60) {
        let mut bytes = faulty.bytes.clone();
        bytes.truncate(bytes.len().saturating_sub(cut));
        for dialect in dialects::ALL {
            let before = mend_nothing(dialect, &bytes);
            let mended = mend(dialect, &bytes);
            let (Some(old), Some(new)) = (definition(&before), definition(&mended)) else {
                prop_assert!(definition(&before).is_none(), "{} loses the file", dialect.id);
                continue;
            };
            let old_fields = old.fields().filter(|(_, located)| located.place.is_some());
            for (field, located) in old_fields.filter(|(field, _)| field.as_str() != "prompt") {
                let now = new.field(field);
                prop_assert!(
                    now.is_some_and(|now| now.value.same_content(&located.value)),
                    "{}: {field}", dialect.id
                );
            }
            prop_assert!(before.parsed.rights_widened || !mended.parsed.rights_widened);
        }
    }
}

fn mend_nothing(dialect: &'static Dialect, bytes: &[u8]) -> Mended {
    let profile = dialect.default_profile();
    let file = File {
        name: "scout.md",
        bytes,
    };
    Mended {
        bytes: bytes.to_vec(),
        fixes: Vec::new(),
        parsed: agent_schema::parse::parse_accepted(
            file,
            "scout",
            dialect,
            &profile.rules.reading,
            &ParseInputs::new(),
        ),
    }
}
