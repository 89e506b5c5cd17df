//! Loads the agents of a project with `vtcode-config` and prints the milliseconds and their number.

use std::time::Instant;

use vtcode_config::subagents::{SubagentDiscoveryInput, SubagentSource, discover_subagents};

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let project = std::env::args().nth(1).ok_or("no project is given")?;
    let mut input = SubagentDiscoveryInput::new(project.into());
    input.include_user_agents = false;
    let started = Instant::now();
    let found = discover_subagents(&input)?;
    let took = started.elapsed();
    let is_of_project = |source: &SubagentSource| matches!(source, SubagentSource::ProjectClaude);
    let agents = found.effective.iter();
    let agents = agents.filter(|agent| is_of_project(&agent.source));
    println!("{} {}", took.as_secs_f64() * 1_000.0, agents.count());
    Ok(())
}
