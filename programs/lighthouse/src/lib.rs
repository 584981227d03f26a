//! A stand-in for the public Lighthouse program, whose assertions wallets append to transactions: the transaction fails
//! unless an account is as the wallet showed it.
//!
//! Two instructions, `AssertAccountData` and `AssertAccountInfo`. Names, numbers and layouts are those of the public client `lighthouse-sdk`.
#![cfg_attr(any(target_arch = "bpf", target_os = "solana"), no_std)]
#![deny(unsafe_code)]

mod comparison;
mod errors;
mod instructions;

use sluice_program::{log, Account, Address, Result};

sluice_program::entrypoint!(process);

const ASSERT_ACCOUNT_DATA: u8 = 2;
const ASSERT_ACCOUNT_INFO: u8 = 5;

fn process(_: &Address, accounts: &[Account], data: &[u8]) -> Result {
    match data.split_first() {
        Some((&ASSERT_ACCOUNT_DATA, args)) => instructions::assert_account_data(accounts, args),
        Some((&ASSERT_ACCOUNT_INFO, args)) => instructions::assert_account_info(accounts, args),
        _ => {
            log::text("This assertion is not part of the stand-in");
            Err(errors::INVALID_INSTRUCTION_DATA.into())
        }
    }
}
