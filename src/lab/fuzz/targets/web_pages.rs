//! What a page in a web view says of itself.

use super::{FuzzTarget, joined, parts, seen};
use taproof_adb::with_described_page;
use taproof_screen::format::parse_hierarchy;

/// The screen of an app with a web view.
const SCREEN: &str = "<?xml version='1.0' ?><hierarchy rotation=\"0\"><node class=\"android.webkit.WebView\" package=\"a.b\" \
                      bounds=\"[0,0][1080,1920]\" /></hierarchy>";

pub(super) const WEB_PAGE: FuzzTarget = FuzzTarget {
    name: "web_page",
    about: "the answers of a page in a web view to the questions for its nodes",
    inputs: 300,
    prepare: || {
        let layout = parse_hierarchy(SCREEN.as_bytes()).map(|parsed| parsed.layout);
        Box::new(move |bytes| {
            if let (Ok(layout), [list, metrics, snapshot, tree]) = (&layout, parts(bytes).as_slice()) {
                seen(with_described_page(layout, [list, metrics, snapshot, tree]));
            }
        })
    },
    seeds: || vec![joined(&ANSWERS)],
    files: &[],
    words: &[
        "[",
        "]",
        "{",
        "}",
        "\"",
        ",",
        ":",
        "null",
        "-1",
        "1e308",
        "\"generic\"",
        "\"list\"",
        "\"ignored\":true",
        "\"childIds\":[\"1\"]",
        "\"richtext\"",
        "\"fixed\"",
        "\"auto\"",
        "0.5",
        "9223372036854775807",
    ],
};

const ANSWERS: [&str; 4] = [
    r#"[{"id":"A1","type":"page","description":"{\"attached\":true,\"visible\":true,\"empty\":false,\"screenX\":0,\"screenY\":0,\"width\":1080,\"height\":1920}"}]"#,
    r#"{"cssVisualViewport":{"pageX":0,"pageY":9.5,"clientWidth":360,"clientHeight":640},"cssContentSize":{"width":360,"height":900}}"#,
    r##"{"documents":[{"frameId":0,"scrollOffsetX":0,"scrollOffsetY":19,"contentWidth":720,"contentHeight":1800,
"nodes":{"parentIndex":[-1,0,1,1],"nodeName":[1,2,2,3],"backendNodeId":[1,2,3,4],"attributes":[[],[4,5],[],[]],"isClickable":{"index":[1]},"contentDocumentIndex":{"index":[3],"value":[1]}},
"layout":{"nodeIndex":[0,1,2,3],"styles":[[],[6,6,7],[7,7,8],[7,7,7]],"bounds":[[0,0,720,1280],[0,20,720,400],[0,30.5,100,40],[0,80,200,200]],
"scrollRects":[[],[0,0,360,900],[0,0,50,20],[0,0,100,100]],"clientRects":[[],[0,0,360,200],[0,0,50,20],[2,2,96,96]]}},
{"frameId":9,"contentWidth":192,"contentHeight":192,"nodes":{"parentIndex":[-1],"nodeName":[1],"backendNodeId":[5],"attributes":[[]]},"layout":{"nodeIndex":[0],"styles":[[]],"bounds":[[0,0,192,192]]}}],
"strings":["F1","#document","DIV","IFRAME","id","rows","auto","visible","fixed","F2"]}"##,
    r#"{"nodes":[{"nodeId":"1","ignored":false,"role":{"value":"RootWebArea"},"name":{"value":"Page"},"childIds":["2"],"backendDOMNodeId":1},
{"nodeId":"2","ignored":false,"role":{"value":"list"},"name":{"value":""},"childIds":["3","4"],"backendDOMNodeId":2},
{"nodeId":"3","ignored":false,"role":{"value":"checkbox"},"name":{"value":"Milk","sources":[{"type":"attribute","value":{"value":"Milk"}}]},"properties":[{"name":"checked","value":{"value":"true"}}],"childIds":[],"backendDOMNodeId":3},
{"nodeId":"4","ignored":false,"role":{"value":"Iframe"},"name":{"value":""},"childIds":[],"backendDOMNodeId":4}]}"#,
];
