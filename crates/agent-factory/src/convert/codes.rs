//! The kinds of losses and of refusals, each with a stable code.

use serde::{Serialize, Serializer};

/// Makes the kinds of one list, each with its code.
macro_rules! codes {
    ($(#[$about:meta])* $name:ident { $($(#[$meaning:meta])* $kind:ident = $code:literal,)* }) => {
        $(#[$about])*
        #[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
        #[non_exhaustive]
        pub enum $name {
            $($(#[$meaning])* $kind,)*
        }

        impl $name {
            /// All codes, in the order in which they are listed.
            pub const ALL: &'static [$name] = &[$($name::$kind),*];

            /// Returns the stable code.
            #[must_use]
            pub fn as_str(self) -> &'static str {
                match self {
                    $($name::$kind => $code,)*
                }
            }
        }

        impl Serialize for $name {
            fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
                serializer.serialize_str(self.as_str())
            }
        }
    };
}

codes! {
    /// What kind of loss it is. The codes are listed in `docs/losses.md`.
    LossCode {
        /// The other harness has no key for the field.
        NoKey = "no-key",
        /// It has the key, and no such value.
        NoValue = "no-value",
        /// It refuses the value, so that it is left out.
        ValueRefused = "value-refused",
        /// It has no word for the model, so that the parent's counts.
        NoModel = "no-model",
        /// It has no tool that does this.
        NoTool = "no-tool",
        /// It has the tool, and cannot limit it as it was meant, so that it is left out.
        ToolLeftOut = "tool-left-out",
        /// All tools were meant, and it gets a list of those that are known.
        OthersLeftOut = "others-left-out",
        /// A person is asked more often than it was meant.
        AskedMore = "asked-more",
        /// It has no word for how far a person is asked.
        NoMode = "no-mode",
        /// The field would give tools that the agent must not have, so that it is left out.
        GivesMore = "gives-more",
        /// The agent goes further there than its author let it, because somebody insisted.
        GoesFurther = "goes-further",
        /// A hook could keep the agent from using a tool, and cannot run there.
        Hook = "hook",
        /// It has no word for a setting of an MCP server.
        ServerSetting = "server-setting",
        /// A key that the first harness keeps without knowing it is kept no longer.
        UnknownKey = "unknown-key",
        /// A comment stands at no key that is kept, or the other harness knows no comments.
        Comment = "comment",
        /// The first harness does not read it either.
        NotReadBefore = "not-read-before",
        /// The first harness has lost the field already.
        LostBefore = "lost-before",
        /// The other harness reads the field otherwise than it was meant.
        ReadOtherwise = "read-otherwise",
        /// Converted back, the field would not be as it is written.
        ComesBackOtherwise = "comes-back-otherwise",
        /// It cannot be converted back at all.
        NoWayBack = "no-way-back",
        /// Another file adds to the agent in the first harness, and was not read here.
        OtherSource = "other-source",
    }
}

codes! {
    /// Why nothing is written, as a kind. The codes are listed in `docs/losses.md`.
    RefusalCode {
        /// The first harness takes no file of this name for an agent.
        NoAgent = "no-agent",
        /// The first harness does not load the agent.
        NotLoaded = "not-loaded",
        /// The first harness has lost a limit, so that it is not known what was meant.
        LimitLost = "limit-lost",
        /// Another source of the agent limits it, and was not read here.
        LimitedElsewhere = "limited-elsewhere",
        /// The prompt refers to something that is not read here.
        OpenReference = "open-reference",
        /// A skill is no agent, and an agent is no skill.
        SkillOrAgent = "skill-or-agent",
        /// The agent would go further there than its author let it.
        GoesFurther = "goes-further",
        /// A hook can keep the agent from using a tool, and cannot run there.
        Hook = "hook",
        /// The other harness has no word for an agent without tools.
        NoWordForNone = "no-word-for-none",
        /// What the agent cannot work without is asked about, and the other harness asks nobody.
        AsksNobody = "asks-nobody",
        /// The other harness does not take what would be written.
        NotTaken = "not-taken",
    }
}
