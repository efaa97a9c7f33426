//! A page as a browser describes it, and pages that mean harm.

use serde::Deserialize;
use serde_json::{Value, json};

use super::client::{Page, PageAnswers, list_of_pages};
use super::merge::{web_views, with_pages};
use super::nodes::{AxTree, PageWidget};
use super::snapshot::{Metrics, Snapshot};
use super::*;
use taproof_screen::{Widget, WidgetFlags, layout_from};

/// Where the web view is: a pixel of the page, of which 400 are side by side, is two and a half of the screen.
const VIEW: PxRect = PxRect::new(40, 200, 1040, 1200);

/// A page for tests. Ids of nodes are numbers from 1 in the order of their creation; 1 is the page itself.
struct TestPage {
    strings: Vec<String>,
    nodes: Value,
    layout: Value,
    tree: Vec<Value>,
}

impl TestPage {
    fn new() -> TestPage {
        let nodes = json!({ "parentIndex": [], "nodeName": [], "backendNodeId": [], "attributes": [],
            "isClickable": { "index": [] }, "contentDocumentIndex": { "index": [], "value": [] } });
        let layout =
            json!({ "nodeIndex": [], "styles": [], "bounds": [], "scrollRects": [], "clientRects": [] });
        let mut page = TestPage { strings: Vec::new(), nodes, layout, tree: Vec::new() };
        page.add(0, "#document", [0.0, 0.0, 800.0, 800.0], "", json!({}));
        page.say(1, "RootWebArea", "To-do", &[2, 3, 4, 5, 6, 7, 8, 9], json!([]));
        page
    }

    fn string(&mut self, text: &str) -> usize {
        self.strings.push(text.to_owned());
        self.strings.len() - 1
    }

    fn push(list: &mut Value, value: impl Into<Value>) {
        list.as_array_mut().unwrap().push(value.into());
    }

    /// Adds an element in pixels of the snapshot, two for one of the page.
    fn add(
        &mut self,
        parent: usize,
        name: &str,
        bounds: [f64; 4],
        overflow: &str,
        attributes: Value,
    ) -> usize {
        let name = self.string(name);
        let styles = [overflow, overflow, ""].map(|style| self.string(style));
        let attributes: Vec<usize> = attributes
            .as_object()
            .unwrap()
            .iter()
            .flat_map(|(key, value)| [self.string(key), self.string(value.as_str().unwrap())])
            .collect();
        let index = self.nodes["parentIndex"].as_array().unwrap().len();
        Self::push(&mut self.nodes["parentIndex"], parent as i64 - 1);
        Self::push(&mut self.nodes["nodeName"], name);
        Self::push(&mut self.nodes["backendNodeId"], index + 1);
        Self::push(&mut self.nodes["attributes"], attributes);
        Self::push(&mut self.layout["nodeIndex"], index);
        Self::push(&mut self.layout["styles"], styles.to_vec());
        Self::push(&mut self.layout["bounds"], bounds.to_vec());
        Self::push(&mut self.layout["clientRects"], vec![0.0, 0.0, bounds[2] / 2.0, bounds[3] / 2.0]);
        Self::push(&mut self.layout["scrollRects"], vec![0.0, 0.0, bounds[2] / 2.0, bounds[3]]);
        index + 1
    }

    /// What accessibility says of an element.
    fn say(&mut self, id: usize, role: &str, name: &str, children: &[usize], properties: Value) {
        let children: Vec<String> = children.iter().map(ToString::to_string).collect();
        let properties: Vec<Value> = properties
            .as_array()
            .unwrap()
            .iter()
            .map(|pair| json!({ "name": pair[0], "value": { "type": "any", "value": pair[1] } }))
            .collect();
        self.tree.push(json!({ "nodeId": id.to_string(), "ignored": false, "role": { "value": role },
            "name": { "value": name }, "properties": properties, "childIds": children, "backendDOMNodeId": id }));
    }

    fn snapshot(&self) -> Value {
        json!({ "strings": self.strings, "documents": [{ "frameId": 0, "scrollOffsetX": 0, "scrollOffsetY": 100,
            "contentWidth": 800, "contentHeight": 5000, "nodes": self.nodes, "layout": self.layout }] })
    }

    fn tree(&self) -> Value {
        json!({ "nodes": self.tree })
    }
}

