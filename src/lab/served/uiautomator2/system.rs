//! Calls on the device as a whole: its properties, its rotation, its clipboard, its toasts.

use base64::Engine;
use base64::engine::general_purpose::STANDARD;
use serde_json::{Value, json};

use super::error::RpcError;
use super::params::Params;
use super::set_focused;
use super::touch::{observe, perform};
use crate::Served;
use crate::screen::pictures::{image_of, jpeg_of};
use crate::system::properties::DENSITY;
use taproof_engine::device::DeviceError;
use taproof_screen::Event;

/// The usual quality of a picture.
const QUALITY: i64 = 80;

/// Calls without an effect here: a device is idle after each input, and reports no traversed text.
pub(super) fn nothing(_served: &Served, _params: &Params<'_>) -> Result<Value, RpcError> {
    Ok(Value::Null)
}

/// `deviceInfo()`: the screen, the version of Android and the foreground app.
pub(super) fn device_info(served: &Served, _params: &Params<'_>) -> Result<Value, RpcError> {
    let mut state = served.lock();
    let layout = observe(&mut state)?;
    let screen = layout.screen();
    let shown = layout.roots().next().map(|root| layout.widget(root).package.to_string());
    let rotation = layout.rotation().0;
    let info = state.device.info();
    Ok(json!({
        "currentPackageName": shown.unwrap_or_else(|| layout.package().to_owned()),
        "displayHeight": screen.height,
        "displayRotation": rotation,
        "displaySizeDpX": screen.width * 160 / DENSITY,
        "displaySizeDpY": screen.height * 160 / DENSITY,
        "displayWidth": screen.width,
        "naturalOrientation": rotation % 2 == 0,
        "productName": info.model.replace(' ', "_").to_lowercase(),
        "screenOn": state.awake,
        "sdkInt": info.sdk,
    }))
}

/// `setOrientation(name)`. Devices here have only one sideways orientation, for left and right. Other names (upside
/// down) have no effect, as on a phone.
pub(super) fn set_orientation(served: &Served, params: &Params<'_>) -> Result<Value, RpcError> {
    let quarters = match params.text(0)?.to_ascii_lowercase().as_str() {
        "natural" | "n" => 0,
        "left" | "l" | "right" | "r" => 1,
        _ => return Ok(Value::Null),
    };
    served.lock().rotate(quarters)?;
    Ok(Value::Null)
}

/// `freezeRotation(frozen)`: a device here only rotates on request, so it is always frozen.
pub(super) fn freeze_rotation(_served: &Served, params: &Params<'_>) -> Result<Value, RpcError> {
    params.flag(0)?;
    Ok(Value::Null)
}

/// `setClipboard(label, text)`: replaces the content of the device's clipboard.
pub(super) fn set_clipboard(served: &Served, params: &Params<'_>) -> Result<Value, RpcError> {
    let text = params.text(1)?.to_owned();
    served.lock().clipboard = text;
    Ok(Value::Null)
}

/// `getClipboard()`: null while it is empty.
pub(super) fn get_clipboard(served: &Served, _params: &Params<'_>) -> Result<Value, RpcError> {
    let state = served.lock();
    Ok(if state.clipboard.is_empty() { Value::Null } else { json!(state.clipboard) })
}

/// `pasteClipboard()`: types the content of the clipboard.
pub(super) fn paste_clipboard(served: &Served, _params: &Params<'_>) -> Result<Value, RpcError> {
    let mut state = served.lock();
    let text = state.clipboard.clone();
    if !text.is_empty() {
        perform(&mut state, &Event::Type(text))?;
    }
    Ok(Value::Null)
}

/// `clearInputText()`: empties the focused text field.
pub(super) fn clear_input_text(served: &Served, _params: &Params<'_>) -> Result<Value, RpcError> {
    set_focused(&mut served.lock(), String::new())?;
    Ok(Value::Null)
}

