//! Work on the items of a folder, several at once where that pays, with the answers in order.

/// From how many items on it pays to share the work between threads: below, starting them takes
/// longer than reading the files.
#[cfg(feature = "parallel")]
const MANY: usize = 64;

/// Returns what a function makes of each item, in the order of the items.
pub(crate) fn in_order<T: Sync, R: Send>(
    items: &[T],
    work: impl Fn(&T) -> R + Send + Sync,
) -> Vec<R> {
    #[cfg(feature = "parallel")]
    if items.len() >= MANY {
        use rayon::iter::{IntoParallelRefIterator, ParallelIterator};
        return items.par_iter().map(work).collect();
    }
    items.iter().map(work).collect()
}
