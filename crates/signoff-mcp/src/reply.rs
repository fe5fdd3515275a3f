//! What a client hears from the proxy itself.

use serde_json::{Value, json};

use crate::call::Call;

/// The result of a call that was not passed on: the model reads why.
pub(crate) fn refused(call: &Call, words: &str) -> Vec<u8> {
    let mut result = json!({"content": [{"type": "text", "text": words}], "isError": true});
    if let (true, Some(fields)) = (call.is_stateless, result.as_object_mut()) {
        fields.insert("resultType".to_owned(), "complete".into());
    }
    let id: Value = serde_json::from_str(call.raw_id.get()).unwrap_or_default();
    line(&json!({"jsonrpc": "2.0", "id": id, "result": result}))
}

/// A call is still held. Each says more than the one before, and less than anything that a server would say.
pub(crate) fn held(token: &Value, times: u32, words: &str) -> Vec<u8> {
    let progress = f64::from(times) / 1_000_000.0;
    let params = json!({"progressToken": token, "progress": progress, "message": words});
    line(&json!({"jsonrpc": "2.0", "method": "notifications/progress", "params": params}))
}

fn line(message: &Value) -> Vec<u8> {
    format!("{message}\n").into_bytes()
}
