//! Deposits one or both tokens and mints LP tokens.

use super::amplification;
use crate::checks::{self, is, take};
use crate::curve;
use crate::error::{
    CALCULATION_FAILURE, EXCEEDED_SLIPPAGE, INCORRECT_MINT, INCORRECT_SWAP_ACCOUNT, INVALID_INPUT, IS_PAUSED,
};
use crate::fees::Fees;
use crate::report::{self, Event};
use crate::state::Pool;
use crate::transfer::{self, PoolSigner};
use sluice_program::math::narrow;
use sluice_program::wide;
use sluice_program::{Account, Address, Result};

/// The pool's balances and the deposited amounts, token A first.
struct Addition {
    held: [u64; 2],
    added: [u64; 2],
    lp_supply: u64,
}

/// Arguments: the amount of token A, the amount of token B, and the minimum of LP tokens. Fails with ExceededSlippage
/// if fewer LP tokens would be minted.
pub fn run(program: &Address, accounts: &[Account], &[a, b, minimum]: &[u64; 3]) -> Result {
    if a == 0 && b == 0 {
        return Ok(());
    }
    let &[pool_account, authority, user, source_a, source_b, reserve_a, reserve_b, lp_mint, destination, token_program] =
        take::<10>(accounts)?;
    let pool = Pool::load(pool_account)?;
    if pool.paused {
        return Err(IS_PAUSED);
    }
    checks::authority(program, pool_account, pool.nonce, authority)?;
    check_side(&pool.reserves[0], source_a, reserve_a)?;
    check_side(&pool.reserves[1], source_b, reserve_b)?;
    is(lp_mint, &pool.lp_mint, INCORRECT_MINT)?;

    let held = [checks::tokens(reserve_a)?.amount, checks::tokens(reserve_b)?.amount];
    let addition = Addition { held, added: [a, b], lp_supply: checks::mint(lp_mint)?.supply };
    let amplification = amplification(&pool)?;
    let minted = lp_for(amplification, &addition, &pool.fees).ok_or(CALCULATION_FAILURE)?;
    if minted < minimum {
        report::slippage(minimum, minted);
        return Err(EXCEEDED_SLIPPAGE);
    }

    transfer::take(token_program, source_a, reserve_a, user, a)?;
    transfer::take(token_program, source_b, reserve_b, user, b)?;
    let signer = PoolSigner { pool: pool_account, authority, token_program, nonce: pool.nonce };
    signer.mint(lp_mint, destination, minted)?;
    report::event(Event::Deposit, [a, b, minted, 0]);
    Ok(())
}

fn check_side(expected: &Address, source: Account, reserve: Account) -> Result {
    if source.address() == expected {
        return Err(INVALID_INPUT);
    }
    is(reserve, expected, INCORRECT_SWAP_ACCOUNT)
}

/// Returns the LP tokens for a deposit: the supply times the relative growth of the invariant, after the fees on the
/// amounts that the deposit shifts between the two tokens.
#[inline(never)]
fn lp_for(a: u64, addition: &Addition, fees: &Fees) -> Option<u64> {
    let [held_a, held_b] = addition.held;
    let before = curve::invariant(a, held_a, held_b)?;
    let mut new = [held_a.checked_add(addition.added[0])?, held_b.checked_add(addition.added[1])?];
    let after = curve::invariant(a, new[0], new[1])?;
    if after <= before {
        return None;
    }
    for (balance, held) in new.iter_mut().zip(addition.held) {
        let ideal = narrow(wide::mul_div_floor(after, held as u128, before)?)?;
        *balance = balance.checked_sub(fees.shift(ideal.abs_diff(*balance))?)?;
    }
    let grown = curve::invariant(a, new[0], new[1])?.checked_sub(before)?;
    narrow(wide::mul_div_floor(addition.lp_supply as u128, grown, before)?)
}
