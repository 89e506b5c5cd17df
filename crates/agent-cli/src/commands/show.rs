//! `agentry show`: the agent that a name gives, ready to run, with the source of every field.

use agent_discovery::{DiskTree, discover_roster, prompt_file_of};
use agent_factory::{
    AgentConfig, EffectRule, FactoryError, McpSet, Model, PermissionPolicy, PromptInputs,
    Provenance, Role, Sourced, Spawning, Team, Toolset,
};
use agent_registry::{Contender, Found, Registry, UnknownAgent};
use agent_schema::{Diagnostic, FieldValue, LineColumn, Node, Span};
use serde_json::Value;

use crate::answer::{Answer, Finish};
use crate::failure::Failure;
use crate::finding::{FileView, Nowhere};
use crate::json::{Shown, ShownByDialect};
use crate::options::Show;
use crate::request::Request;
use crate::story::name_position;
use crate::survey::{Survey, Wanted};
use crate::text::paint::{self, painted};
use crate::text::printable::{beginning, printable};
use crate::text::table::{Cell, Column, Table};
use crate::text::{Page, report, words};

/// How many lines of the prompt are shown without `--prompt`.
const PROMPT_LINES: usize = 6;

/// How much of a value is shown.
const MOST_SHOWN: usize = 60;

/// What came of a name.
pub(crate) struct Assembly<'a> {
    pub(crate) survey: &'a Survey,
    pub(crate) found: Result<Found<'a>, UnknownAgent>,
    /// Only for an agent that was found.
    pub(crate) config: Option<Result<AgentConfig, FactoryError>>,
    pub(crate) diagnostics: Vec<Diagnostic>,
}

pub(crate) fn run(request: &Request, options: &Show) -> Result<Answer, Failure> {
    let surveys = Survey::all(request)?;
    if let Some(parent) = &options.parent {
        let is_there = |survey: &Survey| survey.registry.get(Some(parent)).is_ok();
        if !surveys.iter().any(is_there) {
            let parent = printable(parent);
            return Err(Failure::new(format!("no agent is called `{parent}`"))
                .help(format!("the whole story: agentry explain {parent}")));
        }
    }
    let servers = match &options.servers {
        Some(path) => Some(
            McpSet::from_file(&DiskTree, path)
                .map_err(|error| Failure::new(format!("cannot {error}")))?,
        ),
        None => None,
    };
    let assemblies: Vec<Assembly<'_>> = surveys
        .iter()
        .map(|survey| assemble(request, survey, options, servers.as_ref()))
        .collect();
    let works = |assembly: &Assembly<'_>| matches!(assembly.config, Some(Ok(_)));
    let finish = Finish::of(assemblies.iter().any(works));
    if request.wants_json() {
        let dialects: Result<Vec<_>, Failure> = assemblies.iter().map(Shown::new).collect();
        let answer = ShownByDialect {
            asked: &options.name,
            dialects: dialects?,
        };
        return Answer::json(answer, finish);
    }
    if options.as_prompt {
        return as_prompt(request, options, &assemblies, finish);
    }
    let mut page = Page::default();
    for assembly in &assemblies {
        page.gap();
        describe(request, options, assembly, &mut page);
    }
    Ok(Answer::text(page.into_text(), finish))
}

