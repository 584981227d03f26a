//! Accounts and arithmetic of the concentrated-liquidity pools: their program swaps with them, and routes for an exact
//! output work out with them what a step takes.
#![cfg_attr(any(target_arch = "bpf", target_os = "solana"), no_std)]
#![deny(unsafe_code)]

pub mod adaptive;
pub mod error;
pub mod keys;
pub mod math;
pub mod sequence;
pub mod state;
pub mod walk;
