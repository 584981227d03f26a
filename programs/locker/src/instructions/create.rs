//! The instructions `create_vesting_escrow` and `create_vesting_escrow_v2`.

use crate::checks::{check_escrow_token, check_system_program, check_token_program, load_classic};
use crate::events::{check_authority, emit_created};
use crate::hook_accounts::HookLists;
use crate::keys::{ESCROW_SEED, PROGRAM};
use crate::schedule::Terms;
use crate::state::{Escrow, ESCROW_LEN, SPL_TOKEN, TOKEN_2022};
use crate::token::{check_supported, with_fee, Transfer};
use sluice_program::anchor::{self, decoded, CreateDerived};
use sluice_program::bytes::Reader;
use sluice_program::layout::Field;
use sluice_program::token::{self, Mint, TokenAccount};
use sluice_program::{Account, Address, Result};

/// The accounts that both forms have.
struct Parties<'a> {
    base: Account<'a>,
    escrow: Account<'a>,
    escrow_token: Account<'a>,
    sender: Account<'a>,
    sender_token: Account<'a>,
    recipient: Account<'a>,
}

/// Creates an escrow of a mint of the classic token program, and fills it. Arguments: the terms.
pub fn plain(accounts: &[Account], args: &[u8]) -> Result {
    let terms = decoded(Terms::read(&mut Reader::new(args)))?;
    let (&[base, escrow, escrow_token, sender, sender_token, recipient, ref rest @ ..], _) =
        anchor::accounts::<10>(accounts)?;
    let &[token_program, system_program, authority, _] = rest;
    let parties = Parties { base, escrow, escrow_token, sender, sender_token, recipient };
    anchor::check_signer(base, "base")?;
    let held = load_classic(escrow_token, "escrow_token")?;
    anchor::check_signer(sender, "sender")?;
    let source = load_classic(sender_token, "sender_token")?;
    anchor::check_program(token_program, &[token::PROGRAM], "token_program")?;
    check_system_program(system_program)?;

    let bump = parties.create_account()?;
    parties.check(&held, [&source.mint, &token::PROGRAM])?;
    check_authority(authority)?;

    terms.check()?;
    parties.store(&terms, &source.mint, (bump, SPL_TOKEN))?;
    token::Transfer {
        program: token_program,
        source: sender_token,
        destination: escrow_token,
        authority: sender,
        amount: terms.total()?,
    }
    .invoke(&[])?;
    parties.emit(authority, &terms)
}

/// Creates an escrow of a mint of either token program, and fills it, so that what arrives behind a transfer fee is
/// what will unlock. Arguments: the terms, and the lists of accounts that follow.
pub fn v2(accounts: &[Account], args: &[u8]) -> Result {
    let mut from = Reader::new(args);
    let (terms, lists) = decoded(Terms::read(&mut from).zip(HookLists::read(&mut from)))?;
    let (&[base, escrow, mint, escrow_token, sender, sender_token, recipient, ref rest @ ..], following) =
        anchor::accounts::<11>(accounts)?;
    let &[token_program, system_program, authority, _] = rest;
    let parties = Parties { base, escrow, escrow_token, sender, sender_token, recipient };
    anchor::check_signer(base, "base")?;
    Mint::load(mint, "token_mint")?;
    let held = TokenAccount::load(escrow_token, "escrow_token")?;
    anchor::check_signer(sender, "sender")?;
    let source = TokenAccount::load(sender_token, "sender_token")?;
    check_token_program(token_program)?;
    check_system_program(system_program)?;

    let bump = parties.create_account()?;
    parties.check(&held, [mint.address(), token_program.address()])?;
    check_authority(authority)?;

    check_supported(mint)?;
    let number = if mint.is_owned_by(&token::PROGRAM) { SPL_TOKEN } else { TOKEN_2022 };
    terms.check()?;
    parties.store(&terms, &source.mint, (bump, number))?;
    let hook = lists.select(following)?;
    Transfer {
        program: token_program,
        source: sender_token,
        mint,
        destination: escrow_token,
        authority: sender,
        amount: with_fee(mint, terms.total()?)?,
        hook,
    }
    .invoke(&[])?;
    parties.emit(authority, &terms)
}

impl Parties<'_> {
    /// Creates the account of the escrow, whose rent the sender pays, and returns its bump.
    #[inline(never)]
    fn create_account(&self) -> Result<u8> {
        CreateDerived {
            payer: self.sender,
            account: self.escrow,
            seeds: &[ESCROW_SEED, &self.base.address().0],
            space: ESCROW_LEN,
            program: &PROGRAM,
            owner: &PROGRAM,
            name: "escrow",
        }
        .invoke()
    }

    fn check(&self, held: &TokenAccount, token: [&Address; 2]) -> Result {
        anchor::check_writable(self.base, "base")?;
        check_escrow_token(self.escrow_token, held, self.escrow.address(), token)?;
        anchor::check_writable(self.sender, "sender")?;
        anchor::check_writable(self.sender_token, "sender_token")
    }

    #[inline(never)]
    fn store(&self, terms: &Terms, mint: &Address, (bump, token_program): (u8, u8)) -> Result {
        Escrow {
            recipient: *self.recipient.address(),
            mint: *mint,
            creator: *self.sender.address(),
            base: *self.base.address(),
            bump,
            update_recipient_mode: terms.update_recipient_mode,
            cancel_mode: terms.cancel_mode,
            token_program,
            padding: [0; 4],
            cliff: terms.cliff,
            frequency: terms.frequency,
            cliff_amount: terms.cliff_amount,
            period_amount: terms.period_amount,
            periods: terms.periods,
            claimed: 0,
            start: terms.start,
            cancelled_at: 0,
        }
        .save(self.escrow)
    }

    fn emit(&self, authority: Account, terms: &Terms) -> Result {
        emit_created(authority, terms, [self.recipient.address(), self.escrow.address()])
    }
}
