//! The requests to the agent, as it reads them.

use taproof_engine::agent::{
    Action, Decoder, PictureForm, ProtocolError, Request, SettingChange, SettingRequest, Settle, TouchPoint,
};
use taproof_screen::PxPoint;

/// Reads the body of a request.
///
/// # Errors
///
/// [`ProtocolError`] if the body is not exactly one request.
pub fn read_request(body: &[u8]) -> Result<Request, ProtocolError> {
    let mut from = Decoder::new(body);
    let package = "the package";
    let request = match from.u8("the kind of the request")? {
        1 => Request::Hello { version: from.u16("the version")? },
        2 => Request::Act {
            action: read_action(&mut from)?,
            settle: Settle {
                quiet_millis: from.u32("the quiet span")?,
                limit_millis: from.u32("the limit")?,
            },
            log_from: from.optional_text("the time of the log")?.map(str::to_owned),
            picture_hash: from.flag("the wish for a checksum")?,
        },
        3 => {
            let form = match from.u8("the quality")? {
                0 => PictureForm::Raw,
                quality @ 1..=100 => PictureForm::Jpeg(quality),
                other => return Err(ProtocolError::unexpected("the quality", "0 to 100", other)),
            };
            Request::Picture { form, width: from.u16("the width")? }
        }
        4 => Request::Settings(from.list("the settings", read_setting)?),
        5 => Request::Stop { package: from.text(package)?.to_owned() },
        6 => Request::Clear { package: from.text(package)?.to_owned() },
        7 => Request::Start { component: from.text("the activity")?.to_owned() },
        8 => Request::Grant {
            package: from.text(package)?.to_owned(),
            permissions: from.list("the permissions", |from| Ok(from.text("a permission")?.to_owned()))?,
        },
        9 => Request::Packages {
            third_party: from.flag("the selection")?,
            icon: from.u16("the side of the icons")?,
        },
        10 => Request::Clipboard { content: from.optional_text("the content")?.map(str::to_owned) },
        11 => Request::Wake,
        12 => {
            Request::Watch { picture_hash: from.u32("the checksum")?, limit_millis: from.u32("the limit")? }
        }
        13 => Request::End,
        other => return Err(ProtocolError::unexpected("the kind of the request", "1 to 13", other)),
    };
    from.finish()?;
    Ok(request)
}

fn read_action(from: &mut Decoder<'_>) -> Result<Action, ProtocolError> {
    Ok(match from.u8("the kind of the action")? {
        0 => Action::Look,
        1 => Action::Touch(from.list("the path", |from| {
            Ok(TouchPoint {
                at: read_point(from, "a point")?,
                millis: from.u32("a time")?,
                pressure: from.u16("a pressure")?,
            })
        })?),
        2 => Action::Key { code: from.u32("the key")?, meta: from.u32("the meta keys")? },
        3 => Action::Type(from.text("the text")?.to_owned()),
        4 => Action::SetText { at: read_point(from, "the field")?, text: from.text("the text")?.to_owned() },
        5 => match from.u8("the rotation")? {
            quarters @ 0..=3 => Action::Rotate(quarters),
            other => return Err(ProtocolError::unexpected("the rotation", "0 to 3", other)),
        },
        6 => Action::Wait(from.u32("the wait")?),
        other => return Err(ProtocolError::unexpected("the kind of the action", "0 to 6", other)),
    })
}

fn read_setting(from: &mut Decoder<'_>) -> Result<SettingRequest, ProtocolError> {
    Ok(SettingRequest {
        namespace: from.text("the namespace")?.to_owned(),
        name: from.text("the name of a setting")?.to_owned(),
        change: match from.u8("the change")? {
            0 => SettingChange::Keep,
            1 => SettingChange::Put(from.text("the value")?.to_owned()),
            2 => SettingChange::Delete,
            other => return Err(ProtocolError::unexpected("the change", "0 to 2", other)),
        },
    })
}

fn read_point(from: &mut Decoder<'_>, field: &'static str) -> Result<PxPoint, ProtocolError> {
    Ok(PxPoint { x: from.i32(field)?, y: from.i32(field)? })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn requests() -> Vec<Request> {
        let act = |action| Request::Act {
            action,
            settle: Settle { quiet_millis: 100, limit_millis: 5000 },
            log_from: Some("01-05 09:00:01.500".to_owned()),
            picture_hash: true,
        };
        let at = PxPoint { x: 7, y: -1 };
        let setting =
            |change| SettingRequest { namespace: "global".to_owned(), name: "a".to_owned(), change };
        let name = || "org.ex".to_owned();
        vec![
            Request::Hello { version: 1 },
            act(Action::Look),
            act(Action::Touch(vec![TouchPoint { at, millis: 0, pressure: 1000 }])),
            act(Action::Key { code: 4, meta: 1 }),
            act(Action::Type("Grüße 😀".to_owned())),
            act(Action::SetText { at, text: String::new() }),
            act(Action::Rotate(3)),
            act(Action::Wait(1500)),
            Request::Picture { form: PictureForm::Raw, width: 0 },
            Request::Picture { form: PictureForm::Jpeg(80), width: 540 },
            Request::Settings(vec![
                setting(SettingChange::Keep),
                setting(SettingChange::Put("0".to_owned())),
                setting(SettingChange::Delete),
            ]),
            Request::Stop { package: name() },
            Request::Clear { package: name() },
            Request::Start { component: "org.ex/.Main".to_owned() },
            Request::Grant { package: name(), permissions: vec![name(), String::new()] },
            Request::Packages { third_party: true, icon: 48 },
            Request::Clipboard { content: None },
            Request::Clipboard { content: Some(String::new()) },
            Request::Wake,
            Request::Watch { picture_hash: 1, limit_millis: 2 },
            Request::End,
        ]
    }

    #[test]
    fn requests_are_read_as_they_were_written() {
        for request in requests() {
            assert_eq!(read_request(&request.encode()), Ok(request));
        }
    }

    #[test]
    fn a_request_that_is_cut_or_continued_is_refused() {
        for request in requests() {
            let mut body = request.encode();
            for end in 0..body.len() {
                assert!(read_request(&body[..end]).is_err(), "{request:?} cut at {end}");
            }
            body.push(0);
            assert_eq!(read_request(&body), Err(ProtocolError::Surplus { count: 1 }));
        }
        assert!(read_request(&[99]).unwrap_err().to_string().contains("is 99, expected 1 to 13"));
    }
}