/// Prints the final prompt of the first agent that can be made, and nothing else.
fn as_prompt(
    request: &Request,
    options: &Show,
    assemblies: &[Assembly<'_>],
    finish: Finish,
) -> Result<Answer, Failure> {
    let mut made = assemblies
        .iter()
        .filter_map(|assembly| match &assembly.config {
            Some(Ok(config)) => Some((assembly, config)),
            _ => None,
        });
    let Some((assembly, config)) = made.next() else {
        let name = printable(&options.name);
        return Err(
            Failure::new(format!("no agent can be made of the name `{name}`"))
                .help(format!("the reason: agentry show {name}")),
        );
    };
    let others: Vec<&str> = made.map(|(it, _)| it.survey.reading.dialect.id).collect();
    if !others.is_empty() {
        let first = assembly.survey.reading.dialect.id;
        return Err(Failure::new(format!(
            "the name `{}` gives an agent in several harnesses",
            printable(&options.name)
        ))
        .help(format!(
            "choose one: --dialect {first}, {}",
            others.join(", ")
        )));
    }
    let registry = &assembly.survey.registry;
    let reading = assembly.survey.reading;
    let roster = discover_roster(
        &DiskTree,
        reading.dialect,
        reading.profile,
        &request.inputs(),
    );
    let exit_rules = roster.as_ref().and_then(|it| it.exit_rules.as_ref());
    // Only a harness that keeps one roster tells its agents about their team.
    let team = roster.as_ref().and_then(|_| Team::of(registry));
    let section = team.and_then(|team| team.section(&config.name.value, None));
    let inputs = PromptInputs {
        exit_rules: exit_rules.map(|rules| rules.text.as_str()),
        team: section.as_deref(),
        ..PromptInputs::default()
    };
    let mut page = Page::default();
    for line in config.full_prompt(&inputs).text().lines() {
        page.line(printable(line));
    }
    Ok(Answer::text(page.into_text(), finish))
}

fn assemble<'a>(
    request: &Request,
    survey: &'a Survey,
    options: &Show,
    servers: Option<&McpSet>,
) -> Assembly<'a> {
    let found = survey.registry.get(Some(&options.name));
    let wanted = Wanted {
        tools: options.tools.as_deref(),
        servers,
        role: match options.as_main {
            true => Role::Main,
            false => Role::Subagent,
        },
        model: options.model.as_deref(),
        parent_mode: options.parent_mode.as_deref(),
        parent: options.parent.as_deref(),
    };
    let config = found
        .as_ref()
        .ok()
        .map(|found| survey.assemble(request, found.contender, found.definition(), &wanted));
    let diagnostics = match &config {
        None => Vec::new(),
        Some(Ok(config)) => config.remarks.clone(),
        Some(Err(error)) => vec![error.diagnostic()],
    };
    Assembly {
        survey,
        found,
        config,
        diagnostics,
    }
}

fn describe(request: &Request, options: &Show, assembly: &Assembly<'_>, page: &mut Page) {
    let title = assembly.survey.reading.dialect.title;
    let found = match &assembly.found {
        Ok(found) => found,
        Err(unknown) => return describe_missing(title, unknown, page),
    };
    let contender = found.contender;
    if let Some(old) = found.deprecated {
        let new = printable(&contender.name);
        page.line(format!(
            "`{old}` is an old name of {title}; it stands for `{new}`"
        ));
    }
    if found.deprecated.is_none() && contender.name != options.name {
        page.line(words::also_called(&options.name, &contender.name));
    }
    let headline = words::headline(title, contender);
    page.prose(
        &format!("{headline}: {}", request.paths.show_contender(contender)),
        request.width(),
    );
    page.gap();
    match &assembly.config {
        Some(Ok(config)) => {
            let parts = Parts {
                request,
                registry: &assembly.survey.registry,
                contender,
                verified: options.tools.is_some(),
            };
            page.block(&parts.table(config).render(request.table_width()));
            parts.left_out(config, page);
            parts.nested(config, page);
            parts.prompt(config, options.prompt, page);
            if !config.harness_would_create.is_empty() {
                page.section(format!("{title} creates while it makes this agent:"));
                for path in &config.harness_would_create {
                    page.line(format!("  {}", request.paths.show(path)));
                }
            }
        }
        _ => page.line(format!(
            "{} agent can be made of it:",
            painted(paint::BAD, "no")
        )),
    }
    for finding in FileView::of(contender).findings(&assembly.diagnostics, &Nowhere) {
        page.gap();
        page.block(&report::render(&finding, &request.paths, request.width()));
    }
}

fn describe_missing(title: &str, unknown: &UnknownAgent, page: &mut Page) {
    let wanted = unknown.stands_for.unwrap_or(&unknown.asked);
    page.line(words::nobody(title, wanted));
    if let Some(similar) = &unknown.nearest {
        page.line(format!("a similar name: `{}`", printable(similar)));
    }
    let asked = printable(&unknown.asked);
    page.line(format!("the whole story: agentry explain {asked}"));
}

