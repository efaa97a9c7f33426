//! Reads uiautomator dumps as layouts: those that `uiautomator dump [--windows]`, the uiautomator2 server and Appium
//! write, and what shells and editors make of them.

use std::borrow::Cow;

use quick_xml::errors::{IllFormedError, SyntaxError};
use quick_xml::escape::EscapeError;
use quick_xml::events::attributes::Attribute;
use quick_xml::events::{BytesStart, Event};
use quick_xml::name::QName;
use quick_xml::{Error, Reader, XmlVersion};

use super::windows::{Found, FoundWindow, Hierarchy};
use crate::format::source_text::SourceText;
use crate::format::{FormatError, FormatWarning, excerpt};
use crate::{Layout, PxRect, PxSize, Rotation, Text, Widget, WidgetFlags};

const WHAT: &str = "uiautomator dump";
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
/// after it. Attributes that a layout does not have are ignored. Names of more than 1,000 bytes and texts of more than
/// a mebibyte are cut, with a warning.
///
/// # Errors
///
/// [`FormatError::Unexpected`] if the file is not a well-formed dump, [`FormatError::TooMuch`] if it has more than
/// 100,000 nodes or nests them more than 512 deep.
pub fn parse_hierarchy(bytes: &[u8]) -> Result<ParsedHierarchy, FormatError> {
    let source = SourceText::decode(WHAT, bytes)?;
    let mut reader = HierarchyReader::new(&source);
    let start = reader.find_start()?;
    reader.read(start)?;
    let (found, warnings) = (reader.found, reader.warnings);
    Ok(ParsedHierarchy { layout: found.into_layout(), warnings })
}

/// An element whose end was not read yet.
enum Open {
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
    Node,
}

struct HierarchyReader<'s> {
    source: &'s SourceText<'s>,
    warnings: Vec<FormatWarning>,
    found: Found,
    open: Vec<Open>,
    depth: usize,
    /// The first classes and packages of the dump, which many widgets share.
    names: Vec<Text>,
    empty: Text,
}

/// Iterator over the attributes of a tag: name, raw value, index of the value in the file's text. Attributes make up
/// nearly all of a dump; parsing them here with inlining instead of with quick-xml saves a fifth of the total time.
struct Attributes<'t, 's> {
    source: &'s SourceText<'s>,
    raw: &'t str,
    at: usize,
    /// Index of `raw` in the file's text.
    base: usize,
}

impl<'t> Attributes<'t, '_> {
    #[inline(always)]
    fn skip_blanks(&mut self) -> Option<u8> {
        let bytes = self.raw.as_bytes();
        while bytes.get(self.at).is_some_and(u8::is_ascii_whitespace) {
            self.at += 1;
        }
        bytes.get(self.at).copied()
    }

    /// Consumes and returns the text before the first byte that `ends` accepts. `None` if there is no such byte.
    #[inline(always)]
    fn take_until(&mut self, ends: impl Fn(&u8) -> bool) -> Option<&'t str> {
        let rest = &self.raw[self.at..];
        let length = rest.bytes().position(|byte| ends(&byte))?;
        self.at += length;
        Some(&rest[..length])
    }

    #[inline(always)]
    fn parse(&mut self) -> Option<(&'t str, &'t str, usize)> {
        let name = self.take_until(|byte| *byte == b'=' || byte.is_ascii_whitespace())?;
        if name.is_empty() || self.skip_blanks() != Some(b'=') {
            return None;
        }
        self.at += 1;
        let quote = self.skip_blanks().filter(|byte| matches!(byte, b'"' | b'\''))?;
        self.at += 1;
        let index = self.base + self.at;
        let value = self.take_until(|byte| *byte == quote)?;
        self.at += 1;
        Some((name, value, index))
    }
}

