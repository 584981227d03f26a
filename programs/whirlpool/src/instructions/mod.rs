//! The instructions, one file per kind. Each checks all its accounts before anything else: first their types, then
//! the relations between them, both in the order in which the instruction lists them.

pub mod config;
pub mod fees;
pub mod liquidity;
pub mod liquidity_v2;
pub mod pool;
pub mod position;
pub mod position_2022;
pub mod rewards;
pub mod slices;
pub mod swap;
pub mod tick_array;

use crate::error::{INVALID_TIMESTAMP_CONVERSION, TRYING_TO_INIT_PAYER};
use crate::keys::PROGRAM;
use sluice_program::sysvar::Clock;
use sluice_program::token::{self, TokenAccount};
use sluice_program::{anchor, system, Account, Address, Result};

/// Returns the Unix second of the slot. Fails with InvalidTimestampConversion before 1970.
pub fn now() -> Result<u64> {
    u64::try_from(Clock::get()?.unix_timestamp).map_err(|_| INVALID_TIMESTAMP_CONVERSION.into())
}

/// Checks that a token account is writable, and that its `mint` is the expected one.
#[inline(always)]
pub fn check_holding(account: Account, mint: &Address, expected: &Address, name: &str) -> Result {
    anchor::check_writable(account, name)?;
    if mint == expected {
        Ok(())
    } else {
        Err(anchor::CONSTRAINT_RAW.of(name))
    }
}

/// Checks that the account is writable and stands at `expected`.
#[inline(always)]
pub fn check_vault(account: Account, expected: &Address, name: &str) -> Result {
    anchor::check_writable(account, name)?;
    anchor::check_address(account, expected, name)
}

/// Fails with InvalidProgramId unless the account is the system program.
pub fn check_system(account: Account) -> Result {
    anchor::check_program(account, &[system::PROGRAM], "system_program")
}

/// Fails with TryingToInitPayerAsProgramAccount if the new account is its own payer.
#[inline(always)]
pub fn check_new(account: Account, payer: Account) -> Result {
    if account.is(payer) {
        Err(TRYING_TO_INIT_PAYER.into())
    } else {
        Ok(())
    }
}

/// Creates the account with zeroed data at the address that the seeds derive, and returns the bump.
#[inline(always)]
pub fn create_derived(
    payer: Account,
    account: Account,
    space: usize,
    seeds: &[&[u8]],
    name: &str,
) -> Result<u8> {
    let (expected, bump) = Address::find(seeds, &PROGRAM)?;
    if *account.address() != expected {
        return Err(anchor::CONSTRAINT_SEEDS.of(name));
    }
    let last = [bump];
    let mut signer: [&[u8]; MAX_SEEDS] = [&[]; MAX_SEEDS];
    let len = seeds.len() + 1;
    for (place, seed) in signer.iter_mut().zip(seeds.iter().copied().chain([&last[..]])) {
        *place = seed;
    }
    system::Create { payer, account, space, owner: &PROGRAM }.invoke(&[&signer[..len]])?;
    Ok(bump)
}

/// The seeds of a pool are the most numerous. This includes the bump.
const MAX_SEEDS: usize = 6;

/// Reads a token account of the older token program.
#[inline(never)]
pub fn plain_account(account: Account, name: &str) -> Result<TokenAccount> {
    anchor::check_owner(account, &[token::PROGRAM], name)?;
    TokenAccount::load(account, name)
}

/// Returns the mint of a token account of either token program.
#[inline(never)]
pub fn mint_of(account: Account, name: &str) -> Result<Address> {
    TokenAccount::load(account, name).map(|holding| holding.mint)
}
