//! The four instructions that withdraw assets for shares.

use crate::accounts::{Accounts, Context, Leading};
use crate::error::{MAX_AMOUNT, MIN_AMOUNT_OUT};
use crate::events::{self, Moved};
use crate::instructions::{numbers, return_number};
use crate::rates;
use sluice_lending::calls::Payee;
use sluice_program::interest::{LIBRARY_CASTING, PRICE_ONE};
use sluice_program::{anchor, math, token, Account, Result};

/// Argument: the assets, or the maximum of u64 for those of all shares. Returns the burned shares.
pub fn assets(accounts: &[Account], args: &[u8]) -> Result {
    let [assets] = numbers(args)?;
    let mut context = check(accounts)?;
    return_number(context.withdraw(assets)?.shares)
}

/// Arguments: the assets, the maximum of shares. Returns the burned shares.
pub fn assets_with_maximum(accounts: &[Account], args: &[u8]) -> Result {
    let [assets, maximum] = numbers(args)?;
    let mut context = check(accounts)?;
    let moved = context.withdraw(assets)?;
    if moved.shares > maximum {
        return Err(MAX_AMOUNT.into());
    }
    return_number(moved.shares)
}

/// Argument: the shares, or the maximum of u64 for all of the signer's. Returns the assets.
pub fn shares(accounts: &[Account], args: &[u8]) -> Result {
    let [shares] = numbers(args)?;
    let mut context = check(accounts)?;
    return_number(context.redeem(shares)?.assets)
}

/// Arguments: the shares, the minimum of assets. Returns nothing.
pub fn shares_with_minimum(accounts: &[Account], args: &[u8]) -> Result {
    let [shares, minimum] = numbers(args)?;
    let mut context = check(accounts)?;
    if context.redeem(shares)?.assets < minimum {
        return Err(MIN_AMOUNT_OUT.into());
    }
    Ok(())
}

#[inline(never)]
fn check<'a>(accounts: &[Account<'a>]) -> Result<Context<'a>> {
    let (&[signer, from, to, admin, lending, mint, ref rest @ ..], _) = anchor::accounts::<18>(accounts)?;
    let &[receipt_mint, reserve, position, rate_model, vault, _claim, ref programs @ ..] = rest;
    let leading = Leading { signer, admin, lending, mint };
    let accounts = Accounts::new(leading, [receipt_mint, reserve, position, rate_model, vault], *programs);
    Context::check(accounts, [from, to], [receipt_mint, mint])
}

impl Context<'_> {
    #[inline(never)]
    fn redeem(&mut self, shares: u64) -> Result<Moved> {
        let shares = if shares == u64::MAX { self.balance } else { shares };
        let mut state = self.checked.state;
        rates::refresh(&mut state, &self.checked.sources)?;
        let assets = math::mul_div_floor(shares, state.token_price, PRICE_ONE).ok_or(LIBRARY_CASTING)?;
        self.withdraw(assets)
    }

    #[inline(never)]
    fn withdraw(&mut self, assets: u64) -> Result<Moved> {
        let (liquidity, state) = (&self.accounts.liquidity, &mut self.checked.state);
        rates::update(state, liquidity.protocol, &self.checked.sources)?;
        let assets = if assets == u64::MAX {
            math::mul_div_floor(self.balance, state.token_price, PRICE_ONE).ok_or(LIBRARY_CASTING)?
        } else {
            assets
        };
        let shares = math::mul_div_ceil(assets, PRICE_ONE, state.token_price).ok_or(LIBRARY_CASTING)?;
        token::Burn {
            program: liquidity.token_program,
            source: self.from,
            mint: self.accounts.receipt_mint,
            authority: self.accounts.signer,
            amount: shares,
        }
        .invoke(&[])?;
        let signer = self.accounts.signer.address();
        let to = Payee { owner: signer, account: self.to, claim: None };
        state.sign(|seeds| liquidity.pay_out(assets, &to, seeds))?;
        let moved = Moved { assets, shares };
        events::withdraw(signer, &moved)?;
        Ok(moved)
    }
}
