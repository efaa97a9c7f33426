//! An adb server for one device that is read at once: with it, tests need no `adb` program. It asks the device for each stream
//! over a connection of its own, which no real server does.

use std::io::{Read, Result, Write};
use std::net::{Ipv4Addr, Shutdown, SocketAddr, TcpListener, TcpStream};
use std::thread;

use taproof_adb::host::{AdbServer, ServerAddress};

use crate::device::adb_message::{AdbMessage, CLOSE, CONNECT, OKAY, OPEN, WRITE, receive, send};

/// The protocol's version with checksums, and the most bytes of a message: what a device of any age takes.
const VERSION: u32 = 0x0100_0000;
const MOST: u32 = 4096;

/// Serves the device behind this address until the tests end.
pub fn serve(device: SocketAddr) -> AdbServer {
    let listener = TcpListener::bind((Ipv4Addr::LOCALHOST, 0)).unwrap();
    let address =
        ServerAddress { host: Ipv4Addr::LOCALHOST.to_string(), port: listener.local_addr().unwrap().port() };
    thread::spawn(move || {
        for client in listener.incoming().map_while(Result::ok) {
            // A client that leaves ends its thread; what went wrong is seen by the client.
            thread::spawn(move || drop(answer(client, device)));
        }
    });
    AdbServer::at(address)
}

fn answer(mut client: TcpStream, device: SocketAddr) -> Result<()> {
    client.set_nodelay(true)?;
    loop {
        let request = request(&mut client)?;
        match request.split(':').collect::<Vec<_>>()[..] {
            ["host", "version"] => return block(&mut client, "0029"),
            ["host", "devices-l"] => {
                return block(&mut client, &format!("{device}      device transport_id:1\n"));
            }
            ["host-serial", .., "features"] => {
                let features = Wire::connect(device)?.features();
                return block(&mut client, &features);
            }
            ["host", "transport", ..] => client.write_all(b"OKAY")?,
            ["host" | "host-serial", ..] => {
                let words = format!("the small server does not know {request}");
                return write!(client, "FAIL{:04x}{words}", words.len());
            }
            _ => return Wire::connect(device)?.stream(&request, client),
        }
    }
}

fn request(client: &mut TcpStream) -> Result<String> {
    let mut length = [0; 4];
    client.read_exact(&mut length)?;
    let length =
        usize::from_str_radix(&String::from_utf8_lossy(&length), 16).map_err(std::io::Error::other)?;
    let mut words = vec![0; length];
    client.read_exact(&mut words)?;
    Ok(String::from_utf8_lossy(&words).into_owned())
}

fn block(client: &mut TcpStream, text: &str) -> Result<()> {
    write!(client, "OKAY{:04x}{text}", text.len())
}

/// A connection to the device.
struct Wire {
    socket: TcpStream,
    banner: String,
}

impl Wire {
    fn connect(device: SocketAddr) -> Result<Wire> {
        let mut socket = TcpStream::connect(device)?;
        socket.set_nodelay(true)?;
        let features = "shell_v2,cmd,stat_v2,ls_v2,fixed_push_mkdir,apex,abb,abb_exec";
        send(&mut socket, CONNECT, VERSION, MOST, format!("host::features={features}\0").as_bytes())?;
        let banner = String::from_utf8_lossy(&receive(&mut socket)?.data).into_owned();
        Ok(Wire { socket, banner })
    }

    fn features(&self) -> String {
        let after = self.banner.split("features=").nth(1).unwrap_or_default();
        after.split(['\0', ';']).next().unwrap_or_default().to_owned()
    }

    /// Opens a service for a client and carries bytes both ways until one of them ends it.
    fn stream(mut self, service: &str, mut client: TcpStream) -> Result<()> {
        send(&mut self.socket, OPEN, 1, 0, format!("{service}\0").as_bytes())?;
        let AdbMessage { command, first: theirs, .. } = receive(&mut self.socket)?;
        if command != OKAY {
            return client.write_all(b"FAIL0006closed");
        }
        client.write_all(b"OKAY")?;
        let (mut from_client, mut to_device) = (client.try_clone()?, self.socket.try_clone()?);
        let (may_write, written) = std::sync::mpsc::channel();
        thread::spawn(move || {
            let mut bytes = [0; MOST as usize];
            while let Ok(length @ 1..) = from_client.read(&mut bytes) {
                let sent = send(&mut to_device, WRITE, 1, theirs, &bytes[..length]);
                if sent.is_err() || written.recv().is_err() {
                    return;
                }
            }
            drop(send(&mut to_device, CLOSE, 1, theirs, b""));
        });
        loop {
            let AdbMessage { command, data, .. } = receive(&mut self.socket)?;
            match command {
                WRITE => {
                    client.write_all(&data)?;
                    send(&mut self.socket, OKAY, 1, theirs, b"")?;
                }
                OKAY => drop(may_write.send(())),
                _ => {
                    drop(client.shutdown(Shutdown::Both));
                    return self.socket.shutdown(Shutdown::Both);
                }
            }
        }
    }
}
