//! The instruction `claim`.

use crate::checks::{self, Holder};
use crate::error::NO_AMOUNT_TO_CLAIM;
use crate::instructions::payout::Vault;
use crate::math::sub;
use crate::state::claim::Claim;
use crate::state::liquidity::Liquidity;
use sluice_lending::state::Reserve;
use sluice_program::anchor::{self, decoded};
use sluice_program::bytes::Reader;
use sluice_program::token::TokenAccount;
use sluice_program::{event, Account, Result};

const EVENT: [u8; 8] = anchor::event("LogClaim");

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
