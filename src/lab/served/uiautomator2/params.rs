//! The parameters of a call, by index. Integers may be given with a fraction, since the Python client divides.

use serde_json::Value;

use super::error::RpcError;
use taproof_screen::PxPoint;

/// The parameters of a call, by index.
pub(super) struct Params<'a>(&'a [Value]);

impl<'a> Params<'a> {
    /// The parameters of a request: a list. A missing value, null or an empty object mean no parameters.
    pub fn of(params: Option<&'a Value>) -> Result<Self, RpcError> {
        match params {
            None | Some(Value::Null) => Ok(Params(&[])),
            Some(Value::Array(list)) => Ok(Params(list)),
            Some(Value::Object(named)) if named.is_empty() => Ok(Params(&[])),
            Some(_) => Err(RpcError::params("the parameters are not a list")),
        }
    }

    /// The number of parameters.
    pub fn len(&self) -> usize {
        self.0.len()
    }

    /// The parameter as a JSON value.
    pub fn value(&self, place: usize) -> Result<&'a Value, RpcError> {
        self.0.get(place).ok_or_else(|| RpcError::params(&format!("parameter {} is missing", place + 1)))
    }

    /// The parameter as an integer; a fraction is cut off, as in Java.
    pub fn whole(&self, place: usize) -> Result<i64, RpcError> {
        let value = self.value(place)?;
        // The cast saturates.
        let whole = value.as_i64().or_else(|| value.as_f64().map(|number| number as i64));
        whole.ok_or_else(|| wrong(place, "a number"))
    }

    /// The parameter as an integer; negative values count as zero.
    pub fn amount(&self, place: usize) -> Result<u64, RpcError> {
        Ok(u64::try_from(self.whole(place)?).unwrap_or(0))
    }

    /// The parameter as a text.
    pub fn text(&self, place: usize) -> Result<&'a str, RpcError> {
        self.value(place)?.as_str().ok_or_else(|| wrong(place, "a text"))
    }

    /// The parameter as a boolean.
    pub fn flag(&self, place: usize) -> Result<bool, RpcError> {
        self.value(place)?.as_bool().ok_or_else(|| wrong(place, "true or false"))
    }

    /// This parameter and the next one as a point in pixels.
    pub fn point(&self, place: usize) -> Result<PxPoint, RpcError> {
        Ok(PxPoint { x: px(self.whole(place)?), y: px(self.whole(place + 1)?) })
    }
}

/// Converts a number of pixels, clamped to a range far larger than any screen.
pub(super) fn px(number: i64) -> i32 {
    const FAR: i64 = 1_000_000;
    number.clamp(-FAR, FAR) as i32
}

fn wrong(place: usize, wanted: &str) -> RpcError {
    RpcError::params(&format!("parameter {} is not {wanted}", place + 1))
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    #[test]
    fn parameters_come_in_many_shapes() {
        for none in [None, Some(&Value::Null), Some(&json!({})), Some(&json!([]))] {
            assert_eq!(Params::of(none).map(|params| params.len()), Ok(0));
        }
        assert!(Params::of(Some(&json!({"x": 1}))).is_err() && Params::of(Some(&json!(7))).is_err());
        let list = json!([540.9, -3, "t", true, 1e300]);
        let params = Params::of(Some(&list)).unwrap();
        assert_eq!(params.point(0), Ok(PxPoint { x: 540, y: -3 }));
        assert_eq!(params.amount(1), Ok(0));
        assert_eq!(params.whole(4), Ok(i64::MAX));
        assert!(params.text(2) == Ok("t") && params.flag(3) == Ok(true));
        let missing = params.whole(9).unwrap_err();
        assert_eq!(missing, RpcError::params("parameter 10 is missing"));
        assert_eq!(params.whole(2).unwrap_err(), RpcError::params("parameter 3 is not a number"));
    }
}
