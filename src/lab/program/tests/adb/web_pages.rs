//! The pages in an app's web views: a sample app whose page a real browser shows, read and acted on through adb.

use std::io::{Read, Write};
use std::net::{SocketAddr, TcpListener, TcpStream};
use std::path::Path;
use std::process::{Child, Command, Stdio};
use std::sync::atomic::{AtomicU32, Ordering};
use std::sync::{Arc, Mutex};
use std::time::Duration;

use serde_json::{Value, json};
use taproof_adb::{AdbPhone, AdbPhones, ControlMethod};
use taproof_campaign::{CampaignReport, CampaignSink, DeviceChoice, Finding, run};
use taproof_engine::device::{
    AppData, AppId, Build, Device, DeviceError, DeviceInfo, DeviceSource, InstalledApp, Screenshot,
};
use taproof_engine::worker::CancelToken;
use taproof_phone::BundledPhones;
use taproof_results::store::{SpecSource, read_specs};
use taproof_screen::{
    DeviceInstant, Event, Frame, Gesture, Layout, LayoutBuilder, PxRect, Role, Selector, Widget, WidgetFlags,
    WidgetIdx,
};
use taproof_served::{Latency, Like};
use taproof_testing::device::adb::{ServedPhone, files_plan, patience};
use taproof_testing::first::FILES;
use taproof_testing::skipped;

/// The page of the sample app.
const PAGE: &str = include_str!("web_pages/to_do.html");
/// The size of the page in its own pixels, of which three are two of the browser.
const PAGE_SIZE: (i32, i32) = (400, 600);
const WEB_VIEW: &str = "android.webkit.WebView";
/// Where the web view is on the screen.
const VIEW: PxRect = PxRect::new(0, 200, 1080, 1820);

/// A browser without a window that shows a page.
struct Browser {
    process: Child,
    address: SocketAddr,
    page: TcpStream,
    asked: u64,
    _folder: tempfile::TempDir,
}

impl Drop for Browser {
    fn drop(&mut self) {
        drop(self.process.kill());
        drop(self.process.wait());
    }
}

impl Browser {
    /// Starts it; says so if there is none.
    fn start(page: &str) -> Option<Browser> {
        let folder = tempfile::tempdir().unwrap();
        let file = folder.path().join("page.html");
        std::fs::write(&file, page).unwrap();
        let options = [
            "--headless",
            "--no-sandbox",
            "--disable-gpu",
            "--disable-quic",
            "--no-first-run",
            "--disable-background-networking",
            "--disable-component-update",
            "--disable-sync",
            "--remote-debugging-port=0",
        ];
        let process = Command::new("chromium")
            .args(options)
            .arg(format!("--user-data-dir={}", folder.path().display()))
            .arg(format!("file://{}", file.display()))
            .stdin(Stdio::null())
            .stdout(Stdio::null())
            .stderr(Stdio::null())
            .spawn();
        let Ok(process) = process else {
            skipped("no chromium");
            return None;
        };
        let address = SocketAddr::from(([127, 0, 0, 1], port_in(&folder.path().join("DevToolsActivePort"))));
        let page = open_page(address);
        let mut browser = Browser { process, address, page, asked: 0, _folder: folder };
        let (width, height) = PAGE_SIZE;
        let size = json!({ "width": width, "height": height, "deviceScaleFactor": 1.5, "mobile": true });
        browser.ask("Emulation.setDeviceMetricsOverride", &size);
        Some(browser)
    }

    fn ask(&mut self, method: &str, params: &Value) -> Value {
        self.asked += 1;
        let text = json!({ "id": self.asked, "method": method, "params": params }).to_string();
        let mut frame = vec![0x81, 0x80 | 126];
        frame.extend(u16::try_from(text.len()).unwrap().to_be_bytes());
        frame.extend([0; 4]);
        frame.extend(text.as_bytes());
        self.page.write_all(&frame).unwrap();
        loop {
            let mut answer: Value = serde_json::from_slice(&message(&mut self.page)).unwrap();
            if answer["id"] == self.asked {
                return answer["result"].take();
            }
        }
    }

