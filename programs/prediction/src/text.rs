//! Texts of limited length, and the ids of markets.

use sluice_program::bytes::{Reader, Writer};
use sluice_program::layout::Field;
use sluice_program::{memory, Result};

/// A text of at most `MAX` bytes.
#[derive(Clone, Copy)]
pub struct Text<const MAX: usize> {
    len: usize,
    bytes: [u8; MAX],
}

impl<const MAX: usize> Text<MAX> {
    /// Returns None for a text that is longer, or that has a character that is not printable ASCII.
    pub fn parse(text: &[u8]) -> Option<Self> {
        if text.len() > MAX || text.iter().any(|byte| !byte.is_ascii_graphic()) {
            return None;
        }
        let mut bytes = [0; MAX];
        memory::copy(&mut bytes[..text.len()], text);
        Some(Self { len: text.len(), bytes })
    }

    pub fn bytes(&self) -> &[u8] {
        &self.bytes[..self.len]
    }

    pub fn is_empty(&self) -> bool {
        self.len == 0
    }

    /// Returns the text for a line of the log.
    pub fn as_str(&self) -> &str {
        core::str::from_utf8(self.bytes()).unwrap_or("")
    }
}

/// The text of borsh: a u32 length and that many bytes.
impl<const MAX: usize> Field for Text<MAX> {
    const LEN: usize = 4 + MAX;

    #[inline(never)]
    fn read(from: &mut Reader) -> Option<Self> {
        Self::parse(from.prefixed()?)
    }

    #[inline(never)]
    fn write(value: &Self, to: &mut Writer) -> Result {
        to.u32(value.len as u32)?;
        to.bytes(value.bytes())
    }
}

/// The form of a text that may be missing: one byte, 0 or 1, and the text.
pub enum OptionalText<const MAX: usize> {}

impl<const MAX: usize> Field<Option<Text<MAX>>> for OptionalText<MAX> {
    const LEN: usize = 1 + Text::<MAX>::LEN;

    #[inline(always)]
    fn read(from: &mut Reader) -> Option<Option<Text<MAX>>> {
        Some(if from.bool()? { Some(Text::read(from)?) } else { None })
    }

    #[inline(always)]
    fn write(value: &Option<Text<MAX>>, to: &mut Writer) -> Result {
        to.u8(value.is_some() as u8)?;
        match value {
            Some(text) => Text::write(text, to),
            None => Ok(()),
        }
    }
}

/// The id of a market: a text of 32 printable characters, as a seed may have at most. That the length is fixed keeps the
/// seeds of positions apart, and the fields of accounts at fixed offsets.
#[derive(Clone, Copy, PartialEq, Eq)]
pub struct MarketId(pub [u8; 32]);

impl Field for MarketId {
    const LEN: usize = 4 + 32;

    #[inline(always)]
    fn read(from: &mut Reader) -> Option<Self> {
        let id = *from.prefixed()?.first_chunk::<32>()?;
        Some(Self(id))
    }

    #[inline(always)]
    fn write(value: &Self, to: &mut Writer) -> Result {
        to.u32(32)?;
        to.array(&value.0)
    }
}

impl MarketId {
    /// Returns None unless the text has 32 printable characters.
    pub fn parse(text: &[u8]) -> Option<Self> {
        let id = text.first_chunk::<32>()?;
        if text.len() == 32 && id.iter().all(|byte| byte.is_ascii_graphic()) {
            Some(Self(*id))
        } else {
            None
        }
    }
}
