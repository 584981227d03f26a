//! A tick: the debt of all positions at one ratio, until it is liquidated.

use crate::error::{TICK_NOT_FOUND, TICK_OWNER_NOT_VALID, TICK_VAULT_ID_MISMATCH};
use crate::keys::PROGRAM;
use crate::state::{self, undecoded, Kind};
use sluice_program::bytes::{self, Reader, Writer};
use sluice_program::{anchor, Account, Result};

const TAG: [u8; 8] = anchor::account("Tick");
const KIND: Kind = Kind { program: PROGRAM, tag: TAG, len: LEN };
const TICK: usize = 8 + 2;
pub const LEN: usize = 40;

/// The fields of a tick.
#[derive(Clone, Copy)]
pub struct Tick<'a> {
    account: Account<'a>,
    pub vault_id: u16,
    pub tick: i32,
    pub is_liquidated: bool,
    /// How often debt was added to the tick while it had none, or only liquidated debt.
    pub total_ids: u32,
    pub raw_debt: u64,
    pub liquidation: Liquidation,
}

/// The liquidation of a tick's debt.
#[derive(Clone, Copy, Default)]
pub struct Liquidation {
    /// Whether all of it was absorbed.
    pub full: bool,
    /// The branch to which the debt was moved, and that branch's factor at the time.
    pub branch_id: u32,
    pub debt_factor: u64,
}

impl<'a> Tick<'a> {
    /// Returns a new tick without debt.
    pub fn new(account: Account<'a>, vault_id: u16, tick: i32) -> Self {
        let liquidation = Liquidation::default();
        Self { account, vault_id, tick, is_liquidated: false, total_ids: 0, raw_debt: 0, liquidation }
    }

    /// Reads a tick for changing it. Fails with an error of Anchor's unless the account is a writable tick.
    #[inline(never)]
    pub fn load(account: Account<'a>, name: &str) -> Result<Self> {
        let data = state::load_writable(account, &KIND, name)?;
        Self::decode(account, &data).ok_or_else(|| undecoded(name))
    }

    /// Reads a tick from an account that may be read-only.
    #[inline(never)]
    pub fn read(account: Account<'a>, name: &str) -> Result<Self> {
        let data = state::load(account, &KIND, name)?;
        Self::decode(account, &data).ok_or_else(|| undecoded(name))
    }

    fn decode(account: Account<'a>, data: &[u8]) -> Option<Self> {
        let mut from = Reader::new(data.get(8..)?);
        Some(Self {
            account,
            vault_id: from.u16()?,
            tick: from.u32()? as i32,
            is_liquidated: from.u8()? == 1,
            total_ids: from.u32()?,
            raw_debt: from.u64()?,
            liquidation: Liquidation {
                full: from.u8()? == 1,
                branch_id: from.u32()?,
                debt_factor: from.u64()?,
            },
        })
    }

    /// Writes the tick.
    #[inline(never)]
    pub fn store(&self) -> Result {
        let mut data = self.account.data_mut()?;
        let mut to = Writer::new(&mut data);
        to.array(&TAG)?;
        to.u16(self.vault_id)?;
        to.u32(self.tick as u32)?;
        to.u8(self.is_liquidated as u8)?;
        to.u32(self.total_ids)?;
        to.u64(self.raw_debt)?;
        to.u8(self.liquidation.full as u8)?;
        to.u32(self.liquidation.branch_id)?;
        to.u64(self.liquidation.debt_factor)
    }

    /// Moves the debt out of the tick, into a branch or into the absorbed amounts.
    pub fn liquidate(&mut self, liquidation: Liquidation) -> Result {
        self.raw_debt = 0;
        self.is_liquidated = true;
        self.liquidation = liquidation;
        self.store()
    }
}

/// The ticks among an instruction's remaining accounts.
pub struct Ticks<'s, 'a>(&'s [Account<'a>]);

impl<'s, 'a> Ticks<'s, 'a> {
    /// Checks that all accounts are ticks of the vault.
    #[inline(never)]
    pub fn check(accounts: &'s [Account<'a>], vault_id: u16) -> Result<Self> {
        for account in accounts {
            if !account.is_owned_by(&PROGRAM) {
                return Err(TICK_OWNER_NOT_VALID.into());
            }
            let data = state::load(*account, &KIND, "tick")?;
            if bytes::u16_at(&data, 8) != Some(vault_id) {
                return Err(TICK_VAULT_ID_MISMATCH.into());
            }
        }
        Ok(Self(accounts))
    }

    /// Fails with VaultTickNotFound if the tick was not given.
    #[inline(never)]
    pub fn load(&self, tick: i32) -> Result<Tick<'a>> {
        let wanted = tick.to_le_bytes();
        for account in self.0 {
            if bytes::at(&account.data()?, TICK) == Some(&wanted) {
                return Tick::load(*account, "tick");
            }
        }
        Err(TICK_NOT_FOUND.into())
    }
}
