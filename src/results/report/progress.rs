//! The progress of an export. Its screenshots take the longest: each is announced before it is made, and the export can
//! be cancelled there.

use std::ops::ControlFlow;

use super::ReportError;

/// Receives the number of parts that are done and the number of all parts. Returns whether to continue.
pub type ProgressSink<'a> = dyn FnMut(usize, usize) -> ControlFlow<()> + 'a;

/// A sink that ignores progress.
pub fn no_progress(_done: usize, _parts: usize) -> ControlFlow<()> {
    ControlFlow::Continue(())
}

/// Counts the parts of an export.
pub(super) struct Progress<'a> {
    hear: &'a mut ProgressSink<'a>,
    done: usize,
    parts: usize,
}

impl<'a> Progress<'a> {
    pub fn new(hear: &'a mut ProgressSink<'a>) -> Self {
        Progress { hear, done: 0, parts: 0 }
    }

    /// Adds parts that are still to be made.
    pub fn expect(&mut self, parts: usize) {
        self.parts += parts;
    }

    /// Makes a part, unless the export is cancelled before it.
    pub fn part<T>(&mut self, make: impl FnOnce() -> T) -> Result<T, ReportError> {
        if (self.hear)(self.done, self.parts).is_break() {
            return Err(ReportError::Cancelled);
        }
        let made = make();
        self.done += 1;
        Ok(made)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_export_ends_before_the_part_that_is_refused() {
        let mut heard = Vec::new();
        let mut hear = |done: usize, parts: usize| {
            heard.push((done, parts));
            if done == 1 { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
        };
        let mut progress = Progress::new(&mut hear);
        progress.expect(3);
        assert_eq!(progress.part(|| "first").unwrap(), "first");
        let second = progress.part(|| panic!("it is not made"));
        assert!(matches!(second, Err::<(), _>(ReportError::Cancelled)));
        assert_eq!(heard, [(0, 3), (1, 3)]);
    }
}
