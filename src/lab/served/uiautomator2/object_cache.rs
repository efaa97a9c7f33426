//! Objects that a client stores under a name: their selectors are kept on the server.

use serde_json::{Value, json};

use super::error::RpcError;
use super::object::selector_of;
use super::params::Params;
use super::scroll;
use super::selector::{Relation, Selector};
use super::touch::observe;
use crate::Served;
use taproof_core::model::WidgetIdx;

/// `getUiObject(selector)`: stores the selector and returns its name.
pub(super) fn get_object(served: &Served, params: &Params<'_>) -> Result<Value, RpcError> {
    let selector = selector_of(served, params, 0)?;
    Ok(json!(served.lock().uiautomator2.keep(selector)?))
}

/// `getChild(object, selector)`: stores the child and returns its name.
pub(super) fn get_child(served: &Served, params: &Params<'_>) -> Result<Value, RpcError> {
    get_relative(served, params, Relation::Child)
}

/// `getFromParent(object, selector)`: stores the sibling and returns its name.
pub(super) fn get_sibling(served: &Served, params: &Params<'_>) -> Result<Value, RpcError> {
    get_relative(served, params, Relation::Sibling)
}

fn get_relative(served: &Served, params: &Params<'_>, relation: Relation) -> Result<Value, RpcError> {
    let (object, next) = (selector_of(served, params, 0)?, selector_of(served, params, 1)?);
    Ok(json!(served.lock().uiautomator2.keep(object.then(relation, &next))?))
}

/// `removeUiObject(name)`: removes the object with that name.
pub(super) fn remove_object(served: &Served, params: &Params<'_>) -> Result<Value, RpcError> {
    let name = params.text(0)?;
    served.lock().uiautomator2.forget(name);
    Ok(Value::Null)
}

/// `childByText(collection, child, text[, scroll])`: stores the first child that has this text or contains a widget
/// with it, and returns its name.
pub(super) fn child_by_text(served: &Served, params: &Params<'_>) -> Result<Value, RpcError> {
    child_saying(served, params, false)
}

/// `childByDescription(collection, child, text[, scroll])`: the same by the content description.
pub(super) fn child_by_description(served: &Served, params: &Params<'_>) -> Result<Value, RpcError> {
    child_saying(served, params, true)
}

fn child_saying(served: &Served, params: &Params<'_>, described: bool) -> Result<Value, RpcError> {
    let (collection, child) = (selector_of(served, params, 0)?, selector_of(served, params, 1)?);
    let text = params.text(2)?;
    let saying = Selector::saying(text, described);
    if params.len() > 3 && params.flag(3)? {
        scroll::into_view(served, &collection, &saying)?;
    }
    let mut state = served.lock();
    let layout = observe(&mut state)?;
    let children = collection.then(Relation::Child, &child);
    let says = |idx: WidgetIdx| {
        let widget = layout.widget(idx);
        let said: &str = if described { &widget.content_desc } else { &widget.text };
        said == text
    };
    let rows = children.resolve_all(&layout);
    match rows.iter().position(|row| layout.subtree(*row).any(says)) {
        Some(place) => Ok(json!(state.uiautomator2.keep(children.nth(place as u32))?)),
        None if described => Err(RpcError::NotFound { what: format!("for description= \"{text}\"") }),
        None => Err(RpcError::NotFound { what: format!("for text= \"{text}\"") }),
    }
}

/// `childByInstance(collection, child, instance)`: stores the child and returns its name.
pub(super) fn child_by_instance(served: &Served, params: &Params<'_>) -> Result<Value, RpcError> {
    let (collection, child) = (selector_of(served, params, 0)?, selector_of(served, params, 1)?);
    let instance = u32::try_from(params.amount(2)?).unwrap_or(u32::MAX);
    let named = collection.then(Relation::Child, &child).nth(instance);
    Ok(json!(served.lock().uiautomator2.keep(named)?))
}

#[cfg(test)]
mod tests {
    use super::super::testing::{call, served, touches};
    use super::*;
    use taproof_core::model::Gesture;

    fn text(text: &str) -> Value {
        json!({"mask": 1, "text": text})
    }

    #[test]
    fn objects_keep_their_names() {
        let page = "ListView#list\n  TextView#a \"A\"\n  TextView#b \"B\" (bee)\n";
        let served = served(page);
        let list = json!({"mask": 0x20_0000, "resourceId": "org.ex:id/list"});
        let texts = json!({"mask": 0x10, "className": "android.widget.TextView"});
        let name = call(&served, "childByText", &json!([list, texts, "B"])).unwrap();
        assert_eq!(call(&served, "objInfo", &json!([name])).unwrap()["text"], "B");
        let missing = call(&served, "childByText", &json!([list, texts, "C"])).unwrap_err();
        assert_eq!(missing["message"], "androidx.test.uiautomator.UiObjectNotFoundException");
        let described = call(&served, "childByDescription", &json!([list, texts, "bee", false])).unwrap();
        assert_eq!(call(&served, "getText", &json!([described])).unwrap(), "B");
        let first = call(&served, "childByInstance", &json!([list, texts, 0])).unwrap();
        assert_eq!(call(&served, "getText", &json!([first])).unwrap(), "A");
        let list = call(&served, "getUiObject", &json!([list])).unwrap();
        let child = call(&served, "getChild", &json!([list, text("A")])).unwrap();
        let beside = call(&served, "getFromParent", &json!([child, text("B")])).unwrap();
        assert_eq!(call(&served, "exist", &json!([beside])).unwrap(), true);
        assert_eq!(call(&served, "waitForExists", &json!([beside, 1000])).unwrap(), true);
        call(&served, "click", &json!([beside])).unwrap();
        assert_eq!(touches(&served), [(540, 250, Gesture::Tap)]);
        call(&served, "removeUiObject", &json!([beside])).unwrap();
        assert_eq!(call(&served, "exist", &json!([beside])).unwrap(), false);
    }
}
