//! Code that the lending programs share: reading the liquidity program's accounts, calling it, and naming their
//! tokens.
#![cfg_attr(any(target_arch = "bpf", target_os = "solana"), no_std)]
#![deny(unsafe_code)]

pub mod calls;
pub mod metadata;
pub mod state;

use sluice_program::{address, Address};

pub const LIQUIDITY_PROGRAM: Address = address!("jupeiUmn818Jg1ekPURTpr4mFo29p46vygyykFJ3wZC");
pub const METADATA_PROGRAM: Address = address!("metaqbxxUerdq28cj1RbAWkYQm3ybzjb6a8bt518x1s");
/// The only address to which the public programs of flash loans and oracles hand their authority over.
pub const GOVERNANCE: Address = address!("HqPrpa4ESBDnRHRWaiYtjv4xe93wvCS9NNZtDwR89cVa");
