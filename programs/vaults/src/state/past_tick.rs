//! The liquidations of earlier debts of a tick, three per account.

use crate::error::TICK_ID_LIQUIDATION_MISMATCH;
use crate::keys::PROGRAM;
use crate::state::tick::Liquidation;
use crate::state::{self, undecoded, Kind};
use sluice_program::bytes::{self, Reader, Writer};
use sluice_program::{anchor, Account, Result};

const TAG: [u8; 8] = anchor::account("TickIdLiquidation");
const KIND: Kind = Kind { program: PROGRAM, tag: TAG, len: LEN };
pub const LEN: usize = 57;
const ENTRIES: usize = 18;
const ENTRY: usize = 13;

/// Returns which account holds the id, as its field `tick_map` numbers it.
pub fn map_of(id: u32) -> Option<u32> {
    Some(id.checked_add(2)? / 3)
}

/// An account with three liquidations.
#[derive(Clone, Copy)]
pub struct PastTick<'a> {
    account: Account<'a>,
    pub vault_id: u16,
    pub tick: i32,
    pub map: u32,
}

impl<'a> PastTick<'a> {
    /// Initializes a new account for that tick, without liquidations.
    pub fn begin(account: Account<'a>, vault_id: u16, tick: i32, map: u32) -> Result {
        let mut data = account.data_mut()?;
        let mut to = Writer::new(&mut data);
        to.array(&TAG)?;
        to.u16(vault_id)?;
        to.u32(tick as u32)?;
        to.u32(map)
    }

    /// Reads the account. Fails with an error of Anchor's unless it has this type.
    #[inline(never)]
    pub fn load(account: Account<'a>, name: &str) -> Result<Self> {
        let data = state::load(account, &KIND, name)?;
        Self::decode(account, &data).ok_or_else(|| undecoded(name))
    }

    fn decode(account: Account<'a>, data: &[u8]) -> Option<Self> {
        let mut from = Reader::new(data.get(8..)?);
        Some(Self { account, vault_id: from.u16()?, tick: from.u32()? as i32, map: from.u32()? })
    }

    /// Fails with VaultTickIdLiquidationMismatch unless the account holds that tick's id.
    fn place(&self, tick: i32, id: u32) -> Result<usize> {
        if self.tick != tick || Some(self.map) != map_of(id) {
            return Err(TICK_ID_LIQUIDATION_MISMATCH.into());
        }
        Ok(ENTRIES + ENTRY * ((id + 2) % 3) as usize)
    }

    /// Returns the liquidation of the debt with that id.
    #[inline(never)]
    pub fn get(&self, tick: i32, id: u32) -> Result<Liquidation> {
        let place = self.place(tick, id)?;
        let data = self.account.data()?;
        let mut from = Reader::new(data.get(place..).unwrap_or_default());
        let read = |from: &mut Reader| {
            Some(Liquidation { full: from.u8()? == 1, branch_id: from.u32()?, debt_factor: from.u64()? })
        };
        read(&mut from).ok_or_else(|| undecoded("tick_id_liquidation"))
    }

    /// Stores the liquidation of the debt with that id.
    #[inline(never)]
    pub fn set(&self, tick: i32, id: u32, liquidation: &Liquidation) -> Result {
        let place = self.place(tick, id)?;
        let mut data = self.account.data_mut()?;
        bytes::put(&mut data, place, &[liquidation.full as u8])?;
        bytes::put(&mut data, place + 1, &liquidation.branch_id.to_le_bytes())?;
        bytes::put(&mut data, place + 5, &liquidation.debt_factor.to_le_bytes())
    }
}
