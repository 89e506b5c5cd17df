//! The one table of words: what each harness calls tools, models and modes in its definitions.
//!
//! A row of a dialect points to the vocabulary in its own file; `others` holds those of
//! harnesses whose definitions are not read here, `keys` the keys by which they limit an agent, and
//! `models` who makes which models. Findings, errors and conversions all ask this
//! table (see `foreign_words`), so that a word has one meaning everywhere.

mod keys;
mod models;
mod others;

pub use keys::{LIMIT_KEYS, LIMITING_MODES, LimitKey, PROMPT_KEYS};
pub use models::{MAKERS, Maker, NO_NAMES};

use super::{agentscope, claude_code, nebuko, opencode, openhands, pi};
use crate::foreign_words::HarnessWords;

/// The harnesses that words are known of, the most common ones first: of several that share a word
/// the first ones are named.
pub static HARNESSES: &[HarnessWords] = &[
    HarnessWords {
        title: "Claude Code",
        tools: &claude_code::VOCABULARY,
        models: claude_code::MODEL_WORDS,
        modes: claude_code::MODES,
        mode_words: &[],
        agents: &["general-purpose", "Explore", "Plan", "statusline-setup"],
    },
    HarnessWords {
        title: "OpenCode",
        tools: &opencode::FIRST_VOCABULARY,
        models: &[],
        modes: &[],
        // It has no mode, and one of these words for each tool.
        mode_words: &["allow", "ask", "deny"],
        agents: &["build", "plan", "general", "explore"],
    },
    HarnessWords {
        title: "OpenCode",
        tools: &opencode::SECOND_VOCABULARY,
        models: &[],
        modes: &[],
        mode_words: &[],
        agents: &[],
    },
    HarnessWords {
        title: "OpenHands",
        tools: &openhands::VOCABULARY,
        models: &["inherit"],
        modes: openhands::MODES,
        mode_words: &[],
        agents: &[],
    },
    HarnessWords {
        title: "AgentScope",
        tools: &agentscope::VOCABULARY,
        models: &[],
        modes: &[],
        mode_words: &[],
        agents: &["general-purpose"],
    },
    HarnessWords {
        title: "Pi",
        tools: &pi::VOCABULARY,
        models: &[],
        modes: &[],
        mode_words: &[],
        agents: &[],
    },
    others::GEMINI_CLI,
    others::QWEN_CODE,
    others::GITHUB_COPILOT,
    others::VS_CODE,
    others::CODEX,
    others::FACTORY_DROID,
    others::KIMI_CODE,
    others::CLINE,
    others::MISTRAL_VIBE,
    others::ANTIGRAVITY,
    others::ROO_CODE,
    HarnessWords {
        title: "Nebuko",
        tools: &nebuko::VOCABULARY,
        models: &["inherit"],
        modes: &[],
        mode_words: &[],
        agents: &[],
    },
];
