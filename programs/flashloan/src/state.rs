//! The program's only account: its administration, its fee, and the outstanding loan.

use crate::error::INVALID_AUTHORITY;
use sluice_program::{address, layout, Account, Address, Result};

pub const PROGRAM: Address = address!("jupgfSgfuAXv4B6R2Uxu85Z1qdzgju79s6MfZekN6XS");
pub const ADMIN_SEED: &[u8] = b"flashloan_admin";

const NAME: &str = "flashloan_admin";

layout! {
    /// The state of the program.
    pub struct Admin = "FlashloanAdmin" {
        pub authority: Address,
        pub liquidity_program: Address,
        /// Whether loans are granted.
        pub status: bool,
        /// The fee in hundredths of a percent.
        pub fee: u16,
        /// The Unix second of the last loan.
        pub timestamp: u64,
        pub is_active: bool,
        /// The outstanding amount, or 0 if there is no loan.
        pub active_amount: u64,
        pub bump: u8,
    }
}

impl Admin {
    /// Reads the account. Fails with an error of Anchor's unless it is the program's.
    pub fn load(account: Account) -> Result<Self> {
        layout::load(account, &PROGRAM, NAME)
    }

    /// Writes the account.
    pub fn store(&self, account: Account) -> Result {
        layout::store(self, account)
    }

    /// Fails with FlashloanInvalidAuthority unless `signer` is the authority.
    pub fn check_authority(&self, signer: Account) -> Result {
        if self.authority == *signer.address() {
            Ok(())
        } else {
            Err(INVALID_AUTHORITY.of("authority"))
        }
    }
}
