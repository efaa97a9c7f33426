//! What the makers of an app may call its widgets instead.

/// A name or words, with what may take their place.
pub(super) type Entry = (&'static str, &'static [&'static str]);

/// Parts of resource ids.
pub(super) const IDS: [Entry; 36] = [
    ("title", &["heading", "label", "headline", "primary"]),
    ("note", &["subtitle", "secondary"]),
    ("menu", &["more", "overflow", "actions"]),
    ("star", &["favourite", "mark_button"]),
    ("count", &["total"]),
    ("new", &["create", "add", "fab", "compose"]),
    ("sort", &["order", "arrange"]),
    ("starred", &["favourites", "filter"]),
    ("search", &["find", "lookup"]),
    ("select_all", &["pick_all"]),
    ("delete_selected", &["remove_selected"]),
    ("edit", &["change", "modify", "pencil"]),
    ("delete", &["remove", "bin", "erase_button"]),
    ("name", &["caption", "header"]),
    ("save", &["done", "confirm", "store"]),
    ("next", &["forward", "go_on"]),
    ("query", &["search_text", "term"]),
    ("result", &["hit", "match"]),
    ("trash_title", &["deleted_title", "bin_item"]),
    ("restore", &["bring_back", "recover"]),
    ("erase", &["destroy"]),
    ("member", &["child", "entry"]),
    ("add_member", &["new_member", "append"]),
    ("choose", &["pick", "select"]),
    ("choice", &["option"]),
    ("page_star", &["page_favourite"]),
    ("row_play", &["play_button", "start"]),
    ("play", &["listen"]),
    ("played", &["recent"]),
    ("block", &["ban"]),
    ("status", &["state"]),
    ("blocked", &["banned"]),
    ("clear_blocked", &["allow_all"]),
    ("refresh", &["reload"]),
    ("field", &["input", "entry_field"]),
    ("value", &["content", "detail"]),
];

/// Words of the app.
pub(super) const WORDS: [Entry; 36] = [
    ("New {noun}", &["Make a {noun}", "Create a {noun}", "Another {noun}"]),
    ("Sort {plural}", &["Order", "Change the order of {plural}"]),
    ("Search {plural}", &["Find {plural}", "Look for {plural}"]),
    ("Edit {noun}", &["Change {noun}", "Modify"]),
    ("Delete {noun}", &["Remove {noun}", "Throw {noun} away"]),
    ("Add {noun}", &["Attach {noun}", "New {noun} here"]),
    ("Choose {owner}", &["Pick {owner}", "Belongs to"]),
    ("Close {noun}", &["Back to the list"]),
    ("Save", &["Store", "Keep it", "Apply"]),
    ("Next", &["Forward", "Go on"]),
    ("Delete", &["Remove", "Throw away"]),
    ("Edit", &["Change", "Modify"]),
    ("Undo", &["Take back", "Bring it back"]),
    ("Navigate up", &["Back", "Go back"]),
    ("More options", &["More", "Menu"]),
    ("Done", &["Finish", "Ready"]),
    ("By name", &["Alphabetically", "A to Z"]),
    ("Trash", &["Bin", "Deleted things"]),
    ("Restore", &["Recover", "Put back"]),
    ("Settings", &["Preferences", "Set up"]),
    ("Reset settings", &["Back to defaults"]),
    ("Reset", &["Set back"]),
    ("History", &["Recently played"]),
    ("Allowed", &["Not blocked"]),
    ("Continue", &["Proceed", "All right"]),
    ("Details", &["Overview"]),
    ("Open navigation drawer", &["Show the menu"]),
    ("Show all", &["Everything"]),
    ("Only with a star", &["Favourites"]),
    ("Star", &["Favourite"]),
    ("Add or remove the star", &["Favourite or not"]),
    ("Day after", &["Next day"]),
    ("Week after", &["Next week"]),
    ("Play or stop", &["Listen"]),
    ("Block or unblock", &["Ban or allow"]),
    ("Name", &["Title", "Called"]),
];

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use super::*;

    #[test]
    fn no_new_name_is_that_of_another_widget() {
        for table in [&IDS[..], &WORDS[..]] {
            let old: BTreeSet<&str> = table.iter().map(|(from, _)| *from).collect();
            let new: Vec<&str> = table.iter().flat_map(|(_, to)| to.iter().copied()).collect();
            assert_eq!(old.len(), table.len());
            assert!(new.iter().all(|to| !old.contains(to)), "an old name means something else");
        }
        let ids: Vec<&str> = IDS.iter().flat_map(|(_, to)| to.iter().copied()).collect();
        assert_eq!(ids.iter().collect::<BTreeSet<_>>().len(), ids.len());
    }
}
