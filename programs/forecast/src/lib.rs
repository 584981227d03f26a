//! Forecasts: rounds on a price feed, each with two tokens of which one pays a dollar at the close. The house sells and buys
//! both at a price that the program computes: see `INTERFACE.md`.
#![cfg_attr(any(target_arch = "bpf", target_os = "solana"), no_std)]
#![deny(unsafe_code)]

mod addresses;
mod config;
mod errors;
mod events;
mod fair_price;
mod feed;
mod instructions;
mod outcome_mint;
mod quote;
mod round;
mod vault;

use instructions::{close_round, open_round, pay_out, set_schedules, settle, swap, void, withdraw};
use sluice_program::anchor::{self, named};
use sluice_program::{Account, Address, Result};

sluice_program::entrypoint!(process);

const SET_SCHEDULES: [u8; 8] = anchor::instruction("set_schedules");
const WITHDRAW: [u8; 8] = anchor::instruction("withdraw");
const OPEN_ROUND: [u8; 8] = anchor::instruction("open_round");
const SWAP: [u8; 8] = anchor::instruction("swap");
const SETTLE: [u8; 8] = anchor::instruction("settle");
const VOID: [u8; 8] = anchor::instruction("void");
const PAY_OUT: [u8; 8] = anchor::instruction("pay_out");
const CLOSE_ROUND: [u8; 8] = anchor::instruction("close_round");

fn process(_: &Address, accounts: &[Account], data: &[u8]) -> Result {
    let (discriminator, args) = anchor::split_instruction(data)?;
    match *discriminator {
        SWAP => named("Swap", || swap::run(accounts, args)),
        OPEN_ROUND => named("OpenRound", || open_round::run(accounts, args)),
        SETTLE => named("Settle", || settle::run(accounts)),
        VOID => named("Void", || void::run(accounts)),
        PAY_OUT => named("PayOut", || pay_out::run(accounts)),
        CLOSE_ROUND => named("CloseRound", || close_round::run(accounts)),
        SET_SCHEDULES => named("SetSchedules", || set_schedules::run(accounts, args)),
        WITHDRAW => named("Withdraw", || withdraw::run(accounts, args)),
        _ => Err(anchor::INSTRUCTION_FALLBACK_NOT_FOUND.into()),
    }
}
