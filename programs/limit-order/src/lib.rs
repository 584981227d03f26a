//! A stand-in for the public limit-order program in its second version: orders that wait for a price.
//!
//! The order holds what the maker sells. A taker borrows it, sells it elsewhere, and pays the maker's price
//! in one transaction, by a pair of instructions of which the second one pays. Instructions, accounts,
//! layouts, events and error numbers are those of the public program, whose source is not public:
//! `programs/README.md` says which rules are known and which are ours.
#![cfg_attr(any(target_arch = "bpf", target_os = "solana"), no_std)]
#![deny(unsafe_code)]

mod amounts;
mod checks;
mod errors;
mod events;
mod instructions;
mod pair;
mod payout;
mod state;

use errors::UNKNOWN_INSTRUCTION;
use instructions::{
    cancel_order, flash_fill_order, initialize_order, pre_flash_fill_order, update_fee, withdraw_fee,
};
use sluice_program::anchor::{self, named};
use sluice_program::{event, Account, Address, Result};

sluice_program::entrypoint!(process);

const INITIALIZE_ORDER: [u8; 8] = anchor::instruction("initialize_order");
const CANCEL_ORDER: [u8; 8] = anchor::instruction("cancel_order");
const PRE_FLASH_FILL_ORDER: [u8; 8] = anchor::instruction("pre_flash_fill_order");
const FLASH_FILL_ORDER: [u8; 8] = anchor::instruction("flash_fill_order");
const UPDATE_FEE: [u8; 8] = anchor::instruction("update_fee");
const WITHDRAW_FEE: [u8; 8] = anchor::instruction("withdraw_fee");

// Later builds of the public program have these, too. Its interface description, which this one follows, has
// not.
const FILL_ORDER: [u8; 8] = anchor::instruction("fill_order");
const CANCEL_DUST_ORDER: [u8; 8] = anchor::instruction("cancel_dust_order");

fn process(_: &Address, accounts: &[Account], data: &[u8]) -> Result {
    let (discriminator, args) = anchor::split_instruction(data)?;
    match *discriminator {
        INITIALIZE_ORDER => named("InitializeOrder", || initialize_order::run(accounts, args)),
        CANCEL_ORDER => named("CancelOrder", || cancel_order::run(accounts)),
        PRE_FLASH_FILL_ORDER => named("PreFlashFillOrder", || pre_flash_fill_order::run(accounts, args)),
        FLASH_FILL_ORDER => named("FlashFillOrder", || flash_fill_order::run(accounts, args)),
        UPDATE_FEE => named("UpdateFee", || update_fee::run(accounts, args)),
        WITHDRAW_FEE => named("WithdrawFee", || withdraw_fee::run(accounts)),
        event::TAG => events::accept(accounts),
        FILL_ORDER => named("FillOrder", || Err(UNKNOWN_INSTRUCTION.into())),
        CANCEL_DUST_ORDER => named("CancelDustOrder", || Err(UNKNOWN_INSTRUCTION.into())),
        _ => Err(anchor::INSTRUCTION_FALLBACK_NOT_FOUND.into()),
    }
}
