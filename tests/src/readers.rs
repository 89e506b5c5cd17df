//! The short road for everyday YAML beside the full reader: where the short one answers, both say
//! the same.

use std::collections::BTreeSet;
use std::sync::OnceLock;

use agent_schema::dialects;
use agent_schema::text::MappedText;
use agent_schema::value::Node;
use agent_schema::yaml::{self, Flavor};

/// All ways of reading YAML: those of each version of each dialect, and those that they build on.
pub fn flavors() -> &'static [&'static Flavor] {
    static FLAVORS: OnceLock<Vec<&'static Flavor>> = OnceLock::new();
    FLAVORS.get_or_init(|| {
        let profiles = dialects::ALL.iter().flat_map(|dialect| dialect.profiles);
        let of_dialects = profiles.flat_map(|profile| {
            let rules = &profile.rules;
            let skill = rules.skills.reading.map(|skill| skill.rules);
            let readings = [Some(&rules.reading), rules.plugins.reading, skill];
            readings.into_iter().flatten().map(|reading| &reading.yaml)
        });
        let bases = [
            &yaml::CORE,
            &yaml::core::CORE_WITH_MERGE,
            &yaml::JACKSON,
            &yaml::JS_YAML_3,
            &yaml::NPM_YAML,
            &yaml::PYYAML,
            &yaml::PYYAML_6_0_2,
            &yaml::STRICT_YAML,
        ];
        let mut seen = BTreeSet::new();
        let all = bases.into_iter().chain(of_dialects);
        // Functions of a flavor are told apart by their addresses.
        all.filter(|flavor| seen.insert(format!("{flavor:?}")))
            .collect()
    })
}

/// Reads a text in both ways. Tells whether the short road took it; the error tells how the answers
/// differ.
///
/// # Errors
/// If the short road gives something that the full reader does not.
pub fn compare(text: &MappedText<'_>, flavor: &Flavor) -> Result<bool, String> {
    let Some(short) = yaml::read_everyday(text, flavor) else {
        return Ok(false);
    };
    let full = yaml::read_in_full(text, flavor);
    match &full {
        Ok(Some(full)) if is_same(&short, full) => Ok(true),
        _ => Err(format!(
            "{} reads {:?} as\n{short:?}\non the short road, and in full as\n{full:?}",
            flavor.name,
            text.as_str()
        )),
    }
}

/// Compares values, places and styles. What is no number equals itself here.
fn is_same(one: &Node, other: &Node) -> bool {
    one == other || format!("{one:?}") == format!("{other:?}")
}
