//! The instruction `close_position`.

use super::{check_token, emit};
use crate::error::{CONSTRAINT_CLOSE, POSITION_IS_NOT_EMPTY};
use crate::events;
use crate::keys::AUTHORITY;
use crate::state::pool::Pool;
use crate::state::position::Position;
use crate::token::with_authority;
use sluice_program::token::{self, Burn, CloseAccount, Mint, TokenAccount};
use sluice_program::{anchor, Account, Result};

const CLOSED: [u8; 8] = anchor::event("EvtClosePosition");

/// Burns the token of an empty position, and pays all rent to the receiver. There are no arguments.
pub fn close(accounts: &[Account], _: &[u8]) -> Result {
    let (&[mint, holding, pool_account, position_account, authority, receiver, owner, ref rest @ ..], _) =
        anchor::accounts::<10>(accounts)?;
    let &[token_program, event_authority, _] = rest;
    Mint::load(mint, "position_nft_mint")?;
    let held = TokenAccount::load(holding, "position_nft_account")?;
    let mut pool = Pool::load(pool_account, "pool")?;
    let position = Position::load(position_account, "position")?;
    anchor::check_signer(owner, "owner")?;
    anchor::check_program(token_program, &[token::PROGRAM_2022], "token_program")?;
    for (account, name) in [
        (mint, "position_nft_mint"),
        (holding, "position_nft_account"),
        (pool_account, "pool"),
        (position_account, "position"),
        (receiver, "rent_receiver"),
    ] {
        anchor::check_writable(account, name)?;
    }
    anchor::check_address(mint, &position.mint, "position_nft_mint")?;
    check_token(&held, &position)?;
    if held.owner != *owner.address() {
        return Err(anchor::CONSTRAINT_TOKEN_OWNER.of("position_nft_account"));
    }
    if position.pool != *pool_account.address() {
        return Err(anchor::CONSTRAINT_HAS_ONE.of("position"));
    }
    if position_account.is(receiver) {
        return Err(CONSTRAINT_CLOSE.of("position"));
    }
    anchor::check_address(authority, &AUTHORITY, "pool_authority")?;
    events::check_authority(event_authority)?;
    if !position.is_empty()? {
        return Err(POSITION_IS_NOT_EMPTY.into());
    }
    pool.positions = pool.positions.wrapping_sub(1);
    pool.save(pool_account)?;
    // The public program borrows the pool during this, so that the pool cannot be the receiver of the rent.
    let kept = pool_account.data_mut()?;
    Burn { program: token_program, source: holding, mint, authority: owner, amount: 1 }.invoke(&[])?;
    let closing = |account, authority| CloseAccount {
        program: token_program,
        account,
        destination: receiver,
        authority,
    };
    closing(holding, owner).invoke(&[])?;
    with_authority(|signers| closing(mint, authority).invoke(signers))?;
    drop(kept);
    emit(&CLOSED, event_authority, &[pool_account, owner, position_account, mint])?;
    position_account.close(receiver)
}
