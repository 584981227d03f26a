//! The token account, as the token program's own reader accepts it, before anything is known of who owns the bytes.

use sluice_program::bytes::Reader;
use sluice_program::token::ACCOUNT_LEN;
use sluice_program::{Address, ProgramError, Result};

/// Whose tokens an account holds, and of which mint.
pub struct Holding {
    pub mint: Address,
    pub owner: Address,
}

const UNINITIALIZED: u8 = 0;
const LAST_STATE: u8 = 2;

/// Reads the bytes of a token account. Fails with InvalidAccountData or UninitializedAccount.
pub fn read(data: &[u8]) -> Result<Holding> {
    if data.len() != ACCOUNT_LEN {
        return Err(ProgramError::INVALID_ACCOUNT_DATA);
    }
    let (holding, state) = decode(data).ok_or(ProgramError::INVALID_ACCOUNT_DATA)?;
    if state == UNINITIALIZED {
        return Err(ProgramError::UNINITIALIZED_ACCOUNT);
    }
    Ok(holding)
}

fn decode(data: &[u8]) -> Option<(Holding, u8)> {
    let from = &mut Reader::new(data);
    let holding = Holding { mint: from.address()?, owner: from.address()? };
    let _amount = from.u64()?;
    skip_option(from, 32)?;
    let state = from.u8().filter(|state| *state <= LAST_STATE)?;
    skip_option(from, 8)?;
    let _delegated = from.u64()?;
    skip_option(from, 32)?;
    Some((holding, state))
}

/// Skips an optional field, whose tag of four bytes must be 0 or 1.
fn skip_option(from: &mut Reader, len: usize) -> Option<()> {
    if from.u32()? > 1 {
        return None;
    }
    from.bytes(len).map(|_| ())
}
