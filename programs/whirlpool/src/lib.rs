//! A stand-in for Orca's concentrated-liquidity program: pools whose liquidity lies between ticks.
//!
//! Instructions, accounts, layouts, rounding, error codes and events are those of the public program;
//! `programs/README.md` says which of its instructions are here.
#![cfg_attr(any(target_arch = "bpf", target_os = "solana"), no_std)]
#![deny(unsafe_code)]
#![allow(dead_code)]

mod error;
mod instructions;
mod keys;
mod math;
mod sequence;
mod state;
mod token;
mod walk;

use instructions::swap;
use sluice_program::{anchor, log, Account, Address, Result};

sluice_program::entrypoint!(process);

const SWAP: [u8; 8] = anchor::instruction("swap");
const SWAP_V2: [u8; 8] = anchor::instruction("swap_v2");

fn process(_: &Address, accounts: &[Account], data: &[u8]) -> Result {
    let (discriminator, args) = anchor::split_instruction(data)?;
    match *discriminator {
        SWAP => named("Swap", || swap::plain(accounts, args)),
        SWAP_V2 => named("SwapV2", || swap::v2(accounts, args)),
        _ => Err(anchor::INSTRUCTION_FALLBACK_NOT_FOUND.into()),
    }
}

/// Runs an instruction behind the log line that names it.
#[inline(always)]
fn named(name: &str, run: impl FnOnce() -> Result) -> Result {
    log::Line::new().text("Instruction: ").text(name).emit();
    run()
}
