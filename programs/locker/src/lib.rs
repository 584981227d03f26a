//! A stand-in for the public program that locks tokens, which unlock for a recipient over time.
//!
//! Instructions, accounts, layouts, rounding, error codes and events are those of the public program;
//! `programs/README.md` lists the instructions that are supported.
#![cfg_attr(any(target_arch = "bpf", target_os = "solana"), no_std)]
#![deny(unsafe_code)]

mod checks;
mod error;
mod events;
mod hook_accounts;
mod instructions;
mod keys;
mod metadata;
mod refused;
mod schedule;
mod state;
mod token;

use instructions::{cancel, claim, close, create, create_metadata, update_recipient};
use sluice_program::anchor::{self, named};
use sluice_program::{event, Account, Address, Result};

sluice_program::entrypoint!(process);

const CREATE_VESTING_ESCROW: [u8; 8] = anchor::instruction("create_vesting_escrow");
const CREATE_VESTING_ESCROW_V2: [u8; 8] = anchor::instruction("create_vesting_escrow_v2");
const CREATE_VESTING_ESCROW_METADATA: [u8; 8] = anchor::instruction("create_vesting_escrow_metadata");
const CLAIM: [u8; 8] = anchor::instruction("claim");
const CLAIM_V2: [u8; 8] = anchor::instruction("claim_v2");
const CANCEL_VESTING_ESCROW: [u8; 8] = anchor::instruction("cancel_vesting_escrow");
const UPDATE_VESTING_ESCROW_RECIPIENT: [u8; 8] = anchor::instruction("update_vesting_escrow_recipient");
const CLOSE_VESTING_ESCROW: [u8; 8] = anchor::instruction("close_vesting_escrow");

fn process(_: &Address, accounts: &[Account], data: &[u8]) -> Result {
    let (discriminator, args) = anchor::split_instruction(data)?;
    match *discriminator {
        CLAIM => named("Claim", || claim::plain(accounts, args)),
        CLAIM_V2 => named("ClaimV2", || claim::v2(accounts, args)),
        event::TAG => events::accept(accounts),
        CREATE_VESTING_ESCROW => named("CreateVestingEscrow", || create::plain(accounts, args)),
        CREATE_VESTING_ESCROW_V2 => named("CreateVestingEscrowV2", || create::v2(accounts, args)),
        CREATE_VESTING_ESCROW_METADATA => {
            named("CreateVestingEscrowMetadata", || create_metadata::run(accounts, args))
        }
        CANCEL_VESTING_ESCROW => named("CancelVestingEscrow", || cancel::run(accounts, args)),
        UPDATE_VESTING_ESCROW_RECIPIENT => {
            named("UpdateVestingEscrowRecipient", || update_recipient::run(accounts, args))
        }
        CLOSE_VESTING_ESCROW => named("CloseVestingEscrow", || close::run(accounts, args)),
        _ => Err(refused::refuse(discriminator)),
    }
}
