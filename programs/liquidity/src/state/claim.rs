//! A claim: tokens that a user may withdraw later instead of being paid at once.

use crate::keys::PROGRAM;
use sluice_program::{layout, Account, Address, Result};

layout! {
    /// The claim of a user for one mint.
    #[derive(Clone, Copy)]
    pub struct Claim = "UserClaim" {
        pub user: Address,
        pub amount: u64,
        pub mint: Address,
    }
}

impl Claim {
    /// Reads a claim. Fails with an error of Anchor's unless the account is one.
    pub fn load(account: Account, name: &str) -> Result<Self> {
        layout::load_zero_copy(account, &PROGRAM, name)
    }

    /// Writes the claim.
    pub fn store(&self, account: Account) -> Result {
        layout::store(self, account)
    }
}
