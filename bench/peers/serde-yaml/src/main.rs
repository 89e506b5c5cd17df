//! Loads the agents of a project with `serde_yaml` and prints the milliseconds and their number.

use std::fs;
use std::path::Path;
use std::time::Instant;

use serde::Deserialize;

/// What a harness would keep of an agent.
#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
#[expect(dead_code, reason = "a harness reads them; here they are only made")]
struct Header {
    name: String,
    description: String,
    tools: Option<String>,
    model: Option<String>,
    color: Option<String>,
    max_turns: Option<u32>,
}

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let project = std::env::args().nth(1).ok_or("no project is given")?;
    let started = Instant::now();
    let mut agents = Vec::new();
    for item in fs::read_dir(Path::new(&project).join(".claude/agents"))? {
        let text = fs::read_to_string(item?.path())?;
        let rest = text.strip_prefix("---\n").ok_or("no header")?;
        let (header, body) = rest.split_once("\n---\n").ok_or("no end of the header")?;
        agents.push((serde_yaml::from_str::<Header>(header)?, body.trim().to_owned()));
    }
    println!("{} {}", started.elapsed().as_secs_f64() * 1_000.0, agents.len());
    Ok(())
}
