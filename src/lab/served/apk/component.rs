//! Names of activities and services, as Android writes them.

use std::fmt;

/// A package and a class in it.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Component {
    /// The package that the class is installed with.
    pub package: String,
    /// The fully qualified class name.
    pub class: String,
}

impl Component {
    /// Creates a component. A class name that begins with a dot is relative to the package.
    pub fn new(package: &str, class: &str) -> Component {
        let class = if class.starts_with('.') { format!("{package}{class}") } else { class.to_owned() };
        Component { package: package.to_owned(), class }
    }

    /// Parses `package/.Class` or `package/package.Class`; `None` if a part is missing.
    pub fn parse(text: &str) -> Option<Component> {
        let (package, class) = text.split_once('/')?;
        (!package.is_empty() && !class.is_empty()).then(|| Component::new(package, class))
    }

    /// The long form, `package/package.Class`.
    pub fn full(&self) -> String {
        format!("{}/{}", self.package, self.class)
    }
}

/// `package/.Class`, or the long form if the class is outside the package.
impl fmt::Display for Component {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let short = self.class.strip_prefix(&self.package).filter(|rest| rest.starts_with('.'));
        write!(f, "{}/{}", self.package, short.unwrap_or(&self.class))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn both_spellings_are_one_component() {
        let short = Component::parse("org.ex/.Main").unwrap();
        assert_eq!(Component::parse("org.ex/org.ex.Main").as_ref(), Some(&short));
        assert_eq!((short.to_string(), short.full()), ("org.ex/.Main".into(), "org.ex/org.ex.Main".into()));
        assert_eq!(Component::new("org.ex", "com.other.Main").to_string(), "org.ex/com.other.Main");
        assert_eq!(Component::parse("org.ex"), None);
        assert_eq!(Component::parse("org.ex/"), None);
    }
}
