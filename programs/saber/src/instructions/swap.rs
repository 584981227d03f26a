//! Swaps one of the pool's tokens for the other.

use super::amplification;
use crate::checks::{self, is, take};
use crate::curve;
use crate::error::{
    CALCULATION_FAILURE, EXCEEDED_SLIPPAGE, INCORRECT_SWAP_ACCOUNT, INVALID_ADMIN, INVALID_INPUT, IS_PAUSED,
};
use crate::fees::Fees;
use crate::report::{self, Event};
use crate::state::Pool;
use crate::transfer::{self, PoolSigner};
use sluice_program::{Account, Address, Result};

struct Swapped {
    output: u64,
    fee: u64,
    admin_fee: u64,
}

/// Swaps `amount_in` atoms. Fails with ExceededSlippage if fewer than `minimum_out` would be paid out.
pub fn run(program: &Address, accounts: &[Account], amount_in: u64, minimum_out: u64) -> Result {
    // The public program then does nothing and does not check the accounts either.
    if amount_in == 0 {
        return Ok(());
    }
    let &[pool_account, authority, user, source, reserve_in, reserve_out, destination, admin_fee, token_program] =
        take::<9>(accounts)?;
    if reserve_in.is(reserve_out) {
        return Err(INVALID_INPUT);
    }
    let pool = Pool::load(pool_account)?;
    if pool.paused {
        return Err(IS_PAUSED);
    }
    if pool.reserves.contains(source.address()) {
        return Err(INVALID_INPUT);
    }
    checks::authority(program, pool_account, pool.nonce, authority)?;
    let output = output_side(&pool, reserve_in)?;
    is(reserve_out, &pool.reserves[output], INCORRECT_SWAP_ACCOUNT)?;
    is(admin_fee, &pool.admin_fees[output], INVALID_ADMIN)?;

    let held = [checks::tokens(reserve_in)?.amount, checks::tokens(reserve_out)?.amount];
    let a = amplification(&pool)?;
    let swapped = swap(a, amount_in, &held, &pool.fees).ok_or(CALCULATION_FAILURE)?;
    if swapped.output < minimum_out {
        report::slippage(minimum_out, swapped.output);
        return Err(EXCEEDED_SLIPPAGE);
    }

    transfer::take(token_program, source, reserve_in, user, amount_in)?;
    let signer = PoolSigner { pool: pool_account, authority, token_program, nonce: pool.nonce };
    signer.pay(reserve_out, destination, swapped.output)?;
    signer.pay(reserve_out, admin_fee, swapped.admin_fee)?;

    if output == 1 {
        report::event(Event::SwapAToB, [amount_in, swapped.output, 0, swapped.fee]);
    } else {
        report::event(Event::SwapBToA, [swapped.output, amount_in, 0, swapped.fee]);
    }
    Ok(())
}

fn output_side(pool: &Pool, reserve_in: Account) -> Result<usize> {
    if *reserve_in.address() == pool.reserves[0] {
        Ok(1)
    } else if *reserve_in.address() == pool.reserves[1] {
        Ok(0)
    } else {
        Err(INCORRECT_SWAP_ACCOUNT)
    }
}

/// Computes a swap. The amount is one atom less than the curve returns, minus the fee.
#[inline(never)]
fn swap(a: u64, amount_in: u64, &[held_in, held_out]: &[u64; 2], fees: &Fees) -> Option<Swapped> {
    let d = curve::invariant(a, held_in, held_out)?;
    let left = curve::balance(a, held_in.checked_add(amount_in)?, d)?;
    let gross = held_out.checked_sub(left)?.checked_sub(1)?;
    let fee = fees.trade.of(gross)?;
    let admin_fee = fees.admin_trade.of(fee)?;
    let output = gross.checked_sub(fee)?;
    held_out.checked_sub(output)?.checked_sub(admin_fee)?;
    Some(Swapped { output, fee, admin_fee })
}
