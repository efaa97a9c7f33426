//! What a device answers late, damaged, or not at all.

mod dead_services;
mod faults;
mod garbled;
mod odd_layouts;
mod refusals;
mod slow;
