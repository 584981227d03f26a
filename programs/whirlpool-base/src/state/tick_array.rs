//! The tick array accounts, in their two forms.

use super::i32_at;
use super::tick::{self, Tick};
use crate::error::{DIFFERENT_WHIRLPOOL_TICK_ARRAY, INVALID_START_TICK, TICK_NOT_FOUND};
use crate::keys::PROGRAM;
use crate::math::floor_div;
use crate::math::tick::{MAX_TICK, MIN_TICK};
use sluice_program::account::DataMut;
use sluice_program::bytes::{self, Writer};
use sluice_program::{anchor, memory, Account, Address, ProgramError, Result};

/// The number of ticks per tick array.
pub const SIZE: i32 = 88;
const SLOTS: usize = 88;
pub const FIXED_LEN: usize = 9988;

const FIXED_TAG: [u8; 8] = anchor::account("TickArray");
const DYNAMIC_TAG: [u8; 8] = anchor::account("DynamicTickArray");
const START: usize = 8;
const FIXED_TICKS: usize = 12;
const FIXED_POOL: usize = FIXED_TICKS + SLOTS * (1 + tick::LEN);
const DYNAMIC_POOL: usize = 12;
/// The bitmap: two words with a bit per slot, the lower slots first. The bit of an initialized tick is set.
const BITMAP: [usize; 2] = [44, 52];
const DYNAMIC_TICKS: usize = 60;
/// The length of an array of the dynamic form without initialized ticks.
pub const DYNAMIC_MIN_LEN: usize = DYNAMIC_TICKS + SLOTS;

/// The checked data of a tick array. In the dynamic form, a tick that is not initialized takes one byte.
pub struct TickArray<'a> {
    data: DataMut<'a>,
    pub start: i32,
    dynamic: bool,
}

impl<'a> TickArray<'a> {
    /// Reads a writable tick array of the pool.
    pub fn load(account: Account<'a>, pool: &Address) -> Result<Self> {
        if !account.is_writable() {
            return Err(anchor::ACCOUNT_NOT_MUTABLE.into());
        }
        Self::load_readonly(account, pool)
    }

    /// Reads a tick array of the pool that may be read-only.
    #[inline(never)]
    pub fn load_readonly(account: Account<'a>, pool: &Address) -> Result<Self> {
        if !account.is_owned_by(&PROGRAM) {
            return Err(anchor::ACCOUNT_OWNED_BY_WRONG_PROGRAM.into());
        }
        let data = account.data_mut()?;
        let dynamic = match data.first_chunk::<8>() {
            None => return Err(anchor::ACCOUNT_DISCRIMINATOR_NOT_FOUND.into()),
            Some(&FIXED_TAG) if data.len() >= FIXED_LEN => false,
            Some(&DYNAMIC_TAG) if data.len() >= DYNAMIC_MIN_LEN => true,
            Some(_) => return Err(anchor::ACCOUNT_DISCRIMINATOR_MISMATCH.into()),
        };
        let owner = bytes::address_at(&data, if dynamic { DYNAMIC_POOL } else { FIXED_POOL });
        if owner.as_ref() != Some(pool) {
            return Err(DIFFERENT_WHIRLPOOL_TICK_ARRAY.into());
        }
        let start = i32_at(&data, START)?;
        Ok(Self { data, start, dynamic })
    }

    /// Writes a new, empty array of the fixed form into zeroed data.
    pub fn encode(data: &mut [u8], start: i32, pool: &Address) -> Result {
        write_head(data, &FIXED_TAG, start)?;
        bytes::put(data, FIXED_POOL, &pool.0)
    }

    /// Writes a new, empty array of the dynamic form into zeroed data.
    pub fn encode_dynamic(data: &mut [u8], start: i32, pool: &Address) -> Result {
        write_head(data, &DYNAMIC_TAG, start)?;
        bytes::put(data, DYNAMIC_POOL, &pool.0)
    }

    /// Returns whether the array has the dynamic form.
    pub fn is_dynamic(&self) -> bool {
        self.dynamic
    }

    /// Returns the offset of a tick's flag.
    fn place(&self, slot: usize) -> usize {
        if !self.dynamic {
            return FIXED_TICKS + slot.wrapping_mul(1 + tick::LEN);
        }
        let [low, high] = BITMAP.map(|at| bytes::u64_at(&self.data, at).unwrap_or(0));
        let used = if slot < 64 {
            (low & below(slot)).count_ones()
        } else {
            low.count_ones() + (high & below(slot - 64)).count_ones()
        };
        DYNAMIC_TICKS + slot + (used as usize).wrapping_mul(tick::LEN)
    }

    fn flag(&self, slot: usize) -> bool {
        if !self.dynamic {
            return self.data.get(self.place(slot)) == Some(&1);
        }
        let word = bytes::u64_at(&self.data, BITMAP[slot / 64]).unwrap_or(0);
        word >> (slot % 64) & 1 == 1
    }

    /// Returns the slot of the first initialized tick at or after `slot` in the direction of the swap.
    #[inline(never)]
    pub fn next_initialized(&self, slot: i32, a_to_b: bool) -> Option<i32> {
        let mut slot = slot;
        while (0..SIZE).contains(&slot) {
            if self.flag(slot as usize) {
                return Some(slot);
            }
            slot += if a_to_b { -1 } else { 1 };
        }
        None
    }

