//! A stand-in for the program that connects routes with stake pools: routes move tokens, stake pools take and pay
//! SOL.
//!
//! It deposits wrapped SOL and withdraws into it, over the stake pool program; `programs/README.md` lists what is
//! left out. There is no public source: the order of calls, the rounding and the errors are those of the public
//! build.
#![cfg_attr(any(target_arch = "bpf", target_os = "solana"), no_std)]
#![deny(unsafe_code)]

mod checks;
mod error;
mod keys;
mod stake_wrapped_sol;
mod withdraw_wrapped_sol;

use sluice_program::bytes::Reader;
use sluice_program::{log, Account, Address, ProgramError, Result};

sluice_program::entrypoint!(process);

const STAKE_WRAPPED_SOL: u8 = 0;
const WITHDRAW_WRAPPED_SOL: u8 = 8;
/// The highest tag of the public program's instructions.
const LAST: u8 = 10;

fn process(_: &Address, accounts: &[Account], data: &[u8]) -> Result {
    let mut args = Reader::new(data);
    let tag = args.u8().ok_or(ProgramError::BORSH_IO_ERROR)?;
    match tag {
        STAKE_WRAPPED_SOL => {
            let amount = args.u64().ok_or(ProgramError::BORSH_IO_ERROR)?;
            named("StakeWrappedSol", amount);
            stake_wrapped_sol::run(accounts, amount)
        }
        WITHDRAW_WRAPPED_SOL => {
            let amount = args.u64().ok_or(ProgramError::BORSH_IO_ERROR)?;
            named("WithdrawWrappedSol", amount);
            withdraw_wrapped_sol::run(accounts, amount)
        }
        _ => {
            if tag <= LAST {
                log::text("this stand-in leaves out this instruction of the public program");
            }
            Err(ProgramError::BORSH_IO_ERROR)
        }
    }
}

fn named(name: &str, amount: u64) {
    log::Line::new()
        .text(name)
        .text("(")
        .text(name)
        .text("IxArgs { amount: ")
        .number(amount)
        .text(" })")
        .emit();
}
