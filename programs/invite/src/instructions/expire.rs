//! The instruction `expire`.

use sluice_program::sysvar::Clock;
use sluice_program::{anchor, associated_token, system, Account, Result};

use crate::checks::{check_event_accounts, check_named, check_system_program};
use crate::errors::{INVITE_NOT_EXPIRED, MATH_OVERFLOW};
use crate::events::{emit_end, End};
use crate::payout::{move_lamports, TokenPayout};
use crate::state::Invite;

/// Returns everything but the reward to the sender. Anybody may call it from the expiry on, and has the
/// reward for it. If the sender's token account is missing, the caller opens it and gets exactly what that
/// cost out of the rents of the invite, so that the caller never loses and the sender owns what was paid for.
pub fn run(accounts: &[Account]) -> Result {
    let (accounts, _) = anchor::accounts::<11>(accounts)?;
    let &[caller, sender, invite, vault, destination, mint, token_program, others @ ..] = accounts;
    let [associated_program, system_program, authority, own] = others;
    anchor::check_signer(caller, "caller")?;
    anchor::check_writable(caller, "caller")?;
    anchor::check_writable(sender, "sender")?;
    anchor::check_writable(invite, "invite")?;
    let state = Invite::load(invite)?;
    check_named(sender, &state.sender)?;
    anchor::check_program(associated_program, &[associated_token::PROGRAM], "associated_token_program")?;
    check_system_program(system_program)?;
    check_event_accounts(authority, own)?;
    let tokens = TokenPayout::open(invite, &state, &[vault, destination, mint, token_program])?;
    if !state.is_expired(Clock::get()?.unix_timestamp) {
        return Err(INVITE_NOT_EXPIRED.into());
    }

    let (mut delivered, mut spent) = (state.amount, 0);
    if let Some(tokens) = &tokens {
        if tokens.pays() {
            spent = open_destination(tokens, caller, sender, system_program)?;
            tokens.check_associated(sender.address(), "sender_tokens")?;
        }
        delivered = tokens.run(&state)?;
    }
    emit_end(authority, (invite.address(), &state), &End::Expired, delivered)?;
    move_lamports(invite, caller, spent.checked_add(state.reward).ok_or(MATH_OVERFLOW)?)?;
    invite.close(sender)
}

/// Opens the sender's token account if it is missing. Returns the lamports that the caller paid for it.
#[inline(never)]
fn open_destination(
    tokens: &TokenPayout,
    caller: Account,
    sender: Account,
    system_program: Account,
) -> Result<u64> {
    if !tokens.destination.is_owned_by(&system::PROGRAM) {
        return Ok(0);
    }
    let before = caller.lamports();
    associated_token::CreateIdempotent {
        payer: caller,
        account: tokens.destination,
        wallet: sender,
        mint: tokens.mint,
        system_program,
        token_program: tokens.token_program,
    }
    .invoke()?;
    before.checked_sub(caller.lamports()).ok_or(MATH_OVERFLOW.into())
}
