//! A user's temporary token account. It holds wrapped SOL in place of an associated token account.

use super::fixed;
use crate::keys::TOKEN_ACCOUNT_SEED;
use crate::plan::required;
use sluice_program::bytes::Reader;
use sluice_program::token::{ACCOUNT_LEN, PROGRAM, PROGRAMS};
use sluice_program::{cpi, system, Account, ProgramError, Result};

/// Arguments: the bump of the account's address. The user pays the missing rent and becomes the account's owner.
///
/// Fails with MissingRequiredSignature or IncorrectProgramId. As in the public program, only tokens of the first
/// token program are supported; with another mint, the call of the token program fails.
pub fn create(accounts: &[Account], args: &[u8]) -> Result {
    let bump = required(Reader::new(args).u8())?;
    let (&[token_account, user, mint, token_program, _system_program], _) = fixed::<5>(accounts)?;
    if !user.is_signer() {
        return Err(ProgramError::MISSING_REQUIRED_SIGNATURE);
    }
    if !PROGRAMS.contains(token_program.address()) {
        return Err(ProgramError::INCORRECT_PROGRAM_ID);
    }
    let seeds: &[&[u8]] = &[TOKEN_ACCOUNT_SEED, &user.address().0, &mint.address().0, &[bump]];
    system::Create { payer: user, account: token_account, space: ACCOUNT_LEN, owner: &PROGRAM }
        .invoke(&[seeds])?;
    initialize(token_account, mint, user)
}

/// Calls InitializeAccount3 of the first token program, even if the other one was named.
fn initialize(account: Account, mint: Account, owner: Account) -> Result {
    let mut data = [18; 33];
    data[1..].copy_from_slice(&owner.address().0);
    cpi::invoke(&PROGRAM, &[account.writable(), mint.readonly()], &data, &[])
}
