//! Reads uiautomator dumps as layouts: those that `uiautomator dump [--windows]`, the uiautomator2 server and Appium
//! write, and what shells and editors make of them.

#[cfg(test)]
mod tests;

use super::strange::{OPENINGS, is_page, layout_in_json, what_it_is};
use super::tags::{Attribute, Markup, Tags, unescape};
use super::windows::{Found, FoundWindow, Hierarchy};
use crate::format::source_text::SourceText;
use crate::format::{FormatError, FormatWarning, excerpt};
use crate::{Layout, PxRect, PxSize, Rotation, Text, Widget, WidgetFlags};

pub(super) const WHAT: &str = "uiautomator dump";
/// Largest depth of nested nodes: more than on any screen (web views reach about 100), few enough for code that walks
/// the tree recursively.
const MAX_DEPTH: usize = 512;
/// Largest number of nodes: a hundred times as many as on any screen.
const MAX_NODES: usize = 100_000;
/// Largest edge of a rectangle, in pixels. Sums and differences of edges then fit into an `i32`.
const MAX_EDGE: i32 = 1 << 28;
/// Largest length in bytes of a class, a package, an id and a window's title. Those of apps have some hundred bytes;
/// ids in web pages may have any length.
const MAX_NAME: usize = 1000;
/// Largest length in bytes of a widget's text, description and hint: that of a long book.
const MAX_TEXT: usize = 1 << 20;
/// Largest number of warnings per file; further ones are dropped.
const MAX_WARNINGS: usize = 100;

/// The result of reading a dump.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ParsedHierarchy {
    /// The layout. Its activity is empty because a dump does not contain it.
    pub layout: Layout,
    /// The problems in the dump, in file order.
    pub warnings: Vec<FormatWarning>,
}

/// Reads a dump: UTF-8 or UTF-16 with or without a byte-order mark, one window or several, with other text before and
/// after it, also inside of JSON, and nodes without a hierarchy, which somebody copied out of a dump. Attributes that a
/// layout does not have are ignored. Names of more than 1,000 bytes and texts of more than a mebibyte are cut, with a
/// warning; so is what cannot be read of a value or a tag.
///
/// # Errors
///
/// [`FormatError::Unexpected`] if the file is not a well-formed dump, [`FormatError::TooMuch`] if it has more than
/// 100,000 nodes or nests them more than 512 deep.
pub fn parse_hierarchy(bytes: &[u8]) -> Result<ParsedHierarchy, FormatError> {
    let source = SourceText::decode(bytes);
    let inner = layout_in_json(&source.text).map(SourceText::of_text);
    let mut reader = HierarchyReader::new(inner.as_ref().unwrap_or(&source));
    if inner.is_some() {
        reader.warn(0, "the layout stands in JSON; places are those of its text".to_owned());
    }
    let start = reader.find_start()?;
    reader.read(start)?;
    let (found, warnings) = (reader.found, reader.warnings);
    Ok(ParsedHierarchy { layout: found.into_layout(), warnings })
}

/// An element whose end was not read yet.
enum Open<'s> {
    Displays,
    Display(u32),
    /// `listed`: whether it contains a hierarchy that was read already.
    Window {
        window: FoundWindow,
        listed: bool,
    },
    /// `windowed`: whether it is inside a `<window>`; otherwise each of its roots is a window.
    Hierarchy {
        windowed: bool,
    },
    /// What is around nodes that stand in no hierarchy. It ends with the file.
    Fragment,
    /// A node of this name.
    Node(&'s str),
}

impl Open<'_> {
    fn name(&self) -> &str {
        match self {
            Open::Displays => "displays",
            Open::Display(_) => "display",
            Open::Window { .. } => "window",
            Open::Hierarchy { .. } => "hierarchy",
            Open::Fragment => "",
            Open::Node(name) => name,
        }
    }
}

struct HierarchyReader<'s> {
    source: &'s SourceText<'s>,
    warnings: Vec<FormatWarning>,
    found: Found,
    open: Vec<Open<'s>>,
    depth: usize,
    /// The first classes and packages of the dump, which many widgets share.
    names: Vec<Text>,
    empty: Text,
}

impl<'s> HierarchyReader<'s> {
    fn new(source: &'s SourceText<'s>) -> Self {
        HierarchyReader {
            source,
            warnings: Vec::new(),
            found: Found::default(),
            open: Vec::new(),
            depth: 0,
            names: Vec::new(),
            empty: Text::from(""),
        }
    }

    fn warn(&mut self, index: usize, problem: String) {
        if self.warnings.len() >= MAX_WARNINGS {
            return;
        }
        self.warnings.push(FormatWarning { place: self.source.place(index), problem });
    }

    fn unexpected(&self, index: usize, expected: &str, found: impl Into<String>) -> FormatError {
        self.source.unexpected(WHAT, index, expected, found)
    }

