//! The agents that OpenCode brings.

use crate::definition::FieldName;
use crate::dialect::{BuiltinAgent, BuiltinValue};

use BuiltinValue::{Flag, Number, OwnText, Word};

/// In the order in which they are defined, which decides who answers when nobody is chosen.
pub(super) static AGENTS: &[BuiltinAgent] = &[
    BuiltinAgent {
        name: "build",
        fields: &[DESCRIBED, PRIMARY],
    },
    BuiltinAgent {
        name: "plan",
        fields: &[DESCRIBED, PRIMARY],
    },
    BuiltinAgent {
        name: "general",
        fields: &[DESCRIBED, SUBAGENT],
    },
    BuiltinAgent {
        name: "explore",
        fields: &[DESCRIBED, SUBAGENT, PROMPTED],
    },
    BuiltinAgent {
        name: "compaction",
        fields: &[PRIMARY, HIDDEN, PROMPTED],
    },
    BuiltinAgent {
        name: "title",
        fields: &[
            PRIMARY,
            HIDDEN,
            (FieldName::TEMPERATURE, Number(0.5)),
            PROMPTED,
        ],
    },
    BuiltinAgent {
        name: "summary",
        fields: &[PRIMARY, HIDDEN, PROMPTED],
    },
];

const DESCRIBED: (FieldName, BuiltinValue) = (FieldName::DESCRIPTION, OwnText);
const PROMPTED: (FieldName, BuiltinValue) = (FieldName::PROMPT, OwnText);
const PRIMARY: (FieldName, BuiltinValue) = (FieldName::MODE, Word("primary"));
const SUBAGENT: (FieldName, BuiltinValue) = (FieldName::MODE, Word("subagent"));
const HIDDEN: (FieldName, BuiltinValue) = (FieldName::HIDDEN, Flag(true));
