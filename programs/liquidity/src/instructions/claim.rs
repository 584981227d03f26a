//! The instructions for tokens that a user claims later.

use crate::checks::{self, Holder};
use crate::error::{AMOUNT_NOT_ZERO, NO_AMOUNT_TO_CLAIM};
use crate::instructions::payout::Vault;
use crate::keys::{CLAIM_SEED, PROGRAM};
use crate::math::sub;
use crate::state::claim::Claim;
use crate::state::liquidity::Liquidity;
use sluice_lending::state::Reserve;
use sluice_program::anchor::{self, decoded};
use sluice_program::bytes::Reader;
use sluice_program::layout::Layout;
use sluice_program::token::TokenAccount;
use sluice_program::{event, memory, system, Account, Result};

const EVENT: [u8; 8] = anchor::event("LogClaim");

/// Creates the account of a claim. Arguments: mint, user. Any wallet may create one for any user.
pub fn create(accounts: &[Account], args: &[u8]) -> Result {
    let mut from = Reader::new(args);
    let mint = decoded(from.address())?;
    let user = decoded(from.address())?;
    let (&[signer, account, system_program], _) = anchor::accounts(accounts)?;
    anchor::check_signer(signer, "signer")?;
    anchor::CreateDerived {
        payer: signer,
        account,
        seeds: &[CLAIM_SEED, &user.0, &mint.0],
        space: Claim::SPACE,
        program: &PROGRAM,
        owner: &PROGRAM,
        name: "claim_account",
    }
    .invoke()?;
    anchor::check_program(system_program, &[system::PROGRAM], "system_program")?;
    Claim { user, amount: 0, mint }.store(account)
}

/// Closes an empty claim. Argument: the mint. Signed by the user, who receives the lamports.
pub fn close(accounts: &[Account], args: &[u8]) -> Result {
    decoded(Reader::new(args).address())?;
    let (&[user, account, system_program], _) = anchor::accounts(accounts)?;
    anchor::check_signer(user, "user")?;
    let state = Claim::load(account, "claim_account")?;
    anchor::check_program(system_program, &[system::PROGRAM], "system_program")?;
    anchor::check_writable(user, "user")?;
    anchor::check_writable(account, "claim_account")?;
    checks::has_one(&state.user, user, "claim_account")?;
    if state.amount != 0 {
        return Err(AMOUNT_NOT_ZERO.of("claim_account"));
    }
    user.set_lamports(user.lamports() + account.lamports());
    account.set_lamports(0);
    memory::fill(&mut account.data_mut()?, 0);
    Ok(())
}

/// Pays a claim out. Argument: the recipient. Signed by the user.
pub fn pay(accounts: &[Account], args: &[u8]) -> Result {
    let recipient = decoded(Reader::new(args).address())?;
    let (&[user, liquidity, reserve, mint, recipient_account, vault, claim_account, token_program], _) =
        anchor::accounts(accounts)?;
    anchor::check_signer(user, "user")?;
    let state = Liquidity::load(liquidity)?;
    let mut totals = Reserve::load(reserve)?;
    let terms = checks::mint(mint, token_program)?;
    TokenAccount::load(vault, "vault")?;
    let mut claim = Claim::load(claim_account, "claim_account")?;
    state.check_unlocked()?;
    anchor::check_writable(reserve, "token_reserve")?;
    checks::has_one(&totals.mint, mint, "token_reserve")?;
    checks::has_one(&totals.vault, vault, "token_reserve")?;
    let holder = Holder { mint: mint.address(), owner: &recipient };
    checks::check_token_account(recipient_account, &holder, "recipient_token_account")?;
    anchor::check_writable(vault, "vault")?;
    anchor::check_writable(claim_account, "claim_account")?;
    checks::has_one(&claim.user, user, "claim_account")?;
    checks::has_one(&claim.mint, mint, "claim_account")?;

    let amount = claim.amount;
    if amount == 0 {
        return Err(NO_AMOUNT_TO_CLAIM.into());
    }
    claim.amount = 0;
    claim.store(claim_account)?;
    totals.total_claim_amount = sub(totals.total_claim_amount, amount)?;
    totals.store(reserve)?;
    Vault { account: vault, liquidity, bump: state.bump, mint, decimals: terms.decimals, token_program }
        .pay(recipient_account, amount)?;
    event::log(&EVENT, |event| {
        event.address(user.address())?;
        event.address(mint.address())?;
        event.address(&recipient)?;
        event.u64(amount)
    })
}
