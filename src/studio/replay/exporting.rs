//! Exports in progress, with an estimate of the remaining time.

use std::path::PathBuf;

/// The number of an export in this window.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct ExportId(pub u64);

/// The progress of an export.
#[derive(Clone, Debug, PartialEq)]
pub struct Exporting {
    /// The export's id, by which it is cancelled.
    pub id: ExportId,
    /// The name of the file.
    pub file: String,
    /// The path of the file.
    pub path: PathBuf,
    /// Number of pictures done and of all pictures. `None` until the stored results are read.
    pub pictures: Option<(usize, usize)>,
    /// Seconds since the start.
    pub seconds: f64,
    /// When it started, in seconds of the window's clock. `None` in the frame in which it started.
    pub began: Option<f64>,
    /// Seconds from the start to the first report of progress, which are not typical of the pictures.
    pub first: Option<f64>,
    /// Whether the export was asked to end.
    pub cancelled: bool,
}

impl Exporting {
    /// Creates the state of an export that has just started.
    pub fn new(id: ExportId, path: PathBuf) -> Self {
        let file = path.file_name().unwrap_or(path.as_os_str()).to_string_lossy().into_owned();
        Exporting { id, file, path, pictures: None, seconds: 0.0, began: None, first: None, cancelled: false }
    }

    /// Sets the time of the window's clock, in seconds.
    pub fn tick(&mut self, now: f64) {
        self.seconds = now - *self.began.get_or_insert(now);
    }

    /// Sets the number of pictures done and of all pictures.
    pub fn take(&mut self, done: usize, all: usize) {
        self.first.get_or_insert(self.seconds);
        self.pictures = Some((done, all));
    }

    /// The progress from 0 to 1.
    pub fn progress(&self) -> f32 {
        self.pictures.map_or(0.0, |(done, all)| done as f32 / all.max(1) as f32)
    }

    /// Estimated seconds left. `None` until a picture is done.
    pub fn seconds_left(&self) -> Option<f64> {
        let ((done, all), first) = (self.pictures?, self.first?);
        let each = (self.seconds - first) / done as f64;
        (done > 0).then(|| each * all.saturating_sub(done) as f64)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_left_is_known_after_the_first_picture() {
        let mut export = Exporting::new(ExportId(1), PathBuf::from("campaign-1.html"));
        export.tick(7.0);
        export.tick(10.0);
        assert_eq!((export.seconds, export.progress(), export.seconds_left()), (3.0, 0.0, None));
        export.take(0, 8);
        assert_eq!(export.seconds_left(), None);
        export.tick(11.0);
        export.take(2, 8);
        assert_eq!((export.progress(), export.seconds_left()), (0.25, Some(3.0)));
    }
}