/// `wakeUp()`: switches the screen on.
pub(super) fn wake_up(served: &Served, _params: &Params<'_>) -> Result<Value, RpcError> {
    served.lock().set_awake(true)?;
    Ok(Value::Null)
}

/// `openNotification()` and `openQuickSettings()`: one list for both. False if the device has none.
pub(super) fn open_shade(served: &Served, _params: &Params<'_>) -> Result<Value, RpcError> {
    match served.lock().device.open_notifications() {
        Ok(()) => Ok(json!(true)),
        Err(DeviceError::Unsupported { .. }) => Ok(json!(false)),
        Err(error) => Err(error.into()),
    }
}

/// `takeScreenshot(scale, quality)`: the picture as JPEG in Base64, or null if it cannot be taken. Clients ask for the
/// scale 1 alone.
pub(super) fn take_screenshot(served: &Served, params: &Params<'_>) -> Result<Value, RpcError> {
    if params.len() > 0 && params.whole(0)? != 1 {
        return Err(RpcError::params("this device does not scale"));
    }
    let quality = if params.len() > 1 { params.whole(1)?.clamp(1, 100) } else { QUALITY };
    let picture = served.lock().device.screenshot().ok();
    let jpeg = picture.and_then(|picture| jpeg_of(image_of(&picture)?, quality as u8));
    Ok(json!(jpeg.map(|bytes| STANDARD.encode(bytes))))
}

#[cfg(test)]
mod tests {
    use super::super::tests::{call, done, served};
    use super::*;

    #[test]
    fn the_device_says_what_it_is() {
        let served = served("Button#save \"Save\"\n");
        let expected = json!({
            "currentPackageName": "org.ex",
            "displayHeight": 1920,
            "displayRotation": 0,
            "displaySizeDpX": 360,
            "displaySizeDpY": 640,
            "displayWidth": 1080,
            "naturalOrientation": true,
            "productName": "scripted_phone",
            "screenOn": true,
            "sdkInt": 34,
        });
        assert_eq!(call(&served, "deviceInfo", &json!({})).unwrap(), expected);
    }

    #[test]
    fn it_is_turned_only_if_it_lies_otherwise() {
        for (name, turned) in
            [("natural", false), ("N", false), ("left", true), ("r", true), ("upsidedown", false)]
        {
            let served = served("FrameLayout\n");
            assert_eq!(call(&served, "setOrientation", &json!([name])).unwrap(), Value::Null);
            let expected = if turned { vec![Event::Rotate] } else { Vec::new() };
            assert_eq!(done(&served), expected, "{name}");
        }
    }

    #[test]
    fn what_cannot_be_opened_is_not() {
        let served = served("FrameLayout\n");
        assert_eq!(call(&served, "openNotification", &json!({})).unwrap(), false);
        assert_eq!(call(&served, "freezeRotation", &json!([true])).unwrap(), Value::Null);
        assert_eq!(call(&served, "getLastToast", &json!({})).unwrap(), Value::Null);
        assert_eq!(done(&served), []);
    }

    #[test]
    fn the_picture_comes_as_jpeg() {
        let served = served("FrameLayout\n");
        for params in [json!([1, 80]), json!({}), json!([1, 500])] {
            let answered = call(&served, "takeScreenshot", &params).unwrap();
            let jpeg = STANDARD.decode(answered.as_str().unwrap()).unwrap();
            let picture =
                image::load_from_memory_with_format(&jpeg, image::ImageFormat::Jpeg).unwrap().to_rgb8();
            assert_eq!(picture.dimensions(), (40, 20), "{params}");
            let pixel = picture.get_pixel(20, 10).0;
            let near = pixel.iter().zip([200u8, 100, 50]).all(|(is, was)| is.abs_diff(was) < 16);
            assert!(near, "{params}: {pixel:?}");
        }
        assert!(call(&served, "takeScreenshot", &json!([2])).is_err());
    }
}
