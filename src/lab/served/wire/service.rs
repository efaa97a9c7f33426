//! Dispatches streams to the services of the device.

use std::io::Write;

use super::connection::Connection;
use super::device_stream::Opening;
use super::shell_service::{self, ShellRequest};
use super::{SocketHandler, sync_service};

/// The prefixes of the names of sockets on the device.
const SOCKETS: [&str; 6] =
    ["tcp:", "localabstract:", "localreserved:", "localfilesystem:", "local:", "vsock:"];

/// Accepts and serves a stream, or refuses it by dropping `opening`.
pub(super) fn serve(connection: &Connection, opening: Opening, service: &str) {
    let Some(identity) = connection.identity() else { return };
    tracing::debug!(service, "a client opens a stream");
    let reverse = service.strip_prefix("reverse:").filter(|_| identity.reverse);
    let answer = reverse.and_then(|request| connection.reverse().answer(request));
    let shell = ShellRequest::parse(service, &identity);
    let handler = handler(connection, service);
    if answer.is_none() && shell.is_none() && service != "sync:" && handler.is_none() {
        return;
    }
    let Some(mut stream) = opening.accept() else { return };
    match (answer, shell, handler) {
        // An error means that the host left or violated the protocol: the stream ends either way.
        (Some(answer), ..) => drop(stream.write_all(&answer)),
        (_, Some(request), _) => shell_service::serve(stream, &request, connection.services()),
        (.., Some(handler)) => handler(stream),
        _ => drop(sync_service::serve(&mut stream, connection.services(), connection.uploads())),
    }
}

/// What serves a socket of the device, or a service that the wire does not handle itself.
fn handler(connection: &Connection, service: &str) -> Option<SocketHandler> {
    if ["shell:", "shell,", "exec:", "reverse:", "sync:"].iter().any(|known| service.starts_with(known)) {
        return None;
    }
    match SOCKETS.iter().any(|socket| service.starts_with(socket)) {
        true => connection.services().socket(service),
        false => connection.services().other(service),
    }
}
