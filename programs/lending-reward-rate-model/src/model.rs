//! The rewards of one token.

use crate::admin::Admin;
use crate::PROGRAM;
use sluice_program::layout::Layout;
use sluice_program::token::Mint;
use sluice_program::{anchor, layout, system, Account, Address, Result};

const SEED: &[u8] = b"lending_rewards_rate_model";
const NAME: &str = "lending_rewards_rate_model";

layout! {
    #[derive(Clone, Copy)]
    pub struct Model = "LendingRewardsRateModel" {
        pub mint: Address,
        pub start_tvl: u64,
        /// Seconds.
        pub duration: u64,
        /// Unix seconds; zero before any rewards.
        pub start_time: u64,
        pub yearly_reward: u64,
        pub next_duration: u64,
        pub next_reward_amount: u64,
        pub bump: u8,
    }
}

impl Model {
    pub fn load(account: Account) -> Result<Self> {
        layout::load(account, &PROGRAM, NAME)
    }

    pub fn store(&self, account: Account) -> Result {
        layout::store(self, account)
    }

    /// The second after which there are no more of these rewards.
    pub fn end(&self) -> u64 {
        self.start_time.saturating_add(self.duration)
    }

    pub fn has_queued(&self) -> bool {
        self.next_reward_amount != 0
    }
}

/// Signed by an auth. A token without rewards yet.
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
