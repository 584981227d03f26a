//! What a user may fetch later, instead of being paid at once.

use crate::keys::PROGRAM;
use sluice_program::{layout, Account, Address, Result};

layout! {
    #[derive(Clone, Copy)]
    pub struct Claim = "UserClaim" {
        pub user: Address,
        pub amount: u64,
        pub mint: Address,
    }
}

impl Claim {
    pub fn load(account: Account, name: &str) -> Result<Self> {
        layout::load_zero_copy(account, &PROGRAM, name)
    }

    pub fn store(&self, account: Account) -> Result {
        layout::store(self, account)
    }
}
