//! What becomes of a definition when each harness starts the agent.

use agent_factory::{
    AgentConfig, Blueprint, EffectRule, FactoryError, FactoryErrorKind, McpSet, Model, ModelSet,
    Parent, PermissionPolicy, PromptInputs, Provenance, Reason, Role, SkillSet, Spawning, Start,
    ToolCatalog, ToolSet, Toolset,
};
use agent_schema::{Dialect, FieldName, File, Profile, dialects, parse};

/// A definition of a harness, and what surrounds it.
struct Case {
    dialect: &'static Dialect,
    profile: &'static Profile,
    file_name: &'static str,
    text: String,
    tools: Box<dyn ToolCatalog>,
    parent: Parent,
    models: ModelSet,
    variables: Vec<(&'static str, &'static str)>,
}

impl Case {
    fn new(dialect: &str, header: &str) -> Self {
        let dialect = dialects::find(dialect).expect("it is known");
        Case {
            dialect,
            profile: dialect.default_profile(),
            file_name: "helper.md",
            text: format!("---\nname: helper\ndescription: Helps.\n{header}\n---\nYou help.\n"),
            tools: Box::new(ToolSet::from_iter([
                "Agent",
                "Bash",
                "Edit",
                "ExitPlanMode",
                "Glob",
                "Grep",
                "Read",
                "Write",
                "AskUserQuestion",
                "mcp__docs__find",
                "mcp__docs__get",
                "mcp__jira__find",
            ])),
            parent: Parent::new("vendor/large", "main"),
            models: ModelSet::new(),
            variables: Vec::new(),
        }
    }

    fn profile(mut self, id: &str) -> Self {
        self.profile = self.dialect.profile(id).expect("it is known");
        self
    }

    fn tools<const N: usize>(mut self, names: [&str; N]) -> Self {
        self.tools = Box::new(ToolSet::from_iter(names));
        self
    }

    fn mode_of_parent(mut self, mode: &str) -> Self {
        self.parent = self.parent.mode(mode);
        self
    }

    fn variable(mut self, name: &'static str, value: &'static str) -> Self {
        self.variables.push((name, value));
        self
    }

    fn started(&self, role: Role) -> Result<AgentConfig, FactoryError> {
        self.start_in(&|mut start| {
            start.role = role;
            start
        })
    }

    /// Starts it with what a change adds to the start.
    fn started_with<'s>(&'s self, change: &dyn Fn(Start<'s>) -> Start<'s>) -> AgentConfig {
        self.start_in(change).expect("an agent can be made")
    }

    fn start_in<'s>(
        &'s self,
        change: &dyn Fn(Start<'s>) -> Start<'s>,
    ) -> Result<AgentConfig, FactoryError> {
        let file = File {
            name: self.file_name,
            bytes: self.text.as_bytes(),
        };
        let parsed = parse(file, self.dialect, self.profile);
        let definition = parsed.outcome.definition().expect("it loads");
        let blueprint = Blueprint::new(definition, &SkillSet::new(), self.dialect, self.profile)?;
        let variables = |name: &str| {
            let known = self.variables.iter().find(|(known, _)| *known == name);
            known.map(|(_, value)| (*value).to_owned())
        };
        let start = Start::new(&self.parent, self.tools.as_ref(), &self.models);
        blueprint.start(&change(start).variables(&variables))
    }

    fn agent(&self) -> AgentConfig {
        self.started(Role::Subagent).expect("an agent can be made")
    }

    fn main_agent(&self) -> AgentConfig {
        self.started(Role::Main).expect("an agent can be made")
    }

    /// Starts it and returns the tools, and what was asked for in vain.
    fn granted(&self) -> (Vec<String>, Vec<(String, Reason)>) {
        let agent = self.agent();
        let tools = agent.tools.value.among(self.tools.as_ref());
        let tools = tools.into_iter().map(str::to_owned).collect();
        let left_out = agent.left_out.into_iter();
        (tools, left_out.map(|left| (left.what, left.why)).collect())
    }
}

fn texts(names: &[&str]) -> Vec<String> {
    names.iter().map(|name| (*name).to_owned()).collect()
}

fn reasons(left: &[(&str, Reason)]) -> Vec<(String, Reason)> {
    left.iter()
        .map(|(what, why)| ((*what).to_owned(), *why))
        .collect()
}

