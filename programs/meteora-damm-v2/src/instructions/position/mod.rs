//! The instructions that create and close a position.

mod close;
mod create;
mod new_position;

pub use close::close;
pub use create::create;
pub use new_position::NewPosition;

use crate::error::INVALID_AUTHORITY;
use crate::events;
use crate::keys::PROGRAM;
use crate::state::position::Position;
use sluice_program::token::TokenAccount;
use sluice_program::{anchor, system, Account, Address, Result};

#[inline(never)]
fn emit(tag: &[u8; 8], event_authority: Account, accounts: &[Account; 4]) -> Result {
    events::emit(event_authority, tag, |event| {
        accounts.iter().try_for_each(|account| event.address(account.address()))
    })
}

/// Creates the account with zeroed data at the address that the seeds derive. The last seed may be empty.
#[inline(never)]
pub fn create_derived(
    payer: Account,
    account: Account,
    (space, owner): (usize, &Address),
    [first, second, third]: [&[u8]; 3],
) -> Result {
    let (expected, bump) = Address::find(&[first, second, third], &PROGRAM)?;
    if *account.address() != expected {
        return Err(anchor::CONSTRAINT_SEEDS.into());
    }
    system::Create { payer, account, space, owner }.invoke(&[&[first, second, third, &[bump]]])
}

/// Fails with ConstraintRaw unless the account holds the position's token.
pub fn check_token(held: &TokenAccount, position: &Position) -> Result {
    if held.mint == position.mint && held.amount == 1 {
        Ok(())
    } else {
        Err(anchor::CONSTRAINT_RAW.of("position_nft_account"))
    }
}

/// Fails with InvalidAuthority unless the signer holds the position's token. Delegates are not supported.
pub fn check_holder(held: &TokenAccount, signer: Account) -> Result {
    if held.owner == *signer.address() {
        Ok(())
    } else {
        Err(INVALID_AUTHORITY.into())
    }
}
