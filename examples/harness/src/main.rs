//! A small harness: it discovers agents, registers them, resolves names, and runs agents in a loop.
//!
//! Everything that decides what an agent is and may do comes from the crates; what is left for a
//! harness is the loop. The model is a script.

use std::collections::{BTreeMap, VecDeque};
use std::error::Error;
use std::path::Path;

use agent_discovery::{DiskTree, Inputs, Skills, discover, discover_skills};
use agent_factory::{
    AgentConfig, Blueprint, Model, ModelSet, Parent, PromptInputs, Role, Spawning, Start, ToolSet,
};
use agent_registry::{Registration, Registry, Verdict, admit_all};
use agent_schema::{Dialect, LineIndex, dialects};

/// The most calls of the model in one run, unless the definition says less.
const MOST_TURNS: usize = 10;

/// How deep agents may start agents.
const MOST_DEPTH: u32 = 3;

/// What surrounds all runs.
struct Harness {
    dialect: &'static Dialect,
    registry: Registry,
    skills: Skills,
    tools: ToolSet,
    models: ModelSet,
}

/// What a model asks for.
enum Step {
    Use { tool: String, with: String },
    Start { agent: String, task: String },
    Done(String),
}

/// A model that says what is written in a file, line by line.
struct ScriptedModel(BTreeMap<String, VecDeque<String>>);

impl ScriptedModel {
    fn read(path: &Path) -> Result<Self, Box<dyn Error>> {
        let mut lines: BTreeMap<String, VecDeque<String>> = BTreeMap::new();
        let text = std::fs::read_to_string(path)?;
        for line in text.lines().filter(|line| !line.starts_with('#')) {
            let (agent, step) = line.split_once(": ").ok_or("a line without an agent")?;
            let steps = lines.entry(agent.to_owned()).or_default();
            steps.push_back(step.to_owned());
        }
        Ok(ScriptedModel(lines))
    }

    /// Answers for an agent. A real model would be told the prompt and what has happened so far.
    fn next(&mut self, agent: &str, _prompt: &str) -> Step {
        let steps = self.0.entry(agent.to_owned()).or_default();
        let step = steps.pop_front().unwrap_or_default();
        let (word, rest) = step.split_once(' ').unwrap_or((&step, ""));
        let (name, text) = rest.split_once(' ').unwrap_or((rest, ""));
        match word {
            "use" => Step::Use {
                tool: name.to_owned(),
                with: text.to_owned(),
            },
            "start" => Step::Start {
                agent: name.to_owned(),
                task: text.to_owned(),
            },
            _ => Step::Done(rest.to_owned()),
        }
    }
}

impl Harness {
    /// Finds and registers what a project defines.
    fn open(project: &Path) -> Result<Self, Box<dyn Error>> {
        let dialect = dialects::find("claude-code").ok_or("no such dialect")?;
        let profile = dialect.default_profile();
        let inputs = Inputs::new().project(project);
        let mut registration = Registration::new(dialect, profile);
        registration.register_files(discover(&DiskTree, dialect, profile, &inputs), admit_all)?;
        let mut models = ModelSet::new();
        let small = Parent::new("vendor/small", "small");
        models.extend(small.model.map(|model| ("haiku".to_owned(), model)));
        Ok(Harness {
            dialect,
            registry: registration.without_builtins(),
            skills: discover_skills(&DiskTree, dialect, profile, &inputs),
            tools: ToolSet::from_file(&DiskTree, &project.join("tools.yaml"))?,
            models,
        })
    }

    /// Tells what is there, and why something is not.
    fn introduce(&self) {
        for contender in self.registry.contenders() {
            let name = &contender.name;
            match contender.verdict {
                Verdict::Active => println!("agent {name}: {}", contender.fate.as_str()),
                _ => println!("no agent {name}"),
            }
            for finding in &contender.diagnostics {
                let bytes = contender.bytes.as_deref().unwrap_or_default();
                let at = finding.span.map_or(0, |span| span.start);
                let at = LineIndex::new(bytes).line_column(bytes, at);
                println!("  {at}: {}: {}", finding.severity, finding.message);
            }
        }
    }

    /// Makes a runnable agent of a name.
    fn make(&self, name: &str, parent: &Parent) -> Result<AgentConfig, Box<dyn Error>> {
        let found = self.registry.get(Some(name))?;
        let profile = self.registry.profile();
        let blueprint = Blueprint::new(found.definition(), &self.skills, self.dialect, profile)?;
        let held_back = found.contender.held_back_fields();
        let mut start = Start::new(parent, &self.tools, &self.models).held_back(&held_back);
        if parent.depth == 0 {
            start.role = Role::Main;
        }
        Ok(blueprint.start(&start)?)
    }

    /// Runs an agent until it is done, and returns what it says at the end.
    fn run(&self, name: &str, task: &str, parent: &Parent, model: &mut ScriptedModel) -> String {
        let indent = "  ".repeat(parent.depth as usize);
        let agent = match self.make(name, parent) {
            Ok(agent) => agent,
            Err(error) => return format!("failed to {error}"),
        };
        println!("{indent}{name} is asked: {task}");
        for left_out in &agent.left_out {
            println!(
                "{indent}  without {}: {}",
                left_out.what,
                left_out.why.in_words()
            );
        }
        let child = Parent {
            model: match &agent.model.value {
                Model::Profile(profile) => Some(profile.model.clone()),
                _ => parent.model.clone(),
            },
            depth: parent.depth + 1,
            ..parent.clone()
        };
        let prompt = agent.full_prompt(&PromptInputs::default()).text();
        for _ in 0..MOST_TURNS {
            let answer = match model.next(name, &prompt) {
                Step::Done(answer) => return answer,
                Step::Use { tool, with } => self.use_tool(&agent, &tool, &with),
                Step::Start { agent: other, task } => match &agent.spawning.value {
                    _ if child.depth >= MOST_DEPTH => "no deeper".to_owned(),
                    Spawning::Only(names) if names.iter().all(|it| it.value != other) => {
                        format!("{name} may not start {other}")
                    }
                    Spawning::Forbidden => format!("{name} may not start agents"),
                    _ => self.run(&other, &task, &child, model),
                },
            };
            println!("{indent}  {name} hears: {answer}");
        }
        "stopped: too many turns".to_owned()
    }

    /// Uses a tool, if the agent has it. The tools of this harness do nothing.
    fn use_tool(&self, agent: &AgentConfig, tool: &str, with: &str) -> String {
        match agent.tools.value.among(&self.tools).contains(&tool) {
            true => format!("{tool} {with} is done"),
            false => format!("{tool} is none of its tools"),
        }
    }
}

fn main() -> Result<(), Box<dyn Error>> {
    let project = std::env::args_os().nth(1).ok_or("name a project")?;
    let project = Path::new(&project);
    let harness = Harness::open(project)?;
    harness.introduce();
    let mut model = ScriptedModel::read(&project.join("script.txt"))?;
    let parent = Parent::new("vendor/large", "main");
    let answer = harness.run("planner", "Write the docs.", &parent, &mut model);
    println!("answer: {answer}");
    Ok(())
}
