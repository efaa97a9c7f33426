//! Enumerations whose variants have a word each.

/// An enumeration whose variants have a word each, which stands beside the variant. What follows the enumeration names
/// the function that returns the word and, if there is to be one, the list of all variants.
///
/// ```
/// taproof_screen::words! {
///     /// The size of a cup.
///     #[derive(Clone, Copy)]
///     pub enum Cup {
///         /// For a child.
///         Small = "small",
///         /// For everybody else.
///         Large = "large",
///     }
///     /// The size as a menu has it.
///     pub fn word;
///     /// All sizes.
///     pub const ALL;
/// }
/// assert_eq!(Cup::ALL.map(Cup::word), ["small", "large"]);
/// ```
#[macro_export]
macro_rules! words {
    (
        $(#[$about:meta])*
        $seen:vis enum $name:ident { $($(#[$of_variant:meta])* $variant:ident = $word:literal,)+ }
        $(#[$of_word:meta])*
        $word_seen:vis fn $function:ident;
        $($(#[$of_all:meta])* $all_seen:vis const ALL;)?
    ) => {
        $(#[$about])*
        $seen enum $name {
            $($(#[$of_variant])* $variant,)+
        }

        impl $name {
            $(#[$of_word])*
            $word_seen const fn $function(self) -> &'static str {
                match self {
                    $(Self::$variant => $word,)+
                }
            }
        }

        $crate::words! { @all $name [$($variant)+] $($(#[$of_all])* $all_seen)? }
    };
    (@all $name:ident [$($variant:ident)+]) => {};
    (@all $name:ident [$($variant:ident)+] $(#[$of_all:meta])* $seen:vis) => {
        impl $name {
            $(#[$of_all])*
            $seen const ALL: [Self; [$(Self::$variant),+].len()] = [$(Self::$variant),+];
        }
    };
}
