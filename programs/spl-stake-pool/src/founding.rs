//! A pool at its beginning.

use crate::fee::{Fee, FutureFee};
use crate::state::{StakePool, LOCKUP};
use sluice_program::Address;

/// What a new pool is made of.
pub struct Founding {
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
    /// Of deposits and withdrawals both of stake and of SOL.
    pub deposit_fee: Fee,
    pub withdrawal_fee: Fee,
    pub referral_fee: u8,
    pub sol_deposit_authority: Option<Address>,
}

impl StakePool {
    /// A pool without lamports and tokens.
    #[inline(never)]
    pub fn founded(founding: &Founding) -> Self {
        Self {
            manager: founding.manager,
            staker: founding.staker,
            stake_deposit_authority: founding.stake_deposit_authority,
            withdraw_bump: founding.withdraw_bump,
            validator_list: founding.validator_list,
            reserve: founding.reserve,
            mint: founding.mint,
            manager_fee_account: founding.manager_fee_account,
            token_program: founding.token_program,
            total_lamports: 0,
            token_supply: 0,
            last_update_epoch: founding.epoch,
            lockup: [0; LOCKUP],
            epoch_fee: founding.epoch_fee,
            next_epoch_fee: FutureFee::None,
            preferred_validators: [None; 2],
            stake_deposit_fee: founding.deposit_fee,
            stake_withdrawal_fee: founding.withdrawal_fee,
            next_stake_withdrawal_fee: FutureFee::None,
            stake_referral_fee: founding.referral_fee,
            sol_deposit_authority: founding.sol_deposit_authority,
            sol_deposit_fee: founding.deposit_fee,
            sol_referral_fee: founding.referral_fee,
            sol_withdraw_authority: None,
            sol_withdrawal_fee: founding.withdrawal_fee,
            next_sol_withdrawal_fee: FutureFee::None,
            last_epoch_token_supply: 0,
            last_epoch_total_lamports: 0,
        }
    }
}
