//! The account with the rewards of one token.

mod create;

pub use create::create;

use sluice_program::{layout, Address};

layout! {
    /// The present rewards of one token and those that follow.
    #[derive(Clone, Copy)]
    pub struct Model = "LendingRewardsRateModel" {
        pub mint: Address,
        pub start_tvl: u64,
        /// In seconds.
        pub duration: u64,
        /// A Unix second, or zero before the first rewards.
        pub start_time: u64,
        pub yearly_reward: u64,
        pub next_duration: u64,
        pub next_reward_amount: u64,
        pub bump: u8,
    }
}
