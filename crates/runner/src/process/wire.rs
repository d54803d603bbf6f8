//! Framing of messages on the socket between us and a supervisor: a kind (one byte), a length and a
//! body. A start message also carries the three standard streams of the program as descriptors.

use std::io::{self, IoSlice, IoSliceMut};
use std::mem::MaybeUninit;
use std::os::fd::{AsFd, BorrowedFd, OwnedFd};

use rustix::net::{
    RecvAncillaryBuffer, RecvAncillaryMessage, RecvFlags, SendAncillaryBuffer,
    SendAncillaryMessage, SendFlags, recv, recvmsg, send, sendmsg,
};

/// What a message is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum MessageKind {
    /// To the supervisor: start this program.
    Start,
    /// To the supervisor: the output is too long, end the run. May cross a report on its way.
    Stop,
    /// From the supervisor: the run has ended.
    Report,
}

/// A message as it came.
#[derive(Debug)]
pub(crate) struct Message {
    pub kind: MessageKind,
    pub body: Vec<u8>,
    pub streams: Vec<OwnedFd>,
}

const HEADER: usize = 5;
const STREAMS: usize = 3;

/// No message is longer; a length beyond it means that the two sides are out of step.
const MAX_BODY: usize = 64 << 20;

/// Sends a message. A peer that is gone is an error and not a SIGPIPE.
pub(crate) fn send_message(
    socket: impl AsFd,
    kind: MessageKind,
    body: &[u8],
    streams: &[BorrowedFd<'_>],
) -> io::Result<()> {
    if body.len() > MAX_BODY {
        return Err(io::Error::new(io::ErrorKind::InvalidInput, "arguments are too long"));
    }
    let mut bytes = Vec::with_capacity(HEADER + body.len());
    bytes.push(kind.letter());
    bytes.extend_from_slice(&(body.len() as u32).to_ne_bytes());
    bytes.extend_from_slice(body);

    let mut space = [MaybeUninit::uninit(); rustix::cmsg_space!(ScmRights(STREAMS))];
    let mut ancillary = SendAncillaryBuffer::new(&mut space);
    if !streams.is_empty() && !ancillary.push(SendAncillaryMessage::ScmRights(streams)) {
        return Err(io::Error::other("too many streams for one message"));
    }
    // The streams go with the first byte, so what is left over travels without them.
    let mut sent =
        retry(|| sendmsg(&socket, &[IoSlice::new(&bytes)], &mut ancillary, SendFlags::NOSIGNAL))?;
    while sent < bytes.len() {
        sent += retry(|| send(&socket, &bytes[sent..], SendFlags::NOSIGNAL))?;
    }
    Ok(())
}

/// Waits for a message; `None` if the peer is gone.
pub(crate) fn receive_message(socket: impl AsFd) -> io::Result<Option<Message>> {
    let mut header = [0; HEADER];
    let mut streams = Vec::new();
    let mut filled = 0;
    // Exactly the header is read with its streams, because a stop may stand before a start.
    while filled < HEADER {
        let mut space = [MaybeUninit::uninit(); rustix::cmsg_space!(ScmRights(STREAMS))];
        let mut ancillary = RecvAncillaryBuffer::new(&mut space);
        let received = retry(|| {
            let mut buffers = [IoSliceMut::new(&mut header[filled..])];
            recvmsg(&socket, &mut buffers, &mut ancillary, RecvFlags::CMSG_CLOEXEC)
        })?;
        if received.bytes == 0 {
            return Ok(None);
        }
        filled += received.bytes;
        for message in ancillary.drain() {
            if let RecvAncillaryMessage::ScmRights(descriptors) = message {
                streams.extend(descriptors);
            }
        }
    }
    let [letter, length @ ..] = header;
    let length = u32::from_ne_bytes(length) as usize;
    let kind =
        MessageKind::of_letter(letter).filter(|_| length <= MAX_BODY).ok_or_else(protocol_error)?;
    let mut body = vec![0; length];
    let mut filled = 0;
    while filled < length {
        match retry(|| recv(&socket, &mut body[filled..], RecvFlags::empty()))?.1 {
            0 => return Ok(None),
            count => filled += count,
        }
    }
    Ok(Some(Message { kind, body, streams }))
}

/// Both sides are the same program, so this is a bug.
pub(crate) fn protocol_error() -> io::Error {
    io::Error::new(io::ErrorKind::InvalidData, "unexpected message between us and the supervisor")
}

impl MessageKind {
    fn letter(self) -> u8 {
        match self {
            MessageKind::Start => b'G',
            MessageKind::Stop => b'S',
            MessageKind::Report => b'R',
        }
    }

    fn of_letter(letter: u8) -> Option<MessageKind> {
        [MessageKind::Start, MessageKind::Stop, MessageKind::Report]
            .into_iter()
            .find(|kind| kind.letter() == letter)
    }
}

/// Repeats a call that a signal interrupted.
pub(crate) fn retry<T>(mut call: impl FnMut() -> rustix::io::Result<T>) -> io::Result<T> {
    loop {
        match call() {
            Err(rustix::io::Errno::INTR) => {}
            result => return Ok(result?),
        }
    }
}

#[cfg(test)]
mod tests {
    use std::fs::File;
    use std::io::{Read, Write};
    use std::os::fd::AsFd;
    use std::os::unix::net::UnixStream;
    use std::thread;

    use super::{MessageKind, receive_message, send_message};

    #[test]
    fn a_stop_before_a_start_does_not_take_its_streams() {
        let (ours, theirs) = UnixStream::pair().unwrap();
        let (mut reader, writer) = std::io::pipe().unwrap();
        send_message(&ours, MessageKind::Stop, b"", &[]).unwrap();
        send_message(&ours, MessageKind::Start, b"body", &[writer.as_fd()]).unwrap();
        drop((ours, writer));
        let stop = receive_message(&theirs).unwrap().unwrap();
        assert_eq!((stop.kind, stop.streams.len()), (MessageKind::Stop, 0));
        let mut start = receive_message(&theirs).unwrap().unwrap();
        assert_eq!((start.kind, start.body.as_slice()), (MessageKind::Start, b"body".as_slice()));
        let mut writer = File::from(start.streams.pop().unwrap());
        writer.write_all(b"through").unwrap();
        drop(writer);
        let mut text = String::new();
        reader.read_to_string(&mut text).unwrap();
        assert_eq!(text, "through");
        assert!(receive_message(&theirs).unwrap().is_none());
    }

    #[test]
    fn bodies_larger_than_the_buffer_of_the_socket_arrive_whole() {
        let (ours, theirs) = UnixStream::pair().unwrap();
        let body: Vec<u8> = (0..5_000_000_u32).map(|number| number as u8).collect();
        let expected = body.clone();
        let sender =
            thread::spawn(move || send_message(&ours, MessageKind::Report, &body, &[]).unwrap());
        assert!(receive_message(&theirs).unwrap().unwrap().body == expected);
        sender.join().unwrap();
    }

    #[test]
    fn a_foreign_letter_is_an_error_and_a_closed_peer_is_none() {
        let (mut ours, theirs) = UnixStream::pair().unwrap();
        ours.write_all(b"?\0\0\0\0").unwrap();
        assert!(receive_message(&theirs).is_err());
        drop(ours);
        assert!(receive_message(&theirs).unwrap().is_none());
    }
}
