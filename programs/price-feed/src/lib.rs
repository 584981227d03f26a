//! Price feeds of the embedded network, under the address of Pyth's receiver program and in accounts of its layout.
//!
//! The public program writes prices that a quorum of guardians has signed. Here a single key writes them, with
//! instructions of our own; the public instructions are refused. Programs that read the accounts cannot tell the
//! difference.
#![cfg_attr(any(target_arch = "bpf", target_os = "solana"), no_std)]
#![deny(unsafe_code)]

mod feed;
mod instructions;

use instructions::{write_prices, write_walk};
use sluice_program::{anchor, log, Account, Address, Result};

sluice_program::entrypoint!(process);

pub const PROGRAM: Address = Address::from_base58("rec5EKMGg6MxZYaMdyBfgwp4d5rB9T1VQH5pJv5LtFJ");

const WRITE_PRICES: [u8; 8] = anchor::instruction("write_prices");
const WRITE_WALK: [u8; 8] = anchor::instruction("write_walk");

/// The instructions of the public program. They are refused.
const REFUSED: [[u8; 8]; 11] = [
    anchor::instruction("initialize"),
    anchor::instruction("request_governance_authority_transfer"),
    anchor::instruction("accept_governance_authority_transfer"),
    anchor::instruction("set_data_sources"),
    anchor::instruction("set_fee"),
    anchor::instruction("set_wormhole_address"),
    anchor::instruction("set_minimum_signatures"),
    anchor::instruction("post_update_atomic"),
    anchor::instruction("post_update"),
    anchor::instruction("post_twap_update"),
    anchor::instruction("reclaim_rent"),
];

fn process(_: &Address, accounts: &[Account], data: &[u8]) -> Result {
    let (discriminator, args) = anchor::split_instruction(data)?;
    match *discriminator {
        WRITE_PRICES => {
            log::text("Instruction: WritePrices");
            write_prices::run(accounts, args)
        }
        WRITE_WALK => {
            log::text("Instruction: WriteWalk");
            write_walk::run(accounts, args)
        }
        _ => {
            if REFUSED.contains(discriminator) {
                log::text("this network's prices are written by its price process, not by signed updates");
            }
            Err(anchor::INSTRUCTION_FALLBACK_NOT_FOUND.into())
        }
    }
}