    /// Returns the index at which the XML begins. Text before it, such as the command's status line, gives a warning.
    fn find_start(&mut self) -> Result<usize, FormatError> {
        let source = self.source;
        for (index, problem) in &source.odd {
            self.warn(*index, problem.clone());
        }
        let text: &str = &source.text;
        let whole = text.match_indices('<').map(|(index, _)| index);
        let begins = |index: &usize| OPENINGS[..3].iter().any(|opening| text[*index..].starts_with(opening));
        let part = |index: &usize| {
            let name = text[index + 1..].split([' ', '>', '/', '\n']).next().unwrap_or_default();
            name == "node" || is_class(name)
        };
        // A page has scripts, in which much looks like a node.
        let start =
            whole.clone().find(begins).or_else(|| whole.clone().find(part).filter(|_| !is_page(text)));
        let before = text[..start.unwrap_or(text.len())].trim();
        let Some(start) = start else {
            let index = text.find(|char: char| !char.is_whitespace()).unwrap_or(text.len());
            let found = if before.is_empty() { "the end of the file".to_owned() } else { excerpt(before) };
            return Err(self.unexpected(index, "<?xml …?><hierarchy …>", what_it_is(text).unwrap_or(found)));
        };
        if !before.is_empty() {
            self.warn(0, format!("text before the XML, passed over: {}", excerpt(before)));
        }
        Ok(start)
    }

    fn read(&mut self, start: usize) -> Result<(), FormatError> {
        let mut tags = Tags::new(self.source, start);
        loop {
            match tags.next()? {
                Markup::Open { name, closed, at } => {
                    for (at, problem) in tags.odd.drain(..) {
                        self.warn(at, problem);
                    }
                    if self.open(name, &tags.attributes, at)? && closed {
                        self.close();
                    }
                }
                Markup::Close { name, at } => self.end(name, at)?,
                Markup::Text { text, at } => {
                    self.warn(at, format!("text between elements, passed over: {}", excerpt(text.trim())));
                }
                Markup::End => return self.ended(),
            }
            if self.open.is_empty() && !self.found.hierarchies.is_empty() {
                break;
            }
        }
        let after = self.source.text[tags.at..].trim();
        if !after.is_empty() {
            self.warn(tags.at, format!("text after the XML, passed over: {}", excerpt(after)));
        }
        Ok(())
    }

    fn is_fragment(&self) -> bool {
        matches!(self.open.first(), Some(Open::Fragment))
    }

    /// Judges the end of the file. Of a part that somebody copied, ends may be missing.
    fn ended(&mut self) -> Result<(), FormatError> {
        let expected = match self.open.last() {
            _ if self.is_fragment() => {
                if self.depth > 0 {
                    self.warn(self.source.text.len(), format!("{} nodes have no end", self.depth));
                }
                return Ok(());
            }
            None => "<hierarchy …>".to_owned(),
            Some(open) => format!("</{}>", open.name()),
        };
        Err(self.unexpected(self.source.text.len(), &expected, "the end of the file"))
    }

    fn end(&mut self, name: &str, at: usize) -> Result<(), FormatError> {
        match self.open.last() {
            Some(open) if open.name() == name => self.close(),
            _ if self.is_fragment() => self.warn(at, format!("</{name}> ends nothing, passed over")),
            open => {
                let expected =
                    open.map_or("<hierarchy …>".to_owned(), |open| format!("</{}>", open.name()));
                return Err(self.unexpected(at, &expected, format!("</{name}>")));
            }
        }
        Ok(())
    }

