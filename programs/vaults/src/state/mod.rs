//! The program's accounts, and the parts of other programs' accounts that it reads.

pub mod admin;
pub mod branch;
pub mod config;
pub mod debt_map;
pub mod liquidity;
pub mod metadata;
pub mod oracle;
pub mod past_tick;
pub mod position;
pub mod tick;
pub mod vault;

use sluice_program::account::Data;
use sluice_program::{anchor, Account, Address, ProgramError, Result};

/// A type of account, of this program or of another one.
pub struct Kind {
    pub program: Address,
    pub tag: [u8; 8],
    pub len: usize,
}

/// Returns the bytes of an account of that kind. Errors name it `name`. An account that is too short is treated as
/// one that cannot be decoded.
#[inline(never)]
pub fn load<'a>(account: Account<'a>, kind: &Kind, name: &str) -> Result<Data<'a>> {
    if !account.is_owned_by(&kind.program) {
        return Err(anchor::ACCOUNT_OWNED_BY_WRONG_PROGRAM.of(name));
    }
    let data = account.data()?;
    match data.first_chunk::<8>() {
        None => Err(anchor::ACCOUNT_DISCRIMINATOR_NOT_FOUND.of(name)),
        Some(found) if *found != kind.tag => Err(anchor::ACCOUNT_DISCRIMINATOR_MISMATCH.of(name)),
        Some(_) if data.len() < kind.len => Err(undecoded(name)),
        Some(_) => Ok(data),
    }
}

/// Does the same for an account that the instruction changes.
pub fn load_writable<'a>(account: Account<'a>, kind: &Kind, name: &str) -> Result<Data<'a>> {
    let data = load(account, kind, name)?;
    anchor::check_writable(account, name)?;
    Ok(data)
}

/// Returns the error for an account that cannot be decoded.
#[cold]
pub fn undecoded(name: &str) -> ProgramError {
    anchor::ACCOUNT_DID_NOT_DESERIALIZE.of(name)
}
