//! Burns LP tokens for one of the two tokens.

use super::amplification;
use crate::checks::{self, is, take};
use crate::curve;
use crate::error::{
    CALCULATION_FAILURE, EXCEEDED_SLIPPAGE, INCORRECT_MINT, INCORRECT_SWAP_ACCOUNT, INVALID_ADMIN,
    INVALID_INPUT, IS_PAUSED,
};
use crate::fees::Fees;
use crate::report::{self, Event};
use crate::state::Pool;
use crate::transfer::PoolSigner;
use sluice_program::math::narrow;
use sluice_program::token::Burn;
use sluice_program::wide;
use sluice_program::{Account, Address, Result};

/// The LP tokens to be burned for one of the pool's tokens.
struct Removal {
    lp: u64,
    lp_supply: u64,
    /// The balances of the token that is paid out and of the other one.
    held: [u64; 2],
}

struct Payment {
    amount: u64,
    trade_fee: u64,
    admin_fee: u64,
}

/// Burns `lp` tokens. Fails with ExceededSlippage if fewer than `minimum_out` atoms would be paid out.
pub fn run(program: &Address, accounts: &[Account], lp: u64, minimum_out: u64) -> Result {
    if lp == 0 {
        return Ok(());
    }
    let &[pool_account, authority, user, lp_mint, source, base, quote, destination, admin_fee, token_program] =
        take::<10>(accounts)?;
    if base.is(quote) {
        return Err(INVALID_INPUT);
    }
    let pool = Pool::load(pool_account)?;
    if pool.paused {
        return Err(IS_PAUSED);
    }
    checks::authority(program, pool_account, pool.nonce, authority)?;
    let side = side_of(&pool, base)?;
    is(quote, &pool.reserves[1 - side], INCORRECT_SWAP_ACCOUNT)?;
    is(admin_fee, &pool.admin_fees[side], INVALID_ADMIN)?;
    is(lp_mint, &pool.lp_mint, INCORRECT_MINT)?;

    let lp_supply = checks::mint(lp_mint)?.supply;
    let held = [checks::tokens(base)?.amount, checks::tokens(quote)?.amount];
    let a = amplification(&pool)?;
    let payment = pay_one(a, &Removal { lp, lp_supply, held }, &pool.fees).ok_or(CALCULATION_FAILURE)?;
    if payment.amount < minimum_out {
        report::slippage(minimum_out, payment.amount);
        return Err(EXCEEDED_SLIPPAGE);
    }

    let signer = PoolSigner { pool: pool_account, authority, token_program, nonce: pool.nonce };
    signer.pay(base, destination, payment.amount)?;
    signer.pay(base, admin_fee, payment.admin_fee)?;
    Burn { program: token_program, source, mint: lp_mint, authority: user, amount: lp }.invoke(&[])?;

    if side == 0 {
        report::event(Event::WithdrawA, [payment.amount, 0, 0, payment.trade_fee]);
    } else {
        report::event(Event::WithdrawB, [0, payment.amount, 0, payment.trade_fee]);
    }
    report::event(Event::Burn, [0, 0, lp, 0]);
    Ok(())
}

fn side_of(pool: &Pool, reserve: Account) -> Result<usize> {
    pool.reserves.iter().position(|each| each == reserve.address()).ok_or(INCORRECT_SWAP_ACCOUNT)
}

#[inline(never)]
fn pay_one(a: u64, removal: &Removal, fees: &Fees) -> Option<Payment> {
    let (gross, trade_fee) = removed(a, removal, fees)?;
    let withdraw_fee = fees.withdraw.of(gross)?;
    let admin_fee = fees.admin_trade.of(trade_fee)?.checked_add(fees.admin_withdraw.of(withdraw_fee)?)?;
    Some(Payment { amount: gross.checked_sub(withdraw_fee)?, trade_fee, admin_fee })
}

/// Computes how much one token's balance falls when the invariant falls in proportion to the burned LP tokens, and
/// the fee on the amounts that this shifts between the two tokens.
#[inline(never)]
fn removed(a: u64, removal: &Removal, fees: &Fees) -> Option<(u64, u64)> {
    let &Removal { lp, lp_supply, held: [base, quote] } = removal;
    let before = curve::invariant(a, base, quote)?;
    let after = before.checked_sub(wide::mul_div_floor(lp as u128, before, lp_supply as u128)?)?;
    let without_fee = curve::balance(a, quote, after)?;

    let kept = |amount: u64| narrow(wide::mul_div_floor(amount as u128, after, before)?);
    let shift_base = kept(base)?.checked_sub(without_fee)?;
    let shift_quote = quote.checked_sub(kept(quote)?)?;
    let new_base = base.checked_sub(fees.shift(shift_base)?)?;
    let new_quote = quote.checked_sub(fees.shift(shift_quote)?)?;
    let gross = new_base.checked_sub(curve::balance(a, new_quote, after)?)?.checked_sub(1)?;
    let fee = base.checked_sub(without_fee)?.checked_sub(gross)?;
    Some((gross, fee))
}
