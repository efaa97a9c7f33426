//! Files that others own: uiautomator dumps and PBFDroid's JSON. Foreign shapes and spellings stop here.
//!
//! Text in, values out, and back. No disk.
