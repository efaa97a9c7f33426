//! The protocol of the agent: what the client reads of a device, and what the served phone reads of a client.

use super::layouts::{screens, use_layout};
use super::served::{Client, on_phones};
use super::{FuzzTarget, joined, parts, plain, seen};
use taproof_engine::agent::{
    Action, Announced, Decoder, FRAME_HEAD, Failure, FailureKind, FrameHead, Hello, MOST_ANSWERED,
    PROTOCOL_VERSION, PackageEntry, PictureForm, Power, ProtocolError, Quiet, Request, Seen, SettingChange,
    SettingRequest, Settle, TouchPoint, Typed, TypedBy,
};
use taproof_screen::{PxPoint, PxRect, PxSize, Text};
use taproof_served::agent::{failed, read_request as request_of, succeeded};
use taproof_served::{Served, agent};

/// The name of the socket of the served phone's agent.
const SOCKET: &str = "taproof-fuzz";

pub(super) const FRAMES: FuzzTarget = FuzzTarget {
    name: "agent_frames",
    about: "the frames of an agent's answers, one after the other",
    inputs: 1000,
    prepare: || plain(read_frames),
    seeds: || {
        let frames = |bodies: Vec<Vec<u8>>| {
            (1..)
                .zip(bodies)
                .map(|(number, body)| FrameHead::frame(number, &body))
                .collect::<Vec<_>>()
                .concat()
        };
        vec![frames(answers()), frames(requests())]
    },
    files: &[],
    words: &["\0\0\0\0", "\0\0\0\u{1}", "\u{4}\0\0\0"],
};

pub(super) const ANSWER: FuzzTarget = FuzzTarget {
    name: "agent_answer",
    about: "the body of an agent's answer, read as the answer to each request and used as layouts are",
    inputs: 300,
    prepare: || plain(read_answer),
    seeds: answers,
    files: &[],
    words: WORDS,
};

pub(super) const REQUEST: FuzzTarget = FuzzTarget {
    name: "agent_request",
    about: "the body of a request to the agent, read and written again",
    inputs: 2000,
    prepare: || plain(read_request),
    seeds: requests,
    files: &[],
    words: WORDS,
};

pub(super) const SERVED: FuzzTarget = FuzzTarget {
    name: "agent_served",
    about: "requests to the agent of the served phone, in frames that are right",
    inputs: 100,
    prepare: || on_phones(|served, bytes| ask_served(&served, bytes)),
    seeds: || vec![joined(&requests())],
    files: &[],
    words: WORDS,
};

const WORDS: &[&str] = &[
    "\0\0\0\0",
    "\0\0\0\u{1}",
    "\0\u{1}",
    "\0\0\0\u{7}android",
    "\0\0\0\u{1}a",
    "org.taproof.files",
    "global",
    "\n%%%%\n",
    "\u{7f}",
    "\u{e9}",
];

fn read_frames(mut bytes: &[u8]) {
    while let Some((head, rest)) = bytes.split_first_chunk::<FRAME_HEAD>() {
        let Ok(head) = FrameHead::parse(*head, MOST_ANSWERED) else { return };
        let Some((body, rest)) = rest.split_at_checked(head.length) else { return };
        if head.check(body).is_ok() {
            let same = FrameHead::frame(head.number, body);
            assert!(bytes.starts_with(&same), "a frame is written otherwise than it was read");
            read_answer(body);
        }
        bytes = rest;
    }
}