#[test]
fn nothing_none_and_all_are_three_things() {
    let nothing = Case::new("claude-code", "color: blue").agent();
    assert!(matches!(&nothing.tools.value, Toolset::Everything { .. }));
    assert_eq!(nothing.tools.from, Provenance::Default);
    let none = Case::new("claude-code", "tools: []").agent();
    assert_eq!(none.tools.value, Toolset::Listed(Vec::new()));
    assert!(matches!(none.tools.from, Provenance::Definition { .. }));
    let all = Case::new("claude-code", "tools: '*'").agent();
    assert!(matches!(&all.tools.value, Toolset::Everything { .. }));
    assert!(matches!(all.tools.from, Provenance::Definition { .. }));
}

#[test]
fn a_list_is_resolved_entry_by_entry() {
    let case = Case::new(
        "claude-code",
        "tools: Read, Bash(git *), Grep, LS, Task, AskUserQuestion, Nope, mcp__docs, mcp__x__y",
    );
    let (tools, left_out) = case.granted();
    assert_eq!(
        tools,
        texts(&["Read", "Bash", "Agent", "mcp__docs__find", "mcp__docs__get"])
    );
    assert_eq!(
        left_out,
        reasons(&[
            ("LS", Reason::Retired),
            ("AskUserQuestion", Reason::NotForSubagents),
            ("Nope", Reason::Unknown),
            ("mcp__x__y", Reason::NoSuchServer),
            ("Grep", Reason::BesideAnother),
        ])
    );
}

#[test]
fn each_tool_knows_its_entry() {
    let case = Case::new("claude-code", "tools: Read, mcp__docs");
    let agent = case.agent();
    let spans = agent.tools.value.listed().iter().map(|tool| {
        let place = tool.from.place().expect("it is written");
        &case.text[place.value.start as usize..place.value.end as usize]
    });
    assert_eq!(
        spans.collect::<Vec<_>>(),
        ["Read", "mcp__docs", "mcp__docs"]
    );
}

#[test]
fn what_is_denied_is_gone() {
    let listed = Case::new(
        "claude-code",
        "tools: Read, Bash, mcp__docs\ndisallowedTools: Bash(git push *), mcp__docs__get",
    );
    let (tools, left_out) = listed.granted();
    assert_eq!(tools, texts(&["Read", "mcp__docs__find"]));
    assert_eq!(
        left_out,
        reasons(&[("Bash", Reason::Denied), ("mcp__docs__get", Reason::Denied)])
    );
    let all = Case::new("claude-code", "disallowedTools: mcp__docs, Write");
    let (tools, _) = all.granted();
    assert_eq!(
        tools,
        texts(&[
            "Agent",
            "Bash",
            "Edit",
            "Glob",
            "Grep",
            "Read",
            "mcp__jira__find"
        ])
    );
}

#[test]
fn a_star_for_all_servers_only_denies() {
    let denied = Case::new(
        "claude-code",
        "tools: Read, mcp__docs\ndisallowedTools: mcp__*",
    );
    assert_eq!(denied.granted().0, texts(&["Read"]));
    let allowed = Case::new("claude-code", "tools: Read, mcp__*");
    let (tools, left_out) = allowed.granted();
    assert_eq!(tools, texts(&["Read"]));
    assert_eq!(left_out, reasons(&[("mcp__*", Reason::Unknown)]));
}

#[test]
fn a_list_of_which_nothing_is_left_starts_no_subagent() {
    let case = Case::new("claude-code", "tools: LS, Nope");
    let error = case.started(Role::Subagent).expect_err("nothing is left");
    assert_eq!(error.kind(), FactoryErrorKind::NoToolLeft);
    assert!(
        error.to_string().contains("`Nope` (nothing has this name)"),
        "{error}"
    );
    assert_eq!(case.main_agent().tools.value, Toolset::Listed(Vec::new()));
    // Before 2.1.208 it started without tools.
    let old = Case::new("claude-code", "tools: LS, Nope").profile("2.1.197");
    assert_eq!(old.agent().tools.value, Toolset::Listed(Vec::new()));
    // An empty list, and one that is denied, are meant so.
    let empty = Case::new("claude-code", "tools: []");
    assert_eq!(empty.granted().0, texts(&[]));
    let denied = Case::new("claude-code", "tools: Read\ndisallowedTools: Read");
    assert_eq!(denied.granted().0, texts(&[]));
}