fn metrics() -> Value {
    json!({ "visualViewport": { "pageX": 0, "pageY": 50, "clientWidth": 800, "clientHeight": 800 },
        "cssVisualViewport": { "pageX": 0, "pageY": 50, "clientWidth": 400, "clientHeight": 400, "scale": 1 },
        "contentSize": { "width": 800, "height": 5000 }, "cssContentSize": { "width": 400, "height": 2500 } })
}

/// What is read from the answers; `None` if they make no sense.
fn read(snapshot: &Value, metrics: &Value, tree: &Value) -> Option<Vec<PageWidget>> {
    let (snapshot, metrics) = (Snapshot::deserialize(snapshot).ok()?, Metrics::deserialize(metrics).ok()?);
    let answers = PageAnswers { metrics, snapshot, trees: vec![AxTree::deserialize(tree).ok()?] };
    answers.widgets((VIEW, VIEW), &"org.ex".into())
}

fn line(PageWidget { depth, widget, .. }: &PageWidget) -> String {
    let Widget { class, text, content_desc, hint, bounds, .. } = widget;
    let class = class.rsplit('.').next().unwrap();
    let id = widget.resource_id.as_deref().unwrap_or_default();
    format!("{}{class}#{id} {text:?} {content_desc:?} {hint:?} {bounds}", "  ".repeat(*depth))
}

fn to_do() -> TestPage {
    let mut page = TestPage::new();
    // Whatever is above the first hundred pixels was scrolled away.
    page.add(1, "H1", [0.0, 110.0, 800.0, 40.0], "visible", json!({ "id": "head" }));
    page.say(2, "heading", "Tasks", &[10], json!([]));
    page.add(1, "INPUT", [0.0, 160.0, 400.0, 40.0], "clip", json!({ "id": "new" }));
    page.say(3, "textbox", "New task", &[], json!([["focused", true], ["focusable", true]]));
    page.add(1, "BUTTON", [400.0, 160.0, 80.0, 40.0], "visible", json!({ "id": "add" }));
    page.say(4, "button", "Add", &[], json!([["disabled", true]]));
    page.add(1, "DIV", [0.0, 200.0, 800.0, 100.0], "auto", json!({ "id": "rows" }));
    page.say(5, "list", "", &[11, 12], json!([]));
    page.add(1, "INPUT", [0.0, 20.0, 20.0, 20.0], "visible", json!({}));
    page.say(6, "checkbox", "Gone", &[], json!([]));
    page.add(1, "IMG", [600.0, 160.0, 20.0, 20.0], "visible", json!({}));
    page.say(7, "image", "A cat", &[], json!([]));
    page.add(1, "INPUT", [640.0, 160.0, 60.0, 40.0], "visible", json!({ "type": "Password" }));
    page.say(8, "textbox", "", &[], json!([]));
    page.add(1, "PROGRESS", [0.0, 840.0, 800.0, 200.0], "visible", json!({}));
    page.say(9, "progressbar", "", &[], json!([["valuemin", 0], ["valuemax", 9]]));
    page.add(2, "#text", [0.0, 110.0, 90.0, 40.0], "visible", json!({}));
    page.say(10, "StaticText", "Tasks", &[], json!([]));
    page.add(5, "DIV", [0.0, 210.0, 800.0, 40.0], "visible", json!({}));
    page.say(11, "generic", "", &[13], json!([]));
    page.add(5, "INPUT", [0.0, 280.0, 800.0, 400.0], "visible", json!({}));
    page.say(12, "checkbox", "Tea", &[], json!([["checked", "true"]]));
    page.add(11, "A", [0.0, 210.0, 100.0, 40.0], "visible", json!({}));
    page.say(13, "link", "Milk", &[], json!([]));
    page
}

