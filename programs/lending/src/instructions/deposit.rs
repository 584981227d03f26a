//! The four instructions that deposit assets for shares.

use crate::accounts::{Accounts, Context, Leading};
use crate::error::{DEPOSIT_INSIGNIFICANT, MAX_AMOUNT, MIN_AMOUNT_OUT};
use crate::events::{self, Moved};
use crate::instructions::{numbers, return_number};
use crate::keys::ADMIN_SEED;
use crate::rates;
use crate::state::liquidity::supplied;
use sluice_program::interest::{LIBRARY_CASTING, LIBRARY_MATH, PRICE_ONE};
use sluice_program::{anchor, math, token, Account, Result};

/// Argument: the assets, or the maximum of u64 for the signer's whole balance. Returns the shares.
pub fn assets(accounts: &[Account], args: &[u8]) -> Result {
    let [assets] = numbers(args)?;
    let mut context = check(accounts)?;
    let moved = context.deposit(assets)?;
    return_number(moved.shares)
}

/// Arguments: the assets, the minimum of shares. Returns nothing.
pub fn assets_with_minimum(accounts: &[Account], args: &[u8]) -> Result {
    let [assets, minimum] = numbers(args)?;
    let mut context = check(accounts)?;
    if context.deposit(assets)?.shares < minimum {
        return Err(MIN_AMOUNT_OUT.into());
    }
    Ok(())
}

/// Argument: the shares, or the maximum of u64 for those that the signer's whole balance buys. Returns the assets.
pub fn shares(accounts: &[Account], args: &[u8]) -> Result {
    let [shares] = numbers(args)?;
    let mut context = check(accounts)?;
    let assets = context.mint(shares)?;
    return_number(assets)
}

/// Arguments: the shares, the maximum of assets. Returns the assets.
pub fn shares_with_maximum(accounts: &[Account], args: &[u8]) -> Result {
    let [shares, maximum] = numbers(args)?;
    let mut context = check(accounts)?;
    let assets = context.mint(shares)?;
    if assets > maximum {
        return Err(MAX_AMOUNT.into());
    }
    return_number(assets)
}

#[inline(never)]
fn check<'a>(accounts: &[Account<'a>]) -> Result<Context<'a>> {
    let (&[signer, from, to, mint, admin, lending, ref rest @ ..], _) = anchor::accounts::<17>(accounts)?;
    let &[receipt_mint, reserve, position, rate_model, vault, ref programs @ ..] = rest;
    let leading = Leading { signer, admin, lending, mint };
    let accounts = Accounts::new(leading, [receipt_mint, reserve, position, rate_model, vault], *programs);
    Context::check(accounts, [from, to], [mint, receipt_mint])
}

impl Context<'_> {
    #[inline(never)]
    fn mint(&mut self, shares: u64) -> Result<u64> {
        let assets = if shares == u64::MAX {
            self.balance
        } else {
            let mut state = self.checked.state;
            rates::refresh(&mut state, &self.checked.sources)?;
            math::mul_div_ceil(shares, state.token_price, PRICE_ONE).ok_or(LIBRARY_CASTING)?
        };
        Ok(self.deposit(assets)?.assets)
    }

    #[inline(never)]
    fn deposit(&mut self, assets: u64) -> Result<Moved> {
        let assets = if assets == u64::MAX { self.balance } else { assets };
        let (liquidity, state) = (&self.accounts.liquidity, &mut self.checked.state);
        let before = supplied(liquidity.position)?;
        state.sign(|seeds| liquidity.announce(seeds))?;
        token::TransferChecked {
            program: liquidity.token_program,
            source: self.from,
            mint: liquidity.mint,
            destination: liquidity.vault,
            authority: self.accounts.signer,
            amount: assets,
            decimals: self.checked.decimals,
        }
        .invoke(&[])?;
        state.sign(|seeds| liquidity.pay_in(assets, seeds))?;
        rates::update(state, liquidity.protocol, &self.checked.sources)?;

        let raw = supplied(liquidity.position)?.checked_sub(before).ok_or(LIBRARY_MATH)?;
        let registered = math::mul_div_floor(raw, state.liquidity_price, PRICE_ONE).ok_or(LIBRARY_CASTING)?;
        let shares = math::mul_div_floor(registered, PRICE_ONE, state.token_price).ok_or(LIBRARY_CASTING)?;
        if shares == 0 {
            return Err(DEPOSIT_INSIGNIFICANT.into());
        }
        token::MintTo {
            program: liquidity.token_program,
            mint: self.accounts.receipt_mint,
            destination: self.to,
            authority: self.accounts.admin,
            amount: shares,
        }
        .invoke(&[&[ADMIN_SEED, &[self.checked.admin_bump]]])?;
        let moved = Moved { assets, shares };
        events::deposit(self.accounts.signer.address(), &moved)?;
        Ok(moved)
    }
}
