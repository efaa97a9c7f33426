//! `taproof layout`: shows what a uiautomator dump contains, what an XPath or a search selects in it, and how other tools
//! would select that.

use std::collections::{BTreeMap, BTreeSet};
use std::path::PathBuf;

use serde_json::{Value, json};

use super::{CommandEnd, Failure, Outcome, message, print_json, print_line, read_file};
use taproof_results::report::SelectorForm;
use taproof_screen::format::{ParsedHierarchy, parse_hierarchy};
use taproof_screen::{Layout, Selector, WidgetFlags, WidgetIdx, XPath};

/// Read a uiautomator dump: counts, warnings, what an XPath or a search names, and selectors for other tools
#[derive(clap::Args)]
pub struct Options {
    /// A file made by `uiautomator dump`
    file: PathBuf,
    /// Print only the widgets that this XPath names
    #[arg(long, value_name = "X")]
    xpath: Option<String>,
    /// Print only the widgets that this search names, as in the search field of the studio: a word, `id:save`,
    /// `text:"Save it"`, `desc:`, `class:`, an XPath such as `//Button`, or what uiautomator2 or Appium write
    #[arg(long, value_name = "SEARCH", conflicts_with = "xpath")]
    query: Option<String>,
    /// Print for each widget how XPath, uiautomator2, Appium, Maestro and PBFDroid select it
    #[arg(long)]
    selectors: bool,
    /// Print one JSON object
    #[arg(long)]
    json: bool,
}

pub fn run(options: &Options) -> Outcome {
    let xpath = options
        .xpath
        .as_deref()
        .map(XPath::parse)
        .transpose()
        .map_err(|error| Failure::BadInput(error.into()))?;
    let query = options.query.as_deref().map(Selector::search).transpose();
    let query = query.map_err(|error| Failure::BadInput(error.into()))?;
    let bytes = read_file(&options.file)?;
    let parsed = parse_hierarchy(&bytes).map_err(|error| {
        Failure::BadInput(anyhow::Error::from(error).context(options.file.display().to_string()))
    })?;
    let named = match (&xpath, &query) {
        (Some(xpath), _) => {
            xpath.try_select(&parsed.layout).map_err(|error| Failure::BadInput(error.into()))?
        }
        (None, Some(query)) => {
            query.try_matches(&parsed.layout).map_err(|error| Failure::BadInput(error.into()))?
        }
        (None, None) => parsed.layout.iter().map(|(idx, _)| idx).collect(),
    };
    if options.json {
        print_json(&as_json(options, &parsed, &named))?;
        return Ok(CommandEnd::Fine);
    }
    for warning in &parsed.warnings {
        message(&format!("warning: {warning}"));
    }
    let layout = &parsed.layout;
    let screen = layout.screen();
    print_line(&format!(
        "{} widgets, depth {}, {} window(s), screen {} x {}, rotation {}",
        layout.widgets().len(),
        max_depth(layout),
        layout.windows().len(),
        screen.width,
        screen.height,
        layout.rotation().0
    ))?;
    if let Some(by) = options.xpath.as_ref().or(options.query.as_ref()) {
        print_line(&format!("{} named by {by}", named.len()))?;
    }
    for idx in named {
        print_line(&widget_line(layout, idx))?;
        if options.selectors {
            for (form, text) in SelectorForm::all_of(layout, idx) {
                // A selector of Maestro has two lines.
                print_line(&format!("       {:13} {}", form.word(), text.replace('\n', ", ")))?;
            }
        }
    }
    Ok(CommandEnd::Fine)
}

/// Number of nested widgets on the longest path.
fn max_depth(layout: &Layout) -> usize {
    let mut depths: Vec<usize> = Vec::with_capacity(layout.widgets().len());
    for widget in layout.widgets() {
        depths.push(1 + widget.parent.map_or(0, |parent| depths[parent.index()]));
    }
    depths.into_iter().max().unwrap_or(0)
}

/// The display that a root is on.
fn display(layout: &Layout, idx: WidgetIdx) -> Option<u32> {
    let mut windows = layout.windows().iter().rev();
    let own = windows.find(|window| window.root.is_some_and(|root| root <= idx));
    own.filter(|_| layout.widget(idx).parent.is_none()).map(|window| window.display)
}

/// A widget of a screen on one line.
pub(super) fn widget_line(layout: &Layout, idx: WidgetIdx) -> String {
    let widget = layout.widget(idx);
    let mut line = format!("{:>4} {}{}", idx.0, "  ".repeat(layout.depth(idx)), widget.short_class());
    if let Some(id) = &widget.resource_id {
        line.push_str(&format!(" #{id}"));
    }
    if !widget.text.is_empty() {
        line.push_str(&format!(" {:?}", widget.text));
    }
    if !widget.content_desc.is_empty() {
        line.push_str(&format!(" ({:?})", widget.content_desc));
    }
    line.push_str(&format!(" {}", widget.bounds));
    let shown = layout.windows().iter().any(|window| window.display != 0);
    if let Some(display) = display(layout, idx).filter(|_| shown) {
        line.push_str(&format!(" on display {display}"));
    }
    line
}

fn as_json(options: &Options, parsed: &ParsedHierarchy, named: &[WidgetIdx]) -> Value {
    let layout = &parsed.layout;
    let count = |flag: WidgetFlags| layout.widgets().iter().filter(|widget| widget.flags.has(flag)).count();
    let packages: BTreeSet<&str> = layout.widgets().iter().map(|widget| &*widget.package).collect();
    let widgets: Vec<Value> = named.iter().map(|idx| widget_json(options, layout, *idx)).collect();
    json!({
        "file": options.file.display().to_string(),
        "nodes": layout.widgets().len(),
        "max_depth": max_depth(layout),
        "windows": layout.windows().len(),
        "screen": [layout.screen().width, layout.screen().height],
        "rotation": layout.rotation().0,
        "clickable": count(WidgetFlags::CLICKABLE),
        "long_clickable": count(WidgetFlags::LONG_CLICKABLE),
        "scrollable": count(WidgetFlags::SCROLLABLE),
        "checkable": count(WidgetFlags::CHECKABLE),
        "packages": packages,
        "warnings": parsed.warnings.iter().map(ToString::to_string).collect::<Vec<_>>(),
        "xpath": options.xpath,
        "query": options.query,
        "matches": widgets.len(),
        "widgets": widgets,
    })
}

fn widget_json(options: &Options, layout: &Layout, idx: WidgetIdx) -> Value {
    let widget = layout.widget(idx);
    let flags: Vec<&str> = WidgetFlags::NAMES
        .iter()
        .filter(|(_, flag)| widget.flags.has(*flag))
        .map(|(name, _)| *name)
        .collect();
    let selectors = options.selectors.then(|| {
        let forms = SelectorForm::all_of(layout, idx).into_iter();
        forms.map(|(form, text)| (form.word().to_owned(), text)).collect::<BTreeMap<_, _>>()
    });
    json!({
        "index": idx.0,
        "parent": widget.parent.map(|parent| parent.0),
        "class": &*widget.class,
        "package": &*widget.package,
        "resource-id": widget.resource_id.as_deref().unwrap_or(""),
        "text": &*widget.text,
        "content-desc": &*widget.content_desc,
        "bounds": widget.bounds.to_string(),
        "display": display(layout, idx),
        "flags": flags,
        "selectors": selectors,
    })
}
