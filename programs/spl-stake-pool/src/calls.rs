//! Calls that the pool's withdraw authority signs.

use crate::state::{StakePool, WITHDRAW_AUTHORITY_SEED};
use sluice_program::cpi::{self, Signers};
use sluice_program::token::MintTo;
use sluice_program::{address, Account, Address, Result};

pub const STAKE_PROGRAM: Address = address!("Stake11111111111111111111111111111111111111");
pub const CLOCK_SYSVAR: Address = address!("SysvarC1ock11111111111111111111111111111111");
pub const STAKE_HISTORY_SYSVAR: Address = address!("SysvarStakeHistory1111111111111111111111111");
/// The tag of the stake program's instruction `Withdraw`: a u32, followed by the lamports as u64.
const STAKE_WITHDRAW: u32 = 4;

/// Calls `run` with the seeds with which the pool signs.
fn as_pool<T>(address: &Address, pool: &StakePool, run: impl FnOnce(Signers) -> T) -> T {
    run(&[&[address.as_ref(), WITHDRAW_AUTHORITY_SEED, &[pool.withdraw_bump]]])
}

/// Mints pool tokens. `authority` is the pool's withdraw authority.
pub struct Minting<'a> {
    pub pool: Account<'a>,
    pub token_program: Account<'a>,
    pub mint: Account<'a>,
    pub authority: Account<'a>,
}

impl<'a> Minting<'a> {
    /// Mints `amount` to `destination`.
    #[inline(never)]
    pub fn to(&self, state: &StakePool, destination: Account<'a>, amount: u64) -> Result {
        let Self { pool, token_program, mint, authority } = *self;
        as_pool(pool.address(), state, |signers| {
            MintTo { program: token_program, mint, destination, authority, amount }.invoke(signers)
        })
    }
}

/// Withdraws lamports from a stake account to any other account.
pub struct StakeWithdrawal<'a> {
    pub pool: Account<'a>,
    pub stake: Account<'a>,
    pub destination: Account<'a>,
    pub clock: Account<'a>,
    pub stake_history: Account<'a>,
    pub authority: Account<'a>,
}

impl StakeWithdrawal<'_> {
    /// Withdraws `lamports`.
    #[inline(never)]
    pub fn invoke(&self, state: &StakePool, lamports: u64) -> Result {
        let mut data = [0; 12];
        data[..4].copy_from_slice(&STAKE_WITHDRAW.to_le_bytes());
        data[4..].copy_from_slice(&lamports.to_le_bytes());
        let accounts = [
            self.stake.writable(),
            self.destination.writable(),
            self.clock.readonly(),
            self.stake_history.readonly(),
            self.authority.readonly_signer(),
        ];
        as_pool(self.pool.address(), state, |signers| cpi::invoke(&STAKE_PROGRAM, &accounts, &data, signers))
    }
}