#[test]
fn a_mode_gives_a_tool_back() {
    let case = Case::new(
        "claude-code",
        "tools: Read, ExitPlanMode\npermissionMode: plan",
    );
    assert_eq!(case.granted().0, texts(&["Read", "ExitPlanMode"]));
}

#[test]
fn memory_adds_its_tools() {
    let case = Case::new(
        "claude-code",
        "tools: Bash\nmemory: user\ndisallowedTools: Edit",
    );
    assert_eq!(case.granted().0, texts(&["Bash", "Write", "Read"]));
}

#[test]
fn the_model_comes_from_the_strongest_source() {
    let model = |case: &Case| case.agent().model;
    let case = || Case::new("claude-code", "model: sonnet");
    assert_eq!(model(&case()).value, Model::Named("sonnet".to_owned()));
    let variable = case().variable("CLAUDE_CODE_SUBAGENT_MODEL", "haiku");
    let chosen = model(&variable);
    assert_eq!(chosen.value, Model::Named("haiku".to_owned()));
    assert_eq!(chosen.from.as_str(), "variable");
    assert_eq!(
        variable.granted().1,
        reasons(&[("sonnet", Reason::Overruled)])
    );
    // `inherit` in the variable counted once and does no longer.
    let inherit = || case().variable("CLAUDE_CODE_SUBAGENT_MODEL", "inherit");
    assert_eq!(model(&inherit()).value, Model::Named("sonnet".to_owned()));
    assert_eq!(model(&inherit().profile("2.1.168")).value, Model::Parent);
    let meaning = case().variable("ANTHROPIC_DEFAULT_SONNET_MODEL", "vendor/s-9");
    assert_eq!(model(&meaning).value, Model::Named("vendor/s-9".to_owned()));
    let parents = Case::new("claude-code", "model: Inherit");
    assert_eq!(model(&parents).value, Model::Parent);
}

#[test]
fn the_parents_mode_may_count_instead() {
    let policy = |case: Case| case.agent().permission.value;
    let case = || Case::new("claude-code", "permissionMode: plan");
    assert_eq!(policy(case()), PermissionPolicy::Mode("plan".to_owned()));
    let parents = case().mode_of_parent("acceptEdits");
    assert_eq!(parents.agent().left_out[0].why, Reason::ParentWins);
    assert_eq!(policy(parents), PermissionPolicy::Inherit);
    let manual = Case::new("claude-code", "permissionMode: manual");
    assert_eq!(policy(manual), PermissionPolicy::Mode("default".to_owned()));
}

#[test]
fn the_list_in_parentheses_counts_for_a_main_agent() {
    let case = Case::new("claude-code", "tools: Agent(scan, docs:write), Read");
    assert_eq!(case.agent().spawning.value, Spawning::Anyone);
    let Spawning::Only(agents) = case.main_agent().spawning.value else {
        panic!("the list counts");
    };
    let agents: Vec<&str> = agents.iter().map(|agent| agent.value.as_str()).collect();
    assert_eq!(agents, ["scan", "docs:write"]);
    let without = Case::new("claude-code", "tools: Read");
    assert_eq!(without.agent().spawning.value, Spawning::Forbidden);
}

#[test]
fn rules_decide_and_the_last_one_counts() {
    let case = Case::new(
        "opencode",
        "permission:\n  \"*\": deny\n  read: allow\n  bash:\n    \"*\": deny\n    git *: allow\n  edit: deny",
    )
    .tools(["read", "bash", "edit", "write", "webfetch", "task"]);
    assert_eq!(case.granted().0, texts(&["read", "bash"]));
    let agent = case.agent();
    assert_eq!(agent.spawning.value, Spawning::Forbidden);
    let place = agent.tools.value.listed()[0]
        .from
        .place()
        .expect("it is written");
    let text = &case.text[place.value.start as usize..place.value.end as usize];
    assert_eq!(text, "allow");
    let PermissionPolicy::Rules(rules) = agent.permission.value else {
        panic!("there are rules");
    };
    // Behind them stand those of every subagent.
    let own = &rules[..rules.len() - agent.given.len()];
    assert_eq!(own.last().expect("there is one").value.action, "edit");
    let old = Case::new("opencode", "tools:\n  write: false\n  task: true")
        .tools(["read", "edit", "task", "question"]);
    assert_eq!(old.granted().0, texts(&["read", "task"]));
}

