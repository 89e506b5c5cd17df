//! Which fields a file loses, and whether its agent has more rights by that.

use agent_schema::{File, dialects, parse};

/// The dialect, its profile if it is not the default one, the file, the fields that it loses, and
/// whether the rights are widened.
const CASES: [(&str, &str, &str, &[&str], bool); 38] = [
    (
        "openhands",
        "",
        "+++\nname = \"scout\"\ncolor = \"red\"\n+++\nLook.\n",
        &["name", "color"],
        false,
    ),
    (
        "openhands",
        "",
        "{\"name\": \"scout\", \"permission_mode\": \"always_confirm\"}\nLook.\n",
        &["name", "permission_mode"],
        true,
    ),
    (
        "claude-code",
        "",
        "---\nname: scout\ndescription: Reads maps\ndisallowedTools: #Bash\n---\nLook.\n",
        &["disallowed_tools"],
        true,
    ),
    (
        "claude-code",
        "",
        "---\nname: scout\ndescription: Reads maps\ndisallowedTools: Write #, Bash\n---\nLook.\n",
        &["disallowed_tools"],
        true,
    ),
    (
        "claude-code",
        "",
        "---\nname: scout #5\ndescription: Reads maps\nmaxTurns: 5 #few\n---\nLook.\n",
        &[],
        false,
    ),
    (
        "claude-code",
        "",
        "---\nname: scout\ndescription: Reads maps\ndisallowed_tools: Bash\n\
         disallowedTools: Write\n---\nLook.\n",
        &["disallowed_tools"],
        true,
    ),
    (
        "claude-code",
        "",
        "---\nname: scout\ndescription: Reads maps\ndisallowed_tools: Bash\n\
         disallowedTools: Write, Bash\n---\nLook.\n",
        &[],
        false,
    ),
    (
        "pi",
        "",
        "---\nname: scout\ndescription: Reads maps\npermission:\n  tools:\n    write: deny\n---\nLook.\n",
        &["permissions"],
        true,
    ),
    (
        "pi",
        "tintinweb-0.18.0",
        "---\ndescription: Reads maps\nisolated: yes\nrun_in_background: no\n---\nLook.\n",
        &["isolated"],
        true,
    ),
    // A mode that denies something takes rights away, and one that asks less gives some.
    (
        "claude-code",
        "",
        "---\nname: scout\ndescription: Reads maps\npermissionMode: Plan\n---\nLook.\n",
        &["permission_mode"],
        true,
    ),
    (
        "claude-code",
        "",
        "---\nname: scout\ndescription: Reads maps\npermissionMode: acceptedits\n---\nLook.\n",
        &["permission_mode"],
        false,
    ),
    // Nothing is denied by the name of a tool that does not exist.
    (
        "opencode",
        "",
        "---\ndescription: Reads maps\npermission:\n  external_directry: deny\n---\nLook.\n",
        &["permission"],
        true,
    ),
    (
        "opencode",
        "",
        "---\ndescription: Reads maps\npermission:\n  external_directry: allow\n---\nLook.\n",
        &[],
        false,
    ),
    // A rule in parentheses would have let the agent do less.
    (
        "claude-code",
        "",
        "---\nname: scout\ndescription: Reads maps\ntools: Read, Bash(git log:*)\n---\nLook.\n",
        &["tools"],
        true,
    ),
    // What a comment says becomes names where the header is mended around it.
    (
        "claude-code",
        "",
        "---\nname: scout\ndescription: Maps: reads\ntools: Read # never Bash\n---\nLook.\n",
        &["tools"],
        true,
    ),
    (
        "claude-code",
        "",
        "---\nname: scout\ndescription: Maps: reads\ntools: [Read] # never Bash\n---\nLook.\n",
        &["tools"],
        true,
    ),
    (
        "claude-code",
        "",
        "---\nname: scout\ndescription: Maps: reads\ntools: Read # or *\n---\nLook.\n",
        &["tools"],
        true,
    ),
    (
        "claude-code",
        "",
        "---\nname: scout\ndescription: Maps: reads\ntools: Read # no shell\n---\nLook.\n",
        &[],
        false,
    ),
    (
        "claude-code",
        "",
        "---\nname: scout\ndescription: Maps: reads\ndisallowedTools: Bash # no shell\n---\nLook.\n",
        &[],
        false,
    ),
    (
        "claude-code",
        "",
        "---\nname: scout\ndescription: Maps: reads\ndisallowedTools: Bash # not Read\n---\nLook.\n",
        &["disallowed_tools"],
        false,
    ),
    (
        "claude-code",
        "",
        "---\nname: scout\ndescription: Maps: reads\ndisallowedTools: [Bash] # not Read\n---\nLook.\n",
        &["disallowed_tools"],
        true,
    ),
    // Of a value that somebody wrote nothing is left; an empty one says nothing.
    (
        "claude-code",
        "",
        "---\nname: scout\ndescription: Reads maps\ntools:\n  write: false\n---\nLook.\n",
        &["tools"],
        false,
    ),
    (
        "claude-code",
        "",
        "---\nname: scout\ndescription: Reads maps\ntools: false\n---\nLook.\n",
        &["tools"],
        false,
    ),
    (
        "claude-code",
        "",
        "---\nname: scout\ndescription: Reads maps\ntools: []\n---\nLook.\n",
        &[],
        false,
    ),
    (
        "claude-code",
        "",
        "---\nname: scout\ndescription: Reads maps\ntools:\n---\nLook.\n",
        &[],
        false,
    ),
    // Settings below the header, and limits in the words of others.
    (
        "claude-code",
        "",
        "---\nname: scout\ndescription: Reads maps\n---\ntools: Read\nmodel: haiku\n\nLook.\n",
        &["tools", "model"],
        true,
    ),
    (
        "claude-code",
        "",
        "---\nname: scout\ndescription: Reads maps\npermissions:\n  deny: [Bash]\n---\nLook.\n",
        &["permissions"],
        true,
    ),
    (
        "claude-code",
        "",
        "---\nname: scout\ndescription: Reads maps\ntools: Read\npermissions:\n  deny: [Bash]\n\
         ---\nLook.\n",
        &[],
        false,
    ),
    (
        "claude-code",
        "",
        "---\nname: scout\ndescription: Reads maps\nreadonly: true\n---\nLook.\n",
        &["tools"],
        true,
    ),
    (
        "claude-code",
        "",
        "---\nname: scout\ndescription: Reads maps\nreadonly: false\n---\nLook.\n",
        &[],
        false,
    ),
    (
        "claude-code",
        "",
        "---\nname: scout\ndescription: Reads maps\ndenied_tools: Bash\n---\nLook.\n",
        &["disallowed_tools"],
        true,
    ),
    (
        "claude-code",
        "",
        "---\nname: scout\ndescription: Reads maps\nprompt: Look around.\n---\n",
        &["prompt"],
        false,
    ),
    // Who loses a mode that lets everything happen may do less.
    (
        "claude-code",
        "",
        "---\nname: scout\ndescription: Reads maps\npermission_mode: bypassPermissions\n---\nLook.\n",
        &["permission_mode"],
        false,
    ),
    (
        "claude-code",
        "",
        "---\nname: scout\ndescription: Reads maps\npermission_mode: plan\n---\nLook.\n",
        &["permission_mode"],
        true,
    ),
    (
        "claude-code",
        "",
        "---\nname: scout\ndescription: Reads maps\nisolation:\neffort:\nmaxTurns:\nbackground:\n---\nLook.\n",
        &[],
        false,
    ),
    (
        "opencode",
        "",
        "---\ndescription: Reads maps\npermissionMode: bypassPermissions\n---\nLook.\n",
        &["permission"],
        false,
    ),
    (
        "agentscope",
        "",
        "---\ndescription: Reads maps\ntools:\n  write: false\n---\nLook.\n",
        &["tools"],
        false,
    ),
    (
        "openhands",
        "",
        "---\nname: scout\ndisallowedTools: Bash\n---\nLook.\n",
        &[],
        false,
    ),
];

#[test]
fn what_is_lost_is_named_with_its_rights() {
    for (dialect, profile, text, lost, widened) in CASES {
        let dialect = dialects::find(dialect).expect("the dialect is there");
        let profile = match profile {
            "" => dialect.default_profile(),
            id => dialect.profile(id).expect("the profile is there"),
        };
        let file = File {
            name: "scout.md",
            bytes: text.as_bytes(),
        };
        let parsed = parse(file, dialect, profile);
        let found: Vec<&str> = parsed.lost.iter().map(|field| field.as_str()).collect();
        assert_eq!(found, lost, "{text}");
        assert_eq!(parsed.rights_widened, widened, "{text}");
    }
}
