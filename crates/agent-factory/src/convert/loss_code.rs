//! The kinds of losses, each with a stable code.

use serde::{Serialize, Serializer};

/// What kind of loss it is. The codes are listed in `docs/losses.md`.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum LossCode {
    /// The other harness has no key for the field.
    NoKey,
    /// It has the key, and no such value.
    NoValue,
    /// It refuses the value, so that it is left out.
    ValueRefused,
    /// It has no word for the model, so that the parent's counts.
    NoModel,
    /// It has no tool that does this.
    NoTool,
    /// It has the tool, and cannot limit it as it was meant, so that it is left out.
    ToolLeftOut,
    /// All tools were meant, and it gets a list of those that are known.
    OthersLeftOut,
    /// A person is asked more often than it was meant.
    AskedMore,
    /// It has no word for how far a person is asked.
    NoMode,
    /// The field would give tools that the agent must not have, so that it is left out.
    GivesMore,
    /// The agent goes further there than its author let it, because somebody insisted.
    GoesFurther,
    /// A hook could keep the agent from using a tool, and cannot run there.
    Hook,
    /// It has no word for a setting of an MCP server.
    ServerSetting,
    /// A key that the first harness keeps without knowing it is kept no longer.
    UnknownKey,
    /// A comment stands at no key that is kept, or the other harness knows no comments.
    Comment,
    /// The first harness does not read it either.
    NotReadBefore,
    /// The first harness has lost the field already.
    LostBefore,
    /// The other harness reads the field otherwise than it was meant.
    ReadOtherwise,
    /// Converted back, the field would not be as it is written.
    ComesBackOtherwise,
    /// It cannot be converted back at all.
    NoWayBack,
    /// Another file adds to the agent in the first harness, and was not read here.
    OtherSource,
}

impl LossCode {
    /// All codes, in the order in which they are listed.
    pub const ALL: [LossCode; 21] = [
        LossCode::NoKey,
        LossCode::NoValue,
        LossCode::ValueRefused,
        LossCode::NoModel,
        LossCode::NoTool,
        LossCode::ToolLeftOut,
        LossCode::OthersLeftOut,
        LossCode::AskedMore,
        LossCode::NoMode,
        LossCode::GivesMore,
        LossCode::GoesFurther,
        LossCode::Hook,
        LossCode::ServerSetting,
        LossCode::UnknownKey,
        LossCode::Comment,
        LossCode::NotReadBefore,
        LossCode::LostBefore,
        LossCode::ReadOtherwise,
        LossCode::ComesBackOtherwise,
        LossCode::NoWayBack,
        LossCode::OtherSource,
    ];

    /// Returns the stable code.
    #[must_use]
    pub fn as_str(self) -> &'static str {
        match self {
            LossCode::NoKey => "no-key",
            LossCode::NoValue => "no-value",
            LossCode::ValueRefused => "value-refused",
            LossCode::NoModel => "no-model",
            LossCode::NoTool => "no-tool",
            LossCode::ToolLeftOut => "tool-left-out",
            LossCode::OthersLeftOut => "others-left-out",
            LossCode::AskedMore => "asked-more",
            LossCode::NoMode => "no-mode",
            LossCode::GivesMore => "gives-more",
            LossCode::GoesFurther => "goes-further",
            LossCode::Hook => "hook",
            LossCode::ServerSetting => "server-setting",
            LossCode::UnknownKey => "unknown-key",
            LossCode::Comment => "comment",
            LossCode::NotReadBefore => "not-read-before",
            LossCode::LostBefore => "lost-before",
            LossCode::ReadOtherwise => "read-otherwise",
            LossCode::ComesBackOtherwise => "comes-back-otherwise",
            LossCode::NoWayBack => "no-way-back",
            LossCode::OtherSource => "other-source",
        }
    }
}

impl Serialize for LossCode {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_str(self.as_str())
    }
}
