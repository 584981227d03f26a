//! Rents that the pools' authority advances. The programs that a migration calls have the authority pay for the accounts
//! that they create, because it owns the tokens; the caller pays it back at once.

use crate::error::{require, ACCOUNT_INVARIANT_VIOLATION};
use sluice_program::{system, Account, Result};

/// Runs calls for whose accounts `authority` pays, and has `payer` pay it back.
#[inline(always)]
pub fn advanced(authority: Account, payer: Account, run: impl FnOnce() -> Result) -> Result {
    unharmed(authority, || {
        let before = authority.lamports();
        run()?;
        let lamports = before.saturating_sub(authority.lamports());
        if lamports == 0 {
            return Ok(());
        }
        system::Transfer { from: payer, to: authority, lamports }.invoke(&[])
    })
}

/// Runs calls that `authority` signs. Fails with AccountInvariantViolation if they leave it with fewer lamports, another
/// owner or another length.
#[inline(always)]
pub fn unharmed(authority: Account, run: impl FnOnce() -> Result) -> Result {
    let (lamports, owner, len) = (authority.lamports(), authority.owner(), authority.data_len());
    run()?;
    let holds = authority.lamports() >= lamports && authority.owner() == owner && authority.data_len() == len;
    require(holds, ACCOUNT_INVARIANT_VIOLATION)
}
