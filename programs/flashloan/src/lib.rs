//! A stand-in for the flashloan program: tokens of the liquidity program, borrowed and paid back in one transaction.
//!
//! Instructions, accounts, layouts, rounding, error codes and events are those of the public program.
#![cfg_attr(any(target_arch = "bpf", target_os = "solana"), no_std)]
#![deny(unsafe_code)]

mod accounts;
mod error;
mod instructions;
mod state;

use instructions::{admin, borrow, payback};
use sluice_program::anchor::{self, named};
use sluice_program::{Account, Address, Result};

sluice_program::entrypoint!(process);

const BORROW: [u8; 8] = anchor::instruction("flashloan_borrow");
const PAYBACK: [u8; 8] = anchor::instruction("flashloan_payback");
const INIT_FLASHLOAN_ADMIN: [u8; 8] = anchor::instruction("init_flashloan_admin");
const ACTIVATE_PROTOCOL: [u8; 8] = anchor::instruction("activate_protocol");
const PAUSE_PROTOCOL: [u8; 8] = anchor::instruction("pause_protocol");
const SET_FLASHLOAN_FEE: [u8; 8] = anchor::instruction("set_flashloan_fee");
const UPDATE_AUTHORITY: [u8; 8] = anchor::instruction("update_authority");

fn process(_: &Address, accounts: &[Account], data: &[u8]) -> Result {
    let (discriminator, args) = anchor::split_instruction(data)?;
    match *discriminator {
        BORROW => named("FlashloanBorrow", || borrow::run(accounts, args)),
        PAYBACK => named("FlashloanPayback", || payback::run(accounts, args)),
        INIT_FLASHLOAN_ADMIN => named("InitFlashloanAdmin", || admin::create(accounts, args)),
        ACTIVATE_PROTOCOL => named("ActivateProtocol", || admin::set_status(accounts, true)),
        PAUSE_PROTOCOL => named("PauseProtocol", || admin::set_status(accounts, false)),
        SET_FLASHLOAN_FEE => named("SetFlashloanFee", || admin::set_fee(accounts, args)),
        UPDATE_AUTHORITY => named("UpdateAuthority", || admin::update_authority(accounts, args)),
        _ => Err(anchor::INSTRUCTION_FALLBACK_NOT_FOUND.into()),
    }
}