#[test]
fn nodes_become_widgets_with_their_places() {
    let page = to_do();
    let mut tree = page.tree();
    tree["nodes"][9]["value"] = json!({ "value": 3 });
    let found = read(&page.snapshot(), &metrics(), &tree).unwrap();
    let lines: Vec<String> = found.iter().map(line).collect();
    let expected = [
        "WebView# \"To-do\" \"\" \"\" [40,200][1040,1200]",
        "  TextView#head \"Tasks\" \"\" \"\" [40,213][1040,263]",
        "  EditText#new \"\" \"\" \"New task\" [40,275][540,325]",
        "  Button#add \"Add\" \"\" \"\" [540,275][640,325]",
        "  ListView#rows \"\" \"\" \"\" [40,325][1040,450]",
        "    View# \"\" \"\" \"\" [40,338][165,388]",
        "    CheckBox# \"Tea\" \"\" \"\" [40,425][1040,450]",
        "  Image# \"\" \"A cat\" \"\" [790,275][815,300]",
        "  EditText# \"\" \"\" \"\" [840,275][915,325]",
        "  ProgressBar# \"\" \"\" \"\" [40,1125][1040,1200]",
    ];
    assert_eq!(lines, expected);
    let flags = |at: usize, flag: WidgetFlags| found[at].widget.flags.has(flag);
    assert!(flags(0, WidgetFlags::SCROLLABLE) && !flags(0, WidgetFlags::CLICKABLE));
    assert!(
        flags(2, WidgetFlags::FOCUSED) && flags(2, WidgetFlags::CLICKABLE) && found[2].widget.is_text_field()
    );
    assert!(!flags(3, WidgetFlags::ENABLED) && flags(2, WidgetFlags::ENABLED));
    assert!(flags(4, WidgetFlags::SCROLLABLE), "its content is longer");
    assert!(flags(5, WidgetFlags::CLICKABLE), "a link");
    assert!(flags(6, WidgetFlags::CHECKED) && flags(6, WidgetFlags::CHECKABLE));
    assert!(flags(8, WidgetFlags::PASSWORD) && !flags(2, WidgetFlags::PASSWORD));
    assert_eq!(found[9].details.range, None, "no value was said");
}

#[test]
fn old_versions_count_in_pixels_of_the_page() {
    let page = to_do();
    let old = json!({ "visualViewport": { "pageX": 0, "pageY": 100, "clientWidth": 800, "clientHeight": 800 },
        "contentSize": { "width": 800, "height": 5000 } });
    let tree = page.tree();
    assert_eq!(read(&page.snapshot(), &old, &tree), read(&page.snapshot(), &metrics(), &tree));
}

#[test]
fn pages_replace_what_their_web_view_said() {
    let layout = layout_from(
        "FrameLayout\n  TextView \"above\"\n  WebView#page\n    WebView \"cropped\"\n      View \"old\"\n  Button#below\n  WebView#other\n",
    );
    let classes: Vec<WidgetIdx> = layout.iter().map(|(idx, _)| idx).collect();
    let layout = layout.with_changed(&classes, |widget| {
        if widget.class.ends_with("WebView") {
            widget.class = "android.webkit.WebView".into();
        }
    });
    let package = layout.package().to_owned();
    let views = web_views(&layout, &package);
    assert_eq!(views, [WidgetIdx(2), WidgetIdx(6)], "what is in a web view is none");
    assert!(web_views(&layout, "org.other").is_empty());
    let page = to_do();
    let found = read(&page.snapshot(), &metrics(), &page.tree()).unwrap();
    let merged = with_pages(&layout, &[(views[0], found.clone()), (views[1], Vec::new())]);
    assert_eq!(merged.widgets().len(), 5 + found.len());
    let view = WidgetIdx(2);
    assert_eq!(merged.subtree(view).count(), 1 + found.len());
    assert!(merged.iter().all(|(_, widget)| &*widget.text != "old" && &*widget.text != "cropped"));
    let texts: Vec<&str> =
        merged.children(WidgetIdx(0)).filter_map(|idx| merged.widget(idx).short_id()).collect();
    assert_eq!(texts, ["page", "below", "other"]);
    let list = merged.iter().find(|(_, widget)| widget.is_list()).unwrap().0;
    assert_eq!(merged.children(list).count(), 2);
    assert_eq!((merged.activity(), merged.screen()), (layout.activity(), layout.screen()));
}

#[test]
fn a_page_is_known_by_its_place() {
    let listed =
        |description: &str, id: &str| json!({ "id": id, "type": "page", "description": description });
    let place = |y: i32| {
        format!(
            "{{\"attached\":true,\"visible\":true,\"empty\":false,\"screenX\":0,\"screenY\":{y},\"width\":1080,\"height\":600}}"
        )
    };
    let read = |list: Value| list_of_pages(list.to_string().as_bytes(), 7).unwrap();
    let two = read(json!([listed(&place(100), "A"), listed(&place(700), "B-2")]));
    let at =
        |top: i32| page_at(&two, PxRect::new(0, top, 1080, top + 600), 2).map(|page| page.place.unwrap().top);
    assert_eq!([at(150), at(720), at(2000)], [Some(100), Some(700), None]);
    let hidden = place(100).replace("\"visible\":true", "\"visible\":false");
    assert!(
        read(json!([listed(&hidden, "A"), listed("", "../x"), { "id": "C", "type": "worker" }])).is_empty()
    );
    let one: Vec<Page> = read(json!([listed("", "A")]));
    let seen = PxRect::new(0, 0, 10, 10);
    assert!(page_at(&one, seen, 1).is_some() && page_at(&one, seen, 2).is_none());
    for nonsense in ["", "{}", "[3]", "[[[", "[{\"id\":3}]"] {
        assert!(list_of_pages(nonsense.as_bytes(), 7).is_err(), "{nonsense}");
    }
    let far = "{\"screenX\":2147483647,\"screenY\":1,\"width\":9,\"height\":9}";
    assert_eq!(read(json!([listed(far, "A")]))[0].place, None);
}

