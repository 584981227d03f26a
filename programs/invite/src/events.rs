//! The events. The program emits them by calls to itself.

use sluice_program::bytes::Writer;
use sluice_program::{anchor, event, Account, Address, ProgramError, Result};

use crate::state::{Invite, EVENT_AUTHORITY, EVENT_AUTHORITY_BUMP, PROGRAM};

const CREATED: [u8; 8] = anchor::event("InviteCreated");
const CLAIMED: [u8; 8] = anchor::event("InviteClaimed");
const CLAWED_BACK: [u8; 8] = anchor::event("InviteClawedBack");
const EXPIRED: [u8; 8] = anchor::event("InviteExpired");

/// The longest events are those of an end.
const LONGEST: usize = 8 + 8 + 5 * 32 + 3 * 8;

/// How an invite ended.
pub enum End<'a> {
    /// The receiver has it.
    Claimed(&'a Address),
    ClawedBack,
    Expired,
}

#[inline(never)]
pub fn emit_created(authority: Account, invite: &Address, state: &Invite) -> Result {
    let mut buffer = [0; LONGEST];
    let mut event = Writer::new(&mut buffer);
    write_invite(&mut event, &CREATED, (invite, state), &Address::ZERO)?;
    event::emit(&PROGRAM, authority, EVENT_AUTHORITY_BUMP, event.written())
}

/// Emits the event of an end. `delivered` is what arrived at whom the invite went to.
#[inline(never)]
pub fn emit_end(authority: Account, invite: (&Address, &Invite), end: &End, delivered: u64) -> Result {
    let (tag, receiver) = match end {
        End::Claimed(receiver) => (&CLAIMED, *receiver),
        End::ClawedBack => (&CLAWED_BACK, &Address::ZERO),
        End::Expired => (&EXPIRED, &Address::ZERO),
    };
    let mut buffer = [0; LONGEST];
    let mut event = Writer::new(&mut buffer);
    write_invite(&mut event, tag, invite, receiver)?;
    event.u64(delivered)?;
    event::emit(&PROGRAM, authority, EVENT_AUTHORITY_BUMP, event.written())
}

/// Writes the fields that all events have. A receiver or mint of zeros is none.
#[inline(always)]
fn write_invite(
    event: &mut Writer,
    tag: &[u8; 8],
    (address, invite): (&Address, &Invite),
    receiver: &Address,
) -> Result {
    event.array(&event::TAG)?;
    event.array(tag)?;
    event.address(address)?;
    event.address(&invite.invite_key)?;
    event.address(&invite.sender)?;
    event.address(receiver)?;
    event.address(invite.token.as_ref().map_or(&Address::ZERO, |token| &token.mint))?;
    event.u64(invite.amount)?;
    event.u64(invite.expires_at as u64)
}

/// Answers a call of the program to itself. Fails with ConstraintSigner unless the event authority signed,
/// for which only this program can sign.
pub fn accept(accounts: &[Account]) -> Result {
    match accounts.first() {
        None => Err(ProgramError::NOT_ENOUGH_ACCOUNT_KEYS),
        Some(authority) if authority.is_signer() && *authority.address() == EVENT_AUTHORITY => Ok(()),
        Some(_) => Err(anchor::CONSTRAINT_SIGNER.of("event_authority")),
    }
}
