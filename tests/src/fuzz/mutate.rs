//! New inputs from old ones.

/// A source of numbers that look random and are the same for the same seed.
#[derive(Debug, Clone)]
pub struct Randomness(u64);

impl Randomness {
    /// Begins with a seed.
    #[must_use]
    pub fn new(seed: u64) -> Self {
        Randomness(seed ^ 0x9e37_79b9_7f4a_7c15)
    }

    /// Returns the next number.
    pub fn number(&mut self) -> u64 {
        // splitmix64
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut z = self.0;
        z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        z ^ (z >> 31)
    }

    /// Returns a number below a limit; zero if there is none.
    pub fn below(&mut self, limit: usize) -> usize {
        match limit {
            0 => 0,
            limit => usize::try_from(self.number() % limit as u64).unwrap_or_default(),
        }
    }
}

/// What the formats are made of.
const WORDS: &[&str] = &[
    "---",
    "---\n",
    "\n---\n",
    "\r\n---\r\n",
    "...",
    "\n",
    "\r\n",
    "\r",
    "\u{85}",
    "\u{2028}",
    "\u{feff}",
    "\0",
    "\t",
    "  ",
    ": ",
    ":",
    "- ",
    "? ",
    "? : ",
    "#",
    " #",
    "&a ",
    "*a",
    "<<: ",
    "<<: *a\n",
    "<<: [*a, *a]\n",
    "!!str ",
    "!!int ",
    "!!binary ",
    "!!set ",
    "!!omap ",
    "!<x> ",
    "!",
    "%YAML 1.1\n",
    "%TAG ! x\n",
    "|",
    ">",
    "|2-\n",
    ">+\n",
    "'",
    "\"",
    "''",
    "\\",
    "\\x41",
    "\\u",
    "\\ud800",
    "\\U0010ffff",
    "[",
    "]",
    "{",
    "}",
    ",",
    "[[[[",
    "{a: {a: ",
    "~",
    "null",
    "true",
    "no",
    "on",
    "0",
    "-0",
    "1_000",
    "0o17",
    "0x1F",
    "017",
    "1e999",
    "-.inf",
    ".nan",
    "12:30:45",
    "2001-12-14t21:59:43.10-05:00",
    "99999999999999999999",
    "9007199254740993",
    "1.5",
    "name: a\n",
    "name:",
    "description: b\n",
    "tools: [Read]\n",
    "tools: Read, Bash(git *)\n",
    "tools:\n",
    "model: inherit\n",
    "color: red\n",
    "mode: subagent\n",
    "permission:\n  bash: deny\n",
    "hooks:\n",
    "mcpServers:\n",
    "skills: [one]\n",
    "maxTurns: 3\n",
    "disable: true\n",
    "agents:\n",
    "agent",
    "prompt",
    "workspace:\n  path: /outside\n",
    "/outside",
    "/outside/key",
    "../outside",
    "..",
    "/",
    "~/",
    "{file:/outside/key}",
    "{file:../outside/key}",
    "{env:HOME}",
    "\"agent\": {",
    "\"skills\": [",
    "\"packages\": [",
    "\"agents\": [",
    "\"name\": \"kit\"",
    "\"pi\": {",
    "//",
    "/*",
    "*/",
    "\u{202e}",
    "\u{1b}[31m",
    "é",
    "🦀",
    "ß",
    "İ",
    "\u{300}",
    "===== ",
    "\n=====\n",
    "*",
    "**",
    "?",
    "[a-z]",
    "!",
];

/// Makes new inputs from a pool of old ones.
#[derive(Debug)]
pub struct Mutator {
    random: Randomness,
    longest: usize,
}

impl Mutator {
    /// Makes inputs of at most so many bytes.
    #[must_use]
    pub fn new(seed: u64, longest: usize) -> Self {
        Mutator {
            random: Randomness::new(seed),
            longest,
        }
    }

    /// Returns a changed copy of one of the inputs of a pool.
    pub fn changed(&mut self, pool: &[Vec<u8>]) -> Vec<u8> {
        let mut input = self.pick(pool);
        for _ in 0..=self.random.below(6) {
            self.change(&mut input, pool);
        }
        input.truncate(self.longest);
        input
    }

    fn pick(&mut self, pool: &[Vec<u8>]) -> Vec<u8> {
        // What was found last is looked at more often.
        let recent = pool.len().min(32);
        let index = match self.random.below(2) {
            0 => pool.len() - recent + self.random.below(recent),
            _ => self.random.below(pool.len()),
        };
        pool.get(index).cloned().unwrap_or_default()
    }

    fn change(&mut self, input: &mut Vec<u8>, pool: &[Vec<u8>]) {
        let length = input.len();
        let at = self.random.below(length + 1);
        let (start, end) = self.range(length);
        match self.random.below(12) {
            0..=3 => {
                let word = WORDS[self.random.below(WORDS.len())];
                input.splice(at..at, word.bytes());
            }
            4 => {
                let word = WORDS[self.random.below(WORDS.len())];
                input.splice(start..end, word.bytes());
            }
            5 => drop(input.drain(start..end)),
            6 => {
                let times = 1 + self.random.below(40);
                let part = input[start..end].repeat(times);
                input.splice(at..at, part);
            }
            7 => {
                if let Some(byte) = input.get_mut(at) {
                    *byte = self.random.number() as u8;
                }
            }
            8 => {
                if let Some(byte) = input.get_mut(at) {
                    *byte ^= 1 << self.random.below(8);
                }
            }
            9 => {
                let other = self.pick(pool);
                let (from, to) = self.range(other.len());
                input.splice(at..at, other[from..to].iter().copied());
            }
            10 => {
                let mut lines: Vec<Vec<u8>> = input
                    .split_inclusive(|byte| *byte == b'\n')
                    .map(<[u8]>::to_vec)
                    .collect();
                let (one, two) = (
                    self.random.below(lines.len()),
                    self.random.below(lines.len()),
                );
                if one < lines.len() && two < lines.len() {
                    lines.swap(one, two);
                }
                *input = lines.concat();
            }
            _ => {
                if let Some(first) = input.first_mut() {
                    *first = self.random.number() as u8;
                }
            }
        }
        input.truncate(self.longest * 2);
    }

    /// A range of an input, mostly a short one.
    fn range(&mut self, length: usize) -> (usize, usize) {
        let start = self.random.below(length + 1);
        let most = match self.random.below(4) {
            0 => length - start,
            _ => (length - start).min(24),
        };
        (start, start + self.random.below(most + 1))
    }
}
