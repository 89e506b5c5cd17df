//! What is certain about models across harnesses.
//!
//! The name of one model is the same everywhere; harnesses differ in whether the provider stands
//! before it and in what may stand behind it ([`ModelForm`](crate::writing::ModelForm)). So a name
//! is translated by adding the provider or taking it away, and here stands who the provider is.
//!
//! Words for families are not translated. `sonnet` means the newest Sonnet to Claude Code today and
//! another model tomorrow; the name of one model is another thing. Pi searches its models for a
//! part of a name, and takes another one of the same family (read: `model-resolver.ts` of Pi and of
//! `tintinweb/pi-subagents`). Whoever wants that can say it (`agentry convert --model`).

/// Who makes models.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Maker {
    /// What the names of the models begin with, in small letters.
    pub start: &'static str,
    /// The maker, as OpenCode and others call it where they want a provider.
    pub provider: &'static str,
    /// Whether it sells them under this name itself, so that it is the provider where none is
    /// written. Open models are sold by many.
    pub sells: bool,
}

const fn seller(start: &'static str, provider: &'static str) -> Maker {
    Maker {
        start,
        provider,
        sells: true,
    }
}

const fn open(start: &'static str, provider: &'static str) -> Maker {
    Maker {
        start,
        provider,
        sells: false,
    }
}

/// What no name of a model begins with, although it says whose it is: since the fourth generation the
/// family of a Claude model stands before its number (`claude-sonnet-4`), and OpenAI writes a hyphen.
pub static NO_NAMES: &[&str] = &["claude-4", "claude-5", "claude4", "claude5", "gpt4", "gpt5"];

/// The makers; the first row that fits counts.
pub static MAKERS: &[Maker] = &[
    seller("claude", "anthropic"),
    open("gpt-oss", "openai"),
    seller("gpt-", "openai"),
    seller("gpt4", "openai"),
    seller("gpt5", "openai"),
    seller("o1", "openai"),
    seller("o3", "openai"),
    seller("o4", "openai"),
    seller("codex", "openai"),
    seller("gemini", "google"),
    seller("grok", "xai"),
    open("deepseek", "deepseek"),
    open("llama", "llama"),
    open("mistral", "mistral"),
    open("qwen", "alibaba"),
    open("kimi", "moonshotai"),
    open("glm", "zai"),
];
