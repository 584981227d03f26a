//! A stand-in for the stake pool program: lamports under management, and a token that is a share of them.
//!
//! It creates pools, deposits and withdraws SOL, and makes the update that each epoch needs, with the public
//! program's accounts, layouts, rounding and error codes; `programs/README.md` lists what is left out.
#![cfg_attr(any(target_arch = "bpf", target_os = "solana"), no_std)]
#![deny(unsafe_code)]

mod calls;
mod error;
mod fee;
mod fee_account;
mod instructions;
mod new_pool;
mod state;
mod validators;

use instructions::{deposit_sol, initialize, update_balance, withdraw_sol};
use sluice_program::bytes::Reader;
use sluice_program::{log, Account, Address, ProgramError, Result};

sluice_program::entrypoint!(process);

const INITIALIZE: u8 = 0;
const UPDATE_STAKE_POOL_BALANCE: u8 = 7;
const DEPOSIT_SOL: u8 = 14;
const WITHDRAW_SOL: u8 = 16;
const DEPOSIT_SOL_WITH_SLIPPAGE: u8 = 25;
const WITHDRAW_SOL_WITH_SLIPPAGE: u8 = 26;
/// The highest tag of the public program's instructions.
const LAST: u8 = WITHDRAW_SOL_WITH_SLIPPAGE;

fn process(program: &Address, accounts: &[Account], data: &[u8]) -> Result {
    let mut args = Reader::new(data);
    let tag = args.u8().ok_or(ProgramError::BORSH_IO_ERROR)?;
    match tag {
        INITIALIZE => {
            let arguments = initialize::Arguments::read(&mut args).ok_or(ProgramError::BORSH_IO_ERROR)?;
            end(&args)?;
            log::text("Instruction: Initialize stake pool");
            initialize::run(program, accounts, &arguments)
        }
        UPDATE_STAKE_POOL_BALANCE => {
            end(&args)?;
            log::text("Instruction: UpdateStakePoolBalance");
            update_balance::run(program, accounts)
        }
        DEPOSIT_SOL => {
            let [lamports] = numbers(args)?;
            log::text("Instruction: DepositSol");
            deposit_sol::run(program, accounts, lamports, 0)
        }
        DEPOSIT_SOL_WITH_SLIPPAGE => {
            let [lamports, minimum] = numbers(args)?;
            log::text("Instruction: DepositSolWithSlippage");
            deposit_sol::run(program, accounts, lamports, minimum)
        }
        WITHDRAW_SOL => {
            let [tokens] = numbers(args)?;
            log::text("Instruction: WithdrawSol");
            withdraw_sol::run(program, accounts, tokens, 0)
        }
        WITHDRAW_SOL_WITH_SLIPPAGE => {
            let [tokens, minimum] = numbers(args)?;
            log::text("Instruction: WithdrawSolWithSlippage");
            withdraw_sol::run(program, accounts, tokens, minimum)
        }
        _ => {
            if tag <= LAST {
                log::text("this stand-in leaves out this instruction of the public program");
            }
            Err(ProgramError::BORSH_IO_ERROR)
        }
    }
}

/// Reads the arguments, which must be the whole data.
fn numbers<const N: usize>(mut args: Reader) -> Result<[u64; N]> {
    let mut numbers = [0; N];
    for number in &mut numbers {
        *number = args.u64().ok_or(ProgramError::BORSH_IO_ERROR)?;
    }
    end(&args)?;
    Ok(numbers)
}

fn end(args: &Reader) -> Result {
    if args.rest().is_empty() {
        Ok(())
    } else {
        Err(ProgramError::BORSH_IO_ERROR)
    }
}
