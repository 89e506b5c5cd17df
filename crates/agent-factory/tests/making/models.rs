//! Model profiles and their stores, and the condenser that uses the model.

use std::path::{Path, PathBuf};

use agent_discovery::{Inputs, Kind, MemoryTree};
use agent_factory::{
    FactoryError, FactoryErrorKind, LARGEST_PROFILE, LanguageModel, Model, ModelCatalog, ModelSet,
    ModelTrouble, ProfileStores, Provenance,
};

use crate::workshop::{Workshop, profile};

const FAST: &str = r#"{"model": "vendor/fast", "usage_id": "fast-id"}"#;
const HOME_STORE: &str = "/home/.openhands/profiles";

fn with_profiles(model: &str) -> Workshop {
    Workshop::new(&format!("model: {model}"), "Work.")
        .with_file(&format!("{HOME_STORE}/fast.json"), FAST)
        .with_file(
            &format!("{HOME_STORE}/slow.json"),
            r#"{"model": "vendor/slow"}"#,
        )
        .with_file(
            &format!("{HOME_STORE}/.hid.json"),
            r#"{"model": "vendor/x"}"#,
        )
        .with_file(&format!("{HOME_STORE}/notes.txt"), "")
}

/// Returns the model and usage id of the agent; none for the parent's.
fn model(workshop: &Workshop) -> Result<Option<(String, String)>, FactoryError> {
    Ok(match workshop.agent()?.model.value {
        Model::Parent => None,
        Model::Named(name) => Some((name, String::new())),
        Model::Profile(profile) => Some((profile.model.model, profile.model.usage_id)),
    })
}

fn pair(model: &str, usage_id: &str) -> Option<(String, String)> {
    Some((model.to_owned(), usage_id.to_owned()))
}

fn error(workshop: &Workshop) -> FactoryError {
    workshop.agent().expect_err("the model cannot be used")
}

#[test]
fn a_profile_is_named_with_or_without_its_suffix() {
    for written in ["fast", "fast.json"] {
        let found = model(&with_profiles(written)).expect("it is there");
        assert_eq!(found, pair("vendor/fast", "fast-id"));
    }
    let found = model(&with_profiles("slow")).expect("it is there");
    assert_eq!(found, pair("vendor/slow", "default"));
    for inherited in ["inherit", "''"] {
        let found = model(&with_profiles(inherited)).expect("it is the parent's");
        assert_eq!(found, None);
    }
}

#[test]
fn an_unknown_profile_is_named_as_written_with_all_that_there_are() {
    let workshop = with_profiles("fest.json");
    let error = error(&workshop);
    assert_eq!(error.kind(), FactoryErrorKind::UnknownProfile);
    assert_eq!(error.name(), "fest.json");
    assert_eq!(error.available(), [".hid", "fast", "slow"]);
    assert_eq!(
        workshop.at(error.place().expect("written").value),
        "fest.json"
    );
    assert_eq!(error.diagnostic().code(), "unknown-model");
    let near = with_profiles("fastt").agent().expect_err("unknown");
    assert_eq!(near.nearest(), Some("fast"));
}

#[test]
fn a_name_must_be_there_before_it_must_be_allowed() {
    for (written, kind) in [
        ("'.hid'", FactoryErrorKind::InvalidProfileName),
        ("'.hid.json'", FactoryErrorKind::InvalidProfileName),
        ("'.hidden'", FactoryErrorKind::UnknownProfile),
        ("vendor/model", FactoryErrorKind::UnknownProfile),
        ("../profiles/fast", FactoryErrorKind::UnknownProfile),
    ] {
        assert_eq!(error(&with_profiles(written)).kind(), kind, "{written}");
    }
    assert_eq!(error(&with_profiles("'.hid.json'")).name(), ".hid");
    let twice = with_profiles("x.json.json").with_file(&format!("{HOME_STORE}/x.json.json"), FAST);
    assert_eq!(error(&twice).kind(), FactoryErrorKind::BrokenProfile);
    let twice = twice.with_file(&format!("{HOME_STORE}/x.json"), FAST);
    let found = model(&twice).expect("it reads the other file");
    assert_eq!(found, pair("vendor/fast", "fast-id"));
}

