//! The instruction that updates a share's price.

use crate::rates::{self, Sources};
use crate::state::lending::Lending;
use crate::state::liquidity::Reserve;
use crate::state::rewards::Rewards;
use sluice_program::token::Mint;
use sluice_program::{anchor, Account, Result};

/// Updates the price of a share to the present time. Any wallet may send it.
pub fn run(accounts: &[Account]) -> Result {
    let (&[account, mint, receipt_mint, reserve, rewards], _) = anchor::accounts(accounts)?;
    let mut lending = Lending::load(account)?;
    Mint::load(mint, "mint")?;
    Mint::load(receipt_mint, "f_token_mint")?;
    let totals = Reserve::load(reserve)?;
    Rewards::load(rewards)?;
    anchor::check_writable(account, "lending")?;
    let belongs = lending.mint == *mint.address()
        && lending.receipt_mint == *receipt_mint.address()
        && lending.reserve == *reserve.address()
        && lending.rewards == *rewards.address()
        && totals.mint == *mint.address();
    if !belongs {
        return Err(anchor::CONSTRAINT_HAS_ONE.of("lending"));
    }
    rates::update(&mut lending, account, &Sources { receipt_mint, reserve, rewards })
}
