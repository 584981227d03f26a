//! The instruction that deposits SOL.

use super::take;
use crate::calls::Minting;
use crate::error::{
    CALCULATION_FAILURE, DEPOSIT_TOO_SMALL, EXCEEDED_SLIPPAGE, INVALID_FEE_ACCOUNT,
    INVALID_SOL_DEPOSIT_AUTHORITY,
};
use crate::state::{check_authority, StakePool};
use sluice_program::math::mul_div_floor;
use sluice_program::{system, Account, Address, ProgramError, Result};

/// The new pool tokens for the depositor, for the manager, and for the referrer.
struct Minted {
    user: u64,
    manager: u64,
    referrer: u64,
}

/// Deposits `lamports`. Fails with ExceededSlippage if the depositor would receive fewer than `minimum` tokens.
pub fn run(program: &Address, accounts: &[Account], lamports: u64, minimum: u64) -> Result {
    let (&accounts, rest) = take::<10>(accounts)?;
    let [pool_account, authority, reserve, from, destination, manager_fee, referrer_fee, mint, rest_fixed @ ..] =
        accounts;
    let [system_program, token_program] = rest_fixed;

    let mut pool = StakePool::load(program, pool_account)?;
    pool.check_withdraw_authority(program, pool_account, authority)?;
    check_authority(&pool.sol_deposit_authority, rest.first(), INVALID_SOL_DEPOSIT_AUTHORITY)?;
    pool.check_mint(mint)?;
    pool.check_reserve(reserve)?;
    pool.check_token_program(token_program)?;
    if *system_program.address() != system::PROGRAM {
        return Err(ProgramError::INCORRECT_PROGRAM_ID);
    }
    if *manager_fee.address() != pool.manager_fee_account {
        return Err(INVALID_FEE_ACCOUNT);
    }
    pool.check_updated()?;

    let minted = split(&pool, lamports).ok_or(CALCULATION_FAILURE)?;
    if minted.user == 0 {
        return Err(DEPOSIT_TOO_SMALL);
    }
    if minted.user < minimum {
        return Err(EXCEEDED_SLIPPAGE);
    }

    system::Transfer { from, to: reserve, lamports }.invoke(&[])?;
    let minting = Minting { pool: pool_account, token_program, mint, authority };
    minting.to(&pool, destination, minted.user)?;
    if minted.manager > 0 {
        minting.to(&pool, manager_fee, minted.manager)?;
    }
    if minted.referrer > 0 {
        minting.to(&pool, referrer_fee, minted.referrer)?;
    }

    let all = minted.user + minted.manager + minted.referrer;
    pool.token_supply = pool.token_supply.checked_add(all).ok_or(CALCULATION_FAILURE)?;
    pool.total_lamports = pool.total_lamports.checked_add(lamports).ok_or(CALCULATION_FAILURE)?;
    pool.store(pool_account)
}

/// Splits the new tokens. The fee is rounded up, the referrer's percentage of it down. Returns None if a part exceeds
/// the whole.
fn split(pool: &StakePool, lamports: u64) -> Option<Minted> {
    let all = pool.tokens_for(lamports)?;
    let fee = pool.sol_deposit_fee.of(all)?;
    let user = all.checked_sub(fee)?;
    let referrer = mul_div_floor(fee, pool.sol_referral_fee as u64, 100)?;
    Some(Minted { user, manager: fee.checked_sub(referrer)?, referrer })
}
