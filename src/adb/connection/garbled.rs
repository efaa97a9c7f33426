//! Retries for answers that a bad cable or network garbled. Queries and idempotent commands can be repeated, and every
//! call uses a connection of its own.

use std::sync::{Arc, Mutex, PoisonError};

use taproof_engine::device::{DeviceError, Garbled};

/// How many times in a row a request is repeated after a garbled answer.
const ASKED_AGAIN: u32 = 4;

/// The count of garbled answers from a device, shared by everything that queries it.
#[derive(Clone, Debug, Default)]
pub struct GarbledAnswers(Arc<Mutex<Option<Garbled>>>);

impl GarbledAnswers {
    /// The garbled answers so far; `None` if there were none.
    pub fn so_far(&self) -> Option<Garbled> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner).clone()
    }

    /// Counts a garbled answer. The first one is remembered.
    pub fn count(&self, error: &DeviceError) {
        let mut garbled = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        garbled.get_or_insert_with(|| Garbled { answers: 0, first: error.clone() }).answers += 1;
    }

    /// Repeats a request until its answer is not garbled and counts the garbled ones. If the last attempt is garbled as
    /// well, its error is returned and not yet counted.
    pub(crate) fn again<T>(&self, mut ask: impl FnMut() -> Result<T, DeviceError>) -> Result<T, DeviceError> {
        for _ in 0..ASKED_AGAIN {
            match ask() {
                Err(error) if error.garbled() => self.count(&error),
                answered => return answered,
            }
        }
        ask()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::host::AdbError;

    fn garbled(what: &str) -> DeviceError {
        AdbError::Garbled { what: what.to_owned() }.into()
    }

    #[test]
    fn a_garbled_answer_is_asked_for_again_and_counted() {
        let answers = GarbledAnswers::default();
        let mut left = vec![Ok(3), Err(garbled("two")), Err(garbled("one"))];
        assert_eq!(answers.again(|| left.pop().unwrap()), Ok(3));
        assert_eq!(answers.so_far(), Some(Garbled { answers: 2, first: garbled("one") }));
    }

    #[test]
    fn nobody_is_asked_for_ever_and_other_errors_are_told_at_once() {
        let (answers, mut asked) = (GarbledAnswers::default(), 0);
        let mut ask = |error: DeviceError| {
            asked += 1;
            Err::<(), _>(error)
        };
        assert_eq!(answers.again(|| ask(garbled("it"))), Err(garbled("it")));
        assert_eq!(answers.so_far().map(|garbled| garbled.answers), Some(u64::from(ASKED_AGAIN)));
        let closed = DeviceError::from(AdbError::Closed { what: "it".to_owned() });
        assert_eq!(answers.again(|| ask(closed.clone())), Err(closed.clone()));
        assert_eq!(asked, ASKED_AGAIN + 2);
    }
}
