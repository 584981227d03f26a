//! Checks of accounts that several instructions make.

use crate::keys::{AUTHORITY, PROGRAM};
use crate::state::{config, pool};
use sluice_program::account::Data;
use sluice_program::{anchor, system, Account, Address, AnchorError, Result};

/// Fails with ConstraintSeeds unless the account is the pools' authority.
pub fn authority(account: Account) -> Result {
    if *account.address() == AUTHORITY {
        Ok(())
    } else {
        Err(anchor::CONSTRAINT_SEEDS.of("authority"))
    }
}

/// Fails with ConstraintSeeds unless the account stands at the derived address.
#[inline(always)]
pub fn derived(account: Account, expected: &Address, name: &str) -> Result {
    if account.address() == expected {
        Ok(())
    } else {
        Err(anchor::CONSTRAINT_SEEDS.of(name))
    }
}

/// Fails with `error`, logged for the account `name`, unless the account stands at `expected`.
#[inline(always)]
pub fn address_or(account: Account, expected: &Address, error: AnchorError, name: &str) -> Result {
    if account.address() == expected {
        Ok(())
    } else {
        Err(error.of(name))
    }
}

/// Checks that the account is writable and one of the token accounts `expected`. Fails with ConstraintMut or with
/// ConstraintRaw.
#[inline(always)]
pub fn vault(account: Account, expected: &[Address], name: &str) -> Result {
    anchor::check_writable(account, name)?;
    if expected.contains(account.address()) {
        Ok(())
    } else {
        Err(anchor::CONSTRAINT_RAW.of(name))
    }
}

/// Returns the pool's bytes. An account that does not exist fails with the error for a wrong owner, unlike other
/// accounts.
pub fn pool(account: Account<'_>) -> Result<Data<'_>> {
    zero_copy(account, &pool::TAG, pool::LEN, "pool_state")
}

/// Returns the bytes of an account that is read in place. Fails with an error of Anchor's unless owner, discriminator
/// and length are right.
#[inline(always)]
pub fn zero_copy<'a>(account: Account<'a>, tag: &[u8; 8], len: usize, name: &str) -> Result<Data<'a>> {
    if !account.is_owned_by(&PROGRAM) {
        return Err(anchor::ACCOUNT_OWNED_BY_WRONG_PROGRAM.of(name));
    }
    let data = anchor::load(account, &PROGRAM, tag, name)?;
    if data.len() < len {
        Err(anchor::ACCOUNT_DID_NOT_DESERIALIZE.of(name))
    } else {
        Ok(data)
    }
}

/// Reads the configuration. Fails with an error of Anchor's unless the account is one.
pub fn amm_config(account: Account) -> Result<config::AmmConfig> {
    let data = anchor::load(account, &PROGRAM, &config::TAG, "amm_config")?;
    config::AmmConfig::decode(&data).ok_or_else(|| anchor::ACCOUNT_DID_NOT_DESERIALIZE.of("amm_config"))
}

/// Fails with InvalidProgramId unless the account is the system program.
pub fn system_program(account: Account) -> Result {
    anchor::check_program(account, &[system::PROGRAM], "system_program")
}