/// The parts of a configuration, each with where it comes from.
struct Parts<'a> {
    request: &'a Request,
    registry: &'a Registry,
    contender: &'a Contender,
    /// Whether the tools are known to exist.
    verified: bool,
}

impl Parts<'_> {
    fn table(&self, config: &AgentConfig) -> Table {
        let columns = [
            Column::new("FIELD").styled(paint::NAME),
            Column::new("VALUE").may_lose_end(2),
            Column::new("FROM").styled(paint::QUIET).may_lose_start(1),
        ];
        let mut table = Table::new(0, columns);
        let name = printable(&config.name.value);
        table.row([
            "name".into(),
            name.into(),
            self.name_from(&config.name.from),
        ]);
        let mut row = |field: &str, value: String, from: &Provenance| {
            table.row([field.into(), value.into(), self.from(from)]);
        };
        let description = beginning(&config.description.value, MOST_SHOWN);
        row("description", description, &config.description.from);
        row("model", self.model(&config.model), &config.model.from);
        let tools = if self.verified {
            "tools"
        } else {
            "tools, as written"
        };
        match &config.tools.value {
            Toolset::Everything { without } => {
                row("tools", "all that there are".to_owned(), &config.tools.from);
                for (index, tool) in without.iter().enumerate() {
                    let field = if index == 0 { "without" } else { "" };
                    row(field, printable(&tool.value), &tool.from);
                }
            }
            Toolset::Listed(listed) => {
                if listed.is_empty() {
                    row(tools, "none".to_owned(), &config.tools.from);
                }
                for (index, tool) in listed.iter().enumerate() {
                    let field = if index == 0 { tools } else { "" };
                    row(field, printable(&tool.value), &tool.from);
                }
            }
        }
        let skills = config.context.iter().flat_map(|context| &context.skills);
        for (index, skill) in skills.enumerate() {
            let field = if index == 0 { "skills" } else { "" };
            let file = self.request.paths.show(&skill.value.path);
            row(
                field,
                format!("{} ({file})", printable(&skill.value.name)),
                &skill.from,
            );
        }
        let permission = &config.permission;
        match &permission.value {
            PermissionPolicy::Rules(rules) => {
                for (index, rule) in rules.iter().enumerate() {
                    let field = if index == 0 { "permission" } else { "" };
                    let EffectRule {
                        action,
                        pattern,
                        effect,
                    } = &rule.value;
                    let text = match pattern.as_str() {
                        "*" => format!("{effect} {action}"),
                        pattern => format!("{effect} {action} {pattern}"),
                    };
                    row(field, printable(&text), &rule.from);
                }
            }
            policy => row("permission", printable(policy.as_str()), &permission.from),
        }
        match &config.spawning.value {
            Spawning::LeftToHarness => {}
            Spawning::Only(agents) => {
                let names: Vec<String> = agents.iter().map(|it| printable(&it.value)).collect();
                row("may start", or_none(&names), &config.spawning.from);
            }
            Spawning::Anyone => row("may start", "any agent".to_owned(), &config.spawning.from),
            Spawning::ByRules(rules) => {
                for (index, rule) in rules.iter().enumerate() {
                    let field = if index == 0 { "may start" } else { "" };
                    let EffectRule {
                        pattern, effect, ..
                    } = &rule.value;
                    let text = match pattern.as_str() {
                        "*" => format!("{effect} any other agent"),
                        pattern => format!("{effect} {pattern}"),
                    };
                    row(field, printable(&text), &rule.from);
                }
            }
            _ => row("may start", "no agent".to_owned(), &config.spawning.from),
        }
        for (field, number) in &config.sampling {
            row(field.as_str(), number.value.to_string(), &number.from);
        }
        for setting in &config.settings {
            let value = match (setting.value.value.keys(), &setting.value.value.0) {
                (Some(keys), _) => {
                    let keys: Vec<String> = keys.into_iter().map(printable).collect();
                    format!("set: {}", or_none(&keys))
                }
                (None, value) => scalar(value),
            };
            row(setting.field.as_str(), value, &setting.value.from);
        }
        let limits = &config.limits;
        let turns = limits.max_turns.value.as_ref().map(ToString::to_string);
        row("max turns", or_harness(turns), &limits.max_turns.from);
        let budget = limits
            .max_budget_usd
            .value
            .map(|budget| format!("{budget} USD"));
        row(
            "max budget",
            or_harness(budget),
            &limits.max_budget_usd.from,
        );
        let condenser = &config.condenser;
        let has_condenser = !condenser.value.settings.is_null();
        if has_condenser || condenser.from != Provenance::Default {
            row(
                "condenser",
                kind(&condenser.value.settings),
                &condenser.from,
            );
        }
        let servers: Vec<String> = config.mcp_servers.value.names().map(printable).collect();
        row("MCP servers", or_none(&servers), &config.mcp_servers.from);
        let events: Vec<String> = config.hooks.value.iter().flat_map(keys).collect();
        row("hooks", or_none(&events), &config.hooks.from);
        table
    }

    /// What the definition asks for in vain.
    fn left_out(&self, config: &AgentConfig, page: &mut Page) {
        if config.left_out.is_empty() {
            return;
        }
        page.section("Left out:");
        let columns = [
            Column::new("FIELD").styled(paint::NAME),
            Column::new("WHAT").may_lose_end(1),
            Column::new("WHY").may_fold(),
            Column::new("FROM").styled(paint::QUIET).may_lose_start(2),
        ];
        let mut table = Table::new(0, columns);
        for left in &config.left_out {
            table.row([
                left.field.as_str().into(),
                printable(&left.what).into(),
                left.why.in_words().into(),
                self.from(&left.from),
            ]);
        }
        page.block(&table.render(self.request.table_width()));
    }

    fn model(&self, model: &Sourced<Model>) -> String {
        match &model.value {
            Model::Parent => "the parent's".to_owned(),
            Model::Named(name) => printable(name),
            Model::Profile(profile) => {
                let model = printable(&profile.model.model);
                match &profile.path {
                    Some(path) => format!("{model} ({})", self.request.paths.show(path)),
                    None => model,
                }
            }
        }
    }

    /// Shows where the name comes from: what no field says is taken from the file, or is the key
    /// of the agent inside of it.
    fn name_from(&self, from: &Provenance) -> Cell {
        let source = &self.contender.source;
        match (from, &source.path, &source.inside) {
            (Provenance::Default, Some(_), Some(_)) => {
                let position = name_position(self.registry, self.contender);
                self.place(self.contender, position).into()
            }
            (Provenance::Default, Some(_), None) => "the name of the file".into(),
            _ => self.from(from),
        }
    }

    /// Shows a place in the file of a contender.
    fn at(&self, contender: &Contender, span: Span) -> String {
        self.place(contender, FileView::of(contender).position(span))
    }

    fn place(&self, contender: &Contender, position: Option<LineColumn>) -> String {
        let position = position.map(|at| format!(":{at}")).unwrap_or_default();
        format!("{}{position}", self.request.paths.show_contender(contender))
    }

    /// Shows where a part comes from.
    fn from(&self, from: &Provenance) -> Cell {
        match from {
            Provenance::Definition { field, place } => {
                let giver = self.registry.giver(self.contender, *field);
                self.at(giver, place.value).into()
            }
            Provenance::Elsewhere { span, .. } => {
                match self.registry.other_writer(self.contender, *span) {
                    Some(writer) => self.at(writer, *span).into(),
                    None => "settings for all agents".into(),
                }
            }
            Provenance::Default => "default".into(),
            Provenance::Parent => "the parent".into(),
            Provenance::Call => "the call".into(),
            Provenance::Variable { name } => format!("${name}").into(),
            Provenance::PromptFile { path } => self.request.paths.show(path).into(),
            Provenance::ModelProfile { name, path } => match path {
                Some(path) => self.request.paths.show(path).into(),
                None => format!("model profile `{}`", printable(name)).into(),
            },
            _ => from.as_str().into(),
        }
    }

    /// Shows the parts that are too large for a line.
    fn nested(&self, config: &AgentConfig, page: &mut Page) {
        // Of a server that is only named nothing is known but its name.
        if config.mcp_servers.value.written_out().next().is_some() {
            page.section("MCP servers, secrets masked:");
            page.block(&indented(&config.mcp_servers.value.masked()));
        }
        if let Some(hooks) = &config.hooks.value {
            page.section("Hooks:");
            page.block(&indented(hooks));
        }
        if matches!(config.condenser.from, Provenance::Definition { .. }) {
            page.section("Condenser:");
            page.block(&indented(&config.condenser.value.settings));
        }
    }

    /// Shows the prompt, with the file that holds it alone.
    fn prompt(&self, config: &AgentConfig, whole: bool, page: &mut Page) {
        let definition = self.contender.definition.as_deref();
        let file = definition.and_then(|it| prompt_file_of(self.registry.profile(), it));
        let file = file.map(|path| self.request.paths.show(&path));
        let Some(prompt) = config.prompt_suffix() else {
            page.section(match file {
                Some(file) => {
                    format!("The prompt is the text of {file}, and none was read from there.")
                }
                None => "No prompt.".to_owned(),
            });
            return;
        };
        page.section(match file {
            Some(file) => format!("Prompt, from {file}:"),
            None => "Prompt:".to_owned(),
        });
        let lines: Vec<&str> = prompt.lines().collect();
        let shown = if whole {
            lines.len()
        } else {
            PROMPT_LINES.min(lines.len())
        };
        for line in &lines[..shown] {
            page.line(format!("  {}", printable(line)).trim_end());
        }
        if shown < lines.len() {
            let more = format!("  … {} more lines: --prompt", lines.len() - shown);
            page.line(painted(paint::QUIET, more));
        }
    }
}

