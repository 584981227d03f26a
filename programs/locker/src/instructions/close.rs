//! The instruction `close_vesting_escrow`.

use crate::checks::{check_memo_program, check_named, check_token_program};
use crate::error::{CLAIMING_IS_NOT_FINISHED, INVALID_ESCROW_TOKEN_ADDRESS};
use crate::events::{check_authority, emit_closed};
use crate::hook_accounts::HookLists;
use crate::keys::{CLOSE_MEMO, METADATA_SEED, PROGRAM};
use crate::state::Escrow;
use crate::token::{harvest_fees, write_required_memo, Transfer};
use sluice_program::anchor::{self, decoded};
use sluice_program::bytes::Reader;
use sluice_program::token::{amount_of, CloseAccount, Mint, TokenAccount};
use sluice_program::{associated_token, system, Account, Result};

/// The accounts by which an escrow that was not cancelled pays out the last of its tokens.
struct TokenAccounts<'a> {
    escrow: Account<'a>,
    mint: Account<'a>,
    escrow_token: Account<'a>,
    creator_token: Account<'a>,
    creator: Account<'a>,
    token_program: Account<'a>,
    memo_program: Account<'a>,
}

/// Closes an escrow that was cancelled, or of which everything was claimed, with its token account and its metadata.
/// The creator, who signs, has all rents. Arguments: the lists of accounts that follow.
pub fn run(accounts: &[Account], args: &[u8]) -> Result {
    let lists = decoded(HookLists::read(&mut Reader::new(args)))?;
    let (&[escrow, metadata, mint, escrow_token, creator_token, creator, ref rest @ ..], following) =
        anchor::accounts::<10>(accounts)?;
    let &[token_program, memo_program, authority, _] = rest;
    let state = Escrow::load(escrow)?;
    Mint::load(mint, "token_mint")?;
    TokenAccount::load(creator_token, "creator_token")?;
    anchor::check_signer(creator, "creator")?;
    check_token_program(token_program)?;
    check_memo_program(memo_program)?;

    anchor::check_writable(escrow, "escrow")?;
    check_named(creator, &state.creator)?;
    anchor::check_derived(metadata, &[METADATA_SEED, &escrow.address().0], &PROGRAM, "escrow_metadata")?;
    for (account, name) in [
        (metadata, "escrow_metadata"),
        (mint, "token_mint"),
        (escrow_token, "escrow_token"),
        (creator_token, "creator_token"),
        (creator, "creator"),
    ] {
        anchor::check_writable(account, name)?;
    }
    check_authority(authority)?;

    if state.cancelled_at == 0 {
        if !state.is_claimed()? {
            return Err(CLAIMING_IS_NOT_FINISHED.into());
        }
        let tokens =
            TokenAccounts { escrow, mint, escrow_token, creator_token, creator, token_program, memo_program };
        tokens.close(&state, &lists, following)?;
    }
    let is_closed = metadata.is_owned_by(&system::PROGRAM) && metadata.data_len() == 0;
    if !is_closed {
        metadata.close(creator)?;
    }
    emit_closed(authority, escrow.address())?;
    escrow.close(creator)
}

impl<'a> TokenAccounts<'a> {
    /// Pays what others have sent to the escrow to any token account of the creator's choice, and closes the escrow's.
    #[inline(never)]
    fn close(&self, state: &Escrow, lists: &HookLists, following: &[Account<'a>]) -> Result {
        let Self { escrow, mint, escrow_token, creator_token, creator, token_program, memo_program } = *self;
        let expected = associated_token::find(escrow.address(), &state.mint, token_program.address())?;
        if *escrow_token.address() != expected {
            return Err(INVALID_ESCROW_TOKEN_ADDRESS.into());
        }
        let amount = amount_of(escrow_token)?;
        if amount > 0 {
            let hook = lists.select(following)?;
            write_required_memo(creator_token, memo_program, CLOSE_MEMO)?;
            let (program, source, destination) = (token_program, escrow_token, creator_token);
            let transfer = Transfer { program, source, mint, destination, authority: escrow, amount, hook };
            state.sign(escrow, |signers| transfer.invoke(signers))?;
        }
        harvest_fees(token_program, escrow_token, mint)?;
        let close = CloseAccount {
            program: token_program,
            account: escrow_token,
            destination: creator,
            authority: escrow,
        };
        state.sign(escrow, |signers| close.invoke(signers))
    }
}
