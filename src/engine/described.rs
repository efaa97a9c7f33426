//! Settings whose comments are their descriptions: what the code says of a field is what the window and the command line
//! show.

use std::fmt;

use serde::de::{Deserialize, Deserializer, Error, Visitor};
use serde::forward_to_deserialize_any;

/// What is known of a setting.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Setting {
    /// What it means, for people.
    pub description: &'static str,
    /// The values that it can have, if it is an enumeration; else empty.
    pub words: &'static [&'static str],
}

/// Declares a struct with settings: each with its default and, where the paper has another one, that. Makes what the code
/// says of its fields available to the program.
macro_rules! described {
    ($(#[$attribute:meta])* pub struct $name:ident {
        $($(#[doc = $line:literal])* pub $field:ident: $type:ty = $default:expr $(, paper $paper:literal)?;)*
    }) => {
        $(#[$attribute])*
        pub struct $name {
            $($(#[doc = $line])* pub $field: $type,)*
        }

        impl Default for $name {
            fn default() -> Self {
                $name { $($field: $default,)* }
            }
        }

        impl $name {
            /// The settings as in the paper, or in the published program where the paper names no number.
            pub const PAPER: &'static [(&'static str, &'static str)] =
                &[$($((stringify!($field), $paper),)?)*];

            /// The setting with this name. `None` if there is no such field.
            pub(crate) fn setting(name: &str) -> Option<$crate::Setting> {
                $(if name == stringify!($field) {
                    return Some($crate::Setting {
                        description: concat!($($line),*).trim_ascii(),
                        words: $crate::described::words_of::<$type>(),
                    });
                })*
                None
            }
        }
    };
}

pub(super) use described;

/// The names of an enumeration's variants, as its values are read and written; empty for any other type.
pub(super) fn words_of<T: for<'de> Deserialize<'de>>() -> &'static [&'static str] {
    T::deserialize(Names).err().map_or(&[], |Found(names)| names)
}

/// Has no value, but takes down which names the type that asks for one accepts.
struct Names;

/// The names that a type accepts.
#[derive(Debug)]
struct Found(&'static [&'static str]);

impl fmt::Display for Found {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}", self.0.join(", "))
    }
}

impl std::error::Error for Found {}

impl Error for Found {
    fn custom<M: fmt::Display>(_: M) -> Self {
        Found(&[])
    }
}

impl<'de> Deserializer<'de> for Names {
    type Error = Found;

    fn deserialize_any<V: Visitor<'de>>(self, _: V) -> Result<V::Value, Found> {
        Err(Found(&[]))
    }

    fn deserialize_enum<V: Visitor<'de>>(
        self,
        _: &'static str,
        names: &'static [&'static str],
        _: V,
    ) -> Result<V::Value, Found> {
        Err(Found(names))
    }

    forward_to_deserialize_any! {
        bool i8 i16 i32 i64 i128 u8 u16 u32 u64 u128 f32 f64 char str string bytes byte_buf option unit unit_struct
        newtype_struct seq tuple tuple_struct map struct identifier ignored_any
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[derive(serde::Deserialize)]
    #[serde(rename_all = "kebab-case")]
    pub enum Side {
        Left,
        #[serde(rename = "r")]
        Right,
        InBetween,
    }

    described! {
        /// A struct.
        pub struct Sizes {
            /// How wide it is,
            /// in pixels.
            pub width: u32 = 1, paper "2";
            /// Where it is.
            pub side: Side = Side::Left;
        }
    }

    #[test]
    fn the_comment_of_a_field_is_its_description_and_an_enumeration_has_words() {
        let width = Setting { description: "How wide it is, in pixels.", words: &[] };
        let side = Setting { description: "Where it is.", words: &["left", "r", "in-between"] };
        assert_eq!(Sizes::setting("width"), Some(width));
        assert_eq!(Sizes::setting("side"), Some(side));
        assert_eq!(Sizes::setting("depth"), None);
        let sizes = Sizes::default();
        assert!(sizes.width == 1 && matches!(sizes.side, Side::Left));
        assert_eq!(Sizes::PAPER, [("width", "2")]);
    }
}
