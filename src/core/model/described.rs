//! Settings whose comments are their descriptions: what the code says of a field is what the window and the command line
//! show.

/// Declares a struct with settings, and makes the comments of its fields available to the program.
macro_rules! described {
    ($(#[$attribute:meta])* pub struct $name:ident {
        $($(#[doc = $line:literal])* pub $field:ident: $type:ty,)*
    }) => {
        $(#[$attribute])*
        pub struct $name {
            $($(#[doc = $line])* pub $field: $type,)*
        }

        impl $name {
            /// The comment of the field with this name. `None` if there is no such field.
            pub(crate) fn describe(field: &str) -> Option<&'static str> {
                let all = [$((stringify!($field), concat!($($line),*))),*];
                all.into_iter().find(|(name, _)| *name == field).map(|(_, comment)| comment.trim())
            }
        }
    };
}

pub(crate) use described;

#[cfg(test)]
mod tests {
    described! {
        /// A struct.
        pub struct Sizes {
            /// How wide it is,
            /// in pixels.
            pub width: u32,
            /// How high it is.
            pub height: u32,
        }
    }

    #[test]
    fn the_comment_of_a_field_is_its_description() {
        let sizes = Sizes { width: 1, height: 2 };
        assert_eq!(Sizes::describe("width"), Some("How wide it is, in pixels."));
        assert_eq!(Sizes::describe("height"), Some("How high it is."));
        assert_eq!((Sizes::describe("depth"), sizes.width + sizes.height), (None, 3));
    }
}
