//! The arithmetic and the fees that Meteora's DAMM v2 pools and its bonding curves have in common.
//!
//! - [`math`]: quotients; the amounts of a stretch of prices (`amount::Stretch`: token A is the base token of a curve
//!   and token B its quote token); the price after an amount (`price::PriceState`); roots (`root`).
//! - [`fees`]: a base fee that falls by periods (`Schedule`); the dynamic fee and its volatility (`dynamic`).
//! - [`error`]: what can go wrong.
//!
//! A number that leaves its range is MathOverflow (6000) in both programs, so that functions which fail with nothing
//! else return that error. One that does not fit its type has another number in either program: such functions return
//! [`error::Wrong`], which each program converts.
#![cfg_attr(any(target_arch = "bpf", target_os = "solana"), no_std)]
#![deny(unsafe_code)]

pub mod error;
pub mod fees;
pub mod math;
