//! The program's accounts, and what it reads of other programs' accounts.

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

/// A type of account, of this program or of another.
pub struct Kind {
    pub program: Address,
    pub tag: [u8; 8],
    pub len: usize,
}

/// The bytes of an account of that kind, called `name` in errors. One that is too short counts as one that does not
/// decode.
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

/// The same for an account that the instruction changes.
pub fn load_writable<'a>(account: Account<'a>, kind: &Kind, name: &str) -> Result<Data<'a>> {
    let data = load(account, kind, name)?;
    anchor::check_writable(account, name)?;
    Ok(data)
}

#[cold]
pub fn undecoded(name: &str) -> ProgramError {
    anchor::ACCOUNT_DID_NOT_DESERIALIZE.of(name)
}
