//! The words of other tools, and of the helpers that testers write themselves.

/// Names of what is done to a widget, and asked of it: each is the beginning of a method.
pub(super) const ACTIONS: [&str; 60] = [
    "add",
    "assert",
    "bounds",
    "center",
    "check",
    "clear",
    "click",
    "count",
    "double",
    "drag",
    "exist",
    "expect",
    "fling",
    "focus",
    "gesture",
    "getattribute",
    "getbounds",
    "getclassname",
    "getcontentdesc",
    "getlocation",
    "getpackage",
    "getrect",
    "getresource",
    "getsize",
    "gettagname",
    "gettext",
    "getvisible",
    "has",
    "hover",
    "info",
    "input",
    "is",
    "keys",
    "length",
    "location",
    "long",
    "move",
    "perform",
    "pinch",
    "press",
    "rect",
    "replace",
    "right",
    "screenshot",
    "scroll",
    "send",
    "set",
    "should",
    "size",
    "submit",
    "swipe",
    "tap",
    "text",
    "tobe",
    "tohave",
    "touch",
    "type",
    "value",
    "visible",
    "zoom",
];

/// Methods that return the same widgets, at once or later.
pub(super) const PASSED: [&str; 9] = [
    "all",
    "findall",
    "inroot",
    "mustwait",
    "setashorizontallist",
    "setasverticallist",
    "setmaxsearchswipes",
    "wait",
    "waitforexists",
];

/// Methods around a selector.
const AROUND: [&str; 15] = [
    "expect",
    "gone",
    "hasobject",
    "len",
    "onelement",
    "onobject",
    "print",
    "println",
    "uicollection",
    "uiobject",
    "uiobject2",
    "uiscrollable",
    "until",
    "wait",
    "waituntil",
];

/// Parts of names of methods around a selector.
const AROUND_PARTS: [&str; 5] = ["located", "clickable", "visibility", "presence", "selected"];

/// Beginnings of helpers that testers write to do something with a widget. They may be called with a number, too, which
/// says how long they wait.
const WAITING: [&str; 7] = ["assert", "assume", "check", "is", "verify", "visible", "wait"];
/// The same, without a number, which might be an index.
const HELPERS: [&str; 4] = ["click", "find", "get", "tap"];

/// Parts of names of helpers that may lead to another widget than the one that is passed.
const RELATIONS: [&str; 20] = [
    "above",
    "after",
    "ancestor",
    "around",
    "before",
    "below",
    "child",
    "contain",
    "descendant",
    "from",
    "inside",
    "left",
    "list",
    "near",
    "next",
    "parent",
    "previous",
    "right",
    "row",
    "sibling",
];

/// Whether a method names what the selector does that it is called with.
pub(super) fn is_around(word: &str) -> bool {
    AROUND.contains(&word) || AROUND_PARTS.iter().any(|part| word.contains(part))
}

/// Whether a method is somebody's own, and acts on the widget whose selector it is called with.
pub(super) fn is_helper(word: &str, with_number: bool) -> bool {
    let begins = |names: &[&str]| names.iter().any(|begin| word.starts_with(begin));
    let is_type = word.contains("element") || word.contains("object");
    let acts = begins(&WAITING) || !with_number && (is_type || begins(&HELPERS));
    acts && !RELATIONS.iter().any(|part| word.contains(part))
}