/// Reads the value behind the status of an answer.
fn value_of<T>(
    body: &[u8],
    read: impl FnOnce(&mut Decoder<'_>) -> Result<T, ProtocolError>,
) -> Result<T, String> {
    let mut from = Decoder::new(body);
    Failure::check(&mut from).map_err(|error| error.to_string())?.map_err(|failure| failure.to_string())?;
    let value = read(&mut from).map_err(|error| error.to_string())?;
    from.finish().map_err(|error| error.to_string())?;
    Ok(value)
}

fn read_answer(body: &[u8]) {
    seen((value_of(body, Hello::decode), value_of(body, Power::decode)));
    seen((value_of(body, |from| from.values()), value_of(body, |from| from.pairs())));
    seen((value_of(body, |from| from.bytes()), value_of(body, |from| from.number())));
    if let Ok(packages) = value_of(body, PackageEntry::decode_all) {
        let again = succeeded(packages.as_slice());
        assert_eq!(value_of(&again, PackageEntry::decode_all), Ok(packages));
    }
    let Ok(screen) = value_of(body, Seen::decode) else { return };
    let again = succeeded(&screen);
    assert_eq!(value_of(&again, Seen::decode).as_ref(), Ok(&screen));
    if let Ok(layout) = &screen.layout {
        use_layout(layout);
    }
}

fn read_request(body: &[u8]) {
    match request_of(body) {
        Ok(request) => assert_eq!(request_of(&request.encode()), Ok(request)),
        Err(error) => seen(error.to_string()),
    }
}

fn ask_served(served: &Served, bytes: &[u8]) {
    seen(agent::start(served, SOCKET));
    let hello = Request::Hello { version: PROTOCOL_VERSION }.encode();
    let bodies = [hello.as_slice()].into_iter().chain(parts(bytes));
    let frames: Vec<Vec<u8>> =
        (1..).zip(bodies).map(|(number, body)| FrameHead::frame(number, body)).collect();
    agent::serve(served, SOCKET, &mut frames.concat().as_slice(), &mut Client::default());
    agent::stop(served);
    seen(served.lock().layout());
}

fn requests() -> Vec<Vec<u8>> {
    let name = || "org.taproof.files".to_owned();
    let at = PxPoint { x: 540, y: 960 };
    let act = |action| Request::Act {
        action,
        settle: Settle { quiet_millis: 150, limit_millis: 1000 },
        log_from: Some(String::new()),
        picture_hash: true,
    };
    let setting = |change| SettingRequest { namespace: "global".to_owned(), name: "a".to_owned(), change };
    let requests = [
        act(Action::Look),
        act(Action::Touch(vec![TouchPoint { at, millis: 0, pressure: 1000 }])),
        act(Action::Key { code: 4, meta: 0 }),
        act(Action::Type("a \u{1f600}".to_owned())),
        act(Action::SetText { at, text: "b".to_owned() }),
        act(Action::Rotate(1)),
        act(Action::Wait(100)),
        Request::Picture { form: PictureForm::Jpeg(80), width: 540 },
        Request::Settings(vec![
            setting(SettingChange::Keep),
            setting(SettingChange::Put("1".to_owned())),
            setting(SettingChange::Delete),
        ]),
        Request::Start { component: "org.taproof.files/.MainActivity".to_owned() },
        Request::Grant { package: name(), permissions: vec!["android.permission.CAMERA".to_owned()] },
        Request::Packages { third_party: true, icon: 48 },
        Request::Clipboard { content: Some("c".to_owned()) },
        Request::Wake,
        Request::Watch { picture_hash: 1, limit_millis: 100 },
        Request::Stop { package: name() },
        Request::Clear { package: name() },
        Request::End,
    ];
    requests.iter().map(Request::encode).collect()
}

fn answers() -> Vec<Vec<u8>> {
    let package = PackageEntry {
        package: "org.ex".to_owned(),
        label: "Example".to_owned(),
        version: "1.2".to_owned(),
        version_code: 12,
        activity: Some("org.ex.Main".to_owned()),
        pid: Some(321),
        permissions: vec![("android.permission.CAMERA".to_owned(), true)],
        icon: Some(vec![1, 2]),
    };
    let layouts = screens();
    let of_screens = layouts.iter().map(|layout| Ok(layout.as_ref().clone().with_activity(Text::from(""))));
    let none = Err((PxSize { width: 800, height: 600 }, "no window has the focus".to_owned()));
    let screens = of_screens.chain([none]).map(|layout| {
        let seen = Seen {
            refused: None,
            quiet: Quiet::StillButPassing,
            activity: Some("org.ex/.Main".to_owned()),
            uptime_millis: 1 << 20,
            keyboard: Some(PxRect::new(0, 100, 200, 300)),
            picture_hash: Some(7),
            typed: Some(Typed { by: TypedBy::Paste, shows: Some("a".to_owned()) }),
            announced: vec![Announced { toast: true, package: "org.ex".to_owned(), text: "b".to_owned() }],
            log: Some("01-05 09:00:01.500".to_owned()),
            layout,
        };
        succeeded(&seen)
    });
    let others = [
        failed(FailureKind::Forbidden, "SecurityException: INJECT_EVENTS"),
        succeeded(&Hello { version: PROTOCOL_VERSION, sdk: 34, uid: 2000, pid: 7 }),
        succeeded(&Power { awake: true, locked: false, secure: true }),
        succeeded([package].as_slice()),
        succeeded([None, Some("1".to_owned())].as_slice()),
        succeeded([("a".to_owned(), "b".to_owned())].as_slice()),
        succeeded(b"picture".as_slice()),
        succeeded(&7_u32),
    ];
    others.into_iter().chain(screens).collect()
}
