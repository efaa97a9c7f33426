//! A named selector made ready for a campaign, and the widgets that it names.

use std::collections::BTreeSet;

use super::scene::Scene;
use crate::{Bindings, DataModel, NamedSelector, TextPattern};
use taproof_screen::{Layout, Reason, WidgetIdx, XPath, is_visible};

/// A named selector with its XPath parsed.
#[derive(Clone, Debug)]
pub struct CompiledSelector {
    /// The selector as written.
    pub named: NamedSelector,
    xpath: Option<Result<XPath, String>>,
    /// The widget whose row it stands in.
    row: Option<Result<Box<CompiledSelector>, String>>,
    /// The package that the id names, as in `android:id/button1`.
    id_package: Option<String>,
}

/// Which widgets count.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Scope<'a> {
    /// Those of the app's package, and of the package that the selector's id names: what conditions
    /// and readings look at.
    App(&'a str),
    /// All: what steps may touch, such as a permission dialog.
    Device,
}

/// The text part of a selector in one run.
#[derive(Clone, Copy, Debug)]
pub(crate) enum TextFilter<'a> {
    Any,
    Is(&'a str),
    /// Nothing was drawn, so every object of the type will do.
    AnyOf(&'a [String]),
}

impl CompiledSelector {
    /// Parses the XPath and finds the widget of the row among the others, if it names them.
    pub fn new(named: &NamedSelector, others: &[NamedSelector]) -> Self {
        let row = |name: &String| match others.iter().find(|other| other.name == *name) {
            Some(other) if other.selector.row.is_none() => Ok(Box::new(CompiledSelector::new(other, &[]))),
            Some(_) => Err(format!("{name:?} is itself looked for in a row")),
            None => Err(format!("no widget is named {name:?}, whose row is meant")),
        };
        let xpath = named.selector.xpath.as_deref();
        let id = named.selector.resource_id.as_deref();
        CompiledSelector {
            named: named.clone(),
            xpath: xpath.map(|text| XPath::parse(text).map_err(|error| error.to_string())),
            row: named.selector.row.as_ref().map(row),
            id_package: id.and_then(|id| id.split_once(":id/")).map(|(package, _)| package.to_owned()),
        }
    }

    /// The widgets named, in document order. An empty selector names none.
    pub fn locate(&self, scope: Scope<'_>, scene: &Scene<'_>) -> Result<Vec<WidgetIdx>, Reason> {
        let filter = self.text_filter(scene.bindings, scene.data)?;
        let mut found = Vec::new();
        self.visit(scope, scene, filter, |idx| {
            found.push(idx);
            true
        })?;
        Ok(match self.named.selector.instance {
            Some(instance) => found.get(instance as usize).copied().into_iter().collect(),
            None => found,
        })
    }

    /// The widget whose row it stands in, if it is named by one that is there.
    pub fn row(&self) -> Option<&CompiledSelector> {
        self.row.as_ref()?.as_deref().ok()
    }

    /// The objects of the model that the widget could stand for on this layout, in the model's order,
    /// each once: what a text `T::random` may be drawn from so that the widget can be found.
    pub fn shown_objects<'d>(&self, scope: Scope<'_>, layout: &Layout, data: &'d DataModel) -> Vec<&'d str> {
        let TextPattern::Existing(data_type) = &self.named.selector.text else { return Vec::new() };
        let mut texts: Vec<&str> = Vec::new();
        // A broken XPath names nothing, so nothing is shown.
        let scene = Scene { layout, data, app: "", bindings: &Bindings::NONE };
        let visited = self.visit(scope, &scene, TextFilter::AnyOf(data.objects(data_type)), |idx| {
            texts.push(&layout.widget(idx).text);
            true
        });
        let mut shown: Vec<&str> = Vec::new();
        for object in data.objects(data_type) {
            let is_shown = visited.is_ok() && texts.contains(&object.as_str()) && is_visible(object);
            if is_shown && !shown.contains(&object.as_str()) {
                shown.push(object);
            }
        }
        shown
    }

    /// The texts of the widgets that show objects of the type, whether the model holds them or not. None if the selector
    /// has neither an id nor a path: its text alone does not tell objects from other texts.
    pub fn possible_objects<'l>(&self, scope: Scope<'_>, layout: &'l Layout) -> Vec<&'l str> {
        let selector = &self.named.selector;
        let tells = selector.resource_id.is_some() || selector.xpath.is_some();
        if !tells || !matches!(selector.text, TextPattern::Existing(_)) {
            return Vec::new();
        }
        let scene = Scene { layout, data: &DataModel::new(), app: "", bindings: &Bindings::NONE };
        let mut texts: Vec<&str> = Vec::new();
        // A broken XPath names nothing, so nothing is shown.
        let visited = self.visit(scope, &scene, TextFilter::Any, |idx| {
            texts.push(&layout.widget(idx).text);
            true
        });
        texts.retain(|text| visited.is_ok() && is_visible(text));
        texts
    }

    /// What the text part asks for in this run.
    pub(crate) fn text_filter<'s>(
        &'s self,
        bindings: &'s Bindings,
        data: &'s DataModel,
    ) -> Result<TextFilter<'s>, Reason> {
        match &self.named.selector.text {
            TextPattern::Any => Ok(TextFilter::Any),
            TextPattern::Is(text) => Ok(TextFilter::Is(text)),
            TextPattern::FromRead(name) => match bindings.read(name) {
                Some(text) => Ok(TextFilter::Is(text)),
                None => Err(Reason::NotJudged(format!("the text of {name:?} was not read"))),
            },
            TextPattern::Existing(data_type) => {
                let name = &self.named.name;
                Ok(match bindings.drawn(name).or_else(|| bindings.read(name)) {
                    Some(text) => TextFilter::Is(text),
                    None => TextFilter::AnyOf(data.objects(data_type)),
                })
            }
        }
    }

    /// Calls `found` for each widget that has all parts but the instance, until it returns false.
    pub(crate) fn visit(
        &self,
        scope: Scope<'_>,
        scene: &Scene<'_>,
        filter: TextFilter<'_>,
        mut found: impl FnMut(WidgetIdx) -> bool,
    ) -> Result<(), Reason> {
        if self.named.selector.is_empty() {
            return Ok(());
        }
        let layout = scene.layout;
        if let Some(row) = &self.row {
            self.in_rows(row, scope, scene, filter)?.into_iter().all(found);
            return Ok(());
        }
        if self.named.selector.beside.is_some() {
            self.all_with_parts(scope, layout, filter)?.into_iter().all(found);
            return Ok(());
        }
        let mut look = |idx: WidgetIdx| !self.fits(scope, layout, idx, filter) || found(idx);
        match &self.xpath {
            None => layout.iter().all(|(idx, _)| look(idx)),
            Some(Ok(xpath)) => selected(xpath, layout)?.into_iter().all(look),
            Some(Err(problem)) => return Err(Reason::NotJudged(problem.clone())),
        };
        Ok(())
    }

    /// The widgets with all parts in the rows of the other widget, in document order.
    fn in_rows(
        &self,
        row: &Result<Box<CompiledSelector>, String>,
        scope: Scope<'_>,
        scene: &Scene<'_>,
        filter: TextFilter<'_>,
    ) -> Result<BTreeSet<WidgetIdx>, Reason> {
        let row = row.as_ref().map_err(|problem| Reason::NotJudged(problem.clone()))?;
        let all = self.all_with_parts(scope, scene.layout, filter)?;
        let anchors = row.locate(scope, scene)?;
        let held = |anchor| in_row(scene.layout, anchor, |idx| all.contains(&idx));
        Ok(anchors.into_iter().flat_map(held).collect())
    }

    /// The widgets that have all parts but the row and the instance, in document order.
    fn all_with_parts(
        &self,
        scope: Scope<'_>,
        layout: &Layout,
        filter: TextFilter<'_>,
    ) -> Result<Vec<WidgetIdx>, Reason> {
        let mut all: Vec<WidgetIdx> = match &self.xpath {
            None => layout.iter().map(|(idx, _)| idx).collect(),
            Some(Ok(xpath)) => selected(xpath, layout)?,
            Some(Err(problem)) => return Err(Reason::NotJudged(problem.clone())),
        };
        all.retain(|idx| self.fits(scope, layout, *idx, filter));
        Ok(match &self.named.selector.beside {
            Some(beside) => layout.beside(beside, &all),
            None => all,
        })
    }

    fn fits(&self, scope: Scope<'_>, layout: &Layout, idx: WidgetIdx, filter: TextFilter<'_>) -> bool {
        let widget = layout.widget(idx);
        let selector = &self.named.selector;
        let equal = |part: &Option<String>, value: &str| part.as_deref().is_none_or(|part| part == value);
        equal(&selector.resource_id, widget.resource_id.as_deref().unwrap_or(""))
            && match filter {
                TextFilter::Any => true,
                TextFilter::Is(text) => &*widget.text == text,
                TextFilter::AnyOf(texts) => texts.iter().any(|text| **text == *widget.text),
            }
            && equal(&selector.content_desc, &widget.content_desc)
            && equal(&selector.class, &widget.class)
            && selector.role.is_none_or(|role| layout.role(idx) == Some(role))
            && match scope {
                Scope::Device => true,
                Scope::App(app) => {
                    &*widget.package == app || self.id_package.as_deref() == Some(&*widget.package)
                }
            }
    }
}

