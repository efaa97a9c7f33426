//! Messages of adb's protocol between a server and a device, written apart from the served phone, which is tested with them.

use std::io::{Read, Result, Write};
use std::net::TcpStream;

pub const CONNECT: u32 = 0x4e58_4e43;
pub const OPEN: u32 = 0x4e45_504f;
pub const OKAY: u32 = 0x5941_4b4f;
pub const CLOSE: u32 = 0x4553_4c43;
pub const WRITE: u32 = 0x4554_5257;

/// A message: its command, two arguments and data.
pub struct AdbMessage {
    pub command: u32,
    pub first: u32,
    pub second: u32,
    pub data: Vec<u8>,
}

/// Sends a message with its checksum, which old devices verify.
pub fn send(socket: &mut TcpStream, command: u32, first: u32, second: u32, data: &[u8]) -> Result<()> {
    let length = u32::try_from(data.len()).map_err(std::io::Error::other)?;
    let checksum = data.iter().fold(0, |sum: u32, byte| sum.wrapping_add(u32::from(*byte)));
    let numbers = [command, first, second, length, checksum, !command];
    let mut message: Vec<u8> = numbers.iter().flat_map(|number| number.to_le_bytes()).collect();
    message.extend_from_slice(data);
    socket.write_all(&message)
}

/// Waits for the next message.
pub fn receive(socket: &mut TcpStream) -> Result<AdbMessage> {
    let mut header = [0; 24];
    socket.read_exact(&mut header)?;
    let number = |at: usize| u32::from_le_bytes([header[at], header[at + 1], header[at + 2], header[at + 3]]);
    let mut data = vec![0; number(12) as usize];
    socket.read_exact(&mut data)?;
    Ok(AdbMessage { command: number(0), first: number(4), second: number(8), data })
}
