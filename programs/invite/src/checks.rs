//! Checks that several instructions share.

use sluice_program::token::{self, Extension, TokenAccount};
use sluice_program::{anchor, system, Account, Address, Result};

use crate::errors::{INVALID_TOKEN_ACCOUNT, NATIVE_MINT, UNEXPECTED_ACCOUNTS, UNSUPPORTED_MINT};
use crate::state::{EVENT_AUTHORITY, PROGRAM};

/// Fails with ConstraintHasOne unless `account` stands at the address that the invite names.
#[inline(never)]
pub fn check_named(account: Account, named: &Address) -> Result {
    if account.address() == named {
        Ok(())
    } else {
        Err(anchor::CONSTRAINT_HAS_ONE.of("invite"))
    }
}

pub fn check_system_program(account: Account) -> Result {
    anchor::check_program(account, &[system::PROGRAM], "system_program")
}

/// Checks the two accounts by which the program emits events. Fails with ConstraintSeeds or InvalidProgramId.
#[inline(never)]
pub fn check_event_accounts(authority: Account, program: Account) -> Result {
    if *authority.address() != EVENT_AUTHORITY {
        return Err(anchor::CONSTRAINT_SEEDS.of("event_authority"));
    }
    anchor::check_program(program, &[PROGRAM], "program")
}

/// Returns whether the accounts of tokens are left out. Fails with UnexpectedAccounts if only some are, so
/// that no account goes unchecked.
#[inline(never)]
pub fn are_left_out(accounts: &[Account; 4]) -> Result<bool> {
    match accounts.iter().filter(|account| *account.address() == PROGRAM).count() {
        0 => Ok(false),
        4 => Ok(true),
        _ => Err(UNEXPECTED_ACCOUNTS.into()),
    }
}

/// Checks a token account. Fails with InvalidTokenAccount if it is of another owner, mint or token program,
/// with NativeMint if it holds wrapped SOL, and with ConstraintMut if it is not writable.
#[inline(never)]
pub fn check_tokens(
    account: Account,
    owner: &Address,
    [mint, token_program]: &[Account; 2],
    name: &str,
) -> Result {
    anchor::check_writable(account, name)?;
    let tokens = TokenAccount::load(account, name)?;
    let fits = tokens.owner == *owner
        && tokens.mint == *mint.address()
        && account.is_owned_by(token_program.address());
    if !fits {
        return Err(INVALID_TOKEN_ACCOUNT.of(name));
    }
    match tokens.native {
        Some(_) => Err(NATIVE_MINT.of(name)),
        None => Ok(()),
    }
}

/// Fails with UnsupportedMint if tokens of the mint could not leave an invite: those that cannot be
/// transferred at all, and those whose transfer hook needs accounts that the instructions have no room for.
/// What an issuer may do later, such as to freeze, holds an invite up as it does every token account.
#[inline(never)]
pub fn check_leaves_again(mint: Account) -> Result {
    let data = mint.data()?;
    let stays = token::extensions(&data).any(|(kind, body)| {
        // The authority comes before the program, which is zero if there is none.
        let has_hook = || body.get(32..64).is_none_or(|program| program.iter().any(|byte| *byte != 0));
        kind == Extension::NonTransferable as u16 || kind == Extension::TransferHook as u16 && has_hook()
    });
    if stays {
        Err(UNSUPPORTED_MINT.of("mint"))
    } else {
        Ok(())
    }
}
