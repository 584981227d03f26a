//! The instruction `increase_liquidity_by_token_amounts_v2`.

use super::{behind, check, deposit};
use crate::change::max_liquidity;
use crate::error::{LIQUIDITY_ZERO, PRICE_SLIPPAGE};
use crate::instructions::liquidity::Args;
use crate::instructions::slices::{self, Hooks};
use crate::token::fee_of;
use sluice_program::anchor::decoded;
use sluice_program::bytes::Reader;
use sluice_program::{Account, Result};

/// The offered amounts of both tokens, and the bounds of the price.
struct Offer {
    amounts: [u64; 2],
    prices: [u128; 2],
}

fn read_offer(reader: &mut Reader) -> Option<Offer> {
    // 0 is the only method in which amounts can be given.
    if reader.u8()? != 0 {
        return None;
    }
    Some(Offer { amounts: [reader.u64()?, reader.u64()?], prices: [reader.u128()?, reader.u128()?] })
}

/// Arguments: the method (0), the maximum of token A and of token B, the minimum and the maximum price, slices. Adds
/// the maximum liquidity for which the tokens suffice.
pub fn increase_by_amounts(accounts: &[Account], args: &[u8]) -> Result {
    let mut reader = Reader::new(args);
    let offer = decoded(read_offer(&mut reader))?;
    let slices = decoded(slices::read(&mut reader))?;
    let (context, mut state) = check(accounts, &Args { liquidity: 0, limits: offer.amounts }, false)?;
    let [lowest, highest] = offer.prices;
    if !(lowest..=highest).contains(&state.pool.sqrt_price) {
        return Err(PRICE_SLIPPAGE.into());
    }
    let mut arriving = offer.amounts;
    for (amount, side) in arriving.iter_mut().zip(&context.sides) {
        *amount -= fee_of(side.mint, *amount)?;
    }
    state.liquidity = max_liquidity(&state.pool, &state.position, &arriving)?;
    if state.liquidity == 0 {
        return Err(LIQUIDITY_ZERO.into());
    }
    slices::check_hooks(slices, behind(accounts), Hooks::Pool)?;
    deposit(&context, &mut state)
}