    /// Clicks where the screen was touched.
    fn click(&mut self, x: i32, y: i32) {
        let scale = f64::from(PAGE_SIZE.0) / f64::from(VIEW.width());
        let (x, y) = (f64::from(x - VIEW.left) * scale, f64::from(y - VIEW.top) * scale);
        for kind in ["mousePressed", "mouseReleased"] {
            let mouse = json!({ "type": kind, "x": x, "y": y, "button": "left", "clickCount": 1 });
            self.ask("Input.dispatchMouseEvent", &mouse);
        }
    }
}

/// The port that a browser writes to a file once it listens there.
fn port_in(file: &Path) -> u16 {
    let limit = patience();
    loop {
        let text = std::fs::read_to_string(file).unwrap_or_default();
        if let Some(port) = text.lines().next().and_then(|line| line.parse().ok()) {
            return port;
        }
        limit.pause(Duration::from_millis(50), "the browser to start").unwrap();
    }
}

/// A WebSocket to the page that the browser shows.
fn open_page(address: SocketAddr) -> TcpStream {
    let limit = patience();
    let path = loop {
        let mut list = TcpStream::connect(address).unwrap();
        list.set_read_timeout(Some(Duration::from_millis(500))).unwrap();
        list.write_all(b"GET /json/list HTTP/1.1\r\nHost: localhost\r\n\r\n").unwrap();
        let mut answer = Vec::new();
        // It keeps the connection open.
        drop(list.read_to_end(&mut answer));
        let answer = String::from_utf8(answer).unwrap();
        let page = answer.split("\"webSocketDebuggerUrl\": \"ws://").nth(1);
        if let Some(path) = page.and_then(|page| page.split_once('/')?.1.split('"').next()) {
            break format!("/{path}");
        }
        limit.pause(Duration::from_millis(50), "the browser to show its page").unwrap();
    };
    let mut page = TcpStream::connect(address).unwrap();
    let head = format!(
        "GET {path} HTTP/1.1\r\nHost: localhost\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n\
         Sec-WebSocket-Version: 13\r\nSec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\n\r\n"
    );
    page.write_all(head.as_bytes()).unwrap();
    let mut answer = Vec::new();
    while !answer.ends_with(b"\r\n\r\n") {
        answer.extend(exactly::<1>(&mut page));
    }
    page
}

fn exactly<const N: usize>(stream: &mut TcpStream) -> [u8; N] {
    let mut bytes = [0; N];
    stream.read_exact(&mut bytes).unwrap();
    bytes
}

fn message(stream: &mut TcpStream) -> Vec<u8> {
    let [_, length] = exactly(stream);
    let length = match length {
        126 => u64::from(u16::from_be_bytes(exactly(stream))),
        127 => u64::from_be_bytes(exactly(stream)),
        length => u64::from(length),
    };
    let mut bytes = vec![0; usize::try_from(length).unwrap()];
    stream.read_exact(&mut bytes).unwrap();
    bytes
}

/// A phone on which Files shows nothing but a view of this class, which tells accessibility nothing. The browser draws it.
struct WebApp {
    phone: Box<dyn Device>,
    class: &'static str,
    browser: Option<Arc<Mutex<Browser>>>,
}

impl WebApp {
    fn served(class: &'static str, browser: Option<&Arc<Mutex<Browser>>>) -> Option<ServedPhone> {
        let mut phone = BundledPhones::new(FILES, &Build::Sound).fresh().unwrap();
        phone.launch(&AppId(FILES.to_owned()), AppData::Keep).unwrap();
        let app = WebApp { phone, class, browser: browser.cloned() };
        let served = ServedPhone::of(Box::new(app), Like::default(), Latency::Off)?;
        served.served.lock().browser = browser.map(|browser| browser.lock().unwrap().address);
        Some(served)
    }
}

