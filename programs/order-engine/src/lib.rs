//! A stand-in for the public `order_engine` program: exchanges the two amounts of a quote between a taker and a
//! market maker that both sign.
//!
//! One instruction, `fill`. The taker pays first, then the maker. Either side of either leg may be a token account or,
//! for SOL, the wallet itself. Sources: the public program's interface description and its source
//! (`jup-ag/rfq-webhook-toolkit`), read for what it does.
#![cfg_attr(any(target_arch = "bpf", target_os = "solana"), no_std)]
#![deny(unsafe_code)]

mod accounts;
mod errors;
mod instructions;
mod leg;

use sluice_program::{anchor, Account, Address, Result};

sluice_program::entrypoint!(process);

const FILL: [u8; 8] = anchor::instruction("fill");

fn process(program: &Address, accounts: &[Account], data: &[u8]) -> Result {
    let (discriminator, args) = anchor::split_instruction(data)?;
    match *discriminator {
        FILL => instructions::fill(program, accounts, args),
        _ => Err(anchor::INSTRUCTION_FALLBACK_NOT_FOUND.into()),
    }
}
