//! A stand-in for the public program of recurring orders: an order trades an equal part of its input in every cycle.
//!
//! A user opens an order with the whole input. When a cycle is due, a keeper borrows the input of that cycle, swaps it, and
//! returns the output within the same transaction. Keepers pay out what orders have bought and close those that are
//! finished. Instructions, accounts, layouts, error codes and events are those of the interface description;
//! `programs/README.md` says which rules are ours.
#![cfg_attr(any(target_arch = "bpf", target_os = "solana"), no_std)]
#![deny(unsafe_code)]

mod checks;
mod errors;
mod events;
mod instructions;
mod keys;
mod pair;
mod schedule;
mod state;
mod tokens;

use instructions::{
    close_dca, deposit, end_and_close, fulfill_flash_fill, initiate_flash_fill, open_dca, transfer, withdraw,
    withdraw_fees,
};
use sluice_program::anchor::{self, named};
use sluice_program::{event, log, Account, Address, Result};

sluice_program::entrypoint!(process);

const OPEN_DCA: [u8; 8] = anchor::instruction("open_dca");
const OPEN_DCA_V2: [u8; 8] = anchor::instruction("open_dca_v2");
const CLOSE_DCA: [u8; 8] = anchor::instruction("close_dca");
const WITHDRAW: [u8; 8] = anchor::instruction("withdraw");
const DEPOSIT: [u8; 8] = anchor::instruction("deposit");
const WITHDRAW_FEES: [u8; 8] = anchor::instruction("withdraw_fees");
const INITIATE_FLASH_FILL: [u8; 8] = anchor::instruction("initiate_flash_fill");
const FULFILL_FLASH_FILL: [u8; 8] = anchor::instruction("fulfill_flash_fill");
const INITIATE_DLMM_FILL: [u8; 8] = anchor::instruction("initiate_dlmm_fill");
const FULFILL_DLMM_FILL: [u8; 8] = anchor::instruction("fulfill_dlmm_fill");
const TRANSFER: [u8; 8] = anchor::instruction("transfer");
const END_AND_CLOSE: [u8; 8] = anchor::instruction("end_and_close");

fn process(_: &Address, accounts: &[Account], data: &[u8]) -> Result {
    let (discriminator, args) = anchor::split_instruction(data)?;
    match *discriminator {
        OPEN_DCA => named("OpenDca", || open_dca::run(accounts, args)),
        OPEN_DCA_V2 => named("OpenDcaV2", || open_dca::run_v2(accounts, args)),
        CLOSE_DCA => named("CloseDca", || close_dca::run(accounts)),
        WITHDRAW => named("Withdraw", || withdraw::run(accounts, args)),
        DEPOSIT => named("Deposit", || deposit::run(accounts, args)),
        WITHDRAW_FEES => named("WithdrawFees", || withdraw_fees::run(accounts, args)),
        INITIATE_FLASH_FILL => named("InitiateFlashFill", || initiate_flash_fill::run(accounts)),
        FULFILL_FLASH_FILL => named("FulfillFlashFill", || fulfill_flash_fill::run(accounts, args)),
        INITIATE_DLMM_FILL | FULFILL_DLMM_FILL => {
            log::text("fills by way of DLMM pools are left out here: use initiate_flash_fill and fulfill_flash_fill");
            Err(errors::UNKNOWN_INSTRUCTION.into())
        }
        TRANSFER => named("Transfer", || transfer::run(accounts)),
        END_AND_CLOSE => named("EndAndClose", || end_and_close::run(accounts)),
        event::TAG => events::accept(accounts),
        _ => Err(anchor::INSTRUCTION_FALLBACK_NOT_FOUND.into()),
    }
}
