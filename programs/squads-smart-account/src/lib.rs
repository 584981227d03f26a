//! A stand-in for the public Squads smart account program (Squads V5): a wallet that a number of its signers move
//! together.
//!
//! Two instructions: `create_smart_account`, and `execute_transaction_sync_v2` with instructions to execute. Names,
//! numbers and layouts are those of the public program's interface description and source
//! (`Squads-Protocol/smart-account-program`), read for what it does.
#![cfg_attr(any(target_arch = "bpf", target_os = "solana"), no_std)]
#![deny(unsafe_code)]

mod errors;
mod instructions;
mod state;

use sluice_program::{anchor, Account, Address, Result};

sluice_program::entrypoint!(process);

const CREATE_SMART_ACCOUNT: [u8; 8] = anchor::instruction("create_smart_account");
const EXECUTE_TRANSACTION_SYNC_V2: [u8; 8] = anchor::instruction("execute_transaction_sync_v2");

fn process(program: &Address, accounts: &[Account], data: &[u8]) -> Result {
    let (discriminator, args) = anchor::split_instruction(data)?;
    match *discriminator {
        CREATE_SMART_ACCOUNT => {
            anchor::named("CreateSmartAccount", || instructions::create(program, accounts, args))
        }
        EXECUTE_TRANSACTION_SYNC_V2 => {
            anchor::named("ExecuteTransactionSyncV2", || instructions::execute(program, accounts, args))
        }
        _ => Err(anchor::INSTRUCTION_FALLBACK_NOT_FOUND.into()),
    }
}
