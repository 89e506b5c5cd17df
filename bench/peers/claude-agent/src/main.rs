//! Loads the agents of a project with `claude-agent` and prints the milliseconds and their number.

use std::path::Path;
use std::time::Instant;

use claude_agent::subagents::SubagentIndexLoader;

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let project = std::env::args().nth(1).ok_or("no project is given")?;
    let runtime = tokio::runtime::Builder::new_multi_thread().enable_all().build()?;
    let folder = Path::new(&project).join(".claude/agents");
    let started = Instant::now();
    let loader = SubagentIndexLoader::new();
    let agents = runtime.block_on(loader.scan_directory(&folder))?;
    println!("{} {}", started.elapsed().as_secs_f64() * 1_000.0, agents.len());
    Ok(())
}
