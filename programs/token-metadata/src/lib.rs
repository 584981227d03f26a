//! A stand-in for the token metadata program, which keeps the name, symbol and link that wallets show of a mint.
//!
//! It creates, mints, changes, moves and burns fungible and non-fungible tokens, with the public program's accounts,
//! layouts, fee and error codes; `programs/README.md` lists what is left out.
#![cfg_attr(any(target_arch = "bpf", target_os = "solana"), no_std)]
#![deny(unsafe_code)]

mod addresses;
mod calls;
mod checks;
mod edition;
mod error;
mod holding;
mod instructions;
mod standard;
mod state;

use error::{INSTRUCTION_NOT_SUPPORTED, INVALID_INSTRUCTION, REMOVED};
use instructions::{
    burn, create, create_master_edition, create_v3, leave_out, mint, read_amount, transfer, update,
    update_v2, verify,
};
use sluice_program::{log, token, Account, Address, ProgramError, Result};

sluice_program::entrypoint!(process);

const UPDATE_METADATA_ACCOUNT_V2: u8 = 15;
const CREATE_MASTER_EDITION_V3: u8 = 17;
const CREATE_METADATA_ACCOUNT_V3: u8 = 33;
const BURN: u8 = 41;
const CREATE: u8 = 42;
const MINT: u8 = 43;
const TRANSFER: u8 = 49;
const UPDATE: u8 = 50;
const VERIFY: u8 = 52;
const UNVERIFY: u8 = 53;
/// The instructions that the public program had in earlier versions.
const REMOVED_INSTRUCTIONS: [u8; 12] = [0, 1, 2, 3, 5, 6, 8, 9, 10, 13, 16, 48];
/// The highest tag of the public program's instructions.
const LAST: u8 = 57;

fn process(program: &Address, accounts: &[Account], data: &[u8]) -> Result {
    let Some((tag, args)) = data.split_first() else { return Err(INVALID_INSTRUCTION.into()) };
    match *tag {
        CREATE_METADATA_ACCOUNT_V3 => {
            let content = create_v3::read(args).ok_or(ProgramError::INVALID_INSTRUCTION_DATA)?;
            check_token_program(accounts)?;
            log::text("IX: Create Metadata Accounts v3");
            create_v3::run(program, accounts, &content)
        }
        UPDATE_METADATA_ACCOUNT_V2 => {
            let changes = update_v2::read(args).ok_or(ProgramError::INVALID_INSTRUCTION_DATA)?;
            check_token_program(accounts)?;
            log::text("IX: Update Metadata Accounts v2");
            update_v2::run(program, accounts, &changes)
        }
        CREATE_MASTER_EDITION_V3 => {
            let most_prints =
                create_master_edition::read(args).ok_or(ProgramError::INVALID_INSTRUCTION_DATA)?;
            check_token_program(accounts)?;
            log::text("V3 Create Master Edition");
            create_master_edition::run(program, accounts, most_prints)
        }
        CREATE => {
            let creation = create::read(args).ok_or(ProgramError::INVALID_INSTRUCTION_DATA)?;
            log::text("IX: Create");
            create::run(program, accounts, &creation)
        }
        MINT => {
            let amount = read_amount(args).ok_or(ProgramError::INVALID_INSTRUCTION_DATA)?;
            log::text("IX: Mint");
            mint::run(program, accounts, &amount)
        }
        BURN => {
            let amount = burn::read(args).ok_or(ProgramError::INVALID_INSTRUCTION_DATA)?;
            log::text("IX: Burn");
            burn::run(program, accounts, amount)
        }
        TRANSFER => {
            let amount = read_amount(args).ok_or(ProgramError::INVALID_INSTRUCTION_DATA)?;
            log::text("IX: Transfer");
            transfer::run(program, accounts, &amount)
        }
        UPDATE => {
            let changes = update::read(args)?;
            log::text("IX: Update");
            update::run(program, accounts, &changes)
        }
        VERIFY => {
            let mark = verify::read(args).ok_or(ProgramError::INVALID_INSTRUCTION_DATA)?;
            log::text("IX: Verify");
            verify::verify(program, accounts, mark)
        }
        UNVERIFY => {
            let mark = verify::read(args).ok_or(ProgramError::INVALID_INSTRUCTION_DATA)?;
            log::text("IX: Unverify");
            verify::unverify(program, accounts, mark)
        }
        tag if REMOVED_INSTRUCTIONS.contains(&tag) => Err(REMOVED.into()),
        tag if tag <= LAST => {
            Err(leave_out("this stand-in leaves out this instruction of the public program"))
        }
        _ => Err(ProgramError::INVALID_INSTRUCTION_DATA),
    }
}

/// Fails if the mint belongs to Token-2022, which the older instructions do not support.
fn check_token_program(accounts: &[Account]) -> Result {
    for account in accounts {
        if *account.address() == token::PROGRAM_2022 || account.is_owned_by(&token::PROGRAM_2022) {
            return Err(INSTRUCTION_NOT_SUPPORTED.into());
        }
    }
    Ok(())
}