#[test]
fn a_broken_profile_says_where() {
    for (text, reason) in [
        ("{not json", "line 1, column 2: "),
        (
            "{\n  \"model\": 5}",
            "line 2, column 12: it `model` must be a text",
        ),
        ("{}", "line 1, column 1: it has no `model`"),
        ("\u{feff}{\"model\": \"m\"}", "line 1, column 1: "),
    ] {
        let file = format!("{HOME_STORE}/broken.json");
        let error = error(&with_profiles("broken.json").with_file(&file, text));
        assert_eq!(error.kind(), FactoryErrorKind::BrokenProfile);
        assert_eq!(error.name(), "broken");
        assert_eq!(error.path(), Some(Path::new(&file)));
        let related = &error.diagnostic().related[0];
        assert_eq!(related.file.as_deref(), Some(file.as_str()));
        assert!(related.message.starts_with(reason), "{}", related.message);
    }
    let huge = format!("{{\"model\": \"{}\"}}", "m".repeat(LARGEST_PROFILE));
    let huge = with_profiles("huge").with_file(&format!("{HOME_STORE}/huge.json"), &huge);
    assert_eq!(error(&huge).kind(), FactoryErrorKind::BrokenProfile);
    let mut pipe = with_profiles("pipe");
    pipe.tree
        .special(format!("{HOME_STORE}/pipe.json"), Kind::Pipe);
    assert_eq!(error(&pipe).kind(), FactoryErrorKind::BrokenProfile);
}

#[test]
fn a_store_path_is_taken_literally_and_the_harness_creates_it() {
    let workshop = |store: &str| {
        Workshop::new(&format!("model: own\nprofile_store_dir: {store}"), "")
            .with_file("/home/stores/own.json", FAST)
            .with_file("/p/stores/own.json", FAST)
    };
    let created = |store: &str| -> Vec<PathBuf> {
        let error = error(&workshop(store));
        assert_eq!(error.kind(), FactoryErrorKind::UnknownProfile);
        assert!(error.available().is_empty());
        error.harness_would_create().to_vec()
    };
    assert_eq!(
        created("not-there-yet"),
        [
            "/p/not-there-yet",
            "/p/not-there-yet/.profiles.lock",
            "/p/provider-connections",
        ]
        .map(PathBuf::from)
    );
    assert_eq!(
        created("~/stores"),
        [
            "/p/~",
            "/p/~/stores",
            "/p/~/stores/.profiles.lock",
            "/p/~/provider-connections",
        ]
        .map(PathBuf::from)
    );
    assert_eq!(
        created("''"),
        ["/p/.profiles.lock", "/p/provider-connections"].map(PathBuf::from)
    );
    let config = workshop("/home/stores").agent().expect("it is there");
    assert_eq!(
        config.harness_would_create,
        ["/home/stores/.profiles.lock", "/home/provider-connections"].map(PathBuf::from)
    );
    let config = workshop("stores").agent().expect("it is there");
    let Model::Profile(found) = config.model.value else {
        panic!("it is a profile");
    };
    assert_eq!(found.path, Some(PathBuf::from("/p/stores/own.json")));
    let inherits = Workshop::new("profile_store_dir: not-there-yet", "");
    let config = inherits.agent().expect("no profile is needed");
    assert!(config.harness_would_create.is_empty());
}

#[test]
fn what_the_harness_creates_is_told_with_later_errors_too() {
    let workshop = Workshop::new("model: fast\ntools: [none]", "")
        .with_file(&format!("{HOME_STORE}/fast.json"), FAST);
    let error = error(&workshop);
    assert_eq!(error.kind(), FactoryErrorKind::UnknownTool);
    assert_eq!(error.harness_would_create().len(), 2);
}

#[test]
fn a_store_that_is_no_folder_is_an_error_of_its_own() {
    let mut workshop =
        Workshop::new("model: fast\nprofile_store_dir: store", "").with_file("/p/store", "");
    let error_of_file = error(&workshop);
    assert_eq!(error_of_file.kind(), FactoryErrorKind::UnusableStore);
    assert_eq!(error_of_file.path(), Some(Path::new("/p/store")));
    let place = error_of_file.place().expect("it is written");
    assert_eq!(workshop.at(place.value), "store");
    assert!(error_of_file.harness_would_create().is_empty());

    workshop.text = workshop.text.replace(": store", ": store/below");
    assert_eq!(error(&workshop).kind(), FactoryErrorKind::UnusableStore);
    workshop.text = workshop.text.replace(": store/below", ": link");
    workshop.tree.link("/p/link", "nowhere");
    assert_eq!(error(&workshop).kind(), FactoryErrorKind::UnusableStore);
}

#[test]
fn the_default_store_follows_the_profile_of_the_harness() {
    let tree = agent_discovery::MemoryTree::new();
    let folder = |id, inputs: &Inputs| ProfileStores::new(&tree, profile(id), inputs).folder(None);
    let home = Inputs::new().home("/home");
    let moved = |to: &str| home.clone().variable("OH_PERSISTENCE_DIR", to);
    let at = |path: &str| Some(PathBuf::from(path));
    assert_eq!(folder("1.43.1", &moved("/x")), at(HOME_STORE));
    assert_eq!(folder("1.58.2", &home), at(HOME_STORE));
    assert_eq!(folder("1.58.2", &moved("/x")), at("/x/profiles"));
    assert_eq!(folder("1.58.2", &moved("~/x")), at("/home/x/profiles"));
    assert_eq!(folder("1.58.2", &moved("")), at(HOME_STORE));
    assert_eq!(folder("1.58.2", &Inputs::new()), None);
    let nowhere = Inputs::new();
    let stores = ProfileStores::new(&tree, profile("1.58.2"), &nowhere);
    assert!(stores.look_up("fast", None).found.is_err());
}

