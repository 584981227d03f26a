//! The fees of a configuration, and the volatility of a pool.

use sluice_program::layout;

layout! {
    /// The base fee. The three factors mean the number of periods, their length and the reduction, or for the rate
    /// limiter the increment, the maximum duration and the reference amount.
    #[derive(Clone, Copy)]
    pub struct BaseFee {
        pub cliff: u64,
        pub second_factor: u64,
        pub third_factor: u64,
        pub first_factor: u16,
        pub mode: u8,
        pub padding: [u8; 5],
    }
}

layout! {
    /// The dynamic fee, which rises with the volatility.
    #[derive(Clone, Copy)]
    pub struct DynamicFee {
        /// Whether there is one: every number but zero means yes.
        pub initialized: u8,
        pub padding: [u8; 7],
        pub max_accumulator: u32,
        pub control: u32,
        pub bin_step: u16,
        pub filter_period: u16,
        pub decay_period: u16,
        pub reduction_bps: u16,
        pub padding_2: [u8; 8],
        pub bin_step_q64: u128,
    }
}

layout! {
    /// All fees of a configuration.
    #[derive(Clone, Copy)]
    pub struct PoolFees {
        pub base: BaseFee,
        pub dynamic: DynamicFee,
    }
}

layout! {
    /// The volatility of a pool.
    #[derive(Clone, Copy)]
    pub struct Volatility {
        pub last_update: u64,
        pub padding: [u8; 8],
        pub sqrt_price_reference: u128,
        pub accumulator: u128,
        pub reference: u128,
    }
}
