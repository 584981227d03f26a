//! Little-endian fields in bytes, as in borsh and in account layouts.

use crate::address::Address;
use crate::error::{ProgramError, Result};

/// Reads fields one after another. Each read returns None beyond the end, so a decoder is a chain of `?`.
#[derive(Clone, Copy)]
pub struct Reader<'a> {
    rest: &'a [u8],
}

impl<'a> Reader<'a> {
    /// Starts reading at the first byte.
    pub const fn new(bytes: &'a [u8]) -> Self {
        Self { rest: bytes }
    }

    /// Returns the bytes that have not been read yet.
    pub const fn rest(&self) -> &'a [u8] {
        self.rest
    }

    /// Reads `len` bytes.
    #[inline(always)]
    pub fn bytes(&mut self, len: usize) -> Option<&'a [u8]> {
        let (head, rest) = self.rest.split_at_checked(len)?;
        self.rest = rest;
        Some(head)
    }

    /// Reads `N` bytes.
    #[inline(always)]
    pub fn array<const N: usize>(&mut self) -> Option<&'a [u8; N]> {
        let (head, rest) = self.rest.split_first_chunk::<N>()?;
        self.rest = rest;
        Some(head)
    }

    #[inline(always)]
    pub fn u8(&mut self) -> Option<u8> {
        self.array::<1>().map(|[byte]| *byte)
    }

    /// Also returns None if the byte is neither 0 nor 1.
    #[inline(always)]
    pub fn bool(&mut self) -> Option<bool> {
        match self.u8()? {
            0 => Some(false),
            1 => Some(true),
            _ => None,
        }
    }

    #[inline(always)]
    pub fn u16(&mut self) -> Option<u16> {
        self.array().map(|bytes| u16::from_le_bytes(*bytes))
    }

    #[inline(always)]
    pub fn u32(&mut self) -> Option<u32> {
        self.array().map(|bytes| u32::from_le_bytes(*bytes))
    }

    #[inline(always)]
    pub fn u64(&mut self) -> Option<u64> {
        self.array().map(|bytes| u64::from_le_bytes(*bytes))
    }

    #[inline(always)]
    pub fn i64(&mut self) -> Option<i64> {
        self.u64().map(|bits| bits as i64)
    }

    #[inline(always)]
    pub fn u128(&mut self) -> Option<u128> {
        self.array().map(|bytes| u128::from_le_bytes(*bytes))
    }

    #[inline(always)]
    pub fn address(&mut self) -> Option<Address> {
        self.array().map(|bytes| Address(*bytes))
    }

    /// Reads a byte string or vector of bytes in borsh: a u32 length and that many bytes.
    #[inline(always)]
    pub fn prefixed(&mut self) -> Option<&'a [u8]> {
        let len = self.u32()?;
        self.bytes(len as usize)
    }
}

/// Writes fields one after another into a buffer. Each write fails with AccountDataTooSmall beyond the buffer's end.
pub struct Writer<'a> {
    buffer: &'a mut [u8],
    len: usize,
}

impl<'a> Writer<'a> {
    /// Starts writing at the first byte.
    pub fn new(buffer: &'a mut [u8]) -> Self {
        Self { buffer, len: 0 }
    }

    /// Returns the bytes that have been written so far.
    pub fn written(&self) -> &[u8] {
        &self.buffer[..self.len]
    }

    /// Returns the part of the buffer that has not been written.
    pub fn rest(&mut self) -> &mut [u8] {
        &mut self.buffer[self.len..]
    }

    /// Writes `N` bytes.
    #[inline(always)]
    pub fn array<const N: usize>(&mut self, bytes: &[u8; N]) -> Result {
        let room =
            self.buffer[self.len..].first_chunk_mut::<N>().ok_or(ProgramError::ACCOUNT_DATA_TOO_SMALL)?;
        *room = *bytes;
        self.len += N;
        Ok(())
    }

    /// Writes a byte string without its length.
    pub fn bytes(&mut self, bytes: &[u8]) -> Result {
        let room =
            self.buffer[self.len..].get_mut(..bytes.len()).ok_or(ProgramError::ACCOUNT_DATA_TOO_SMALL)?;
        crate::memory::copy(room, bytes);
        self.len += bytes.len();
        Ok(())
    }

    #[inline(always)]
    pub fn u8(&mut self, value: u8) -> Result {
        self.array(&[value])
    }

    #[inline(always)]
    pub fn u16(&mut self, value: u16) -> Result {
        self.array(&value.to_le_bytes())
    }

    #[inline(always)]
    pub fn u32(&mut self, value: u32) -> Result {
        self.array(&value.to_le_bytes())
    }

    #[inline(always)]
    pub fn u64(&mut self, value: u64) -> Result {
        self.array(&value.to_le_bytes())
    }

    #[inline(always)]
    pub fn u128(&mut self, value: u128) -> Result {
        self.array(&value.to_le_bytes())
    }

    #[inline(always)]
    pub fn address(&mut self, address: &Address) -> Result {
        self.array(&address.0)
    }
}

/// Returns the `N` bytes at `offset`, for reading a single field of an account's data, or None beyond the end.
#[inline(always)]
pub fn at<const N: usize>(bytes: &[u8], offset: usize) -> Option<&[u8; N]> {
    bytes.get(offset..)?.first_chunk()
}

/// Reads a u64 at `offset`. Returns None beyond the end.
#[inline(always)]
pub fn u64_at(bytes: &[u8], offset: usize) -> Option<u64> {
    at(bytes, offset).map(|field| u64::from_le_bytes(*field))
}

/// Reads a u16 at `offset`. Returns None beyond the end.
#[inline(always)]
pub fn u16_at(bytes: &[u8], offset: usize) -> Option<u16> {
    at(bytes, offset).map(|field| u16::from_le_bytes(*field))
}

/// Reads an address at `offset`. Returns None beyond the end.
#[inline(always)]
pub fn address_at(bytes: &[u8], offset: usize) -> Option<Address> {
    at(bytes, offset).map(|field| Address(*field))
}

/// Overwrites the bytes at `offset`. Fails with AccountDataTooSmall if they do not fit.
#[inline(always)]
pub fn put<const N: usize>(bytes: &mut [u8], offset: usize, field: &[u8; N]) -> Result {
    let room = bytes
        .get_mut(offset..)
        .and_then(|rest| rest.first_chunk_mut())
        .ok_or(ProgramError::ACCOUNT_DATA_TOO_SMALL)?;
    *room = *field;
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::{Reader, Writer};

    #[test]
    fn reads_back_what_it_wrote() {
        let mut buffer = [0; 32];
        let mut writer = Writer::new(&mut buffer);
        writer.u8(7).unwrap();
        writer.u16(0x1234).unwrap();
        writer.u64(u64::MAX - 1).unwrap();
        writer.u128(1 << 100).unwrap();
        assert_eq!(writer.written().len(), 27);

        let mut reader = Reader::new(&buffer[..27]);
        assert_eq!(reader.u8(), Some(7));
        assert_eq!(reader.u16(), Some(0x1234));
        assert_eq!(reader.u64(), Some(u64::MAX - 1));
        assert_eq!(reader.u128(), Some(1 << 100));
        assert_eq!(reader.u8(), None);
    }

    #[test]
    fn refuses_lengths_and_flags_that_lie() {
        assert_eq!(Reader::new(&[255, 255, 255, 255, 1]).prefixed(), None);
        assert_eq!(Reader::new(&[2]).bool(), None);
        assert!(Writer::new(&mut [0; 7]).u64(1).is_err());
    }
}
