//! The program's only account: who administers it, its fee, and the loan that is out.

use crate::error::INVALID_AUTHORITY;
use sluice_program::{address, layout, Account, Address, Result};

pub const PROGRAM: Address = address!("jupgfSgfuAXv4B6R2Uxu85Z1qdzgju79s6MfZekN6XS");
pub const ADMIN_SEED: &[u8] = b"flashloan_admin";

const NAME: &str = "flashloan_admin";

layout! {
    pub struct Admin = "FlashloanAdmin" {
        pub authority: Address,
        pub liquidity_program: Address,
        /// Whether loans are given.
        pub status: bool,
        /// In hundredths of a percent.
        pub fee: u16,
        /// Unix seconds of the last loan.
        pub timestamp: u64,
        pub is_active: bool,
        /// What is out; 0 while nothing is.
        pub active_amount: u64,
        pub bump: u8,
    }
}

impl Admin {
    pub fn load(account: Account) -> Result<Self> {
        layout::load(account, &PROGRAM, NAME)
    }

    pub fn store(&self, account: Account) -> Result {
        layout::store(self, account)
    }

    pub fn check_authority(&self, signer: Account) -> Result {
        if self.authority == *signer.address() {
            Ok(())
        } else {
            Err(INVALID_AUTHORITY.of("authority"))
        }
    }
}
