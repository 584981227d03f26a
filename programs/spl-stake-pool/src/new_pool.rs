//! The state of a new pool.

use crate::fee::{Fee, FutureFee};
use crate::state::{StakePool, LOCKUP};
use sluice_program::Address;

/// The terms of a new pool.
pub struct NewPool {
    pub manager: Address,
    pub staker: Address,
    pub stake_deposit_authority: Address,
    pub withdraw_bump: u8,
    pub validator_list: Address,
    pub reserve: Address,
    pub mint: Address,
    pub manager_fee_account: Address,
    pub token_program: Address,
    pub epoch: u64,
    pub epoch_fee: Fee,
    /// The fees of deposits and withdrawals, both of stake and of SOL.
    pub deposit_fee: Fee,
    pub withdrawal_fee: Fee,
    pub referral_fee: u8,
    pub sol_deposit_authority: Option<Address>,
}

impl StakePool {
    /// Returns a pool without lamports and tokens.
    #[inline(never)]
    pub fn new(terms: &NewPool) -> Self {
        Self {
            manager: terms.manager,
            staker: terms.staker,
            stake_deposit_authority: terms.stake_deposit_authority,
            withdraw_bump: terms.withdraw_bump,
            validator_list: terms.validator_list,
            reserve: terms.reserve,
            mint: terms.mint,
            manager_fee_account: terms.manager_fee_account,
            token_program: terms.token_program,
            total_lamports: 0,
            token_supply: 0,
            last_update_epoch: terms.epoch,
            lockup: [0; LOCKUP],
            epoch_fee: terms.epoch_fee,
            next_epoch_fee: FutureFee::None,
            preferred_validators: [None; 2],
            stake_deposit_fee: terms.deposit_fee,
            stake_withdrawal_fee: terms.withdrawal_fee,
            next_stake_withdrawal_fee: FutureFee::None,
            stake_referral_fee: terms.referral_fee,
            sol_deposit_authority: terms.sol_deposit_authority,
            sol_deposit_fee: terms.deposit_fee,
            sol_referral_fee: terms.referral_fee,
            sol_withdraw_authority: None,
            sol_withdrawal_fee: terms.withdrawal_fee,
            next_sol_withdrawal_fee: FutureFee::None,
            last_epoch_token_supply: 0,
            last_epoch_total_lamports: 0,
        }
    }
}
