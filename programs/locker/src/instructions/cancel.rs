//! The instruction `cancel_vesting_escrow`.

use crate::checks::{check_escrow_token, check_memo_program, check_named, check_token_program, Payee};
use crate::error::{CANCELLED_AT_IS_ZERO, MATH_OVERFLOW};
use crate::events::{check_authority, emit_cancelled};
use crate::hook_accounts::HookLists;
use crate::keys::CANCEL_MEMO;
use crate::state::Escrow;
use crate::token::{harvest_fees, write_required_memo, Transfer};
use sluice_program::anchor::{self, decoded};
use sluice_program::bytes::Reader;
use sluice_program::sysvar::Clock;
use sluice_program::token::{CloseAccount, Mint, TokenAccount};
use sluice_program::{Account, Result};

/// Pays what has unlocked to the recipient and the rest back to the creator, and closes the token account. Whoever
/// signs has its rent, paid to any account. The escrow remains, as one that was cancelled. Arguments: the lists of
/// accounts that follow.
pub fn run(accounts: &[Account], args: &[u8]) -> Result {
    let lists = decoded(HookLists::read(&mut Reader::new(args)))?;
    let (
        &[escrow, mint, escrow_token, creator_token, recipient_token, rent_receiver, ref rest @ ..],
        following,
    ) = anchor::accounts::<11>(accounts)?;
    let &[signer, memo_program, token_program, authority, _] = rest;
    let mut state = Escrow::load(escrow)?;
    Mint::load(mint, "token_mint")?;
    let held = TokenAccount::load(escrow_token, "escrow_token")?;
    let of_creator = TokenAccount::load(creator_token, "creator_token")?;
    let of_recipient = TokenAccount::load(recipient_token, "recipient_token")?;
    anchor::check_signer(signer, "signer")?;
    check_memo_program(memo_program)?;
    check_token_program(token_program)?;

    anchor::check_writable(escrow, "escrow")?;
    check_named(mint, &state.mint)?;
    state.check_open()?;
    anchor::check_writable(mint, "token_mint")?;
    let (named_mint, named_program) = (mint.address(), token_program.address());
    check_escrow_token(escrow_token, &held, escrow.address(), [named_mint, named_program])?;
    let payee = |held, owner| Payee { held, owner, mint: named_mint, token_program: named_program };
    payee(&of_creator, &state.creator).check(creator_token, "creator_token")?;
    payee(&of_recipient, &state.recipient).check(recipient_token, "recipient_token")?;
    anchor::check_writable(rent_receiver, "rent_receiver")?;
    anchor::check_writable(signer, "signer")?;
    check_authority(authority)?;

    state.check_permitted(state.cancel_mode, signer.address())?;
    let now = Clock::get()?.unix_timestamp as u64;
    let claimable = state.claimable(now)?;
    let remaining = held.amount.checked_sub(claimable).ok_or(MATH_OVERFLOW)?;
    if now == 0 {
        return Err(CANCELLED_AT_IS_ZERO.into());
    }
    state.cancelled_at = now;
    state.save(escrow)?;

    let hook = lists.select(following)?;
    for (destination, amount) in [(recipient_token, claimable), (creator_token, remaining)] {
        write_required_memo(destination, memo_program, CANCEL_MEMO)?;
        let (program, source) = (token_program, escrow_token);
        let transfer = Transfer { program, source, mint, destination, authority: escrow, amount, hook };
        state.sign(escrow, |signers| transfer.invoke(signers))?;
    }
    harvest_fees(token_program, escrow_token, mint)?;
    let close = CloseAccount {
        program: token_program,
        account: escrow_token,
        destination: rent_receiver,
        authority: escrow,
    };
    state.sign(escrow, |signers| close.invoke(signers))?;
    emit_cancelled(authority, [escrow.address(), signer.address()], &[claimable, remaining, now])
}
