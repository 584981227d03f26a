//! A stand-in for the public program of invites, which send SOL or tokens to whoever has a code.
//!
//! The sender deposits for a key pair that is derived from the code. Whoever has the code claims with a
//! signature of that key; the sender can take the deposit back until then, and after the expiry anybody can
//! return it. Of the public program only its address, the address of an invite and the signers are known:
//! instructions, accounts and events are ours, as `programs/README.md` says.
#![cfg_attr(any(target_arch = "bpf", target_os = "solana"), no_std)]
#![deny(unsafe_code)]

mod checks;
mod errors;
mod events;
mod instructions;
mod payout;
mod state;

use instructions::{claim, clawback, create, expire};
use sluice_program::anchor::{self, named};
use sluice_program::{event, Account, Address, Result};

sluice_program::entrypoint!(process);

const CREATE: [u8; 8] = anchor::instruction("create");
const CLAIM: [u8; 8] = anchor::instruction("claim");
const CLAWBACK: [u8; 8] = anchor::instruction("clawback");
const EXPIRE: [u8; 8] = anchor::instruction("expire");

fn process(_: &Address, accounts: &[Account], data: &[u8]) -> Result {
    let (discriminator, args) = anchor::split_instruction(data)?;
    match *discriminator {
        CREATE => named("Create", || create::run(accounts, args)),
        CLAIM => named("Claim", || claim::run(accounts)),
        CLAWBACK => named("Clawback", || clawback::run(accounts)),
        EXPIRE => named("Expire", || expire::run(accounts)),
        event::TAG => events::accept(accounts),
        _ => Err(anchor::INSTRUCTION_FALLBACK_NOT_FOUND.into()),
    }
}
