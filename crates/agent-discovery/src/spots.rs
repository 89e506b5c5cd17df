//! Which finds of two looks are the same one.

use std::collections::HashMap;
use std::hash::Hash;

/// The finds of a look, and which finds of an earlier look they were.
pub(crate) struct Paired {
    /// For each one now, its number then, unless it is new.
    pub(crate) earlier: Vec<Option<usize>>,
    /// The numbers of those that are gone, in order.
    pub(crate) gone: Vec<usize>,
}

/// Pairs the finds at the same spot; of several at one spot the first with the first, and so on.
pub(crate) fn pair<S: Copy + Eq + Hash>(
    before: impl Iterator<Item = S>,
    now: impl Iterator<Item = S>,
) -> Paired {
    let mut gone: HashMap<(S, usize), usize> = counted(before).zip(0..).collect();
    let earlier = counted(now).map(|spot| gone.remove(&spot)).collect();
    let mut gone: Vec<usize> = gone.into_values().collect();
    gone.sort_unstable();
    Paired { earlier, gone }
}

/// Gives each find the number that it has among those at its spot.
fn counted<S: Copy + Eq + Hash>(
    spots: impl Iterator<Item = S>,
) -> impl Iterator<Item = (S, usize)> {
    let mut met: HashMap<S, usize> = HashMap::new();
    spots.map(move |spot| {
        let times = met.entry(spot).or_default();
        *times += 1;
        (spot, *times)
    })
}
