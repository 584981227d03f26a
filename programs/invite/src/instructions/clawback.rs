//! The instruction `clawback`.

use sluice_program::{anchor, Account, Result};

use crate::checks::{check_event_accounts, check_named};
use crate::events::{emit_end, End};
use crate::payout::TokenPayout;
use crate::state::Invite;

/// Returns everything to the sender, also after the expiry.
pub fn run(accounts: &[Account]) -> Result {
    let (accounts, _) = anchor::accounts::<8>(accounts)?;
    let &[sender, invite, vault, destination, mint, token_program, authority, own] = accounts;
    anchor::check_signer(sender, "sender")?;
    anchor::check_writable(sender, "sender")?;
    anchor::check_writable(invite, "invite")?;
    let state = Invite::load(invite)?;
    check_named(sender, &state.sender)?;
    check_event_accounts(authority, own)?;
    let tokens = TokenPayout::open(invite, &state, &[vault, destination, mint, token_program])?;
    let delivered = match &tokens {
        None => state.amount,
        Some(tokens) => {
            if tokens.pays() {
                tokens.check_destination(sender.address(), "sender_tokens")?;
            }
            tokens.run(&state)?
        }
    };
    emit_end(authority, (invite.address(), &state), &End::ClawedBack, delivered)?;
    invite.close(sender)
}
