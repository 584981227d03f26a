//! The manager's account, which fees are paid into.

use crate::error::{INVALID_FEE_ACCOUNT, UNSUPPORTED_FEE_ACCOUNT_EXTENSION};
use crate::state::StakePool;
use sluice_program::{bytes, token, Account, ProgramError, Result};

/// Of a token account: where its state stands, and that of one that is neither new nor frozen.
const STATE: usize = 108;
const INITIALIZED: u8 = 1;
const FROZEN: u8 = 2;
/// With extensions, a byte behind the fields says what the account is.
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
    /// Whether the manager's account can take tokens: one that cannot earns no fee on withdrawals and rewards.
    pub fn manager_can_receive(&self, account: Account) -> bool {
        self.check_manager_fee_account(account).is_ok()
    }

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
