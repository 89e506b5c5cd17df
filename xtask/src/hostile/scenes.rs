//! What is hostile.

use std::fmt::Write as _;
use std::fs;
use std::io;
use std::path::{Path, PathBuf};

/// A hostile project.
pub(super) struct Scene {
    /// What it is; `{n}` stands for its size.
    pub(super) name: &'static str,
    /// What is asked.
    pub(super) command: &'static [&'static str],
    /// The findings that count are those in whose line this stands.
    pub(super) about: &'static str,
    pub(super) size: Size,
    pub(super) most: Most,
    /// Makes it in a folder, in a size.
    pub(super) make: fn(&Path, usize) -> io::Result<()>,
    /// The folder below it in which the question is asked, for a size.
    pub(super) asked_in: fn(usize) -> PathBuf,
}

/// How large a hostile project is made.
#[derive(Clone, Copy)]
pub(super) enum Size {
    /// There is one size only.
    Fixed,
    /// It has so many pieces.
    Pieces {
        /// In full.
        full: usize,
        /// For the gate, which also makes it four times as large, to see how its cost grows.
        quick: usize,
    },
    /// The same, but small ones grow faster than large ones: trials of fixes have a limit of their own,
    /// which ends that.
    PiecesAtOnce {
        /// In full.
        full: usize,
        /// For the gate, in this size alone.
        quick: usize,
    },
}

/// The most that a project of full size may cost; a smaller one may cost as much less. Generous: about
/// five times what it does cost.
#[derive(Clone, Copy)]
pub(super) struct Most {
    /// How many thousands of plain agents may be checked in the same time, by the same program on the same
    /// machine.
    pub(super) thousands: f64,
    /// In MiB.
    pub(super) memory: u64,
}

impl Scene {
    /// Returns its name in a size.
    pub(super) fn title(&self, size: usize) -> String {
        self.name.replace("{n}", &with_commas(size))
    }

    /// Returns what part of its full size a size is.
    pub(super) fn share(&self, size: usize) -> f64 {
        match self.size {
            Size::Fixed => 1.0,
            Size::Pieces { full, .. } | Size::PiecesAtOnce { full, .. } => {
                size as f64 / full as f64
            }
        }
    }
}

fn with_commas(number: usize) -> String {
    let digits = number.to_string();
    let mut text = String::new();
    for (index, digit) in digits.chars().enumerate() {
        if index > 0 && (digits.len() - index).is_multiple_of(3) {
            text.push(',');
        }
        text.push(digit);
    }
    text
}

const CHECK: &[&str] = &["check", "--all", "--format", "concise"];
const EXPLAIN_SKILL: &[&str] = &["explain", "--skill", "x", "--dialect", "opencode"];
const PI_SUBAGENTS: &str = "pi-subagents-0.67.0";
const AGENT: &str = ".claude/agents/x.md";

const fn pieces(full: usize, quick: usize) -> Size {
    Size::Pieces { full, quick }
}

const fn most(thousands: f64, memory: u64) -> Most {
    Most { thousands, memory }
}

type Make = fn(&Path, usize) -> io::Result<()>;

const fn agent(name: &'static str, size: Size, most: Most, make: Make) -> Scene {
    Scene {
        about: AGENT,
        ..tree(name, size, most, make)
    }
}

const fn settings(name: &'static str, size: Size, most: Most, make: Make) -> Scene {
    Scene {
        about: "opencode.json",
        ..tree(name, size, most, make)
    }
}

const fn tree(name: &'static str, size: Size, most: Most, make: Make) -> Scene {
    Scene {
        name,
        command: CHECK,
        about: "",
        size,
        most,
        make,
        asked_in: |_| PathBuf::new(),
    }
}

/// What the cost of all others is compared with.
pub(super) static PLAIN_AGENTS: Scene =
    tree("{n} plain agents", Size::Fixed, most(0.0, 0), |at, n| {
        many(at, ".claude/agents", n, |i| {
            format!("---\nname: a{i}\ndescription: Helps.\n---\nHelp.\n")
        })
    });