impl<'t> Iterator for Attributes<'t, '_> {
    type Item = Result<(&'t str, &'t str, usize), FormatError>;

    #[inline(always)]
    fn next(&mut self) -> Option<Self::Item> {
        self.skip_blanks()?;
        let start = self.at;
        Some(self.parse().ok_or_else(|| {
            self.at = self.raw.len();
            let found = excerpt(&self.raw[start..]);
            self.source.unexpected(WHAT, self.base + start, "name=\"value\"", found)
        }))
    }
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
        let text: &str = &self.source.text;
        if let Some(index) = text.find('\0') {
            return Err(self.unexpected(index, "text", "a NUL character"));
        }
        let opens = |index: &usize| {
            ["<?xml", "<hierarchy", "<displays"].iter().any(|opening| text[*index..].starts_with(opening))
        };
        let start = text.match_indices('<').map(|(index, _)| index).find(opens);
        let before = text[..start.unwrap_or(text.len())].trim();
        let Some(start) = start else {
            let index = text.find(|char: char| !char.is_whitespace()).unwrap_or(text.len());
            let found = if before.is_empty() { "the end of the file".to_owned() } else { excerpt(before) };
            return Err(self.unexpected(index, "<?xml …?><hierarchy …>", found));
        };
        if !before.is_empty() {
            self.warn(0, format!("text before the XML, passed over: {}", excerpt(before)));
        }
        Ok(start)
    }

    fn read(&mut self, start: usize) -> Result<(), FormatError> {
        let mut reader = Reader::from_str(&self.source.text[start..]);
        loop {
            let index = start + reader.buffer_position() as usize;
            let event = match reader.read_event() {
                Ok(event) => event,
                Err(error) => return Err(self.broken(&error, start + reader.error_position() as usize)),
            };
            match event {
                Event::Start(tag) => self.open(&tag, index)?,
                Event::Empty(tag) => {
                    self.open(&tag, index)?;
                    self.close();
                }
                Event::End(_) => self.close(),
                Event::Text(text) => self.stray(index, &text.into_inner()),
                Event::CData(text) => self.stray(index, &text.into_inner()),
                Event::GeneralRef(name) => self.stray(index, &name.into_inner()),
                Event::DocType(_) => return Err(self.unexpected(index, "<hierarchy …>", "<!DOCTYPE")),
                Event::Comment(_) | Event::Decl(_) | Event::PI(_) => continue,
                Event::Eof => return Err(self.ended()),
            }
            if self.open.is_empty() && !self.found.hierarchies.is_empty() {
                break;
            }
        }
        let end = start + reader.buffer_position() as usize;
        let after = self.source.text[end..].trim();
        if !after.is_empty() {
            self.warn(end, format!("text after the XML, passed over: {}", excerpt(after)));
        }
        Ok(())
    }

    fn stray(&mut self, index: usize, text: &str) {
        if !text.trim_ascii().is_empty() {
            self.warn(index, format!("text between elements, passed over: {}", excerpt(text.trim())));
        }
    }

    fn ended(&self) -> FormatError {
        let expected = match self.open.last() {
            None => "<hierarchy …>",
            Some(Open::Displays) => "</displays>",
            Some(Open::Display(_)) => "</display>",
            Some(Open::Window { .. }) => "</window>",
            Some(Open::Hierarchy { .. }) => "</hierarchy>",
            Some(Open::Node) => "</node>",
        };
        self.unexpected(self.source.text.len(), expected, "the end of the file")
    }

    fn broken(&self, error: &Error, index: usize) -> FormatError {
        let end = |expected| self.unexpected(self.source.text.len(), expected, "the end of the file");
        match error {
            Error::Syntax(SyntaxError::UnclosedSingleQuotedAttributeValue) => end("' after the value"),
            Error::Syntax(SyntaxError::UnclosedDoubleQuotedAttributeValue) => end("\" after the value"),
            Error::Syntax(SyntaxError::UnclosedPI | SyntaxError::UnclosedXmlDecl) => end("?>"),
            Error::Syntax(SyntaxError::UnclosedComment) => end("-->"),
            Error::Syntax(SyntaxError::UnclosedCData) => end("]]>"),
            Error::Syntax(_) => end("> after the tag"),
            Error::IllFormed(IllFormedError::MismatchedEndTag { expected, found }) => {
                self.unexpected(index, &format!("</{expected}>"), format!("</{found}>"))
            }
            Error::IllFormed(IllFormedError::UnmatchedEndTag(found)) => {
                self.unexpected(index, "<hierarchy …>", format!("</{found}>"))
            }
            other => self.unexpected(index, "well-formed XML", other.to_string()),
        }
    }

    fn open(&mut self, tag: &BytesStart<'_>, index: usize) -> Result<(), FormatError> {
        let name = tag.name().into_inner();
        let (expected, opened) = match self.open.last() {
            None if name == "displays" => ("", Some(Open::Displays)),
            None | Some(Open::Window { .. } | Open::Display(_)) if name == "hierarchy" => {
                ("", Some(self.hierarchy(tag, index)?))
            }
            Some(Open::Displays) if name == "display" => ("", Some(self.display(tag, index)?)),
            Some(Open::Display(_) | Open::Window { .. }) if name == "window" => {
                ("", Some(self.window(tag, index)?))
            }
            // Appium names elements after their class.
            Some(Open::Hierarchy { .. } | Open::Node) if name == "node" || name.contains('.') => {
                self.node(tag, index)?;
                ("", Some(Open::Node))
            }
            None => ("<hierarchy …> or <displays …>", None),
            Some(Open::Displays) => ("<display …>", None),
            Some(Open::Display(_)) => ("<window …>", None),
            Some(Open::Window { .. }) => ("<hierarchy …>", None),
            Some(Open::Hierarchy { .. } | Open::Node) => ("<node …>", None),
        };
        match opened {
            Some(opened) => self.open.push(opened),
            None => return Err(self.unexpected(index, expected, format!("<{name}"))),
        }
        Ok(())
    }

    fn close(&mut self) {
        match self.open.pop() {
            Some(Open::Node) => self.depth -= 1,
            Some(Open::Window { window, listed: false }) => self.list_window(window),
            Some(Open::Window { .. } | Open::Hierarchy { .. } | Open::Display(_) | Open::Displays) | None => {
            }
        }
    }

    fn list_window(&mut self, window: FoundWindow) {
        self.found.windows.push(FoundWindow { first_widget: self.found.widgets.len(), ..window });
    }

    fn display(&mut self, tag: &BytesStart<'_>, index: usize) -> Result<Open, FormatError> {
        let mut id = 0;
        for attribute in self.attributes(tag, index) {
            let (name, value, at) = attribute?;
            if name == "id" {
                id = self.number(name, value, at);
            }
        }
        Ok(Open::Display(id))
    }

    fn window(&mut self, tag: &BytesStart<'_>, index: usize) -> Result<Open, FormatError> {
        let mut window = self.bare_window();
        for attribute in self.attributes(tag, index) {
            let (name, value, at) = attribute?;
            match name {
                "title" => window.title = self.text(name, value, at, MAX_NAME)?,
                "active" => window.active = Some(self.truth(name, value, at)),
                "bounds" => window.bounds = Some(self.bounds(value, at)),
                _ => {}
            }
        }
        Ok(Open::Window { window, listed: false })
    }

    /// Returns a window of which only the display is known, that of the `<display>` element being read.
    fn bare_window(&self) -> FoundWindow {
        let display = self.open.iter().find_map(|open| match open {
            Open::Display(id) => Some(*id),
            Open::Displays | Open::Window { .. } | Open::Hierarchy { .. } | Open::Node => None,
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

    fn hierarchy(&mut self, tag: &BytesStart<'_>, index: usize) -> Result<Open, FormatError> {
        let (mut rotation, mut width, mut height) = (0, None, None);
        for attribute in self.attributes(tag, index) {
            let (name, value, at) = attribute?;
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
            return Ok(Open::Hierarchy { windowed: false });
        };
        *listed = true;
        let window = FoundWindow { hierarchy, ..window.clone() };
        self.list_window(window);
        Ok(Open::Hierarchy { windowed: true })
    }

    fn node(&mut self, tag: &BytesStart<'_>, index: usize) -> Result<(), FormatError> {
        for (count, limit, of) in
            [(self.depth, MAX_DEPTH, "nested nodes"), (self.found.widgets.len(), MAX_NODES, "nodes")]
        {
            if count >= limit {
                return Err(FormatError::TooMuch { what: WHAT, place: self.source.place(index), limit, of });
            }
        }
        if let Some(Open::Hierarchy { windowed: false }) = self.open.last() {
            let window = self.bare_window();
            self.list_window(window);
        }
        let widget = self.widget(tag, index)?;
        self.found.widgets.push((self.depth, widget));
        self.depth += 1;
        Ok(())
    }

    fn widget(&mut self, tag: &BytesStart<'_>, index: usize) -> Result<Widget, FormatError> {
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
        for attribute in self.attributes(tag, index) {
            let (name, value, at) = attribute?;
            match name {
                "bounds" => bounds = Some(self.bounds(value, at)),
                "class" => widget.class = self.name(name, value, at)?,
                "package" => widget.package = self.name(name, value, at)?,
                "text" => widget.text = self.text(name, value, at, MAX_TEXT)?,
                "content-desc" => widget.content_desc = self.text(name, value, at, MAX_TEXT)?,
                "hint" => widget.hint = self.text(name, value, at, MAX_TEXT)?,
                "resource-id" if value.is_empty() => {}
                "resource-id" => widget.resource_id = Some(self.text(name, value, at, MAX_NAME)?),
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
        if widget.class.is_empty() && tag.name().into_inner() != "node" {
            widget.class = self.name("class", tag.name().into_inner(), index)?;
        }
        Ok(widget)
    }

    /// Returns the attributes of a tag that begins at `index`.
    fn attributes<'t>(&self, tag: &'t BytesStart<'_>, index: usize) -> Attributes<'t, 's> {
        let name_length = tag.name().into_inner().len();
        Attributes { source: self.source, raw: tag.attributes_raw(), at: 0, base: index + 1 + name_length }
    }

    fn unescape<'t>(&self, value: &'t str, index: usize) -> Result<Cow<'t, str>, FormatError> {
        if !value.bytes().any(|byte| matches!(byte, b'&' | b'\n' | b'\r' | b'\t')) {
            return Ok(Cow::Borrowed(value));
        }
        let attribute = Attribute { key: QName(""), value: Cow::Borrowed(value) };
        attribute.normalized_value(XmlVersion::Implicit1_0).map_err(|error| match error {
            Error::Escape(EscapeError::UnrecognizedEntity(range, name)) => {
                let expected = "&amp; &lt; &gt; &quot; &apos; or a character reference";
                self.unexpected(index + range.start, expected, format!("&{name};"))
            }
            other => self.unexpected(index, "a text with references as in XML", other.to_string()),
        })
    }

    /// Returns the value of an attribute, cut if it is longer than `limit` bytes.
    fn text(&mut self, name: &str, value: &str, index: usize, limit: usize) -> Result<Text, FormatError> {
        if value.is_empty() {
            return Ok(self.empty.clone());
        }
        let text = self.unescape(value, index)?;
        if text.len() <= limit {
            return Ok(Text::from(&*text));
        }
        self.warn(index, format!("{name} has {} bytes; the first {limit} are kept", text.len()));
        Ok(Text::from(&text[..text.floor_char_boundary(limit)]))
    }

    /// Returns a class or a package, which shares its memory with an equal one read before.
    fn name(&mut self, name: &str, value: &str, index: usize) -> Result<Text, FormatError> {
        const SHARED: usize = 32;
        if let Some(known) = self.names.iter().find(|known| &***known == value) {
            return Ok(known.clone());
        }
        let text = self.text(name, value, index, MAX_NAME)?;
        if self.names.len() < SHARED {
            self.names.push(text.clone());
        }
        Ok(text)
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

#[cfg(test)]
mod tests {
    use super::*;
    use crate::WidgetIdx;

    const ROOT: &str = "<node class=\"a.Root\" package=\"org.ex\" bounds=\"[0,0][1080,1920]\"";

    fn parsed(xml: &str) -> ParsedHierarchy {
        parse_hierarchy(xml.as_bytes()).unwrap()
    }

    fn in_root(attributes: &str) -> ParsedHierarchy {
        parsed(&format!("<hierarchy rotation=\"0\">{ROOT} {attributes} /></hierarchy>"))
    }

    fn check_error(xml: &str, message: &str) {
        assert_eq!(parse_hierarchy(xml.as_bytes()).unwrap_err().to_string(), format!("{WHAT}, {message}"));
    }

    #[test]
    fn references_and_line_ends_are_read_as_in_xml() {
        let layout =
            in_root("text=\"a&#10;b&#x1F600;&#128525;&lt;&amp;&quot;&apos;\" content-desc=\"one\r\ntwo\"")
                .layout;
        assert_eq!(&*layout.widget(WidgetIdx(0)).text, "a\nb😀😍<&\"'");
        assert_eq!(&*layout.widget(WidgetIdx(0)).content_desc, "one two");
    }

    #[test]
    fn pretty_printed_and_unknown_parts_are_no_matter() {
        let xml = "<?xml version=\"1.0\"?>\n<!-- by hand -->\n<hierarchy rotation='3' made-by='me'>\n  \
            <node xpos='1' class='a.B' bounds='[1,2][3,4]' clickable='true'>\n  </node>\n</hierarchy>\n\n";
        let ParsedHierarchy { layout, warnings } = parsed(xml);
        assert_eq!(warnings, []);
        assert_eq!(layout.rotation(), Rotation(3));
        assert!(layout.widget(WidgetIdx(0)).clickable());
    }

    #[test]
    fn odd_values_are_warned_of() {
        let ParsedHierarchy { layout, warnings } = parsed(
            "<hierarchy rotation=\"7\"><node bounds=\"[0,0][9]\" clickable=\"yes\" /></hierarchy>tail",
        );
        let told: Vec<String> = warnings.iter().map(ToString::to_string).collect();
        assert_eq!(
            told,
            [
                "line 1, column 1 (byte 0): rotation is 7, not 0 to 3; taken as 0",
                "line 1, column 39 (byte 38): bounds are \"[0,0][9]\", not [l,t][r,b]; taken as empty",
                "line 1, column 60 (byte 59): clickable is \"yes\", not true or false; taken as false",
                "line 1, column 79 (byte 78): text after the XML, passed over: \"tail\"",
            ]
        );
        assert_eq!(layout.widget(WidgetIdx(0)).bounds, PxRect::default());
        let web = in_root("bounds=\"[-5,70][3,60]\"").layout;
        assert_eq!(web.widget(WidgetIdx(0)).bounds, PxRect::new(-5, 70, 3, 60));
    }

    #[test]
    fn names_and_texts_are_cut_where_they_are_longer_than_any() {
        let name = format!("{}\u{fc}{}", "a".repeat(MAX_NAME - 1), "b".repeat(1_000_000));
        let book = "x".repeat(MAX_TEXT);
        let ParsedHierarchy { layout, warnings } = parsed(&format!(
            "<hierarchy rotation=\"0\"><node class=\"{name}\" package=\"{name}\" resource-id=\"{name}\" \
             text=\"{book}\" content-desc=\"{book}y\" hint=\"{book}y\" bounds=\"[0,0][9,9]\" />\
             <node class=\"{name}\" bounds=\"[0,0][9,9]\" /></hierarchy>"
        ));
        let widget = layout.widget(WidgetIdx(0));
        for cut in [&widget.class, &widget.package, widget.resource_id.as_ref().unwrap()] {
            assert_eq!(**cut, "a".repeat(MAX_NAME - 1), "not within a character");
        }
        assert!(*widget.text == *book && *widget.content_desc == *book && *widget.hint == *book);
        assert_eq!(layout.widget(WidgetIdx(1)).class, widget.class);
        let told: Vec<String> = warnings.iter().map(|warning| warning.problem.clone()).collect();
        let (long, text) =
            ("has 1001001 bytes; the first 1000 are kept", "has 1048577 bytes; the first 1048576 are kept");
        let expected = ["class", "package", "resource-id"].map(|name| format!("{name} {long}"));
        let texts = ["content-desc", "hint"].map(|name| format!("{name} {text}"));
        assert_eq!(told, [&expected[..], &texts, &expected[..1]].concat());
    }

    #[test]
    fn windows_of_displays_are_kept_apart() {
        let xml = format!(
            "<displays><display id=\"0\"><window index=\"0\" title=\"Bar\" bounds=\"[0,0][1080,63]\" \
             active=\"false\"><hierarchy rotation=\"0\"><node package=\"com.android.systemui\" \
             bounds=\"[0,0][1080,63]\" /></hierarchy></window><window title=\"App\" active=\"true\">\
             <window title=\"Child\" active=\"false\"></window><hierarchy rotation=\"0\">{ROOT} />\
             </hierarchy></window></display><display id=\"2\"><window title=\"Far\" active=\"false\">\
             <hierarchy rotation=\"1\">{ROOT} /></hierarchy></window></display></displays>"
        );
        let layout = parsed(&xml).layout;
        let told: Vec<String> = layout
            .windows()
            .iter()
            .map(|found| {
                format!(
                    "{} {} {:?} {}",
                    found.display,
                    found.title,
                    found.root.map(|root| root.0),
                    found.active
                )
            })
            .collect();
        assert_eq!(
            told,
            ["0 Bar Some(0) false", "0 Child None false", "0 App Some(1) true", "2 Far Some(2) false"]
        );
        assert_eq!(layout.screen(), PxSize { width: 1080, height: 1920 });
    }

    #[test]
    fn of_windows_side_by_side_the_app_is_active() {
        let window = |package: &str, attributes: &str| {
            format!("<node package=\"{package}\" bounds=\"[0,0][9,9]\" {attributes} />")
        };
        let active = |windows: &[String]| {
            let layout =
                parsed(&format!("<hierarchy rotation=\"0\">{}</hierarchy>", windows.concat())).layout;
            layout.windows().iter().position(|window| window.active)
        };
        let (bar, home) = (window("com.android.systemui", ""), window("com.android.launcher3", ""));
        let keyboard = window("com.google.android.inputmethod.latin", "");
        let (app, dialog) = (window("org.ex", ""), window("org.ex", "focused=\"true\""));
        assert_eq!(active(&[bar.clone(), home.clone(), keyboard, app.clone()]), Some(3));
        assert_eq!(active(&[bar.clone(), app, dialog]), Some(2));
        assert_eq!(active(&[bar, home]), Some(1));
    }

    #[test]
    fn what_is_broken_is_told_with_its_place() {
        check_error(
            "",
            "line 1, column 1 (byte 0): expected <?xml …?><hierarchy …>, found the end of the file",
        );
        let open = "line 1, column 1 (byte 0): expected <?xml …?><hierarchy …>, found ";
        check_error(
            "ERROR: could not get idle state.",
            &format!("{open}\"ERROR: could not get idle state.\""),
        );
        check_error(
            "<hierarchy rotation=\"0\">\n<node text=\"a",
            "line 2, column 14 (byte 38): expected \" after the value, found the end of the file",
        );
        check_error(
            "<hierarchy>\n<node bounds=\"[0,0][1,1]\">",
            "line 2, column 27 (byte 38): expected </node>, found the end of the file",
        );
        check_error(
            "<hierarchy>\n<node bounds=\"[0,0][1,1]\"></hierarchy>",
            "line 2, column 27 (byte 38): expected </node>, found </hierarchy>",
        );
        check_error("<hierarchy><view/>", "line 1, column 12 (byte 11): expected <node …>, found <view");
        check_error(
            "<?xml version='1.0'?><html>",
            "line 1, column 22 (byte 21): expected <hierarchy …> or <displays …>, found <html",
        );
        check_error("<hierarchy>\0", "line 1, column 12 (byte 11): expected text, found a NUL character");
    }

    #[test]
    fn entities_and_bottomless_trees_are_refused() {
        check_error(
            "<?xml version='1.0'?><!DOCTYPE a [<!ENTITY b \"bbb\">]><hierarchy/>",
            "line 1, column 22 (byte 21): expected <hierarchy …>, found <!DOCTYPE",
        );
        check_error(
            "<hierarchy><node text=\"x&bomb;\"/></hierarchy>",
            "line 1, column 26 (byte 25): expected &amp; &lt; &gt; &quot; &apos; or a character reference, \
             found &bomb;",
        );
        let deep = format!("<hierarchy>{}", "<node bounds=\"[0,0][1,1]\">".repeat(100_000));
        let error = parse_hierarchy(deep.as_bytes()).unwrap_err().to_string();
        assert!(error.ends_with("more than 512 nested nodes"), "{error}");
        let wide = format!("<hierarchy>{}", "<node bounds=\"[0,0][1,1]\"/>".repeat(100_001));
        let error = parse_hierarchy(wide.as_bytes()).unwrap_err().to_string();
        assert!(error.ends_with("more than 100000 nodes"), "{error}");
    }
}
