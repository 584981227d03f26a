//! The instruction `claim`.

use sluice_program::sysvar::Clock;
use sluice_program::{anchor, Account, Result};

use crate::checks::{check_event_accounts, check_named};
use crate::errors::{INVALID_RECEIVER, INVITE_EXPIRED};
use crate::events::{emit_end, End};
use crate::payout::{move_lamports, TokenPayout};
use crate::state::Invite;

/// Pays the receiver, whom the invite key names by signing the transaction. All that is left belongs to the
/// sender, who paid it: rents, reward, and lamports that others have sent.
pub fn run(accounts: &[Account]) -> Result {
    let (accounts, _) = anchor::accounts::<10>(accounts)?;
    let &[invite_key, receiver, sender, invite, vault, destination, mint, token_program, authority, own] =
        accounts;
    anchor::check_signer(invite_key, "invite_key")?;
    anchor::check_writable(sender, "sender")?;
    anchor::check_writable(invite, "invite")?;
    let state = Invite::load(invite)?;
    check_named(invite_key, &state.invite_key)?;
    check_named(sender, &state.sender)?;
    check_event_accounts(authority, own)?;
    let tokens = TokenPayout::open(invite, &state, &[vault, destination, mint, token_program])?;
    // What such a receiver gets would go to the sender with all that is left.
    if receiver.is(invite) {
        return Err(INVALID_RECEIVER.of("receiver"));
    }
    match &tokens {
        None => anchor::check_writable(receiver, "receiver")?,
        Some(tokens) if tokens.pays() => tokens.check_associated(receiver.address(), "receiver_tokens")?,
        Some(_) => {}
    }
    if state.is_expired(Clock::get()?.unix_timestamp) {
        return Err(INVITE_EXPIRED.into());
    }

    let delivered = match &tokens {
        None => state.amount,
        Some(tokens) => tokens.run(&state)?,
    };
    let end = End::Claimed(receiver.address());
    emit_end(authority, (invite.address(), &state), &end, delivered)?;
    if tokens.is_none() {
        move_lamports(invite, receiver, state.amount)?;
    }
    invite.close(sender)
}