fn rule(action: &str, pattern: &str, effect: &str) -> EffectRule {
    EffectRule {
        action: action.to_owned(),
        pattern: pattern.to_owned(),
        effect: effect.to_owned(),
    }
}

/// What is left out, with the reason and the kind of its source.
fn in_vain(agent: &AgentConfig) -> Vec<(String, Reason, &'static str)> {
    let left_out = agent.left_out.iter();
    let told = left_out.map(|it| (it.what.clone(), it.why, it.from.as_str()));
    told.collect()
}

#[test]
fn a_subagent_cannot_do_what_its_caller_was_denied() {
    let tools = ["read", "edit", "write", "bash", "task", "todowrite"];
    let case = Case::new("opencode", "permission:\n  todowrite: allow").tools(tools);
    let alone = case.agent();
    assert_eq!(
        alone.tool_names(),
        ["read", "edit", "write", "bash", "todowrite"]
    );
    let only_if_named = ("task".to_owned(), Reason::OnlyIfNamed, "default");
    assert_eq!(in_vain(&alone), std::slice::from_ref(&only_if_named));
    assert_eq!(alone.spawning.value, Spawning::Forbidden);
    let as_main = case.started(Role::Main).expect("it starts");
    assert_eq!(as_main.tool_names(), tools);

    // The caller plans: its own definition denies edits, and its session denies the shell.
    let mut planned = Case::new("opencode", "permission:\n  todowrite: allow").tools(tools);
    planned.parent = Parent::new("vendor/large", "main")
        .rules([rule("edit", "*", "deny"), rule("bash", "*", "deny")])
        .given([rule("bash", "rm *", "deny"), rule("read", "*", "allow")]);
    let agent = planned.agent();
    assert_eq!(agent.tool_names(), ["read", "bash", "todowrite"]);
    let denied = |tool: &str| (tool.to_owned(), Reason::DeniedByParent, "parent");
    assert_eq!(
        in_vain(&agent),
        [denied("edit"), denied("write"), only_if_named]
    );
    let given: Vec<_> = agent
        .given
        .iter()
        .map(|it| (&it.value, it.from.as_str()))
        .collect();
    let expected = [
        (&rule("edit", "*", "deny"), "parent"),
        (&rule("bash", "rm *", "deny"), "parent"),
        (&rule("task", "*", "deny"), "default"),
    ];
    assert_eq!(given, expected);
    let PermissionPolicy::Rules(rules) = &agent.permission.value else {
        panic!("there are rules");
    };
    assert_eq!(rules[rules.len() - 3..], agent.given);

    // What it was given it hands on, and its own definition's rules are no part of that.
    let mut below = Case::new("opencode", "permission:\n  task: allow").tools(tools);
    below.parent = Parent::unknown().depth(1).running(&agent);
    let below = below.agent();
    assert_eq!(below.tool_names(), ["read", "bash"]);
    assert!(in_vain(&below).contains(&denied("task")));
}

/// Both deny the same pattern, so that the caller's denial would take away what is allowed behind.
#[test]
fn a_denial_that_both_have_leaves_what_the_subagent_allows() {
    let header = "permission:\n  edit:\n    \"*\": deny\n    notes/*: allow";
    let mut case = Case::new("opencode", header).tools(["edit"]);
    case.parent = Parent::unknown().rules([rule("edit", "*", "deny")]);
    assert_eq!(case.agent().tool_names(), ["edit"]);
}