pub(super) static SCENES: &[Scene] = &[
    agent(
        "a plain agent, to compare with",
        Size::Fixed,
        most(5.0, 32),
        |at, _| header(at, "name: x\ndescription: Helps.\n"),
    ),
    agent(
        "aliases that stand for a billion values",
        Size::Fixed,
        most(5.0, 32),
        |at, _| {
            let mut text = "a0: &a0 [x, x, x, x, x, x, x, x, x, x]\n".to_owned();
            for i in 1..10 {
                let aliases = vec![format!("*a{}", i - 1); 10].join(", ");
                let _ = writeln!(text, "a{i}: &a{i} [{aliases}]");
            }
            header(
                at,
                &format!("{text}name: x\ndescription: *a9\ntools: *a9\nhooks: *a9\n"),
            )
        },
    ),
    agent(
        "merge keys that stand for a billion entries",
        Size::Fixed,
        most(5.0, 64),
        |at, _| {
            let mut text = "m0: &m0 {k0: 1, k1: 2}\n".to_owned();
            for i in 1..30 {
                let _ = writeln!(
                    text,
                    "m{i}: &m{i} {{<<: [*m{p}, *m{p}], n{i}: 1}}",
                    p = i - 1
                );
            }
            header(at, &format!("{text}name: x\ndescription: y\n"))
        },
    ),
    agent(
        "{n} aliases of one value",
        pieces(100_000, 400),
        most(1200.0, 320),
        |at, n| {
            let aliases = "*a, ".repeat(n);
            header(
                at,
                &format!("a: &a [1, 2, 3]\nname: x\ntools: [{aliases}]\n"),
            )
        },
    ),
    agent(
        "{n} lists in each other, `[[[…`",
        pieces(10_000, 25_000),
        most(5.0, 64),
        |at, n| header(at, &format!("name: {}{}\n", "[".repeat(n), "]".repeat(n))),
    ),
    agent(
        "{n} open lists, `[[[…`",
        pieces(100_000, 25_000),
        most(5.0, 64),
        |at, n| header(at, &format!("name: {}\n", "[".repeat(n))),
    ),
    agent(
        "{n} lists in each other, `- - -…`",
        pieces(10_000, 25_000),
        most(5.0, 64),
        |at, n| header(at, &format!("name:\n  {}x\n", "- ".repeat(n))),
    ),
    agent(
        "maps in each other, by indentation, in {n} KiB",
        pieces(12_000, 32),
        most(40.0, 128),
        |at, n| {
            let mut text = String::new();
            let mut indentation = String::new();
            while text.len() < n << 10 {
                let _ = writeln!(text, "{indentation}a:");
                indentation.push(' ');
            }
            header(at, &text)
        },
    ),
    settings(
        "{n} lists in each other in JSON",
        pieces(10_000, 100_000),
        most(5.0, 32),
        |at, n| {
            let text = format!("{{\"agent\": {}{}}}", "[".repeat(n), "]".repeat(n));
            write(at, "opencode.json", text)
        },
    ),
    settings(
        "{n} open maps in JSON",
        pieces(1_000_000, 250_000),
        most(10.0, 96),
        |at, n| write(at, "opencode.json", "{\"a\":".repeat(n)),
    ),
    agent(
        "a file of 1 GB, without content",
        Size::Fixed,
        most(5.0, 32),
        |at, _| {
            header(at, "name: x\n")?;
            let file = fs::OpenOptions::new().write(true).open(at.join(AGENT))?;
            file.set_len(1 << 30)
        },
    ),
    agent(
        "one line of {n} MiB in the prompt",
        pieces(60, 4),
        most(150.0, 400),
        |at, n| {
            write(
                at,
                AGENT,
                format!("---\nname: x\ndescription: y\n---\n{}", "x".repeat(n << 20)),
            )
        },
    ),
    agent(
        "one value of {n} MiB",
        pieces(60, 1),
        most(200.0, 512),
        |at, n| {
            header(
                at,
                &format!("name: x\ndescription: {}\n", "x ".repeat(n << 19)),
            )
        },
    ),
    agent(
        "a header of {n} MiB that never ends",
        pieces(60, 4),
        most(20.0, 320),
        |at, n| write(at, AGENT, format!("---\n{}", "name: x\n".repeat(n << 17))),
    ),
    agent("{n} MiB of NUL", pieces(60, 8), most(30.0, 288), |at, n| {
        write(at, AGENT, vec![0; n << 20])
    }),
    agent(
        "{n} MiB that are not UTF-8",
        pieces(60, 1),
        most(1000.0, 3000),
        |at, n| write(at, AGENT, vec![0xff; n << 20]),
    ),
    agent(
        "{n} MiB of line ends",
        pieces(60, 1),
        most(150.0, 720),
        |at, n| write(at, AGENT, "\r\n".repeat(n << 19)),
    ),
    agent(
        "{n} MiB of fences",
        pieces(60, 8),
        most(30.0, 480),
        |at, n| write(at, AGENT, "---\n".repeat(n << 18)),
    ),
    agent(
        "a description of {n} words",
        pieces(200_000, 100_000),
        most(5.0, 32),
        |at, n| {
            header(
                at,
                &format!("name: x\ndescription: {}\n", "word ".repeat(n)),
            )
        },
    ),
    agent(
        "{n} keys",
        pieces(100_000, 60),
        most(120.0, 192),
        |at, n| {
            let keys: String = (0..n).map(|i| format!("key{i}: {i}\n")).collect();
            header(at, &format!("name: x\ndescription: y\n{keys}"))
        },
    ),
    agent(
        "{n} times the same key",
        pieces(100_000, 150),
        most(40.0, 192),
        |at, n| header(at, &format!("name: x\n{}", "description: y\n".repeat(n))),
    ),
    agent(
        "{n} tools",
        pieces(100_000, 100),
        most(50.0, 256),
        |at, n| {
            let items: String = (0..n).map(|i| format!("  - tool{i}\n")).collect();
            header(at, &format!("name: x\ndescription: y\ntools:\n{items}"))
        },
    ),
    agent(
        "{n} tools in one text",
        Size::PiecesAtOnce {
            full: 100_000,
            quick: 200,
        },
        most(50.0, 256),
        |at, n| {
            let items: String = (0..n).map(|i| format!("tool{i}(a, b), ")).collect();
            header(at, &format!("name: x\ndescription: y\ntools: {items}\n"))
        },
    ),
    agent(
        "{n} tools that are allowed and denied",
        pieces(100_000, 2_000),
        most(150.0, 256),
        |at, n| {
            let items: String = (0..n).map(|i| format!("  - mcp__s{i}__t\n")).collect();
            let lists = format!("tools:\n{items}disallowedTools:\n{items}");
            header(at, &format!("name: x\ndescription: y\n{lists}"))
        },
    ),
    agent(
        "{n} lines without a colon",
        pieces(100_000, 1_000),
        most(400.0, 96),
        |at, n| header(at, &format!("name: x\n{}", "lost\n".repeat(n))),
    ),
    agent(
        "{n} values that need quotes",
        Size::PiecesAtOnce {
            full: 20_000,
            quick: 160,
        },
        most(2200.0, 160),
        |at, n| {
            let keys: String = (0..n).map(|i| format!("key{i}: a: b\n")).collect();
            header(at, &format!("name: x\ndescription: y\n{keys}"))
        },
    ),
    agent(
        "{n} numbers of 4,000 digits",
        pieces(12_000, 270),
        most(1_000.0, 600),
        |at, n| {
            let number = "9".repeat(4_000);
            let keys: String = (0..n).map(|i| format!("key{i}: 0x{number}\n")).collect();
            header(at, &format!("name: x\ndescription: y\n{keys}"))
        },
    ),
    agent(
        "numbers of {n} digits",
        pieces(1_000_000, 2_000),
        most(10.0, 64),
        |at, n| {
            let number = "9".repeat(n);
            header(
                at,
                &format!(
                    "name: x\nmaxTurns: {number}\nsteps: 0x{number}\ntemperature: 1e{number}\n"
                ),
            )
        },
    ),
    agent(
        "controls, directions and escapes everywhere",
        Size::Fixed,
        most(5.0, 32),
        |at, _| {
            let odd = "\u{202e}\u{2066}\u{1b}[31m\u{9b}2J\u{2028}\u{200b}\u{0}";
            header(
                at,
                &format!("name: \"{odd}\"\n{odd}: {odd}\ndescription: {odd}\n"),
            )
        },
    ),
    settings(
        "lone surrogates in JSON",
        Size::Fixed,
        most(5.0, 32),
        |at, _| {
            write(
                at,
                "opencode.json",
                r#"{"agent": {"\ud800": {"description": "\udfff\ud800", "prompt": "\ud83e"}}}"#,
            )
        },
    ),
    settings(
        "{n} agents in one file of settings",
        pieces(100_000, 12_000),
        most(30.0, 160),
        |at, n| agents_in_settings(at, n, "\"mode\":3"),
    ),
    settings(
        "{n} agents in one line, each with a mistake",
        pieces(10_000, 150),
        most(80.0, 208),
        |at, n| agents_in_settings(at, n, "\"mode\":3"),
    ),
    Scene {
        command: &["check", "--all"],
        about: "",
        ..settings(
            "the same, told with the line",
            Size::PiecesAtOnce {
                full: 10_000,
                quick: 150,
            },
            most(110.0, 208),
            |at, n| agents_in_settings(at, n, "\"mode\":3"),
        )
    },
    settings(
        "{n} agents in one line, each with 100 mistakes",
        Size::PiecesAtOnce {
            full: 10_000,
            quick: 1,
        },
        most(750.0, 1500),
        |at, n| {
            let rules: Vec<String> = (0..100).map(|i| format!("\"{i}\":3")).collect();
            let says = format!("\"permission\":{{{}}}", rules.join(","));
            agents_in_settings(at, n, &says)
        },
    ),
    settings(
        "{n} tokens that are not read",
        pieces(1_000_000, 100_000),
        most(10.0, 128),
        |at, n| {
            write(
                at,
                "opencode.json",
                format!("{{\"x\":\"{}\"}}", "{env:A}".repeat(n)),
            )
        },
    ),
    settings(
        "{n} times a file of 1 MB",
        pieces(100_000, 3),
        most(100.0, 600),
        |at, n| {
            write(at, "a.txt", "x".repeat(1 << 20))?;
            write(
                at,
                "opencode.json",
                format!("{{\"x\":\"{}\"}}", "{file:a.txt}".repeat(n)),
            )
        },
    ),
    tree(
        "{n} agents in one folder",
        pieces(100_000, 6_000),
        most(600.0, 600),
        |at, n| {
            many(at, ".claude/agents", n, |i| {
                format!("---\nname: a{i}\ndescription: y\n---\nHelp.\n")
            })
        },
    ),
    tree(
        "{n} agents of the same name",
        pieces(100_000, 3_000),
        most(1200.0, 2250),
        |at, n| {
            many(at, ".claude/agents", n, |_| {
                "---\nname: a\ndescription: y\n---\nHelp.\n".to_owned()
            })
        },
    ),
    tree(
        "{n} files that are no agents",
        pieces(100_000, 3_000),
        most(600.0, 850),
        |at, n| many(at, ".claude/agents", n, |_| "x".to_owned()),
    ),
    Scene {
        command: &["list", "--all", "--dialect", "claude-code"],
        asked_in: |_| PathBuf::from("in"),
        ..tree(
            "{n} names that the harness leaves open",
            pieces(20_000, 3_000),
            most(330.0, 320),
            |at, n| {
                // Two files of one place have each name, and one that loses to either.
                for folder in [
                    "in/.claude/agents/one",
                    "in/.claude/agents/two",
                    ".claude/agents",
                ] {
                    many(at, folder, n, |i| {
                        format!("---\nname: a{i}\ndescription: y\n---\nHelp.\n")
                    })?;
                }
                Ok(())
            },
        )
    },
    Scene {
        command: &["list", "--dialect", "pi", "--harness-version", PI_SUBAGENTS],
        ..tree(
            "{n} agents that settings say more about",
            pieces(20_000, 1_000),
            most(210.0, 450),
            |at, n| {
                many(at, ".pi/agents", n, |i| {
                    format!("---\nname: a{i}\ndescription: y\n---\nHelp.\n")
                })?;
                let said: Vec<String> = (0..n)
                    .map(|i| format!("\"a{i}\":{{\"model\":\"m\"}}"))
                    .collect();
                let said = said.join(",");
                let text = format!("{{\"subagents\":{{\"agentOverrides\":{{{said}}}}}}}");
                write(at, ".pi/settings.json", text)
            },
        )
    },
    Scene {
        command: &["skills", "--dialect", "claude-code"],
        ..tree(
            "{n} skills",
            pieces(100_000, 3_000),
            most(600.0, 160),
            |at, n| skills(at, ".claude/skills", "SKILL.md", n, |i| format!("s{i}")),
        )
    },
    Scene {
        command: EXPLAIN_SKILL,
        ..tree(
            "{n} skills, and a name that none has",
            pieces(20_000, 1_000),
            most(170.0, 200),
            |at, n| skills(at, ".opencode/skills", "SKILL.md", n, |i| format!("s{i}")),
        )
    },
    Scene {
        command: EXPLAIN_SKILL,
        ..tree(
            "{n} skills of one name",
            pieces(20_000, 500),
            most(1250.0, 450),
            |at, n| skills(at, ".opencode/skills", "SKILL.md", n, |_| "x".to_owned()),
        )
    },
    Scene {
        command: EXPLAIN_SKILL,
        ..tree(
            "{n} files of one name that are nearly skills",
            pieces(20_000, 1_000),
            most(130.0, 160),
            |at, n| skills(at, ".opencode/skills", "skill.md", n, |_| "x".to_owned()),
        )
    },
    tree(
        "{n} folders in each other",
        pieces(1_900, 100),
        most(5.0, 32),
        |at, n| {
            let deep = "a/".repeat(n);
            fs::create_dir_all(at.join(".claude/agents").join(deep))
        },
    ),
    tree(
        "{n} folders side by side",
        pieces(20_000, 1_000),
        most(120.0, 160),
        |at, n| {
            for i in 0..n {
                fs::create_dir_all(at.join(format!(".claude/agents/f{i}")))?;
            }
            Ok(())
        },
    ),
    Scene {
        asked_in: |n| PathBuf::from("in/".repeat(n)),
        ..tree(
            "{n} folders above, each with places",
            pieces(600, 40),
            most(200.0, 64),
            |at, n| {
                let mut folder = at.to_path_buf();
                for _ in 0..n {
                    folder.push("in");
                    for place in [
                        ".opencode/agents",
                        ".claude/agents",
                        ".agents/skills",
                        ".pi/agents",
                    ] {
                        fs::create_dir_all(folder.join(place))?;
                    }
                }
                Ok(())
            },
        )
    },
    tree(
        "folders that links lead back into",
        Size::Fixed,
        most(600.0, 300),
        |at, _| {
            for i in 0..8 {
                let folder = at.join(format!(".claude/agents/f{i}"));
                fs::create_dir_all(&folder)?;
                for j in 0..8 {
                    link(&format!("../f{j}"), &folder.join(format!("l{j}")))?;
                }
            }
            Ok(())
        },
    ),
    tree(
        "links to devices, and in a circle",
        Size::Fixed,
        most(5.0, 32),
        |at, _| {
            fs::create_dir_all(at.join(".claude/agents"))?;
            for (name, target) in [
                ("zero", "/dev/zero"),
                ("random", "/dev/urandom"),
                ("stdin", "/dev/stdin"),
                ("tty", "/dev/tty"),
                ("circle", "circle.md"),
                ("nowhere", "nowhere"),
            ] {
                link(target, &at.join(format!(".claude/agents/{name}.md")))?;
            }
            Ok(())
        },
    ),
    tree(
        "named pipes in the place of files",
        Size::Fixed,
        most(5.0, 32),
        |at, _| {
            fs::create_dir_all(at.join(".claude/agents"))?;
            for path in [AGENT, "opencode.json", ".claude/settings.json", "AGENTS.md"] {
                let made = std::process::Command::new("mkfifo")
                    .arg(at.join(path))
                    .status()?;
                if !made.success() {
                    return Err(io::Error::other("`mkfifo` failed"));
                }
            }
            Ok(())
        },
    ),
    tree(
        "names with line ends and escape sequences",
        Size::Fixed,
        most(5.0, 32),
        |at, _| {
            for name in ["a\nb", "\u{1b}[2J", "\u{202e}dm.x", "-rf", "a`b$(c)"] {
                header_at(at, &format!(".claude/agents/{name}.md"), "name: x\n")?;
            }
            Ok(())
        },
    ),
    tree(
        "patterns of {n} stars",
        pieces(2_000, 100),
        most(100.0, 64),
        |at, n| {
            let stars = "*a".repeat(n);
            write(at, ".gitignore", format!("{stars}b\n").repeat(50))?;
            write(at, ".ignore", format!("{stars}b\n").repeat(50))?;
            write(
                at,
                ".pi/settings.json",
                format!("{{\"skills\": [\"./skills\", \"!{stars}b\"]}}"),
            )?;
            many(at, "skills", 50, |i| {
                format!("---\nname: s{i}\ndescription: y\n---\n")
            })?;
            header_at(
                at,
                &format!("skills/{}/SKILL.md", "a".repeat(200)),
                "name: x\n",
            )
        },
    ),
];

