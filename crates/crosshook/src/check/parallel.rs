//! The same work on many things, on all cores, with the answers in the order of the things.

use std::sync::atomic::{AtomicUsize, Ordering};

/// Fewer things than this are not worth a second thread: starting one takes about as long as parsing a file.
const WORTH_IT: usize = 12;

/// Threads at most; beyond that the file system is what takes the time.
const MOST: usize = 16;

/// What a function makes of each thing, in the order of the things.
pub(crate) fn map<T: Sync, R: Send>(things: &[T], make: impl Fn(&T) -> R + Sync) -> Vec<R> {
    if things.len() < WORTH_IT {
        return things.iter().map(make).collect();
    }
    let cores = std::thread::available_parallelism().map_or(1, usize::from);
    on_threads(things, cores.min(MOST), make)
}

fn on_threads<T: Sync, R: Send>(things: &[T], threads: usize, make: impl Fn(&T) -> R + Sync) -> Vec<R> {
    let threads = threads.min(things.len());
    if threads <= 1 {
        return things.iter().map(make).collect();
    }
    // Whoever is done takes the next few: things differ in size, and nobody shall wait long for the last ones.
    let step = (things.len() / (threads * 32)).clamp(1, 16);
    let next = AtomicUsize::new(0);
    let work = || {
        let mut made = Vec::with_capacity(things.len() / threads + step);
        loop {
            let start = next.fetch_add(step, Ordering::Relaxed);
            let Some(rest) = things.get(start..).filter(|rest| !rest.is_empty()) else { return made };
            made.extend(rest.iter().take(step).zip(start..).map(|(thing, at)| (at, make(thing))));
        }
    };
    let mut made = std::thread::scope(|scope| {
        let others: Vec<_> = (1..threads).map(|_| scope.spawn(work)).collect();
        let mut made = work();
        for other in others {
            match other.join() {
                Ok(more) => made.extend(more),
                Err(panic) => std::panic::resume_unwind(panic),
            }
        }
        made
    });
    made.sort_unstable_by_key(|(at, _)| *at);
    made.into_iter().map(|(_, made)| made).collect()
}

#[cfg(test)]
mod tests {
    use std::sync::Barrier;

    use super::*;

    #[test]
    fn answers_stand_in_the_order_of_the_things_whatever_the_number_of_threads() {
        for length in [0, 1, 2, 11, 12, 13, 1_000, 1_537] {
            let things: Vec<usize> = (0..length).collect();
            let expected: Vec<usize> = things.iter().map(|thing| thing * 3).collect();
            assert_eq!(map(&things, |thing| thing * 3), expected);
            for threads in [0, 1, 2, 5, 40] {
                assert_eq!(on_threads(&things, threads, |thing| thing * 3), expected);
            }
        }
    }

    #[test]
    fn two_threads_work_at_the_same_time() {
        // Each waits until the other is there too: one thread alone would wait for ever.
        let together = Barrier::new(2);
        let made = on_threads(&[1, 2], 2, |thing| {
            together.wait();
            *thing
        });
        assert_eq!(made, [1, 2]);
    }
}