#[test]
fn a_child_gets_no_tool_that_its_parent_lacks_or_is_denied() {
    let tools = ["calculator", "weather", "read_file", "execute"];
    let parent = || {
        Parent::unknown()
            .tools(["calculator", "agent_spawn"])
            .rules([
                rule("execute", "*", "deny"),
                rule("read_file", "*.env", "deny"),
            ])
    };
    let mut case = Case::new("agentscope", "tools: [calculator, weather]").tools(tools);
    case.parent = parent();
    let agent = case.agent();
    assert_eq!(agent.tool_names(), ["calculator", "read_file"]);
    let expected = [
        ("weather".to_owned(), Reason::NotOfParent, "definition"),
        ("execute".to_owned(), Reason::DeniedByParent, "parent"),
    ];
    assert_eq!(in_vain(&agent), expected);
    assert_eq!(agent.permission.value.as_str(), "rules");
    assert_eq!(agent.permission.from, Provenance::Parent);

    let mut unset = Case::new("agentscope", "hidden: false").tools(tools);
    unset.parent = parent();
    let Toolset::Everything { without } = unset.agent().tools.value else {
        panic!("it has all");
    };
    let without: Vec<_> = without
        .iter()
        .map(|it| (it.value.as_str(), it.from.as_str()))
        .collect();
    assert_eq!(without, [("execute", "parent"), ("weather", "parent")]);

    // A harness that hands nothing on.
    let mut other = Case::new("claude-code", "tools: Read, Bash");
    other.parent = Parent::unknown()
        .rules([rule("Bash", "*", "deny")])
        .tools(["Read"]);
    assert_eq!(other.agent().tool_names(), ["Read", "Bash"]);
}

#[test]
fn patterns_say_which_agents_may_be_started() {
    let header = "permission:\n  task:\n    \"*\": deny\n    docs-*: allow";
    let agent = Case::new("opencode", header).tools(["task"]).agent();
    let spawning = &agent.spawning.value;
    assert!(matches!(spawning, Spawning::ByRules(_)));
    assert_eq!(spawning.may_start("docs-writer"), Some(true));
    assert_eq!(spawning.may_start("reviewer"), Some(false));
    assert_eq!(Spawning::LeftToHarness.may_start("reviewer"), None);
    let json = serde_json::to_value(spawning).expect("it can be written");
    assert_eq!(json["rules"][1]["value"]["pattern"], "docs-*");
    assert_eq!(json["rules"][1]["from"]["kind"], "definition");
}

#[test]
fn what_everybody_has_is_no_question_of_lists() {
    let case = Case::new("agentscope", "tools: [calculator]").tools([
        "calculator",
        "weather",
        "read_file",
        "execute",
        "agent_spawn",
    ]);
    assert_eq!(
        case.granted().0,
        texts(&["calculator", "read_file", "execute"])
    );
    assert_eq!(case.agent().spawning.value, Spawning::Forbidden);
}

#[test]
fn a_field_says_whether_others_may_be_started() {
    let case = Case::new("pi", "allowNestedSubagents: true").profile("pi-subagents-0.67.0");
    assert_eq!(case.agent().spawning.value, Spawning::Anyone);
    let deep = Case::new("pi", "allowNestedSubagents: true\nmaxSubagentDepth: 1");
    assert_eq!(
        deep.profile("pi-subagents-0.67.0").agent().spawning.value,
        Spawning::Forbidden
    );
}

#[test]
fn a_prompt_replaces_or_follows() {
    let base = PromptInputs {
        base: Some("You are a harness."),
        ..PromptInputs::default()
    };
    let prompt = |case: Case| case.agent().full_prompt(&base).text();
    assert_eq!(prompt(Case::new("claude-code", "color: red")), "You help.");
    assert_eq!(
        prompt(Case::new("openhands", "color: red")),
        "You are a harness.\n\nYou help."
    );
    let appending = Case::new("pi", "systemPromptMode: append").profile("pi-subagents-0.67.0");
    assert_eq!(prompt(appending), "You are a harness.\n\nYou help.");
    let cut = PromptInputs {
        most: 7,
        ..PromptInputs::default()
    };
    let cut = Case::new("claude-code", "color: red")
        .agent()
        .full_prompt(&cut);
    assert_eq!((cut.text().as_str(), cut.cut), ("You hel", 2));
}