fn header(at: &Path, text: &str) -> io::Result<()> {
    header_at(at, AGENT, text)
}

fn header_at(at: &Path, path: &str, text: &str) -> io::Result<()> {
    write(at, path, format!("---\n{text}---\nHelp.\n"))
}

fn agents_in_settings(at: &Path, count: usize, says: &str) -> io::Result<()> {
    let agents: Vec<String> = (0..count).map(|i| format!("\"a{i}\":{{{says}}}")).collect();
    let text = format!("{{\"agent\":{{{}}}}}", agents.join(","));
    write(at, "opencode.json", text)
}

fn write(at: &Path, path: &str, bytes: impl AsRef<[u8]>) -> io::Result<()> {
    let path: PathBuf = at.join(path);
    if let Some(folder) = path.parent() {
        fs::create_dir_all(folder)?;
    }
    fs::write(path, bytes)
}

fn many(at: &Path, folder: &str, count: usize, text: fn(usize) -> String) -> io::Result<()> {
    let folder = at.join(folder);
    fs::create_dir_all(&folder)?;
    for i in 0..count {
        fs::write(folder.join(format!("f{i}.md")), text(i))?;
    }
    Ok(())
}

/// Writes files of skills, each in a folder of its own and with its name.
fn skills(
    at: &Path,
    folder: &str,
    file: &str,
    count: usize,
    name: fn(usize) -> String,
) -> io::Result<()> {
    for i in 0..count {
        let name = name(i);
        let text = format!("name: {name}\ndescription: y\n");
        header_at(at, &format!("{folder}/s{i}/{file}"), &text)?;
    }
    Ok(())
}

#[cfg(unix)]
fn link(target: &str, path: &Path) -> io::Result<()> {
    std::os::unix::fs::symlink(target, path)
}

#[cfg(not(unix))]
fn link(_: &str, _: &Path) -> io::Result<()> {
    Err(io::Error::from(io::ErrorKind::Unsupported))
}
