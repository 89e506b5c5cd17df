//! The shapes of the files that are measured: where they lie, and what their headers hold.

/// The files of one dialect.
#[derive(Clone, Copy)]
pub(super) struct Shape {
    pub(super) dialect: &'static str,
    /// The folder of the agents in a project.
    folder: &'static str,
    /// Whether subfolders of it are searched; otherwise all files stand in one folder.
    nested: bool,
    pub(super) has_name: bool,
    /// The lines of the header behind name and description.
    pub(super) header: &'static str,
}

impl Shape {
    /// Returns the same shape with all files in one folder.
    pub(super) fn flat(self) -> Self {
        Shape {
            nested: false,
            ..self
        }
    }

    /// Returns the folder of the project in which the files of a number stand.
    pub(super) fn folder_of(&self, number: usize) -> String {
        match self.nested {
            true => format!("{}/part-{number}", self.folder),
            false => self.folder.to_owned(),
        }
    }
}

pub(super) static SHAPES: [Shape; 5] = [
    Shape {
        dialect: "claude-code",
        folder: ".claude/agents",
        nested: true,
        has_name: true,
        header: "tools: Read, Grep, Glob, Bash\nmodel: sonnet\ncolor: blue\nmaxTurns: 20\n",
    },
    Shape {
        dialect: "openhands",
        folder: ".agents/agents",
        nested: false,
        has_name: true,
        header: "tools:\n  - terminal\n  - file_editor\nmodel: inherit\nmax_iteration_per_run: 20\n",
    },
    Shape {
        dialect: "opencode",
        folder: ".opencode/agent",
        nested: true,
        has_name: false,
        header: "mode: subagent\ntemperature: 0.2\npermission:\n  edit: deny\n  bash:\n    \"git *\": allow\n",
    },
    Shape {
        dialect: "agentscope",
        folder: "subagents",
        nested: false,
        has_name: false,
        header: "tools: [read_file, grep_files]\nsteps: 12\ntemperature: 0.2\n",
    },
    Shape {
        dialect: "pi",
        folder: ".pi/agents",
        nested: false,
        has_name: true,
        header: "tools: read, grep, find\nmodel: inherit\n",
    },
];
