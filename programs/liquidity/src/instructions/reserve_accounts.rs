//! The accounts of instructions that change the terms of a reserve's rates and prices.

use crate::checks;
use crate::state::rate_model::RateModel;
use sluice_lending::state::Reserve;
use sluice_program::token::Mint;
use sluice_program::{anchor, Account, Result};

/// A reserve with its rate model. Both belong to the given mint.
pub struct ReserveAccounts<'a> {
    pub account: Account<'a>,
    pub rate_model: Account<'a>,
    pub reserve: Reserve,
    pub rates: RateModel,
    pub mint: Mint,
}

impl<'a> ReserveAccounts<'a> {
    /// Checks the accounts, in the interface's order: authority, auth list, rate model, mint, reserve. Signed by an
    /// auth.
    #[inline(never)]
    pub fn by_auth(accounts: &[Account<'a>]) -> Result<Self> {
        let (&[authority, auth_list, rate_model, mint, reserve], _) = anchor::accounts(accounts)?;
        checks::by_auth(authority, auth_list)?;
        let loaded = Self::load(rate_model, mint, reserve)?;
        anchor::check_writable(rate_model, "rate_model")?;
        Ok(loaded)
    }

    /// Reads the accounts. Fails with an error of Anchor's unless both belong to the mint.
    #[inline(never)]
    pub fn load(rate_model: Account<'a>, mint: Account<'a>, account: Account<'a>) -> Result<Self> {
        let rates = RateModel::load(rate_model)?;
        let terms = Mint::load(mint, "mint")?;
        let reserve = Reserve::load(account)?;
        checks::has_one(&rates.mint, mint, "rate_model")?;
        anchor::check_writable(account, "token_reserve")?;
        checks::has_one(&reserve.mint, mint, "token_reserve")?;
        Ok(Self { account, rate_model, reserve, rates, mint: terms })
    }
}
