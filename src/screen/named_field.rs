//! Serialises an enum variant that holds one value as an object with one named field.

/// Defines a module for `#[serde(with = "…")]` on such a variant. The module is named after the field.
macro_rules! named_field {
    ($field:ident: $type:ty) => {
        mod $field {
            use serde::{Deserialize, Deserializer, Serialize, Serializer};

            #[allow(unused_imports, reason = "not every type is of this module")]
            use super::*;

            #[derive(Serialize)]
            struct Written<'a> {
                $field: &'a $type,
            }

            #[derive(Deserialize)]
            struct Read {
                $field: $type,
            }

            pub(super) fn serialize<S: Serializer>(value: &$type, to: S) -> Result<S::Ok, S::Error> {
                Written { $field: value }.serialize(to)
            }

            pub(super) fn deserialize<'de, D: Deserializer<'de>>(from: D) -> Result<$type, D::Error> {
                Ok(Read::deserialize(from)?.$field)
            }
        }
    };
}

pub(super) use named_field;
