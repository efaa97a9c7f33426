//! What the served device does, by what is changed: its apps, programs and surroundings.

mod around;
mod installs;
mod programs;