/// Returns the model, usage id and size of the agent's condenser.
fn condenser(workshop: &Workshop) -> (String, String, String) {
    let config = workshop.agent().expect("it is made");
    let settings = config.condenser.value.settings;
    let map = settings.as_map().expect("it is an object");
    let llm = map.get("llm").and_then(|entry| entry.value.as_map());
    let text = |key| {
        let entry = llm.and_then(|llm| llm.get(key)).expect("it is set");
        entry.value.as_text().unwrap_or_default().to_owned()
    };
    let size = &map.get("max_size").expect("it is set").value;
    let size = serde_json::to_string(size).expect("it is a number");
    (text("model"), text("usage_id"), size)
}

fn triple(model: &str, usage_id: &str, size: &str) -> (String, String, String) {
    (model.to_owned(), usage_id.to_owned(), size.to_owned())
}

#[test]
fn the_default_condenser_has_the_agents_model() {
    assert_eq!(
        condenser(&Workshop::new("", "")),
        triple("vendor/parent-model", "condenser", "80")
    );
    assert_eq!(
        condenser(&with_profiles("fast")),
        triple("vendor/fast", "condenser", "80")
    );
    let config = with_profiles("fast").agent().expect("it is made");
    assert_eq!(config.condenser.from, Provenance::Default);
    let Some(Provenance::ModelProfile { name, .. }) = config.condenser.value.model_from else {
        panic!("the model comes from the profile");
    };
    assert_eq!(name, "fast");
}

#[test]
fn an_own_condenser_never_shares_the_agents_usage_id() {
    let own = |model: &str, usage_id: &str| {
        let mut workshop = with_profiles(model);
        let settings = format!(
            "\ncondenser: {{kind: LLMSummarizingCondenser, llm: {{model: c, usage_id: {usage_id}}}}}\n---\nW"
        );
        workshop.text = workshop.text.replace("\n---\nW", &settings);
        workshop
    };
    assert_eq!(
        condenser(&own("inherit", "mine")),
        triple("c", "mine", "240")
    );
    assert_eq!(
        condenser(&own("fast", "parent")),
        triple("c", "parent", "240")
    );
    for (model, usage_id) in [
        ("inherit", "parent"),
        ("fast", "fast-id"),
        ("slow", "default"),
    ] {
        let workshop = own(model, usage_id);
        assert_eq!(condenser(&workshop), triple("c", "condenser", "240"));
        let config = workshop.agent().expect("it is made");
        assert_eq!(
            config.condenser.value.replaced_usage_id.as_deref(),
            Some(usage_id)
        );
    }
}

#[test]
fn a_pipeline_keeps_its_usage_ids() {
    let workshop = Workshop::new(
        "condenser: {kind: PipelineCondenser, condensers: [{kind: LLMSummarizingCondenser, \
         llm: {model: c, usage_id: parent}}]}",
        "",
    );
    let config = workshop.agent().expect("it is made");
    let json = serde_json::to_string(&config.condenser.value.settings).expect("it is JSON");
    assert!(json.contains(r#""usage_id":"parent""#), "{json}");
    assert_eq!(config.condenser.value.replaced_usage_id, None);
}

#[test]
fn models_can_be_kept_in_memory() {
    let mut models = ModelSet::new();
    models.add(
        "fast",
        LanguageModel {
            model: "vendor/fast".to_owned(),
            usage_id: "fast-id".to_owned(),
        },
    );
    let workshop = Workshop::new("model: fast", "");
    let config = workshop.agent_with(&models).expect("it is there");
    assert!(matches!(config.model.value, Model::Profile(_)));
}

#[test]
fn a_store_outside_of_the_project_waits_for_trust() {
    let mut tree = MemoryTree::new();
    tree.write("/outside/large.json", r#"{"model": "acme/large"}"#);
    tree.write("/p/inside/large.json", r#"{"model": "acme/large"}"#);
    let look_up = |inputs: &Inputs, store| {
        let stores = ProfileStores::new(&tree, profile("1.58.2"), inputs).working_folder("/p");
        stores.look_up("large", Some(store)).found
    };
    let inputs = Inputs::new().home("/h");
    for store in ["/outside", "../outside", "inside/../../outside"] {
        let refused = look_up(&inputs, store);
        let is_refused = matches!(refused, Err(ModelTrouble::UnusableStore { .. }));
        assert!(is_refused, "{store}: {refused:?}");
        for open in [
            inputs.clone().trusted(true),
            inputs.clone().all_references(),
        ] {
            assert!(look_up(&open, store).is_ok(), "{store}");
        }
    }
    assert!(look_up(&inputs, "inside").is_ok());
}
