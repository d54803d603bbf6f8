//! Splits an output into top-level replies: words (`sat`, `success`), lists, and noise.
//!
//! Replies are recognised line by line. A line with anything that is no reply (`result: sat`) is
//! noise as a whole, so that a word in a sentence is never a verdict. Lists are delimited by counting
//! parentheses outside strings, `|symbols|` and comments, in linear time and without recursion.
//! Exception: cvc5 copies lines of the script into error messages without doubling quotes, so an
//! `(error …)` ends at the latest where a line ends in `")`.

/// A piece of output at top level.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Reply<'a> {
    /// One of the words that are replies by themselves.
    Word(Word),
    /// A list, from its opening to its closing parenthesis.
    List(&'a [u8]),
    /// A line, or several with a string across them, that is no reply.
    Noise,
    /// A list that the end of the output cuts off.
    Unfinished,
}

/// The words that are replies by themselves.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Word {
    Sat,
    Unsat,
    Unknown,
    Success,
    Unsupported,
    Timeout,
}

/// The replies of an output, in order.
pub(super) struct Replies<'a> {
    rest: &'a [u8],
    /// We are at the beginning of a line, or behind replies on it.
    ready: Vec<Reply<'a>>,
}

impl<'a> Replies<'a> {
    pub(super) fn new(output: &'a [u8]) -> Self {
        Replies { rest: output, ready: Vec::new() }
    }

    /// Reads the replies of one line, where a list counts as part of the line on which it ends.
    ///
    /// The line is noise as soon as it holds anything that is no reply: `result: sat`, `sat.` and
    /// `x = "unsat"` say nothing. Lists before the noise are kept, words are not.
    fn read_line(&mut self) {
        let mut found = Vec::new();
        loop {
            self.rest = skip_blanks(self.rest);
            match self.rest.first() {
                None => break,
                Some(b'\n') => {
                    self.rest = &self.rest[1..];
                    break;
                }
                Some(b';') => self.rest = skip_line(self.rest),
                Some(b'(') => {
                    let length = reply_length(self.rest);
                    let (list, rest) = self.rest.split_at(length.unwrap_or(self.rest.len()));
                    if length.is_some() || is_error(list) {
                        found.push(Reply::List(list));
                    }
                    if length.is_none() {
                        found.push(Reply::Unfinished);
                    }
                    self.rest = rest;
                }
                Some(_) => match split_word(self.rest) {
                    Some((word, rest)) => {
                        found.push(Reply::Word(word));
                        self.rest = rest;
                    }
                    None => {
                        found.retain(|reply| !matches!(reply, Reply::Word(_)));
                        found.push(Reply::Noise);
                        self.rest = skip_noise(self.rest);
                        break;
                    }
                },
            }
        }
        found.reverse();
        self.ready = found;
    }
}

impl<'a> Iterator for Replies<'a> {
    type Item = Reply<'a>;

    fn next(&mut self) -> Option<Reply<'a>> {
        while self.ready.is_empty() && !self.rest.is_empty() {
            self.read_line();
        }
        self.ready.pop()
    }
}

/// The text of an error message, whatever stands in it; `None` if the list is no error.
pub(super) fn error_message(list: &[u8]) -> Option<Vec<u8>> {
    if !is_error(list) || parts(list).first() != Some(&b"error".as_slice()) {
        return None;
    }
    let inner = list[1..].trim_ascii_start().strip_prefix(b"error")?.trim_ascii();
    let inner = inner.strip_suffix(b")").unwrap_or(inner).trim_ascii_end();
    Some(match unquote(inner) {
        Some(message) => message,
        // Quotes that were not doubled, or a message that was cut off.
        None => {
            let inner = inner.strip_prefix(b"\"").unwrap_or(inner);
            inner.strip_suffix(b"\"").unwrap_or(inner).to_vec()
        }
    })
}

/// The parts of a list: atoms, strings and lists, without comments. Empty for `()`.
pub fn parts(list: &[u8]) -> Vec<&[u8]> {
    let mut parts = Vec::new();
    let mut rest = list.get(1..list.len().saturating_sub(1)).unwrap_or_default();
    loop {
        rest = skip_blanks_lines_and_comments(rest);
        let length = match rest.first() {
            None => return parts,
            Some(b'(') => list_length(rest).unwrap_or(rest.len()),
            Some(_) => atom_length(rest),
        };
        let (part, after) = rest.split_at(length.max(1));
        parts.push(part);
        rest = after;
    }
}