impl Device for WebApp {
    fn info(&self) -> &DeviceInfo {
        self.phone.info()
    }
    fn now(&self) -> DeviceInstant {
        self.phone.now()
    }
    fn launch(&mut self, app: &AppId, data: AppData) -> Result<(), DeviceError> {
        self.phone.launch(app, data)
    }
    fn clear(&mut self, app: &AppId) -> Result<(), DeviceError> {
        if let Some(browser) = &self.browser {
            browser.lock().unwrap().ask("Page.reload", &json!({}));
        }
        self.phone.clear(app)
    }
    fn open(&mut self, app: &AppId) -> Result<(), DeviceError> {
        self.phone.open(app)
    }
    fn set_permission(&mut self, app: &AppId, permission: &str, granted: bool) -> Result<(), DeviceError> {
        self.phone.set_permission(app, permission, granted)
    }
    fn perform(&mut self, event: &Event) -> Result<(), DeviceError> {
        let insert = |browser: &mut Browser, text: &str| {
            browser.ask("Input.insertText", &json!({ "text": text }));
        };
        let mut browser = self.browser.as_ref().map(|browser| browser.lock().unwrap());
        match (event, &mut browser) {
            (Event::Widget { target, gesture }, Some(browser)) if VIEW.contains(target.at) => {
                browser.click(target.at.x, target.at.y);
                if let Gesture::SetText(text) = gesture {
                    insert(browser, text);
                }
            }
            (Event::Type(text), Some(browser)) => insert(browser, text),
            (other, _) => self.phone.perform(other)?,
        }
        Ok(())
    }
    fn observe(&mut self) -> Result<Frame, DeviceError> {
        let mut frame = self.phone.observe()?;
        if frame.layout.package() == FILES {
            frame.layout = Arc::new(native_layout(&frame.layout, self.class));
        }
        Ok(frame)
    }
    fn screenshot(&mut self) -> Result<Screenshot, DeviceError> {
        self.phone.screenshot()
    }
    fn apps(&mut self) -> Result<Vec<InstalledApp>, DeviceError> {
        self.phone.apps()
    }
    fn stop(&mut self, app: &AppId) -> Result<(), DeviceError> {
        self.phone.stop(app)
    }
    fn keyboard(&mut self) -> Result<Option<PxRect>, DeviceError> {
        Ok(None)
    }
    fn logs(&mut self) -> Result<Vec<String>, DeviceError> {
        self.phone.logs()
    }
}

/// What the app itself tells accessibility.
fn native_layout(shown: &Layout, class: &str) -> Layout {
    let screen = shown.screen();
    let widget = |class: &str, bounds: PxRect| Widget {
        parent: None,
        package: FILES.into(),
        class: class.into(),
        resource_id: None,
        text: "".into(),
        content_desc: "".into(),
        hint: "".into(),
        bounds,
        flags: WidgetFlags::ENABLED,
    };
    let mut builder = LayoutBuilder::like(shown);
    builder.open(widget("android.widget.FrameLayout", PxRect::new(0, 0, screen.width, screen.height)));
    builder.open(widget(class, VIEW));
    builder.finish()
}

fn named(layout: &Layout, words: &str) -> WidgetIdx {
    let has = |(_, widget): &(WidgetIdx, &Widget)| {
        [&widget.text, &widget.content_desc, &widget.hint].into_iter().any(|says| &**says == words)
    };
    layout.iter().find(has).unwrap_or_else(|| panic!("no {words:?} in {layout:#?}")).0
}

fn says(layout: &Layout, words: &str) -> bool {
    layout.widgets().iter().any(|widget| &*widget.text == words)
}

fn on(phone: &mut AdbPhone, words: &str, gesture: Gesture) -> Arc<Layout> {
    let layout = phone.observe().unwrap().layout;
    let widget = layout.widget(named(&layout, words));
    let some = |text: &taproof_screen::Text| (!text.is_empty()).then(|| text.to_string());
    let selector = Selector {
        resource_id: widget.resource_id.as_deref().map(str::to_owned),
        text: some(&widget.text),
        content_desc: some(&widget.content_desc),
        ..Selector::default()
    };
    let event = Event::on(&layout, selector, gesture).unwrap();
    phone.perform(&event).unwrap();
    phone.observe().unwrap().layout
}

fn opened(served: &ServedPhone, by: ControlMethod) -> AdbPhone {
    let mut phone = AdbPhone::open(&served.own.server, &served.serial, by, Arc::new(|| false)).unwrap();
    phone.launch(&AppId(FILES.to_owned()), AppData::Keep).unwrap();
    phone
}

