//! A stand-in for Saber's stable swap: pools of two tokens that are worth the same.
//!
//! Instructions, accounts, layout, rounding and error codes are those of the public program; nothing is left out.
#![cfg_attr(any(target_arch = "bpf", target_os = "solana"), no_std)]
#![deny(unsafe_code)]

mod checks;
mod curve;
mod error;
mod fees;
mod instructions;
mod report;
mod state;
mod transfer;

use error::INVALID_INSTRUCTION;
use instructions::{admin, deposit, initialize, swap, withdraw, withdraw_one};
use sluice_program::bytes::Reader;
use sluice_program::{log, Account, Address, Result};

sluice_program::entrypoint!(process);

const INITIALIZE: u8 = 0;
const SWAP: u8 = 1;
const DEPOSIT: u8 = 2;
const WITHDRAW: u8 = 3;
const WITHDRAW_ONE: u8 = 4;
const RAMP_A: u8 = 100;
const STOP_RAMP_A: u8 = 101;
const PAUSE: u8 = 102;
const UNPAUSE: u8 = 103;
const SET_FEE_ACCOUNT: u8 = 104;
const APPLY_NEW_ADMIN: u8 = 105;
const COMMIT_NEW_ADMIN: u8 = 106;
const SET_NEW_FEES: u8 = 107;

fn process(program: &Address, accounts: &[Account], data: &[u8]) -> Result {
    let mut args = Reader::new(data);
    let tag = args.u8().ok_or(INVALID_INSTRUCTION)?;
    match tag {
        INITIALIZE => initialize::run(program, accounts, args),
        SWAP => {
            let [amount_in, minimum_out] = numbers(args)?;
            log::text("Instruction: Swap");
            swap::run(program, accounts, amount_in, minimum_out)
        }
        DEPOSIT => {
            let amounts = numbers(args)?;
            log::text("Instruction: Deposit");
            deposit::run(program, accounts, &amounts)
        }
        WITHDRAW => {
            let amounts = numbers(args)?;
            log::text("Instruction: Withdraw");
            withdraw::run(program, accounts, &amounts)
        }
        WITHDRAW_ONE => {
            let [tokens, minimum_out] = numbers(args)?;
            log::text("Instruction: Withdraw One");
            withdraw_one::run(program, accounts, tokens, minimum_out)
        }
        RAMP_A..=SET_NEW_FEES => admin::run(tag, accounts, args),
        _ => Err(INVALID_INSTRUCTION),
    }
}

/// Reads the arguments of an instruction. Bytes behind them are ignored. Fails with InvalidInstruction if they are
/// cut short.
fn numbers<const N: usize>(mut args: Reader) -> Result<[u64; N]> {
    let mut numbers = [0; N];
    for number in &mut numbers {
        *number = args.u64().ok_or(INVALID_INSTRUCTION)?;
    }
    Ok(numbers)
}