/// The text of a string literal without its quotes, doubled quotes made single; `None` for
/// anything that is not one literal.
pub(super) fn unquote(atom: &[u8]) -> Option<Vec<u8>> {
    let inner = atom.strip_prefix(b"\"")?.strip_suffix(b"\"")?;
    let mut text = Vec::with_capacity(inner.len());
    let mut bytes = inner.iter();
    while let Some(byte) = bytes.next() {
        if *byte == b'"' && bytes.next() != Some(&b'"') {
            return None;
        }
        text.push(*byte);
    }
    Some(text)
}

/// The length of the list at the beginning, if it is complete.
fn list_length(text: &[u8]) -> Option<usize> {
    let mut depth = 0_usize;
    let mut position = 0;
    while let Some(byte) = text.get(position) {
        match byte {
            b'(' => depth += 1,
            b')' => {
                depth -= 1;
                if depth == 0 {
                    return Some(position + 1);
                }
            }
            b'"' | b'|' => {
                position += quoted_length(&text[position..])?;
                continue;
            }
            b';' => {
                position += text[position..].iter().position(|byte| *byte == b'\n')?;
                continue;
            }
            _ => {}
        }
        position += 1;
    }
    None
}

fn is_error(list: &[u8]) -> bool {
    list[1..].trim_ascii_start().starts_with(b"error")
}

/// The length of the list at the beginning as a reply, if it is complete.
///
/// cvc5 copies the faulty line of the script into error messages without doubling the quotes in
/// it, so that strings and parentheses cannot be counted there. A message ends at the latest
/// where a line ends in `")`.
fn reply_length(text: &[u8]) -> Option<usize> {
    let length = list_length(text);
    if !is_error(text) {
        return length;
    }
    // Searching no further than the list goes keeps the time linear.
    let message = &text[..length.unwrap_or(text.len())];
    let ends = message.windows(2).enumerate().filter(|(_, window)| window == b"\")");
    ends.map(|(position, _)| position + 2)
        .find(|end| matches!(skip_blanks(&text[*end..]).first(), None | Some(b'\n')))
        .or(length)
}

/// The length of the string or quoted symbol at the beginning, if it comes to its end. A doubled
/// quote inside a string is read as two strings side by side, which has the same length.
fn quoted_length(text: &[u8]) -> Option<usize> {
    let (quote, rest) = text.split_first()?;
    let inside = rest.iter().position(|byte| byte == quote)?;
    Some(inside + 2)
}

/// The length of the atom at the beginning; strings with doubled quotes are one atom.
fn atom_length(text: &[u8]) -> usize {
    let mut position = 0;
    while let Some(byte) = text.get(position) {
        match byte {
            b'"' | b'|' => match quoted_length(&text[position..]) {
                Some(length) => position += length,
                None => return text.len(),
            },
            b'(' | b')' | b';' => break,
            byte if byte.is_ascii_whitespace() => break,
            _ => position += 1,
        }
    }
    position
}

/// The word at the beginning, if it is a reply, and what follows it.
fn split_word(text: &[u8]) -> Option<(Word, &[u8])> {
    let (atom, rest) = text.split_at(atom_length(text));
    let word = match atom {
        b"sat" => Word::Sat,
        b"unsat" => Word::Unsat,
        b"unknown" => Word::Unknown,
        b"success" => Word::Success,
        b"unsupported" => Word::Unsupported,
        b"timeout" => Word::Timeout,
        _ => return None,
    };
    // `sat)` belongs to something that we did not see the beginning of.
    (rest.first() != Some(&b')')).then_some((word, rest))
}

/// Blanks within a line; a carriage return is one, for solvers built for Windows.
fn skip_blanks(text: &[u8]) -> &[u8] {
    let blanks = text.iter().take_while(|byte| **byte != b'\n' && byte.is_ascii_whitespace());
    &text[blanks.count()..]
}

fn skip_blanks_lines_and_comments(mut text: &[u8]) -> &[u8] {
    loop {
        text = text.trim_ascii_start();
        if text.first() != Some(&b';') {
            return text;
        }
        text = skip_line(text);
    }
}

/// What follows the line, its end included.
fn skip_line(text: &[u8]) -> &[u8] {
    let end = text.iter().position(|byte| *byte == b'\n').unwrap_or(text.len());
    &text[end..]
}

/// What follows a noisy line. If a string is open at its end, as in `x -> "a⏎unsat⏎b"`, the noise
/// goes on to the end of the line on which the string is closed; if it never is, the quote was
/// not meant as one.
fn skip_noise(text: &[u8]) -> &[u8] {
    let mut position = 0;
    while let Some(byte) = text.get(position) {
        match byte {
            b'\n' => return &text[position..],
            b'"' => match quoted_length(&text[position..]) {
                Some(length) => position += length,
                None => return skip_line(text),
            },
            _ => position += 1,
        }
    }
    &[]
}
