//! Burns LP tokens for a proportional share of both tokens.

use crate::checks::{self, is, take};
use crate::error::{
    CALCULATION_FAILURE, EMPTY_POOL, EXCEEDED_SLIPPAGE, INCORRECT_MINT, INCORRECT_SWAP_ACCOUNT, INVALID_ADMIN,
};
use crate::fees::Fees;
use crate::report::{self, Event};
use crate::state::Pool;
use crate::transfer::PoolSigner;
use sluice_program::math::mul_div_floor;
use sluice_program::token::Burn;
use sluice_program::{Account, Address, Result};

struct Payment {
    amount: u64,
    fee: u64,
    admin_fee: u64,
}

/// Arguments: the LP tokens, and the minimum of token A and of token B. A paused pool allows withdrawals too. Fails
/// with ExceededSlippage if less than a minimum would be paid out.
pub fn run(program: &Address, accounts: &[Account], &[lp, minimum_a, minimum_b]: &[u64; 3]) -> Result {
    if lp == 0 {
        return Ok(());
    }
    let &[pool_account, authority, user, lp_mint, source, reserve_a, reserve_b, rest @ ..] =
        take::<12>(accounts)?;
    let [to_a, to_b, admin_a, admin_b, token_program] = rest;
    let pool = Pool::load(pool_account)?;
    checks::authority(program, pool_account, pool.nonce, authority)?;
    for (side, reserve, admin) in [(0, reserve_a, admin_a), (1, reserve_b, admin_b)] {
        is(reserve, &pool.reserves[side], INCORRECT_SWAP_ACCOUNT)?;
        is(admin, &pool.admin_fees[side], INVALID_ADMIN)?;
    }
    is(lp_mint, &pool.lp_mint, INCORRECT_MINT)?;
    let supply = checks::mint(lp_mint)?.supply;
    if supply == 0 {
        return Err(EMPTY_POOL);
    }
    let held = [checks::tokens(reserve_a)?.amount, checks::tokens(reserve_b)?.amount];

    let payment_a = payment(mul_div_floor(lp, held[0], supply), &pool.fees, minimum_a)?;
    let payment_b = payment(mul_div_floor(lp, held[1], supply), &pool.fees, minimum_b)?;
    let signer = PoolSigner { pool: pool_account, authority, token_program, nonce: pool.nonce };
    signer.pay(reserve_a, to_a, payment_a.amount)?;
    signer.pay(reserve_a, admin_a, payment_a.admin_fee)?;
    signer.pay(reserve_b, to_b, payment_b.amount)?;
    signer.pay(reserve_b, admin_b, payment_b.admin_fee)?;
    Burn { program: token_program, source, mint: lp_mint, authority: user, amount: lp }.invoke(&[])?;

    report::event(Event::WithdrawA, [payment_a.amount, 0, 0, payment_a.fee]);
    report::event(Event::WithdrawB, [0, payment_b.amount, 0, payment_b.fee]);
    report::event(Event::Burn, [0, 0, lp, 0]);
    Ok(())
}

fn payment(share: Option<u64>, fees: &Fees, minimum: u64) -> Result<Payment> {
    let payment = share.and_then(|share| after_fees(share, fees)).ok_or(CALCULATION_FAILURE)?;
    if payment.amount < minimum {
        report::slippage(minimum, payment.amount);
        return Err(EXCEEDED_SLIPPAGE);
    }
    Ok(payment)
}

fn after_fees(share: u64, fees: &Fees) -> Option<Payment> {
    let fee = fees.withdraw.of(share)?;
    Some(Payment { amount: share.checked_sub(fee)?, fee, admin_fee: fees.admin_withdraw.of(fee)? })
}
