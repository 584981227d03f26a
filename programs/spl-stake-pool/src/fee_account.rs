//! The manager's account, to which fees are paid.

use crate::error::{INVALID_FEE_ACCOUNT, UNSUPPORTED_FEE_ACCOUNT_EXTENSION};
use crate::state::StakePool;
use sluice_program::{bytes, token, Account, ProgramError, Result};

/// The offset of a token account's state, and the state of an initialized account that is not frozen.
const STATE: usize = 108;
const INITIALIZED: u8 = 1;
const FROZEN: u8 = 2;
/// If an account has extensions, the byte after the fields tells its type.
const KIND: usize = 165;
const TOKEN_ACCOUNT: u8 = 2;
const MULTISIG_LEN: usize = 355;
/// TransferFeeAmount, ImmutableOwner and CpiGuard.
const FEE_ACCOUNT_EXTENSIONS: [u16; 3] = [2, 7, 11];

fn check_token_account(data: &[u8]) -> Result {
    if data.len() < KIND || data.len() == MULTISIG_LEN || data[STATE] > FROZEN {
        return Err(ProgramError::INVALID_ACCOUNT_DATA);
    }
    if data[STATE] == 0 {
        return Err(ProgramError::UNINITIALIZED_ACCOUNT);
    }
    if data.len() > KIND && data[KIND] != TOKEN_ACCOUNT {
        return Err(ProgramError::INVALID_ACCOUNT_DATA);
    }
    Ok(())
}

impl StakePool {
    /// Returns whether the manager's account can receive tokens. If it cannot, withdrawals and rewards pay no fee.
    pub fn manager_can_receive(&self, account: Account) -> bool {
        self.check_manager_fee_account(account).is_ok()
    }

    /// Checks an account for the manager's fees. Fails with InvalidFeeAccount or an error of the token account unless
    /// it is a token account of the pool's mint that can receive tokens.
    pub fn check_manager_fee_account(&self, account: Account) -> Result {
        let data = account.data()?;
        check_token_account(&data)?;
        let takes_tokens = account.is_owned_by(&self.token_program)
            && data[STATE] == INITIALIZED
            && bytes::address_at(&data, 0) == Some(self.mint);
        if !takes_tokens {
            return Err(INVALID_FEE_ACCOUNT);
        }
        if token::extensions(&data).all(|(kind, _)| FEE_ACCOUNT_EXTENSIONS.contains(&kind)) {
            Ok(())
        } else {
            Err(UNSUPPORTED_FEE_ACCOUNT_EXTENSION)
        }
    }
}
