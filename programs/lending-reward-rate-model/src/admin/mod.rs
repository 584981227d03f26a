//! The program's administration and its instructions.

mod create;
mod update_authority;
mod update_auths;

pub use create::create;
pub use update_authority::update_authority;
pub use update_auths::update_auths;

use crate::error::{ONLY_AUTHORITY, ONLY_AUTHS};
use crate::PROGRAM;
use sluice_program::anchor;
use sluice_program::members::Members;
use sluice_program::{layout, Account, Address, Result};

const NAME: &str = "lending_rewards_admin";

layout! {
    /// The authority and the addresses (auths) that may set rewards.
    pub struct Admin = "LendingRewardsAdmin" {
        pub authority: Address,
        pub lending_program: Address,
        pub auths: Members<10>,
        bump: u8,
    }
}

impl Admin {
    /// Reads the account. Fails with an error of Anchor's unless it is the program's.
    pub fn load(account: Account) -> Result<Self> {
        layout::load(account, &PROGRAM, NAME)
    }

    fn store(&self, account: Account) -> Result {
        layout::store(self, account)
    }

    /// Fails with OnlyAuths unless `authority` is an auth.
    pub fn check_auth(&self, authority: Account) -> Result {
        if self.auths.contains(authority.address()) {
            Ok(())
        } else {
            Err(ONLY_AUTHS.of("authority"))
        }
    }
}

fn by_authority<'a>(accounts: &[Account<'a>]) -> Result<(Admin, Account<'a>)> {
    let (&[authority, account], _) = anchor::accounts(accounts)?;
    anchor::check_signer(authority, "authority")?;
    let admin = Admin::load(account)?;
    if admin.authority != *authority.address() {
        return Err(ONLY_AUTHORITY.of("authority"));
    }
    anchor::check_writable(account, NAME)?;
    Ok((admin, account))
}
