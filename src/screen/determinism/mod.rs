//! The only source of random numbers, time and hashes.
//!
//! Nothing else in the program may draw a random number, read a clock, or compute a hash for a purpose that outlives
//! the process: the same plan must give the same bytes on every machine and in every release.

mod clock;
mod rng;
mod stable_hash;

pub use clock::{DeviceDuration, DeviceInstant};
pub use rng::Rng;
pub use stable_hash::{HashBuffer, StableHasher, hash_bytes, hash_text};
