//! The arguments of `fill_exact_in`.

use sluice_program::bytes::Reader;

/// The taker's side: a bid buys base and pays quote, an ask sells base and receives quote.
#[derive(Clone, Copy, PartialEq, Eq)]
pub enum Side {
    Bid,
    Ask,
}

/// The decoded arguments. From `expire_at` on they are the interface's `FillExactInParams`.
pub struct FillExactIn<'a> {
    pub side: Side,
    /// Quote atoms for a bid, base atoms for an ask.
    pub amount_in: u64,
    /// Unix seconds.
    pub expire_at: u64,
    /// Quote atoms per lot and price tick.
    pub tick_size: u64,
    /// Base atoms per lot.
    pub lot_size: u64,
    pub levels: Levels<'a>,
}

/// The price levels, sorted with the taker's best first. [`decode`](FillExactIn::decode) checks only their length.
#[derive(Clone, Copy)]
pub struct Levels<'a>(Reader<'a>);

/// One price level.
pub struct Level {
    pub price_ticks: u64,
    pub quantity_lots: u64,
}

const LEVEL: usize = 16;

impl<'a> FillExactIn<'a> {
    /// Returns None if the data is cut short or the side is unknown. Bytes behind the last level are ignored.
    pub fn decode(data: &'a [u8]) -> Option<Self> {
        let mut reader = Reader::new(data);
        Some(Self {
            side: match reader.u8()? {
                0 => Side::Bid,
                1 => Side::Ask,
                _ => return None,
            },
            amount_in: reader.u64()?,
            expire_at: reader.u64()?,
            tick_size: reader.u64()?,
            lot_size: reader.u64()?,
            levels: Levels::decode(&mut reader)?,
        })
    }
}

impl<'a> Levels<'a> {
    fn decode(reader: &mut Reader<'a>) -> Option<Self> {
        let count = reader.u32()? as usize;
        let bytes = reader.bytes(count.wrapping_mul(LEVEL))?;
        Some(Self(Reader::new(bytes)))
    }
}

impl Iterator for Levels<'_> {
    type Item = Level;

    fn next(&mut self) -> Option<Level> {
        Some(Level { price_ticks: self.0.u64()?, quantity_lots: self.0.u64()? })
    }
}