    /// Fails with TickNotFound if the tick is not in this array.
    #[inline(never)]
    pub fn tick(&self, index: i32, tick_spacing: i32) -> Result<Tick> {
        let slot = slot_of(index, self.start, tick_spacing).ok_or(TICK_NOT_FOUND)?;
        Ok(self.at(slot)?.unwrap_or(Tick::EMPTY))
    }

    /// Returns None if the tick is not initialized or not in this array.
    #[inline(never)]
    pub fn initialized_tick(&self, index: i32, tick_spacing: i32) -> Option<Tick> {
        let slot = slot_of(index, self.start, tick_spacing)?;
        self.at(slot).ok()?
    }

    fn at(&self, slot: usize) -> Result<Option<Tick>> {
        if self.flag(slot) {
            Tick::read(&self.data, self.place(slot) + 1).map(Some)
        } else {
            Ok(None)
        }
    }

    /// Writes a tick. An array of the dynamic form must already have the room for a tick that becomes initialized.
    /// The room of a tick that no longer is stays at the end of the array as zeros.
    #[inline(never)]
    pub fn set_tick(&mut self, index: i32, tick_spacing: i32, tick: &Tick) -> Result {
        let slot = slot_of(index, self.start, tick_spacing).ok_or(TICK_NOT_FOUND)?;
        let place = self.place(slot);
        if self.dynamic && self.flag(slot) != tick.initialized {
            self.move_others(slot, place + 1, tick.initialized)?;
        }
        bytes::put(&mut self.data, place, &[tick.initialized as u8])?;
        if self.dynamic && !tick.initialized {
            return Ok(());
        }
        tick.write(&mut self.data, place + 1)
    }

    /// Makes room at `place` for a tick that becomes initialized, or closes the gap of one that no longer is.
    fn move_others(&mut self, slot: usize, place: usize, used: bool) -> Result {
        let end = self.data.len();
        let behind = place + tick::LEN;
        if behind > end {
            return Err(ProgramError::ACCOUNT_DATA_TOO_SMALL);
        }
        if used {
            memory::shift(&mut self.data, place..end - tick::LEN, behind);
        } else {
            memory::shift(&mut self.data, behind..end, place);
            memory::fill(&mut self.data[end - tick::LEN..], 0);
        }
        let at = BITMAP[slot / 64];
        let word = bytes::u64_at(&self.data, at).ok_or(ProgramError::ACCOUNT_DATA_TOO_SMALL)?;
        bytes::put(&mut self.data, at, &(word ^ 1 << (slot % 64)).to_le_bytes())
    }
}

/// Returns a word with all bits below the given one set.
fn below(bit: usize) -> u64 {
    (1 << bit) - 1
}

fn write_head(data: &mut [u8], tag: &[u8; 8], start: i32) -> Result {
    let mut writer = Writer::new(data);
    writer.array(tag)?;
    writer.u32(start as u32)
}

fn slot_of(index: i32, start: i32, tick_spacing: i32) -> Option<usize> {
    let end = start + SIZE * tick_spacing;
    if index < start || index >= end || !is_usable(index, tick_spacing) {
        return None;
    }
    Some(floor_div(index - start, tick_spacing) as usize)
}

/// Returns whether a position may end at the tick.
pub fn is_usable(index: i32, tick_spacing: i32) -> bool {
    (MIN_TICK..=MAX_TICK).contains(&index) && floor_div(index, tick_spacing) * tick_spacing == index
}

/// Returns the start index of the array that contains the tick.
pub fn start_of(index: i32, tick_spacing: i32) -> i32 {
    let span = SIZE * tick_spacing;
    floor_div(index, span) * span
}

/// Returns whether an array may start there: at a multiple of its span, with a tick within the bounds.
pub fn is_start(start: i32, tick_spacing: i32) -> bool {
    let span = SIZE * tick_spacing;
    start == start_of(start, tick_spacing) && start > MIN_TICK - span && start <= MAX_TICK
}

/// The start index as it is used in seeds: decimal text, in a buffer of the maximum length.
pub struct StartText {
    digits: [u8; 11],
    from: usize,
}

impl StartText {
    /// Formats a start index.
    pub fn new(start: i32) -> Self {
        let mut text = Self { digits: [0; 11], from: 11 };
        let mut rest = start.unsigned_abs();
        loop {
            text.from -= 1;
            text.digits[text.from] = b'0' + (rest % 10) as u8;
            rest /= 10;
            if rest == 0 {
                break;
            }
        }
        if start < 0 {
            text.from -= 1;
            text.digits[text.from] = b'-';
        }
        text
    }

    /// Returns the text.
    pub fn bytes(&self) -> &[u8] {
        &self.digits[self.from..]
    }
}

/// Fails with InvalidStartTick unless an array may start there.
pub fn check_start(start: i32, tick_spacing: u16) -> Result {
    if is_start(start, tick_spacing as i32) {
        Ok(())
    } else {
        Err(INVALID_START_TICK.into())
    }
}
