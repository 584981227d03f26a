//! The instructions `claim` and `claim_v2`.

use crate::checks::{check_escrow_token, check_memo_program, check_named, check_token_program, load_classic};
use crate::error::{INVALID_RECIPIENT_TOKEN_ACCOUNT, MATH_OVERFLOW};
use crate::events::{check_authority, emit_claimed};
use crate::hook_accounts::HookLists;
use crate::keys::CLAIM_MEMO;
use crate::state::Escrow;
use crate::token::{write_required_memo, Transfer};
use sluice_program::anchor::{self, decoded};
use sluice_program::bytes::Reader;
use sluice_program::sysvar::Clock;
use sluice_program::token::{self, Mint, TokenAccount};
use sluice_program::{Account, Result};

/// Pays what has unlocked to the recipient, who signs, from an escrow of the classic token program. Arguments: the
/// most that is paid.
pub fn plain(accounts: &[Account], args: &[u8]) -> Result {
    let most = decoded(Reader::new(args).u64())?;
    let (&[escrow, escrow_token, recipient, recipient_token, token_program, authority, _], _) =
        anchor::accounts::<7>(accounts)?;
    let mut state = Escrow::load(escrow)?;
    let held = load_classic(escrow_token, "escrow_token")?;
    anchor::check_signer(recipient, "recipient")?;
    load_classic(recipient_token, "recipient_token")?;
    anchor::check_program(token_program, &[token::PROGRAM], "token_program")?;

    anchor::check_writable(escrow, "escrow")?;
    check_named(recipient, &state.recipient)?;
    state.check_open()?;
    check_escrow_token(escrow_token, &held, escrow.address(), [&state.mint, &token::PROGRAM])?;
    check_recipient(recipient, recipient_token, escrow_token)?;
    check_authority(authority)?;

    let (amount, now) = claim(&mut state, escrow, most)?;
    state.sign(escrow, |signers| {
        token::Transfer {
            program: token_program,
            source: escrow_token,
            destination: recipient_token,
            authority: escrow,
            amount,
        }
        .invoke(signers)
    })?;
    emit_claimed(authority, escrow.address(), amount, now)
}

/// Pays what has unlocked to the recipient, who signs, from an escrow of either token program. Arguments: the most
/// that is paid, and the lists of accounts that follow.
pub fn v2(accounts: &[Account], args: &[u8]) -> Result {
    let mut from = Reader::new(args);
    let (most, lists) = decoded(from.u64().zip(HookLists::read(&mut from)))?;
    let (&[escrow, mint, escrow_token, recipient, recipient_token, memo_program, ref rest @ ..], following) =
        anchor::accounts::<9>(accounts)?;
    let &[token_program, authority, _] = rest;
    let mut state = Escrow::load(escrow)?;
    Mint::load(mint, "token_mint")?;
    let held = TokenAccount::load(escrow_token, "escrow_token")?;
    anchor::check_signer(recipient, "recipient")?;
    TokenAccount::load(recipient_token, "recipient_token")?;
    check_memo_program(memo_program)?;
    check_token_program(token_program)?;

    anchor::check_writable(escrow, "escrow")?;
    check_named(mint, &state.mint)?;
    check_named(recipient, &state.recipient)?;
    state.check_open()?;
    let token = [mint.address(), token_program.address()];
    check_escrow_token(escrow_token, &held, escrow.address(), token)?;
    check_recipient(recipient, recipient_token, escrow_token)?;
    check_authority(authority)?;

    let (amount, now) = claim(&mut state, escrow, most)?;
    let hook = lists.select(following)?;
    write_required_memo(recipient_token, memo_program, CLAIM_MEMO)?;
    let transfer = Transfer {
        program: token_program,
        source: escrow_token,
        mint,
        destination: recipient_token,
        authority: escrow,
        amount,
        hook,
    };
    state.sign(escrow, |signers| transfer.invoke(signers))?;
    emit_claimed(authority, escrow.address(), amount, now)
}

fn check_recipient(recipient: Account, recipient_token: Account, escrow_token: Account) -> Result {
    anchor::check_writable(recipient, "recipient")?;
    anchor::check_writable(recipient_token, "recipient_token")?;
    if recipient_token.is(escrow_token) {
        return Err(INVALID_RECIPIENT_TOKEN_ACCOUNT.of("recipient_token"));
    }
    Ok(())
}

/// Counts what is paid as claimed, at most `most`. Returns it with the time.
#[inline(never)]
fn claim(state: &mut Escrow, escrow: Account, most: u64) -> Result<(u64, u64)> {
    let now = Clock::get()?.unix_timestamp as u64;
    let amount = state.claimable(now)?.min(most);
    state.claimed = state.claimed.checked_add(amount).ok_or(MATH_OVERFLOW)?;
    state.save(escrow)?;
    Ok((amount, now))
}
