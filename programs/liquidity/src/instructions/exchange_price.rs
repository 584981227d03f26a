//! The instruction that returns a reserve's exchange prices.

use crate::refresh::{now, refresh};
use crate::state::rate_model::RateModel;
use sluice_lending::state::Reserve;
use sluice_program::anchor::{self, decoded};
use sluice_program::bytes::{Reader, Writer};
use sluice_program::{cpi, Account, Result};

/// Argument: the mint. Any wallet may send it. Returns both prices as u128.
pub fn run(accounts: &[Account], args: &[u8]) -> Result {
    let mint = decoded(Reader::new(args).address())?;
    let (&[account, rate_model], _) = anchor::accounts(accounts)?;
    let mut reserve = Reserve::load(account)?;
    let rates = RateModel::load(rate_model)?;
    anchor::check_writable(account, "token_reserve")?;
    if reserve.mint != mint {
        return Err(anchor::CONSTRAINT_HAS_ONE.of("token_reserve"));
    }
    if rates.mint != mint {
        return Err(anchor::CONSTRAINT_HAS_ONE.of("rate_model"));
    }
    let prices = refresh(&mut reserve, &rates, now()?)?;
    reserve.store(account)?;

    let mut answer = [0; 32];
    let mut to = Writer::new(&mut answer);
    to.u128(prices.supply as u128)?;
    to.u128(prices.borrow as u128)?;
    cpi::set_return_data(&answer);
    Ok(())
}
