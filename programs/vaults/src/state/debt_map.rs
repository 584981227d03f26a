//! The map of ticks with debt: a bit per tick, in sixteen accounts with eight maps of 256 ticks each.

use crate::error::{
    TICK_HAS_DEBT_NOT_FOUND, TICK_HAS_DEBT_OUT_OF_RANGE, TICK_HAS_DEBT_OWNER_NOT_VALID,
    TICK_HAS_DEBT_VAULT_ID_MISMATCH,
};
use crate::keys::PROGRAM;
use crate::math::tick::{MAX_TICK, MIN_TICK, NO_TICK};
use crate::state::{self, Kind};
use sluice_program::bytes::{self, Writer};
use sluice_program::{anchor, log, Account, Result};

const TAG: [u8; 8] = anchor::account("TickHasDebtArray");
const KIND: Kind = Kind { program: PROGRAM, tag: TAG, len: LEN };
const INDEX: usize = 8 + 2;
const BITS: usize = INDEX + 1;
pub const LEN: usize = BITS + 256;
/// The number of ticks per account.
const TICKS: u32 = 2048;
const MAP_TICKS: u32 = 256;
const MAP_BYTES: usize = 32;
const LAST_MAP: usize = 7;

/// Initializes a new account of that index, without debt.
pub fn begin(account: Account, vault_id: u16, index: u8) -> Result {
    let mut data = account.data_mut()?;
    let mut to = Writer::new(&mut data);
    to.array(&TAG)?;
    to.u16(vault_id)?;
    to.u8(index)
}

/// The position of a tick's bit.
#[derive(Clone, Copy)]
struct TickBit {
    index: u8,
    map: usize,
    byte: usize,
    bit: u32,
}

impl TickBit {
    /// Fails with VaultTickHasDebtOutOfRange if the tick is out of range.
    fn of(tick: i32) -> Result<Self> {
        if !(MIN_TICK..=MAX_TICK).contains(&tick) {
            return Err(TICK_HAS_DEBT_OUT_OF_RANGE.into());
        }
        let offset = (tick - MIN_TICK) as u32;
        let within = offset % TICKS;
        Ok(Self {
            index: (offset / TICKS) as u8,
            map: (within / MAP_TICKS) as usize,
            byte: BITS + (within / 8) as usize,
            bit: within % 8,
        })
    }
}

/// Returns the first tick of a map.
fn first_tick(index: u8, map: usize) -> i32 {
    MIN_TICK + index as i32 * TICKS as i32 + map as i32 * MAP_TICKS as i32
}

/// The result of a search within one account.
enum Found {
    Tick(i32),
    /// There is none, so the search continues in the next account below.
    Nothing,
}

/// The accounts of the map among an instruction's remaining accounts.
pub struct DebtMaps<'s, 'a>(&'s [Account<'a>]);

impl<'s, 'a> DebtMaps<'s, 'a> {
    /// Checks that all accounts belong to the vault's map.
    #[inline(never)]
    pub fn check(accounts: &'s [Account<'a>], vault_id: u16) -> Result<Self> {
        for account in accounts {
            if !account.is_owned_by(&PROGRAM) {
                return Err(TICK_HAS_DEBT_OWNER_NOT_VALID.into());
            }
            let data = state::load(*account, &KIND, "tick_has_debt_array")?;
            if bytes::u16_at(&data, 8) != Some(vault_id) {
                return Err(TICK_HAS_DEBT_VAULT_ID_MISMATCH.into());
            }
        }
        Ok(Self(accounts))
    }

    /// Fails with VaultTickHasDebtNotFound if the account was not given.
    #[inline(never)]
    fn find(&self, index: u8) -> Result<Account<'a>> {
        for account in self.0 {
            if account.data()?.get(INDEX) == Some(&index) {
                return Ok(*account);
            }
        }
        log::Line::new().text("this array of ticks with debt was not given: ").number(index as u64).emit();
        Err(TICK_HAS_DEBT_NOT_FOUND.into())
    }

    /// Sets or clears the bit of a tick.
    #[inline(never)]
    pub fn set(&self, tick: i32, has_debt: bool) -> Result {
        let tick_bit = TickBit::of(tick)?;
        let mut data = self.find(tick_bit.index)?.data_mut()?;
        let mask = 1u8 << tick_bit.bit;
        data[tick_bit.byte] = if has_debt { data[tick_bit.byte] | mask } else { data[tick_bit.byte] & !mask };
        Ok(())
    }

    /// Clears the bits of a tick and of all ticks above it in its map.
    #[inline(never)]
    fn clear_from(&self, tick: i32) -> Result {
        let tick_bit = TickBit::of(tick)?;
        let mut data = self.find(tick_bit.index)?.data_mut()?;
        data[tick_bit.byte] &= ((1u16 << tick_bit.bit) - 1) as u8;
        let end = BITS + (tick_bit.map + 1) * MAP_BYTES;
        for byte in &mut data[tick_bit.byte + 1..end] {
            *byte = 0;
        }
        Ok(())
    }

    /// Returns the highest tick with debt in the account `index`, in its map `map` or below.
    #[inline(never)]
    fn highest(&self, index: u8, map: usize) -> Result<Found> {
        let data = self.find(index)?.data()?;
        let maps = &data[BITS..BITS + (map + 1) * MAP_BYTES];
        for (word, bytes) in maps.chunks_exact(8).enumerate().rev() {
            let bits = bytes::u64_at(bytes, 0).unwrap_or(0);
            if bits != 0 {
                let within = (word as i32) * 64 + 63 - bits.leading_zeros() as i32;
                return Ok(Found::Tick(first_tick(index, 0) + within));
            }
        }
        Ok(if index == 0 { Found::Tick(NO_TICK) } else { Found::Nothing })
    }

    /// Clears the bit of the top tick, and returns the next tick with debt below it.
    #[inline(never)]
    pub fn next_below(&self, top: i32) -> Result<i32> {
        self.clear_from(top)?;
        let tick_bit = TickBit::of(top)?;
        self.search(tick_bit.index, tick_bit.map)
    }

    /// Returns the highest tick with debt in the map of `tick` or below.
    #[inline(never)]
    pub fn highest_from(&self, tick: i32) -> Result<i32> {
        let tick_bit = TickBit::of(tick)?;
        self.search(tick_bit.index, tick_bit.map)
    }

    fn search(&self, mut index: u8, mut map: usize) -> Result<i32> {
        loop {
            if let Found::Tick(tick) = self.highest(index, map)? {
                return Ok(tick);
            }
            index -= 1;
            map = LAST_MAP;
        }
    }

    /// Clears the bit of an absorbed tick, and returns the next tick with debt.
    pub fn absorb(&self, tick: i32) -> Result<i32> {
        self.clear_from(tick)?;
        self.highest_from(tick)
    }

    /// Returns the next tick with debt for a liquidation that is at `tick` and goes no lower than `limit`. The search
    /// stops, and returns [`NO_TICK`], once it reaches a map that starts below the limit. If `clear` is set, the bit
    /// of `tick` itself is cleared.
    #[inline(never)]
    pub fn next_to_liquidate(&self, tick: i32, limit: i32, clear: bool) -> Result<i32> {
        let TickBit { mut index, mut map, .. } = TickBit::of(tick)?;
        if clear {
            self.clear_from(tick)?;
        }
        loop {
            if let Found::Tick(tick) = self.highest(index, map)? {
                return Ok(tick);
            }
            if first_tick(index, map) < limit {
                return Ok(NO_TICK);
            }
            index -= 1;
            map = LAST_MAP;
        }
    }
}
