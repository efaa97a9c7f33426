//! The panels of this place. A panel reads the state and queues commands. State that only the panel needs (zoom, what is
//! folded) is in a struct of its own.

mod discovery;
mod facts;
mod head;
mod inspect;
mod lead;
mod proposal_cards;
pub(crate) mod record;
pub(crate) mod recording;
pub(crate) mod step;
mod steps;
