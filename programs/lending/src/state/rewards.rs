//! The rewards of a token. The account belongs to the reward program.

use crate::keys::REWARDS_PROGRAM;
use sluice_program::{layout, Account, Address, Result};

layout! {
    /// The present and the queued rewards.
    #[derive(Clone, Copy)]
    pub struct Rewards = "LendingRewardsRateModel" {
        pub mint: Address,
        pub start_tvl: u64,
        pub duration: u64,
        pub start_time: u64,
        pub yearly_reward: u64,
        pub next_duration: u64,
        pub next_reward_amount: u64,
    }
}

impl Rewards {
    /// Reads the rewards. Fails with an error of Anchor's unless the account is the reward program's.
    pub fn load(account: Account) -> Result<Self> {
        layout::load(account, &REWARDS_PROGRAM, "rewards_rate_model")
    }
}
