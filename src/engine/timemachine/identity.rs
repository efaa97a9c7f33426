//! Which screens count as the same state (paper.md, section 3).

use serde::{Deserialize, Serialize};

use taproof_screen::{Layout, LayoutKey, Same};

/// Which screens count as the same state.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum StateIdentity {
    /// Those with the same activity and set of (class, resource id): a longer list is the same state.
    #[default]
    Types,
    /// Those with the same resource ids in document order, as in the published program, for comparisons.
    Ids,
}

impl StateIdentity {
    /// The key of the state that a screen of the app belongs to.
    pub(super) fn key(self, layout: &Layout) -> LayoutKey {
        match self {
            StateIdentity::Types => layout.key(Same::Types),
            StateIdentity::Ids => ids_key(layout),
        }
    }
}

/// The published program's state id: Java's string hash over the package and all resource ids in document order.
fn ids_key(layout: &Layout) -> LayoutKey {
    let mut text = layout.package().to_owned();
    for widget in layout.widgets() {
        text.push_str(&format!(" resource-id=\"{}\"", widget.resource_id.as_deref().unwrap_or("")));
    }
    LayoutKey(u64::from(java_hash(&text).cast_unsigned()))
}

/// `String.hashCode()`: h = 31 h + c over UTF-16 units, 32 bits, signed.
fn java_hash(text: &str) -> i32 {
    text.encode_utf16().fold(0_i32, |hash, unit| hash.wrapping_mul(31).wrapping_add(i32::from(unit)))
}

#[cfg(test)]
mod tests {
    use super::*;
    use taproof_screen::layout_from;

    #[test]
    fn java_hashes_as_java_does() {
        assert_eq!(java_hash("com.example"), -49_835_523);
        assert_eq!(java_hash("com.example resource-id=\"\""), -143_002_554);
        let ids = "com.example resource-id=\"com.example:id/root\" resource-id=\"com.example:id/ok\" \
                   resource-id=\"\"";
        assert_eq!(java_hash(ids), -1_726_461_328);
    }

    #[test]
    fn a_longer_list_is_the_same_state_by_types_and_another_one_by_ids() {
        let few = layout_from("ListView#list\n  TextView#row \"a\"\n");
        let many = layout_from("ListView#list\n  TextView#row \"a\"\n  TextView#row \"b\"\n");
        assert_eq!(few.key(Same::Types), many.key(Same::Types));
        assert_ne!(ids_key(&few), ids_key(&many));
    }
}