    /// Opens an element, and returns whether it is one of a layout.
    fn open(
        &mut self,
        name: &'s str,
        attributes: &[Attribute<'s>],
        index: usize,
    ) -> Result<bool, FormatError> {
        let is_node = name == "node" || is_class(name);
        if self.open.is_empty() && is_node {
            self.found.hierarchies.push(Hierarchy { rotation: Rotation::PORTRAIT, screen: None });
            self.open.push(Open::Fragment);
        }
        let (expected, opened) = match self.open.last() {
            None if name == "displays" => ("", Some(Open::Displays)),
            None | Some(Open::Window { .. } | Open::Display(_)) if name == "hierarchy" => {
                ("", Some(self.hierarchy(attributes, index)))
            }
            Some(Open::Displays) if name == "display" => ("", Some(self.display(attributes))),
            Some(Open::Display(_) | Open::Window { .. }) if name == "window" => {
                ("", Some(self.window(attributes)))
            }
            // Appium names elements after their class.
            Some(Open::Hierarchy { .. } | Open::Fragment | Open::Node(_)) if is_node => {
                self.node(name, attributes, index)?;
                ("", Some(Open::Node(name)))
            }
            Some(_) if self.is_fragment() => {
                self.warn(index, format!("<{name}> is no node, passed over"));
                return Ok(false);
            }
            None => ("<hierarchy …> or <displays …>", None),
            Some(Open::Displays) => ("<display …>", None),
            Some(Open::Display(_)) => ("<window …>", None),
            Some(Open::Window { .. }) => ("<hierarchy …>", None),
            Some(Open::Hierarchy { .. } | Open::Fragment | Open::Node(_)) => ("<node …>", None),
        };
        let Some(opened) = opened else {
            let what = what_it_is(&self.source.text).filter(|_| self.found.widgets.is_empty());
            return Err(self.unexpected(index, expected, what.unwrap_or_else(|| format!("<{name}"))));
        };
        self.open.push(opened);
        Ok(true)
    }

    fn close(&mut self) {
        match self.open.pop() {
            Some(Open::Node(_)) => self.depth -= 1,
            Some(Open::Window { window, listed: false }) => self.list_window(window),
            Some(_) | None => {}
        }
    }

    fn list_window(&mut self, window: FoundWindow) {
        self.found.windows.push(FoundWindow { first_widget: self.found.widgets.len(), ..window });
    }

    fn display(&mut self, attributes: &[Attribute<'_>]) -> Open<'s> {
        let id = attributes.iter().find(|(name, ..)| *name == "id");
        Open::Display(id.map_or(0, |(name, value, at)| self.number(name, value, *at)))
    }

    fn window(&mut self, attributes: &[Attribute<'_>]) -> Open<'s> {
        let mut window = self.bare_window();
        for &(name, value, at) in attributes {
            match name {
                "title" => window.title = self.text(name, value, at, MAX_NAME),
                "active" => window.active = Some(self.truth(name, value, at)),
                "bounds" => window.bounds = Some(self.bounds(value, at)),
                _ => {}
            }
        }
        Open::Window { window, listed: false }
    }

    /// Returns a window of which only the display is known, that of the `<display>` element being read.
    fn bare_window(&self) -> FoundWindow {
        let display = self.open.iter().find_map(|open| match open {
            Open::Display(id) => Some(*id),
            _ => None,
        });
        FoundWindow {
            first_widget: self.found.widgets.len(),
            hierarchy: self.found.hierarchies.len().checked_sub(1),
            display: display.unwrap_or(0),
            title: self.empty.clone(),
            active: None,
            bounds: None,
        }
    }

    fn hierarchy(&mut self, attributes: &[Attribute<'_>], index: usize) -> Open<'s> {
        let (mut rotation, mut width, mut height) = (0, None, None);
        for &(name, value, at) in attributes {
            match name {
                "rotation" => rotation = self.number(name, value, at),
                "width" => width = Some(self.number(name, value, at)),
                "height" => height = Some(self.number(name, value, at)),
                _ => {}
            }
        }
        if rotation > 3 {
            self.warn(index, format!("rotation is {rotation}, not 0 to 3; taken as 0"));
            rotation = 0;
        }
        let edge = |pixels: u32| i32::try_from(pixels).unwrap_or(MAX_EDGE).min(MAX_EDGE);
        let screen =
            width.zip(height).map(|(width, height)| PxSize { width: edge(width), height: edge(height) });
        self.found.hierarchies.push(Hierarchy { rotation: Rotation(rotation as u8), screen });
        let hierarchy = Some(self.found.hierarchies.len() - 1);
        let Some(Open::Window { window, listed }) = self.open.last_mut() else {
            return Open::Hierarchy { windowed: false };
        };
        *listed = true;
        let window = FoundWindow { hierarchy, ..window.clone() };
        self.list_window(window);
        Open::Hierarchy { windowed: true }
    }

    fn node(&mut self, tag: &str, attributes: &[Attribute<'_>], index: usize) -> Result<(), FormatError> {
        for (count, limit, of) in
            [(self.depth, MAX_DEPTH, "nested nodes"), (self.found.widgets.len(), MAX_NODES, "nodes")]
        {
            if count >= limit {
                return Err(FormatError::TooMuch { what: WHAT, place: self.source.place(index), limit, of });
            }
        }
        if let Some(Open::Hierarchy { windowed: false } | Open::Fragment) = self.open.last() {
            let window = self.bare_window();
            self.list_window(window);
        }
        let widget = self.widget(tag, attributes, index);
        self.found.widgets.push((self.depth, widget));
        let own = attributes.iter().find(|(name, ..)| *name == "index");
        self.found.indices.push(own.and_then(|(_, value, _)| value.parse().ok()));
        self.depth += 1;
        Ok(())
    }

    fn widget(&mut self, tag: &str, attributes: &[Attribute<'_>], index: usize) -> Widget {
        let mut bounds = None;
        let mut widget = Widget {
            parent: None,
            package: self.empty.clone(),
            class: self.empty.clone(),
            resource_id: None,
            text: self.empty.clone(),
            content_desc: self.empty.clone(),
            hint: self.empty.clone(),
            bounds: PxRect::default(),
            flags: WidgetFlags::NONE,
        };
        for &(name, value, at) in attributes {
            match name {
                "bounds" => bounds = Some(self.bounds(value, at)),
                "class" => widget.class = self.name(name, value, at),
                "package" => widget.package = self.name(name, value, at),
                "text" => widget.text = self.text(name, value, at, MAX_TEXT),
                "content-desc" => widget.content_desc = self.text(name, value, at, MAX_TEXT),
                "hint" => widget.hint = self.text(name, value, at, MAX_TEXT),
                "resource-id" if value.is_empty() => {}
                "resource-id" => widget.resource_id = Some(self.text(name, value, at, MAX_NAME)),
                "display-id" if self.depth == 0 => {
                    let display = self.number(name, value, at);
                    if let Some(window) = self.found.windows.last_mut() {
                        window.display = display;
                    }
                }
                _ => {
                    if let Some(flag) = flag_named(name) {
                        widget.flags = widget.flags.with(flag, self.truth(name, value, at));
                    }
                }
            }
        }
        match bounds {
            Some(bounds) => widget.bounds = bounds,
            None => self.warn(index, "a node without bounds; taken as empty".to_owned()),
        }
        if widget.class.is_empty() && tag != "node" {
            widget.class = self.name("class", tag, index);
        }
        widget
    }

    /// Returns the value of an attribute, cut if it is longer than `limit` bytes.
    fn text(&mut self, name: &str, value: &str, index: usize, limit: usize) -> Text {
        if value.is_empty() {
            return self.empty.clone();
        }
        let text = unescape(value, &mut |at, problem| self.warn(index + at, problem));
        if text.len() <= limit {
            return Text::from(&*text);
        }
        self.warn(index, format!("{name} has {} bytes; the first {limit} are kept", text.len()));
        Text::from(&text[..text.floor_char_boundary(limit)])
    }

    /// Returns a class or a package, which shares its memory with an equal one read before.
    fn name(&mut self, name: &str, value: &str, index: usize) -> Text {
        const SHARED: usize = 32;
        if let Some(known) = self.names.iter().find(|known| &***known == value) {
            return known.clone();
        }
        let text = self.text(name, value, index, MAX_NAME);
        if self.names.len() < SHARED {
            self.names.push(text.clone());
        }
        text
    }

    fn truth(&mut self, name: &str, value: &str, index: usize) -> bool {
        match value {
            "true" => true,
            "false" => false,
            other => {
                self.warn(index, format!("{name} is {}, not true or false; taken as false", excerpt(other)));
                false
            }
        }
    }

    fn number(&mut self, name: &str, value: &str, index: usize) -> u32 {
        value.trim().parse().unwrap_or_else(|_| {
            self.warn(index, format!("{name} is {}, not a number; taken as 0", excerpt(value)));
            0
        })
    }

    fn bounds(&mut self, value: &str, index: usize) -> PxRect {
        bounds_from(value).unwrap_or_else(|| {
            self.warn(index, format!("bounds are {}, not [l,t][r,b]; taken as empty", excerpt(value)));
            PxRect::default()
        })
    }
}

/// Whether an element is named after a class.
fn is_class(name: &str) -> bool {
    let may_be = |letter: char| letter.is_alphanumeric() || matches!(letter, '.' | '_' | '$' | '-');
    name.contains('.') && name.chars().all(may_be)
}

fn flag_named(name: &str) -> Option<WidgetFlags> {
    Some(match name {
        "checkable" => WidgetFlags::CHECKABLE,
        "checked" => WidgetFlags::CHECKED,
        "clickable" => WidgetFlags::CLICKABLE,
        "enabled" => WidgetFlags::ENABLED,
        "focusable" => WidgetFlags::FOCUSABLE,
        "focused" => WidgetFlags::FOCUSED,
        "scrollable" => WidgetFlags::SCROLLABLE,
        "long-clickable" => WidgetFlags::LONG_CLICKABLE,
        "password" => WidgetFlags::PASSWORD,
        "selected" => WidgetFlags::SELECTED,
        "NAF" => WidgetFlags::NAF,
        _ => return None,
    })
}

/// Parses `[l,t][r,b]`. `None` for anything else, and for edges beyond [`MAX_EDGE`].
pub(crate) fn bounds_from(text: &str) -> Option<PxRect> {
    let bounds = PxRect::parse(text)?;
    let edges = [bounds.left, bounds.top, bounds.right, bounds.bottom];
    edges.iter().all(|px| px.abs_diff(0) <= MAX_EDGE as u32).then_some(bounds)
}
