//! A branch: a series of liquidations without a new top tick above them. It ends at the lowest tick of another
//! branch.

use crate::error::{BRANCH_NOT_FOUND, BRANCH_OWNER_NOT_VALID, BRANCH_VAULT_ID_MISMATCH};
use crate::keys::PROGRAM;
use crate::math::tick::NO_TICK;
use crate::state::{self, undecoded, Kind};
use sluice_program::bytes::{self, Reader, Writer};
use sluice_program::{anchor, log, Account, Result};

const TAG: [u8; 8] = anchor::account("Branch");
const KIND: Kind = Kind { program: PROGRAM, tag: TAG, len: LEN };
const ID: usize = 8 + 2;
pub const LEN: usize = 47;

/// The states of a branch. With any other state it is not liquidated.
pub const LIQUIDATED: u8 = 1;
pub const MERGED: u8 = 2;
pub const CLOSED: u8 = 3;

/// The fields of a branch.
#[derive(Clone, Copy)]
pub struct Branch<'a> {
    account: Account<'a>,
    pub vault_id: u16,
    pub id: u32,
    pub status: u8,
    /// The tick down to which the branch was liquidated; the partials add a part of the step above it. It is
    /// [`NO_TICK`] before the first liquidation.
    pub minima_tick: i32,
    pub minima_tick_partials: u32,
    /// The raw debt of all positions in the branch.
    pub debt: u64,
    /// The remaining part of a debt that has been in the branch from its start. After a merge it is the connection to
    /// the branch below.
    pub debt_factor: u64,
    /// The branch below, and the lowest tick that it had when this branch began.
    pub connected_branch_id: u32,
    pub connected_minima_tick: i32,
}

impl<'a> Branch<'a> {
    /// Returns a new branch, in which nothing has happened yet.
    pub fn new(account: Account<'a>, vault_id: u16, id: u32) -> Self {
        Self {
            account,
            vault_id,
            id,
            status: 0,
            minima_tick: NO_TICK,
            minima_tick_partials: 0,
            debt: 0,
            debt_factor: 0,
            connected_branch_id: 0,
            connected_minima_tick: NO_TICK,
        }
    }

    /// Reads a branch. Fails with an error of Anchor's unless the account is a branch.
    #[inline(never)]
    pub fn load(account: Account<'a>, name: &str) -> Result<Self> {
        let data = state::load(account, &KIND, name)?;
        Self::decode(account, &data).ok_or_else(|| undecoded(name))
    }

    fn decode(account: Account<'a>, data: &[u8]) -> Option<Self> {
        let mut from = Reader::new(data.get(8..)?);
        Some(Self {
            account,
            vault_id: from.u16()?,
            id: from.u32()?,
            status: from.u8()?,
            minima_tick: from.u32()? as i32,
            minima_tick_partials: from.u32()?,
            debt: from.u64()?,
            debt_factor: from.u64()?,
            connected_branch_id: from.u32()?,
            connected_minima_tick: from.u32()? as i32,
        })
    }

    /// Writes the branch.
    #[inline(never)]
    pub fn store(&self) -> Result {
        let mut data = self.account.data_mut()?;
        let mut to = Writer::new(&mut data);
        to.array(&TAG)?;
        to.u16(self.vault_id)?;
        to.u32(self.id)?;
        to.u8(self.status)?;
        to.u32(self.minima_tick as u32)?;
        to.u32(self.minima_tick_partials)?;
        to.u64(self.debt)?;
        to.u64(self.debt_factor)?;
        to.u32(self.connected_branch_id)?;
        to.u32(self.connected_minima_tick as u32)
    }

    /// Resets the branch to one in which nothing has happened yet, with no branch below.
    pub fn reset(&mut self) {
        *self = Self::new(self.account, self.vault_id, self.id);
    }

    /// Ends the branch at the lowest tick of the branch below. `connection` is the connection to that branch's
    /// factor.
    pub fn merge(&mut self, connection: u64) {
        self.status = MERGED;
        self.debt_factor = connection;
        self.minima_tick = NO_TICK;
        self.minima_tick_partials = 0;
        self.debt = 0;
    }
}

/// The branches among an instruction's remaining accounts.
pub struct Branches<'s, 'a>(&'s [Account<'a>]);

impl<'s, 'a> Branches<'s, 'a> {
    /// Checks that all accounts are branches of the vault.
    #[inline(never)]
    pub fn check(accounts: &'s [Account<'a>], vault_id: u16) -> Result<Self> {
        for account in accounts {
            if !account.is_owned_by(&PROGRAM) {
                return Err(BRANCH_OWNER_NOT_VALID.into());
            }
            let data = state::load(*account, &KIND, "branch")?;
            if bytes::u16_at(&data, 8) != Some(vault_id) {
                return Err(BRANCH_VAULT_ID_MISMATCH.into());
            }
        }
        Ok(Self(accounts))
    }

    /// Fails with VaultBranchNotFound if the branch was not given.
    #[inline(never)]
    pub fn load(&self, id: u32) -> Result<Branch<'a>> {
        let wanted = id.to_le_bytes();
        for account in self.0 {
            if bytes::at(&account.data()?, ID) == Some(&wanted) {
                return Branch::load(*account, "branch");
            }
        }
        log::Line::new().text("this branch was not given: ").number(id as u64).emit();
        Err(BRANCH_NOT_FOUND.into())
    }
}
