//! Lines in the transaction's log.

use crate::syscalls;

/// Logs a text.
pub fn text(text: &str) {
    // SAFETY: the text is valid for its length.
    unsafe { syscalls::sol_log_(text.as_ptr(), text.len() as u64) }
}

/// Logs five numbers in hexadecimal, which is the cheapest way to look at values.
pub fn numbers(a: u64, b: u64, c: u64, d: u64, e: u64) {
    // SAFETY: takes plain numbers.
    unsafe { syscalls::sol_log_64_(a, b, c, d, e) }
}

/// Logs a `Program data:` line with each field in base64.
pub fn data(fields: &[&[u8]]) {
    // SAFETY: `&[&[u8]]` has the layout of the runtime's array of (pointer, length).
    unsafe { syscalls::sol_log_data(fields.as_ptr(), fields.len() as u64) }
}

/// A log line that is composed from pieces. Text beyond its capacity is cut off.
pub struct Line {
    bytes: [u8; Line::CAPACITY],
    len: usize,
}

impl Line {
    pub const CAPACITY: usize = 256;

    /// Starts an empty line.
    #[allow(clippy::new_without_default, reason = "an empty line is a beginning, not a default")]
    pub fn new() -> Self {
        Self { bytes: [0; Self::CAPACITY], len: 0 }
    }

    /// Appends a text.
    pub fn text(&mut self, text: &str) -> &mut Self {
        self.append(text.as_bytes());
        self
    }

    /// Appends a number in decimal.
    #[inline(never)]
    pub fn number(&mut self, mut number: u64) -> &mut Self {
        let mut digits = [0u8; 20];
        let mut start = digits.len();
        loop {
            start -= 1;
            digits[start] = b'0' + (number % 10) as u8;
            number /= 10;
            if number == 0 {
                break;
            }
        }
        self.append(&digits[start..]);
        self
    }

    /// Logs the line.
    pub fn emit(&self) {
        // SAFETY: the first `len` bytes are initialised.
        unsafe { syscalls::sol_log_(self.bytes.as_ptr(), self.len as u64) }
    }

    #[inline(never)]
    fn append(&mut self, more: &[u8]) {
        for byte in more {
            if self.len == Self::CAPACITY {
                return;
            }
            self.bytes[self.len] = *byte;
            self.len += 1;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::Line;

    #[test]
    fn writes_decimal_numbers_up_to_the_largest() {
        let mut line = Line::new();
        line.text("a ").number(0).text(" ").number(u64::MAX);
        assert_eq!(&line.bytes[..line.len], b"a 0 18446744073709551615");
    }

    #[test]
    fn stops_at_its_capacity() {
        let mut line = Line::new();
        line.text(&"x".repeat(300));
        assert_eq!(line.len, Line::CAPACITY);
    }
}
