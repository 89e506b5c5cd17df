//! Texts in YAML, by every way of reading them.

use agent_schema::text::{ByteOrderMark, Encoding, InvalidBytes, LineEnds, MappedText};
use agent_schema::yaml::{self, YamlErrorKind};

use super::{Fault, Trace, chosen};
use crate::readers::{compare, flavors};

pub(super) fn choices() -> usize {
    flavors().len()
}

pub(super) fn readers(input: &[u8]) -> Result<Trace, Fault> {
    let (choice, bytes) = chosen(input, choices());
    let flavor = flavors()[choice];
    let mut trace = Trace::new();
    for line_ends in [LineEnds::Kept, LineEnds::CrLf] {
        let encoding = Encoding {
            invalid: InvalidBytes::Replaced,
            byte_order_mark: ByteOrderMark::Dropped,
            line_ends,
        };
        let text = MappedText::decode(bytes, encoding).map_err(|at| format!("bad byte {at}"))?;
        let is_short = compare(&text, flavor)?;
        let fault: Option<YamlErrorKind> = yaml::read(&text, flavor).err().map(|it| it.kind);
        trace.insert(format!("{} {is_short} {fault:?}", flavor.name));
    }
    Ok(trace)
}