fn use_to_do_list(by: ControlMethod) {
    let Some(browser) = Browser::start(PAGE) else { return };
    let browser = Arc::new(Mutex::new(browser));
    let Some(served) = WebApp::served(WEB_VIEW, Some(&browser)) else { return };
    let mut phone = opened(&served, by);
    let layout = phone.observe().unwrap().layout;
    let field = named(&layout, "New task");
    assert_eq!(layout.role(field), Some(Role::Field));
    assert_eq!(layout.widget(field).resource_id.as_deref(), Some("new"));
    assert_eq!(layout.widget(named(&layout, "Add")).resource_id.as_deref(), Some("add"));
    let milk = named(&layout, "Milk");
    assert_eq!(layout.role(milk), Some(Role::CheckBox));
    assert!(!layout.widget(milk).flags.has(WidgetFlags::CHECKED));
    // The page says where it put the button, in its own pixels.
    let place =
        json!({ "expression": "JSON.stringify(document.getElementById('add').getBoundingClientRect())" });
    let place = browser.lock().unwrap().ask("Runtime.evaluate", &place)["result"]["value"].take();
    let place: Value = serde_json::from_str(place.as_str().unwrap()).unwrap();
    let bounds = layout.widget(named(&layout, "Add")).bounds;
    let expected = ["left", "top", "right", "bottom"].map(|edge| place[edge].as_f64().unwrap() * 2.7);
    let found = [bounds.left, bounds.top - VIEW.top, bounds.right, bounds.bottom - VIEW.top].map(f64::from);
    assert!(
        expected.iter().zip(found).all(|(one, other)| (one - other).abs() <= 1.0),
        "{expected:?} {found:?}"
    );
    assert!(!says(&layout, "Far below"), "below the web view");

    let layout = on(&mut phone, "Milk", Gesture::Tap);
    assert!(layout.widget(named(&layout, "Milk")).flags.has(WidgetFlags::CHECKED));
    let layout = on(&mut phone, "New task", Gesture::SetText("Tea".to_owned()));
    assert_eq!(&*layout.widget(named(&layout, "New task")).text, "Tea");
    let layout = on(&mut phone, "Add", Gesture::Tap);
    assert_eq!(layout.role(named(&layout, "Tea")), Some(Role::CheckBox));
    let list = layout.iter().find(|(_, widget)| widget.is_list()).unwrap().0;
    assert_eq!(layout.children(list).count(), 2, "rows of a list");
    let layout = on(&mut phone, "Delete Milk", Gesture::Tap);
    assert!(!says(&layout, "Milk") && says(&layout, "Tea"));
    let layout = on(&mut phone, "In a frame", Gesture::Tap);
    assert!(says(&layout, "Done in a frame"));
    assert_eq!(phone.take_warnings(), []);
}

#[test]
fn a_page_is_used_by_the_agent() {
    use_to_do_list(ControlMethod::Agent);
}

#[test]
fn a_page_is_used_by_shell_commands() {
    use_to_do_list(ControlMethod::Shell);
}

/// A function of the page.
const ADD: &str = r#"{ "dmfs": [
    { "name": "add task", "type": "add", "datatype": "task",
      "preconditions": [ { "relation": "in", "widget": "field" } ],
      "events": [
        { "action": "edit", "widget": "field", "text": "random" },
        { "action": "click", "widget": "add" } ],
      "post-conditions": [ { "relation": "in", "widget": "row" } ],
      "impacts": [ { "operator": "add", "object": "typed_name.text" } ],
      "widgets": [
        { "name": "field", "resource-id": "new" },
        { "name": "typed_name", "UI_layout_num": "1", "resource-id": "new", "instance": "0" },
        { "name": "add", "UI_layout_num": "1", "resource-id": "add" },
        { "name": "row", "UI_layout_num": "2", "class": "android.widget.CheckBox", "text": "typed_name.text" } ] } ] }"#;

/// A campaign that does nothing but this function, on a page.
fn campaign(page: &str) -> Option<CampaignReport> {
    let browser = Arc::new(Mutex::new(Browser::start(page)?));
    let served = WebApp::served(WEB_VIEW, Some(&browser))?;
    let spec = read_specs(&[SpecSource::file("add.json", ADD)]).unwrap();
    let mut plan = files_plan(DeviceChoice::Adb(vec![served.serial.clone()]), 30);
    plan.spec = Arc::new(spec);
    let mut source = AdbPhones::at(&served.own.server, &served.serial);
    Some(run(&plan, &plan.engines[0], &mut source, &CancelToken::new(), &mut Unheard))
}

