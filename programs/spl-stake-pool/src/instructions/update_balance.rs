//! The instruction that updates a pool's balance in each epoch.

use super::take;
use crate::calls::Minting;
use crate::error::{CALCULATION_FAILURE, INVALID_FEE_ACCOUNT, INVALID_VALIDATOR_STAKE_LIST};
use crate::state::StakePool;
use crate::validators;
use sluice_program::math::mul_div_floor;
use sluice_program::sysvar::{Clock, Rent};
use sluice_program::{bytes, Account, Address, ProgramError, Result};

/// The offset of a mint's supply.
const SUPPLY: usize = 36;

/// Sets the pool's lamports to what the reserve and the validators hold now. An increase is a reward.
pub fn run(program: &Address, accounts: &[Account]) -> Result {
    let (&accounts, _) = take::<7>(accounts)?;
    let [pool_account, authority, validator_list, reserve, manager_fee, mint, token_program] = accounts;

    let mut pool = StakePool::load(program, pool_account)?;
    pool.check_mint(mint)?;
    pool.check_withdraw_authority(program, pool_account, authority)?;
    pool.check_reserve(reserve)?;
    if *manager_fee.address() != pool.manager_fee_account {
        return Err(INVALID_FEE_ACCOUNT);
    }
    if *validator_list.address() != pool.validator_list {
        return Err(INVALID_VALIDATOR_STAKE_LIST);
    }
    pool.check_token_program(token_program)?;

    let epoch = Clock::get()?.epoch;
    let staked = validators::total_lamports(program, validator_list, epoch)?;
    let reserve_rent = Rent::get()?.minimum_balance(reserve.data_len());
    let unstaked = reserve.lamports().saturating_sub(reserve_rent);
    let total = unstaked.checked_add(staked).ok_or(CALCULATION_FAILURE)?;

    let reward = total.saturating_sub(pool.total_lamports);
    if pool.manager_can_receive(manager_fee) {
        let fee = epoch_fee(&pool, reward).ok_or(CALCULATION_FAILURE)?;
        if fee > 0 {
            Minting { pool: pool_account, token_program, mint, authority }.to(&pool, manager_fee, fee)?;
        }
    }

    begin_epoch(&mut pool, epoch);
    pool.total_lamports = total;
    pool.token_supply = bytes::u64_at(&mint.data()?, SUPPLY).ok_or(ProgramError::INVALID_ACCOUNT_DATA)?;
    pool.store(pool_account)
}

/// Lets announced fees take effect, and keeps the previous numbers for estimates of the yield.
fn begin_epoch(pool: &mut StakePool, epoch: u64) {
    if pool.last_update_epoch >= epoch {
        return;
    }
    pool.next_epoch_fee.pass_epoch(&mut pool.epoch_fee);
    pool.next_stake_withdrawal_fee.pass_epoch(&mut pool.stake_withdrawal_fee);
    pool.next_sol_withdrawal_fee.pass_epoch(&mut pool.sol_withdrawal_fee);
    pool.last_update_epoch = epoch;
    pool.last_epoch_total_lamports = pool.total_lamports;
    pool.last_epoch_token_supply = pool.token_supply;
}

/// Returns the new pool tokens that are worth the manager's share of the reward after they are minted.
fn epoch_fee(pool: &StakePool, reward: u64) -> Option<u64> {
    if reward == 0 {
        return Some(0);
    }
    let total = pool.total_lamports.checked_add(reward)?;
    let fee = pool.epoch_fee.of(reward)?;
    if total == fee || pool.token_supply == 0 {
        return Some(reward);
    }
    mul_div_floor(pool.token_supply, fee, total.checked_sub(fee)?)
}