/// The widgets that fit in the smallest row around a widget that holds any. What stands in the cell of another such
/// widget belongs to that one.
pub(crate) fn in_row(layout: &Layout, anchor: WidgetIdx, fits: impl Fn(WidgetIdx) -> bool) -> Vec<WidgetIdx> {
    let rows = layout.rows_around(anchor).into_iter();
    let mut held = rows.map(|row| layout.subtree(row).filter(|idx| fits(*idx)).collect::<Vec<_>>());
    let mut held = held.find(|held| !held.is_empty()).unwrap_or_default();
    held.retain(|idx| !is_in_another_cell(layout, anchor, *idx));
    held
}

/// The widgets that an XPath selects; without a judgement if it takes too long.
fn selected(xpath: &XPath, layout: &Layout) -> Result<Vec<WidgetIdx>, Reason> {
    xpath.try_select(layout).map_err(|error| Reason::NotJudged(error.to_string()))
}

/// Whether a widget of a row is in a cell like that of the anchor, with a widget like the anchor of its own.
fn is_in_another_cell(layout: &Layout, anchor: WidgetIdx, idx: WidgetIdx) -> bool {
    let cell = |of: WidgetIdx, apart_from: WidgetIdx| {
        let around = std::iter::once(of).chain(layout.ancestors(of));
        around.take_while(|around| !layout.holds(*around, apart_from)).last()
    };
    let alike = |one: WidgetIdx, other: WidgetIdx| {
        let (one, other) = (layout.widget(one), layout.widget(other));
        (&one.class, &one.resource_id) == (&other.class, &other.resource_id)
    };
    let Some((others, own)) = cell(idx, anchor).zip(cell(anchor, idx)) else { return false };
    let apart = |inner: WidgetIdx| !layout.holds(idx, inner) && !layout.holds(inner, idx);
    alike(others, own) && layout.subtree(others).any(|inner| alike(inner, anchor) && apart(inner))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{ImpactOp, SpecSelector};
    use taproof_screen::layout_from;

    const LIST: &str = "ListView\n  LinearLayout\n    TextView#row \"a\"\n    Button#more\n  LinearLayout\n    \
                        TextView#row \"b\"\n    Button#more\n  LinearLayout\n    TextView#row \"c\"\n";

    /// What `more` beside the row named names, with one object of the model drawn.
    fn more(anchor: SpecSelector, drawn: Option<&str>) -> Result<Vec<u32>, Reason> {
        let id = |name: &str| Some(format!("org.ex:id/{name}"));
        let named = |name: &str, selector| NamedSelector { name: name.to_owned(), layout: 0, selector };
        let more = SpecSelector {
            resource_id: id("more"),
            row: Some("known_name".to_owned()),
            ..SpecSelector::default()
        };
        let anchor = SpecSelector { resource_id: id("row"), ..anchor };
        let widgets = [named("more", more), named("known_name", anchor)];
        let mut data = DataModel::new();
        for object in ["b", "c"] {
            data.apply("note", &ImpactOp::Add, object);
        }
        let mut bindings = Bindings::default();
        if let Some(drawn) = drawn {
            bindings.set_drawn("known_name", drawn.to_owned());
        }
        let layout = layout_from(LIST);
        let scene = Scene { layout: &layout, data: &data, app: "org.ex", bindings: &bindings };
        let found = CompiledSelector::new(&widgets[0], &widgets).locate(Scope::App("org.ex"), &scene)?;
        Ok(found.iter().map(|idx| idx.0).collect())
    }

    #[test]
    fn a_button_of_another_cell_of_the_line_is_not_meant() {
        let line = |more_of_b: &str| {
            let cell = |name: &str, more: &str| {
                format!("    LinearLayout\n      LinearLayout\n        TextView#row \"{name}\"\n{more}")
            };
            let more = "      LinearLayout\n        Button#more\n";
            layout_from(&format!("ListView\n  LinearLayout\n{}{}", cell("a", more), cell("b", more_of_b)))
        };
        let of_b = |layout: &Layout| {
            let b = layout.iter().find(|(_, widget)| &*widget.text == "b").unwrap().0;
            in_row(layout, b, |idx| &*layout.widget(idx).class == "android.widget.Button").len()
        };
        assert_eq!(of_b(&line("      LinearLayout\n        Button#more\n")), 1);
        assert_eq!(of_b(&line("")), 0, "its own is cut off");
    }

    #[test]
    fn a_button_is_found_beside_its_object() {
        let existing =
            SpecSelector { text: TextPattern::Existing("note".to_owned()), ..SpecSelector::default() };
        assert_eq!(more(existing.clone(), Some("b")), Ok(vec![6]));
        assert_eq!(more(existing.clone(), None), Ok(vec![6]), "nothing drawn: the row of any object");
        assert_eq!(more(existing.clone(), Some("c")), Ok(vec![]), "its row has no such button");
        let fixed = SpecSelector { text: TextPattern::Is("a".to_owned()), ..SpecSelector::default() };
        assert_eq!(more(fixed, None), Ok(vec![3]));
        let nested = SpecSelector { row: Some("more".to_owned()), ..existing };
        assert!(matches!(more(nested, None), Err(Reason::NotJudged(_))));
    }
}
