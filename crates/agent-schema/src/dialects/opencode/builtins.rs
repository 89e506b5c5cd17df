//! The agents that OpenCode brings.

use crate::definition::FieldName;
use crate::dialect::{BuiltinAgent, BuiltinValue};

use BuiltinValue::{Flag, Number, OwnText, Word};

/// In the order in which they are defined, which decides who answers when nobody is chosen.
pub(super) static AGENTS: &[BuiltinAgent] = &[
    BuiltinAgent {
        name: "build",
        offered: false,
        fields: &[DESCRIBED, PRIMARY],
    },
    BuiltinAgent {
        name: "plan",
        offered: false,
        fields: &[DESCRIBED, PRIMARY],
    },
    BuiltinAgent {
        name: "general",
        offered: true,
        fields: &[DESCRIBED, SUBAGENT],
    },
    BuiltinAgent {
        name: "explore",
        offered: true,
        fields: &[DESCRIBED, SUBAGENT, PROMPTED],
    },
    BuiltinAgent {
        name: "compaction",
        offered: false,
        fields: &[PRIMARY, HIDDEN, PROMPTED],
    },
    BuiltinAgent {
        name: "title",
        offered: false,
        fields: &[
            PRIMARY,
            HIDDEN,
            (FieldName::TEMPERATURE, Number(0.5)),
            PROMPTED,
        ],
    },
    BuiltinAgent {
        name: "summary",
        offered: false,
        fields: &[PRIMARY, HIDDEN, PROMPTED],
    },
];

const DESCRIBED: (FieldName, BuiltinValue) = (FieldName::DESCRIPTION, OwnText);
const PROMPTED: (FieldName, BuiltinValue) = (FieldName::PROMPT, OwnText);
const PRIMARY: (FieldName, BuiltinValue) = (FieldName::MODE, Word("primary"));
const SUBAGENT: (FieldName, BuiltinValue) = (FieldName::MODE, Word("subagent"));
const HIDDEN: (FieldName, BuiltinValue) = (FieldName::HIDDEN, Flag(true));
