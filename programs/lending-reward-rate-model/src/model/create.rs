//! The instruction `init_lending_rewards_rate_model`.

use super::Model;
use crate::admin::Admin;
use crate::PROGRAM;
use sluice_program::layout::Layout;
use sluice_program::token::Mint;
use sluice_program::{anchor, layout, system, Account, Result};

const SEED: &[u8] = b"lending_rewards_rate_model";
const NAME: &str = "lending_rewards_rate_model";

impl Model {
    /// Reads the account. Fails with an error of Anchor's unless it is the program's.
    pub fn load(account: Account) -> Result<Self> {
        layout::load(account, &PROGRAM, NAME)
    }

    /// Writes the account.
    pub fn store(&self, account: Account) -> Result {
        layout::store(self, account)
    }

    /// Returns the second in which the present rewards end.
    pub fn end(&self) -> u64 {
        self.start_time.saturating_add(self.duration)
    }

    /// Returns whether other rewards follow the present ones.
    pub fn has_queued(&self) -> bool {
        self.next_reward_amount != 0
    }
}

/// Creates the account for a token, without rewards. Signed by an auth.
pub fn create(accounts: &[Account]) -> Result {
    let (&[authority, admin, mint, account, system_program], _) = anchor::accounts(accounts)?;
    anchor::check_signer(authority, "authority")?;
    let admin = Admin::load(admin)?;
    Mint::load(mint, "mint")?;
    let mint = mint.address();
    let bump = anchor::CreateDerived {
        payer: authority,
        account,
        seeds: &[SEED, &mint.0],
        space: Model::SPACE,
        program: &PROGRAM,
        owner: &PROGRAM,
        name: NAME,
    }
    .invoke()?;
    anchor::check_program(system_program, &[system::PROGRAM], "system_program")?;
    admin.check_auth(authority)?;
    Model {
        mint: *mint,
        start_tvl: 0,
        duration: 0,
        start_time: 0,
        yearly_reward: 0,
        next_duration: 0,
        next_reward_amount: 0,
        bump,
    }
    .store(account)
}
