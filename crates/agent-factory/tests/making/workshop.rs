//! A definition from the text of its file, and an agent from it.

use agent_discovery::{Inputs, MemoryTree, Skill};
use agent_factory::{
    AgentConfig, Blueprint, FactoryError, ModelCatalog, ModelSet, Parent, ProfileStores, SkillSet,
    ToolSet,
};
use agent_schema::{Dialect, File, Profile, dialects, parse};

pub(crate) fn dialect() -> &'static Dialect {
    dialects::find("openhands").expect("it is known")
}

pub(crate) fn profile(id: &str) -> &'static Profile {
    dialect().profile(id).expect("it is known")
}

/// What exists while an agent is made.
pub(crate) struct Workshop {
    pub(crate) text: String,
    pub(crate) skills: SkillSet,
    pub(crate) tools: ToolSet,
    pub(crate) tree: MemoryTree,
    pub(crate) profile: &'static Profile,
}

impl Workshop {
    /// Takes the lines of a header and a body; the skill `one` and the tools `terminal` and
    /// `file_editor` exist.
    pub(crate) fn new(header: &str, body: &str) -> Self {
        let mut skills = SkillSet::new();
        skills.add(skill("one"));
        Workshop {
            text: format!("---\nname: agent\n{header}\n---\n{body}"),
            skills,
            tools: ToolSet::from_iter(["terminal", "file_editor"]),
            tree: MemoryTree::new(),
            profile: profile("1.43.1"),
        }
    }

    pub(crate) fn with_file(mut self, path: &str, text: &str) -> Self {
        self.tree.write(path, text);
        self
    }

    pub(crate) fn blueprint(&self) -> Result<Blueprint, FactoryError> {
        let file = File {
            name: "agent.md",
            bytes: self.text.as_bytes(),
        };
        let parsed = parse(file, dialect(), self.profile);
        let definition = parsed.outcome.definition().expect("it loads");
        Blueprint::new(definition, &self.skills, dialect(), self.profile)
    }

    /// Makes an agent in `/work`, for the home `/home`.
    pub(crate) fn agent(&self) -> Result<AgentConfig, FactoryError> {
        let inputs = Inputs::new().home("/home");
        self.agent_with(&ProfileStores::new(&self.tree, self.profile, &inputs).working_folder("/p"))
    }

    pub(crate) fn agent_with(
        &self,
        models: &dyn ModelCatalog,
    ) -> Result<AgentConfig, FactoryError> {
        let parent = Parent::new("vendor/parent-model", "parent");
        self.blueprint()?.instantiate(&parent, &self.tools, models)
    }

    /// Returns the bytes of the file that a place covers.
    pub(crate) fn at(&self, span: agent_schema::Span) -> &str {
        &self.text[span.start as usize..span.end as usize]
    }
}

pub(crate) fn skill(name: &str) -> Skill {
    let mut tree = MemoryTree::new();
    tree.write(
        format!("/s/.agents/skills/{name}.md"),
        format!("---\ndescription: about {name}\n---\ntext of {name}"),
    );
    let inputs = Inputs::new().project("/s");
    let found = agent_discovery::discover_skills(&tree, dialect(), profile("1.43.1"), &inputs);
    found.get(name).expect("it is found").skill.clone()
}

pub(crate) fn no_models() -> ModelSet {
    ModelSet::new()
}