/// A value that is no map, for people.
fn scalar(value: &FieldValue) -> String {
    match serde_json::to_value(value) {
        Ok(Value::String(text)) => beginning(&text, MOST_SHOWN),
        Ok(Value::Array(items)) => {
            let items = items.iter().filter_map(Value::as_str).map(printable);
            or_none(&items.collect::<Vec<_>>())
        }
        Ok(other) => printable(&other.to_string()),
        Err(_) => String::new(),
    }
}

fn or_harness(value: Option<String>) -> String {
    value.unwrap_or_else(|| "left to the harness".to_owned())
}

fn or_none(names: &[String]) -> String {
    match names {
        [] => "none".to_owned(),
        names => names.join(", "),
    }
}

/// The kind of a nested setting.
fn kind(settings: &Node) -> String {
    let kind = settings.as_map().and_then(|map| map.get("kind"));
    let kind = kind.and_then(|kind| kind.value.as_text());
    kind.map_or_else(|| "none".to_owned(), printable)
}

/// The keys of a nested setting under which something is set.
fn keys(settings: &Node) -> Vec<String> {
    let entries = settings.as_map().into_iter().flat_map(|map| &map.entries);
    entries
        .filter(|entry| !entry.value.as_list().is_some_and(<[Node]>::is_empty))
        .filter_map(|entry| entry.key.as_text())
        .map(printable)
        .collect()
}

/// A nested setting as JSON, without members that set nothing.
fn indented(node: &Node) -> String {
    let json = serde_json::to_value(node).map(without_empty);
    let json = json.and_then(|json| serde_json::to_string_pretty(&json));
    let json = json.unwrap_or_default();
    let lines = json.lines().map(|line| format!("  {}\n", printable(line)));
    lines.collect()
}

fn without_empty(value: Value) -> Value {
    let is_set =
        |value: &Value| !value.is_null() && value.as_array().is_none_or(|it| !it.is_empty());
    match value {
        Value::Object(members) => members
            .into_iter()
            .filter(|(_, member)| is_set(member))
            .map(|(key, member)| (key, without_empty(member)))
            .collect(),
        Value::Array(items) => items.into_iter().map(without_empty).collect(),
        other => other,
    }
}