#[test]
fn what_waits_for_trust_is_left_out_and_told() {
    let header = "mcpServers:\n  - docs\n  - jira: {command: serve}\nhooks:\n  Stop: []";
    let case = Case::new("claude-code", header);
    let file = File {
        name: "helper.md",
        bytes: case.text.as_bytes(),
    };
    let parsed = parse(file, case.dialect, case.profile);
    let definition = parsed.outcome.definition().expect("it loads");
    let blueprint = Blueprint::new(definition, &SkillSet::new(), case.dialect, case.profile);
    let blueprint = blueprint.expect("no skill is asked for");
    let models = ModelSet::new();
    let start = Start::new(&case.parent, case.tools.as_ref(), &models);
    let start = start.held_back(&[FieldName::HOOKS, FieldName::MCP_SERVERS]);
    let agent = blueprint.start(&start).expect("it starts without them");
    assert_eq!(
        agent.mcp_servers.value.names().collect::<Vec<_>>(),
        ["docs"]
    );
    assert!(agent.hooks.value.is_none());
    let left_out: Vec<&str> = agent
        .left_out
        .iter()
        .map(|left| left.what.as_str())
        .collect();
    assert_eq!(left_out, ["hooks", "jira"]);
    assert_eq!(start.role, Role::Subagent);
    let trusted = case.agent();
    assert_eq!(
        trusted.mcp_servers.value.names().collect::<Vec<_>>(),
        ["docs", "jira"]
    );
}

#[test]
fn servers_that_are_named_are_looked_up() {
    let header = "tools: Read, mcp__dcos__find, mcp__docs__find\nmcpServers: [docs, trakcer, {own: {command: run}}]";
    let case = Case::new("claude-code", header);
    let mut servers = McpSet::new();
    let settings = "{command: find, env: {TOKEN: hunter2, KEY: \"${KEY}\"}}";
    let mut tree = agent_discovery::MemoryTree::new();
    tree.write(
        "/servers.yaml",
        format!("docs: {settings}\ntracker: {settings}\n"),
    );
    servers.add("unused");
    let read = McpSet::from_file(&tree, std::path::Path::new("/servers.yaml"));
    let read = read.expect("it is a map");
    let agent = case.started_with(&|start| start.servers(&read));
    let told: Vec<_> = agent
        .remarks
        .iter()
        .map(|it| {
            let span = it.span.expect("it is written");
            let text = &case.text[span.start as usize..span.end as usize];
            (&*it.message, text, it.help.as_deref())
        })
        .collect();
    let expected = [
        (
            "no server is called `trakcer`",
            "trakcer",
            Some("write `tracker` if you mean that"),
        ),
        (
            "no server is called `dcos`",
            "mcp__dcos__find",
            Some("write `docs` if you mean that"),
        ),
    ];
    assert_eq!(told, expected);
    // What is configured elsewhere is there now, and its secrets do not show.
    let shown = serde_json::to_string(&agent.mcp_servers).expect("it can be written");
    assert!(
        shown.contains("find") && shown.contains("${KEY}"),
        "{shown}"
    );
    assert!(!shown.contains("hunter2"), "{shown}");
    let clear = agent
        .mcp_servers
        .value
        .in_the_clear()
        .expect("there are servers");
    let docs = clear
        .as_map()
        .and_then(|map| map.get("docs"))
        .expect("it is named");
    assert!(docs.value.as_map().is_some());

    // Nothing is told where nobody knows which servers there are.
    assert!(case.agent().remarks.is_empty());
    let none = McpSet::new();
    let alone = case.started_with(&|start| start.servers(&none));
    let help = alone.remarks[0].help.as_deref();
    assert_eq!(help, Some("there is `own`"));
}

#[test]
fn agents_that_may_be_started_are_looked_up() {
    let case = Case::new("claude-code", "tools: Agent(scout, build, writter)");
    let agents = ["scout", "writer"];
    let agent = case.started_with(&|start| start.as_main().agents(&agents));
    let told: Vec<_> = agent
        .remarks
        .iter()
        .map(|it| (&*it.message, it.help.as_deref()))
        .collect();
    let expected = [
        (
            "no agent is called `build`",
            Some("`build` is a word of OpenCode; there are `scout`, `writer`"),
        ),
        (
            "no agent is called `writter`",
            Some("write `writer` if you mean that"),
        ),
    ];
    assert_eq!(told, expected);
    let as_subagent = case.started_with(&|start| start.agents(&agents));
    assert!(as_subagent.remarks.is_empty());
}
