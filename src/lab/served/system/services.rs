//! Connects the wire protocol to a served device.

use std::io::{Read, Write};
use std::sync::Arc;
use std::time::Duration;

use super::web_pages;
use crate::screen::framebuffer;
use crate::wire::{DeviceStream, FileStat, Identity, Services, SocketHandler};
use crate::{Served, Stat, agent, daemon, droidbot, uiautomator2};

/// After this time without data a client's connection is closed.
const IDLE: Duration = Duration::from_secs(120);

/// A served device as the services of the wire protocol.
pub struct ServedServices(pub Arc<Served>);

impl Services for ServedServices {
    fn identity(&self) -> Identity {
        let like = self.0.like();
        let state = self.0.lock();
        let info = state.device.info();
        let name = info.model.to_lowercase().replace(' ', "_");
        let make = if like.old() { Identity::old } else { Identity::modern };
        make(&name, &info.model, &name)
    }

    fn shell(
        &self,
        command: &str,
        stdin: &mut dyn Read,
        out: &mut dyn Write,
        err: &mut dyn Write,
        tty: bool,
    ) -> u8 {
        self.0.shell(command, stdin, out, err, tty)
    }

    fn stat(&self, path: &str) -> Option<FileStat> {
        self.0.stat(path).ok().map(file_stat)
    }

    fn list(&self, path: &str) -> Result<Vec<(String, FileStat)>, String> {
        let entries = self.0.list(path).map_err(|error| error.to_string())?;
        Ok(entries.into_iter().map(|(name, stat)| (name, file_stat(stat))).collect())
    }

    fn read(&self, path: &str) -> Result<Arc<Vec<u8>>, String> {
        self.0.read(path).map_err(|error| error.to_string())
    }

    fn write(&self, path: &str, mode: u32, mtime: u32, data: Vec<u8>) -> Result<(), String> {
        self.0.write(path, mode, u64::from(mtime), data).map_err(|error| error.to_string())
    }

    fn socket(&self, name: &str) -> Option<SocketHandler> {
        let served = Arc::clone(&self.0);
        if let Some(socket) =
            name.strip_prefix("localabstract:").filter(|socket| agent::runs(&served, socket))
        {
            let socket = socket.to_owned();
            return Some(Box::new(move |stream| speak_agent(&served, &socket, stream)));
        }
        if let Some(browser) = served.lock().browser_behind(name) {
            return Some(Box::new(move |stream| drop(web_pages::pass_on(stream, browser))));
        }
        let port: u16 = name.strip_prefix("tcp:")?.parse().ok()?;
        if uiautomator2::accepts(&served, port) {
            return Some(Box::new(move |stream| speak_http(&served, stream)));
        }
        let watched = port == droidbot::PORT && droidbot::runs(&served.lock());
        watched.then(|| -> SocketHandler {
            Box::new(move |mut stream| droidbot::send_layouts(&served, &mut stream))
        })
    }

    fn other(&self, service: &str) -> Option<SocketHandler> {
        let served = Arc::clone(&self.0);
        if service == "framebuffer:" {
            return Some(Box::new(move |stream| framebuffer::send(&served, stream)));
        }
        daemon::handler(&served, service)
    }

    fn restarts(&self) -> u64 {
        self.0.restarts()
    }
}

fn file_stat(stat: Stat) -> FileStat {
    FileStat { mode: stat.mode, size: stat.size, mtime: u32::try_from(stat.mtime).unwrap_or(u32::MAX) }
}

fn speak_http(served: &Served, stream: DeviceStream) {
    let (mut reader, mut writer) = stream.split();
    reader.set_deadline(Some(IDLE));
    uiautomator2::serve(served, &mut reader, &mut writer);
}

/// A stream to the agent stays open between two events, however long a person thinks.
fn speak_agent(served: &Served, socket: &str, stream: DeviceStream) {
    let (mut reader, mut writer) = stream.split();
    agent::serve(served, socket, &mut reader, &mut writer);
}
