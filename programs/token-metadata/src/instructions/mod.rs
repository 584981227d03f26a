//! The instructions.

pub mod burn;
pub mod create;
pub mod create_master_edition;
pub mod create_v3;
mod make;
pub mod mint;
mod mint_account;
pub mod transfer;
pub mod update;
pub mod update_v2;
pub mod verify;

use crate::error::FEATURE_NOT_SUPPORTED;
use crate::state::{optional, Collection, Fields, Uses};
use sluice_program::bytes::Reader;
use sluice_program::{instructions, log, system, Account, ProgramError, Result};

/// Reads the fields as the older instructions pass them.
fn data_v2<'a>(from: &mut Reader<'a>) -> Option<Fields<'a>> {
    let mut fields = Fields::read_data(from)?;
    fields.collection = optional(from, |from| Collection::read(from))?;
    fields.uses = optional(from, |from| Uses::read(from))?;
    Some(fields)
}

/// Returns `value` if the whole data was read.
fn whole<T>(from: &Reader, value: T) -> Option<T> {
    if from.rest().is_empty() {
        Some(value)
    } else {
        None
    }
}

/// The arguments of `Mint` and `Transfer`.
pub struct Amount {
    pub atoms: u64,
    /// Whether there is authorization data, which belongs to programmable assets.
    authorized: bool,
}

/// Arguments: version, amount, authorization data.
pub fn read_amount(args: &[u8]) -> Option<Amount> {
    let from = &mut Reader::new(args);
    if from.u8()? != 0 {
        return None;
    }
    let amount = Amount { atoms: from.u64()?, authorized: from.bool()? };
    if amount.authorized {
        return Some(amount);
    }
    whole(from, amount)
}

impl Amount {
    /// Fails with FeatureNotSupported if there is authorization data.
    pub fn refuse_authorization(&self) -> Result {
        if !self.authorized {
            return Ok(());
        }
        Err(leave_out("authorization data belongs to programmable assets, which this stand-in leaves out"))
    }
}

/// Returns FeatureNotSupported, after a log line that says what the stand-in leaves out.
#[cold]
pub fn leave_out(what: &str) -> ProgramError {
    log::text(what);
    FEATURE_NOT_SUPPORTED.into()
}

/// Fails with IncorrectProgramId unless the accounts are the system program and the instructions sysvar.
fn check_programs(system: Account, sysvar: Account) -> Result {
    if *system.address() == system::PROGRAM && *sysvar.address() == instructions::ADDRESS {
        Ok(())
    } else {
        Err(ProgramError::INCORRECT_PROGRAM_ID)
    }
}