#[test]
fn sizes_that_make_no_sense_are_no_page() {
    let page = to_do();
    for (path, value) in [
        ("/cssVisualViewport/clientWidth", json!(0)),
        ("/cssVisualViewport/clientWidth", json!(-400)),
        ("/cssVisualViewport/clientWidth", json!(1e300)),
        ("/cssVisualViewport/pageY", json!(null)),
        ("/cssContentSize/width", json!(0)),
        ("/cssContentSize/width", json!("wide")),
    ] {
        let mut metrics = metrics();
        *metrics.pointer_mut(path).unwrap() = value.clone();
        assert_eq!(read(&page.snapshot(), &metrics, &page.tree()), None, "{path} {value}");
    }
    let mut metrics = metrics();
    metrics["cssVisualViewport"]["pageY"] = json!(1e308);
    assert!(read(&page.snapshot(), &metrics, &page.tree()).unwrap().len() <= 1, "far away");
    assert_eq!(read(&json!({}), &super::tests::metrics(), &page.tree()), None);
    assert_eq!(read(&page.snapshot(), &json!({}), &page.tree()), None);
    assert_eq!(read(&page.snapshot(), &super::tests::metrics(), &json!({})), Some(Vec::new()));
}

/// Whatever number or text stands anywhere in the answers, nothing panics, and no widget lies outside of the web view.
#[test]
fn no_value_in_an_answer_does_harm() {
    fn leaves(value: &Value, path: &str, found: &mut Vec<String>) {
        match value {
            Value::Object(fields) => {
                fields.iter().for_each(|(key, value)| leaves(value, &format!("{path}/{key}"), found));
            }
            Value::Array(items) => {
                items
                    .iter()
                    .enumerate()
                    .for_each(|(at, value)| leaves(value, &format!("{path}/{at}"), found));
            }
            _ => found.push(path.to_owned()),
        }
    }
    let page = to_do();
    let good = json!({ "snapshot": page.snapshot(), "metrics": metrics(), "tree": page.tree() });
    let mut paths = Vec::new();
    leaves(&good, "", &mut paths);
    let values =
        [json!(-1), json!(1e308), json!(i64::MAX), json!(null), json!("\u{202e}"), json!([]), json!(true)];
    for path in &paths {
        for value in &values {
            let mut bad = good.clone();
            *bad.pointer_mut(path).unwrap() = value.clone();
            for widget in read(&bad["snapshot"], &bad["metrics"], &bad["tree"]).unwrap_or_default() {
                let bounds = widget.widget.bounds;
                assert_eq!(bounds.intersect(&VIEW), bounds, "{path} {value}");
            }
        }
    }
}

#[test]
fn pages_without_measure_are_cut() {
    let mut page = TestPage::new();
    page.tree.clear();
    // Each node holds the next, and the last one the first.
    let depth = 300;
    for id in 1..=depth {
        if id > 1 {
            page.add(id - 1, "DIV", [0.0, 100.0, 800.0, 400.0], "visible", json!({ "id": "x" }));
        }
        page.say(id, "group", "y", &[id % depth + 1, id % depth + 1], json!([]));
    }
    let found = read(&page.snapshot(), &metrics(), &page.tree()).unwrap();
    assert_eq!(found.len(), depth);
    assert_eq!(found.iter().map(|widget| widget.depth).max(), Some(64));
    let mut page = TestPage::new();
    page.tree.clear();
    let many: Vec<usize> = (2..=7_000).collect();
    page.say(1, "RootWebArea", &"z".repeat(20_000), &many, json!([]));
    for id in many {
        page.add(1, "P", [0.0, 100.0, 800.0, 400.0], "visible", json!({}));
        page.say(id, "button", "b", &[], json!([]));
    }
    let found = read(&page.snapshot(), &metrics(), &page.tree()).unwrap();
    assert_eq!((found.len(), found[0].widget.text.chars().count()), (5_000, 10_000));
}
