//! Why a call fails. The codes and messages are those of the server's own library (jsonrpc4j) and of Java's exceptions,
//! since clients look for them.

use serde_json::{Value, json};

use taproof_engine::device::DeviceError;

/// Why a call fails.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub(super) enum RpcError {
    /// The request is not JSON.
    #[error("JSON parse error")]
    NotJson {
        /// The error message of the JSON parser.
        problem: String,
    },
    /// The request is JSON but not a call.
    #[error("invalid request")]
    NotACall,
    /// There is no such method.
    #[error("method not found")]
    NoSuchMethod {
        /// The name of the requested method.
        method: String,
    },
    /// The parameters do not fit the method.
    #[error("method parameters invalid")]
    Params {
        /// The mismatch, as a message.
        problem: String,
    },
    /// The screen shows no matching widget.
    #[error("androidx.test.uiautomator.UiObjectNotFoundException")]
    NotFound {
        /// The selector that was searched for.
        what: String,
    },
    /// A pattern is invalid, or uses a feature that is not supported here.
    #[error("java.util.regex.PatternSyntaxException")]
    Pattern {
        /// The problem with the pattern, as a message.
        problem: String,
    },
    /// An operation of the device failed.
    #[error("java.lang.IllegalStateException")]
    Device(#[from] DeviceError),
}

impl RpcError {
    /// The error for parameters that do not fit the method.
    pub fn params(problem: &str) -> Self {
        RpcError::Params { problem: problem.to_owned() }
    }

    /// The `error` object of the response.
    pub fn to_json(&self) -> Value {
        let (code, data) = match self {
            RpcError::NotJson { problem } => (-32700, json!(problem)),
            RpcError::NotACall => (-32600, Value::Null),
            RpcError::NoSuchMethod { method } => (-32601, json!(method)),
            RpcError::Params { problem } => (-32602, json!(problem)),
            RpcError::NotFound { what } => (-32001, json!(what)),
            RpcError::Pattern { problem } => (-32001, json!(problem)),
            RpcError::Device(error) => (-32001, json!(error.to_string())),
        };
        json!({"code": code, "message": self.to_string(), "data": data})
    }
}
