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
///
/// Variants may have two words each, behind one another, with two functions:
///
/// ```
/// taproof_screen::words! {
///     #[derive(Clone, Copy)]
///     enum Cup {
///         Small = "small" / "for a child",
///         Large = "large" / "for everybody else",
///     }
///     fn word;
///     fn meant;
/// }
/// assert_eq!([Cup::Small.word(), Cup::Large.meant()], ["small", "for everybody else"]);
/// ```
///
/// Variants that hold something have their word by a reference. It may depend on what they hold:
///
/// ```
/// taproof_screen::words! {
///     enum Order {
///         Cups(u32) = "some cups",
///         Milk { warm: bool } = "milk",
///         Sugar(bool) = [true => "sugar", false => "no sugar"],
///     }
///     fn word(&self);
/// }
/// let order = [Order::Cups(2), Order::Milk { warm: true }, Order::Sugar(false)];
/// assert_eq!(order.map(|it| it.word()), ["some cups", "milk", "no sugar"]);
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
    (
        $(#[$about:meta])*
        $seen:vis enum $name:ident {
            $($(#[$of_variant:meta])* $variant:ident = $word:literal / $second:literal,)+
        }
        $(#[$of_word:meta])*
        $word_seen:vis fn $function:ident;
        $(#[$of_second:meta])*
        $second_seen:vis fn $other:ident;
        $($(#[$of_all:meta])* $all_seen:vis const ALL;)?
    ) => {
        $crate::words! {
            $(#[$about])*
            $seen enum $name { $($(#[$of_variant])* $variant = $word,)+ }
            $(#[$of_word])*
            $word_seen fn $function;
            $($(#[$of_all])* $all_seen const ALL;)?
        }

        impl $name {
            $(#[$of_second])*
            $second_seen const fn $other(self) -> &'static str {
                match self {
                    $(Self::$variant => $second,)+
                }
            }
        }
    };
    (
        $(#[$about:meta])*
        $seen:vis enum $name:ident {
            $(
                $(#[$of_variant:meta])*
                $variant:ident
                $(($($held:ty),+))?
                $({ $($(#[$of_field:meta])* $field:ident: $type:ty),+ $(,)? })?
                = $($word:literal)? $([$($($inside:pat),+ => $inner_word:literal),+ $(,)?])?,
            )+
        }
        $(#[$of_word:meta])*
        $word_seen:vis fn $function:ident(&self);
    ) => {
        $(#[$about])*
        $seen enum $name {
            $(
                $(#[$of_variant])*
                $variant $(($($held),+))? $({ $($(#[$of_field])* $field: $type),+ })?,
            )+
        }

        impl $name {
            $(#[$of_word])*
            $word_seen fn $function(&self) -> &'static str {
                match self {
                    $(
                        $(Self::$variant { .. } => $word,)?
                        $($(Self::$variant($($inside),+) => $inner_word,)+)?
                    )+
                }
            }
        }
    };
    (@all $name:ident [$($variant:ident)+]) => {};
    (@all $name:ident [$($variant:ident)+] $(#[$of_all:meta])* $seen:vis) => {
        impl $name {
            $(#[$of_all])*
            $seen const ALL: [Self; [$(Self::$variant),+].len()] = [$(Self::$variant),+];
        }
    };
}
