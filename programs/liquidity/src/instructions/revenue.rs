//! The instruction that collects a reserve's revenue.

use crate::checks;
use crate::instructions::payout::Vault;
use crate::refresh::now;
use crate::state::auth_list::AuthList;
use crate::state::liquidity::Liquidity;
use crate::state::totals::Totals;
use sluice_lending::state::Reserve;
use sluice_program::token::TokenAccount;
use sluice_program::{anchor, associated_token, event, interest, system, Account, Result};

const EVENT: [u8; 8] = anchor::event("LogCollectRevenue");

/// Pays the revenue of the reserve to the revenue collector: see
/// [`Totals::revenue`](crate::state::totals::Totals::revenue). Signed by an auth.
pub fn run(accounts: &[Account]) -> Result {
    let (&[authority, liquidity, auth_list, mint, collector_account, collector, ref rest @ ..], _) =
        anchor::accounts::<11>(accounts)?;
    let &[reserve, vault, token_program, associated_program, system_program] = rest;
    anchor::check_signer(authority, "authority")?;
    let state = Liquidity::load(liquidity)?;
    AuthList::load(auth_list)?;
    let terms = checks::mint(mint, token_program)?;
    let totals = Reserve::load(reserve)?;
    let held = TokenAccount::load(vault, "vault")?.amount;
    anchor::check_program(associated_program, &[associated_token::PROGRAM], "associated_token_program")?;
    anchor::check_program(system_program, &[system::PROGRAM], "system_program")?;
    checks::associated(collector_account, collector, mint, token_program, "revenue_collector_account")?;
    associated_token::CreateIdempotent {
        payer: authority,
        account: collector_account,
        wallet: collector,
        mint,
        system_program,
        token_program,
    }
    .invoke()?;
    checks::by_auth(authority, auth_list)?;
    anchor::check_address(collector, &state.revenue_collector, "revenue_collector")?;
    anchor::check_writable(reserve, "token_reserve")?;
    checks::has_one(&totals.mint, mint, "token_reserve")?;
    checks::has_one(&totals.vault, vault, "token_reserve")?;
    anchor::check_writable(vault, "vault")?;

    let amount = revenue(&totals, held)?;
    if amount == 0 {
        return Ok(());
    }
    Vault { account: vault, liquidity, bump: state.bump, mint, decimals: terms.decimals, token_program }
        .pay(collector_account, amount)?;
    event::log(&EVENT, |event| {
        event.address(mint.address())?;
        event.u128(amount as u128)
    })
}

#[inline(never)]
fn revenue(totals: &Reserve, held: u64) -> Result<u64> {
    let mut totals = *totals;
    totals.set_prices(interest::prices_at(&totals.accrual(), now()?)?);
    totals.revenue(held)
}