struct Unheard;

impl CampaignSink for Unheard {
    fn finding(&mut self, _finding: Arc<Finding>) {}
}

#[test]
fn a_function_of_a_page_is_tested() {
    // What was added is lost as soon as there are three.
    let faulty = PAGE.replace(
        "list\").append(row)",
        "list\").children.length < 3 && document.getElementById(\"list\").append(row)",
    );
    assert_ne!(faulty, PAGE);
    let (Some(sound), Some(faulty)) = (campaign(PAGE), campaign(&faulty)) else { return };
    let titles = |report: &CampaignReport| -> Vec<String> {
        report.findings.iter().map(|found| found.finding.title.to_string()).collect()
    };
    assert_eq!(titles(&sound), Vec::<String>::new());
    assert!(titles(&faulty).iter().any(|title| title.contains("add task")), "{:?}", titles(&faulty));
}

/// What is said of a phone whose app in front shows this view, after it was looked at several times.
fn problems(class: &'static str, browser: Option<SocketAddr>) -> Option<Vec<String>> {
    let served = WebApp::served(class, None)?;
    served.served.lock().browser = browser;
    let mut phone = opened(&served, ControlMethod::Agent);
    for _ in 0..5 {
        phone.look_again().unwrap();
        assert_eq!(phone.observe().unwrap().layout.widgets().len(), 2, "the layout is as it was");
    }
    phone.launch(&AppId(FILES.to_owned()), AppData::Keep).unwrap();
    Some(phone.take_warnings().iter().map(ToString::to_string).collect())
}

#[test]
fn what_cannot_be_read_is_said_once_with_what_helps() {
    let Some(said) = problems(WEB_VIEW, None) else { return };
    assert!(said.len() == 1 && said[0].ends_with("WebView.setWebContentsDebuggingEnabled(true)"), "{said:?}");
    let said = problems("io.flutter.embedding.android.FlutterView", None).unwrap();
    assert!(said.len() == 1 && said[0].contains("SemanticsBinding.instance.ensureSemantics()"), "{said:?}");
    assert_eq!(problems("android.view.SurfaceView", None).unwrap(), Vec::<String>::new());
}

#[test]
fn a_browser_that_talks_nonsense_is_left_alone() {
    const LIST: &str = "HTTP/1.1 200 OK\r\nContent-Length: 28\r\n\r\n[{\"id\":\"A\",\"type\":\"page\"}]\n\n";
    const OPEN: &str = "HTTP/1.1 101 Switching Protocols\r\n\r\n";
    let check = |answers: Vec<Vec<u8>>, reason: &str| {
        let listener = TcpListener::bind("127.0.0.1:0").unwrap();
        let address = listener.local_addr().unwrap();
        let asked = Arc::new(AtomicU32::new(0));
        let count = Arc::clone(&asked);
        std::thread::Builder::new()
            .spawn(move || {
                for (stream, answer) in listener.incoming().zip(answers.iter().cycle()) {
                    count.fetch_add(1, Ordering::Relaxed);
                    let mut stream = stream.unwrap();
                    drop(stream.read(&mut [0; 4096]));
                    drop(stream.write_all(answer));
                }
            })
            .unwrap();
        let Some(said) = problems(WEB_VIEW, Some(address)) else { return };
        assert!(said.len() == 1 && said[0].contains(reason), "{said:?}");
        // Three times after each launch.
        assert!(asked.load(Ordering::Relaxed) <= 12, "{asked:?}");
    };
    check(vec![b"SSH-2.0-OpenSSH_9\r\n".to_vec()], "its list of pages");
    check(vec![b"HTTP/1.1 200 OK\r\nContent-Length: 3\r\n\r\n[3]".to_vec()], "its list of pages");
    check(vec![LIST.into(), b"HTTP/1.1 403 Forbidden\r\n\r\n".to_vec()], "HTTP with status 101");
    let frame = |text: &str| [OPEN.as_bytes(), &[0x81, text.len() as u8], text.as_bytes()].concat();
    check(vec![LIST.into(), frame("{\"id\":1,\"error\":{}}")], "update the WebView");
    check(vec![LIST.into(), frame("[[[[[[")], "makes no sense");
    check(vec![LIST.into(), OPEN.into()], "broke off");
}
