//! The instruction that withdraws SOL.

use super::take;
use crate::calls::{StakeWithdrawal, CLOCK_SYSVAR, STAKE_HISTORY_SYSVAR, STAKE_PROGRAM};
use crate::error::{
    CALCULATION_FAILURE, EXCEEDED_SLIPPAGE, INVALID_FEE_ACCOUNT, INVALID_SOL_WITHDRAW_AUTHORITY,
    SOL_WITHDRAWAL_TOO_LARGE, WITHDRAWAL_TOO_SMALL,
};
use crate::state::{check_authority, StakePool};
use sluice_program::sysvar::Rent;
use sluice_program::token::{Burn, TransferChecked};
use sluice_program::{log, Account, Address, ProgramError, Result};

/// Withdraws SOL for `tokens`. Fails with ExceededSlippage if fewer than `minimum` lamports would be paid out.
pub fn run(program: &Address, accounts: &[Account], tokens: u64, minimum: u64) -> Result {
    let (&accounts, rest) = take::<12>(accounts)?;
    let [pool_account, authority, user, tokens_from, reserve, destination, manager_fee, mint, rest_fixed @ ..] =
        accounts;
    let [clock, stake_history, stake_program, token_program] = rest_fixed;

    let mut pool = StakePool::load(program, pool_account)?;
    pool.check_withdraw_authority(program, pool_account, authority)?;
    check_authority(&pool.sol_withdraw_authority, rest.first(), INVALID_SOL_WITHDRAW_AUTHORITY)?;
    let decimals = pool.check_mint(mint)?;
    pool.check_reserve(reserve)?;
    pool.check_token_program(token_program)?;
    if *stake_program.address() != STAKE_PROGRAM {
        return Err(ProgramError::INCORRECT_PROGRAM_ID);
    }
    // The public program calls with these addresses, whatever accounts it was given. The call fails without them.
    if *clock.address() != CLOCK_SYSVAR || *stake_history.address() != STAKE_HISTORY_SYSVAR {
        return Err(ProgramError::INVALID_ARGUMENT);
    }
    if *manager_fee.address() != pool.manager_fee_account {
        return Err(INVALID_FEE_ACCOUNT);
    }
    pool.check_updated()?;

    let exempt = tokens_from.is(manager_fee) || !pool.manager_can_receive(manager_fee);
    let fee = if exempt { 0 } else { pool.sol_withdrawal_fee.of(tokens).ok_or(CALCULATION_FAILURE)? };
    let burnt = tokens.checked_sub(fee).ok_or(CALCULATION_FAILURE)?;
    let lamports = pool.lamports_for(burnt).ok_or(CALCULATION_FAILURE)?;
    if lamports == 0 {
        return Err(WITHDRAWAL_TOO_SMALL);
    }
    if lamports < minimum {
        return Err(EXCEEDED_SLIPPAGE);
    }
    check_reserve_left(reserve, lamports)?;

    Burn { program: token_program, source: tokens_from, mint, authority: user, amount: burnt }.invoke(&[])?;
    if fee > 0 {
        let (source, destination) = (tokens_from, manager_fee);
        TransferChecked {
            program: token_program,
            source,
            mint,
            destination,
            authority: user,
            amount: fee,
            decimals,
        }
        .invoke(&[])?;
    }
    StakeWithdrawal { pool: pool_account, stake: reserve, destination, clock, stake_history, authority }
        .invoke(&pool, lamports)?;

    pool.token_supply = pool.token_supply.checked_sub(burnt).ok_or(CALCULATION_FAILURE)?;
    pool.total_lamports = pool.total_lamports.checked_sub(lamports).ok_or(CALCULATION_FAILURE)?;
    pool.store(pool_account)
}

/// Checks that the reserve stays exempt from rent.
fn check_reserve_left(reserve: Account, lamports: u64) -> Result {
    let least = Rent::get()?.minimum_balance(reserve.data_len());
    if reserve.lamports().saturating_sub(lamports) >= least {
        return Ok(());
    }
    log::Line::new()
        .text("Attempting to withdraw ")
        .number(lamports)
        .text(" lamports, maximum possible SOL withdrawal is ")
        .number(reserve.lamports().saturating_sub(least))
        .text(" lamports")
        .emit();
    Err(SOL_WITHDRAWAL_TOO_LARGE)
}
