//! A stand-in for the public program of prediction markets: orders, positions and results of markets that are answered by
//! yes or no, settled in one token out of one vault.
//!
//! The service matches orders elsewhere. Its keys create, fill and close them here; owners hold positions and claim
//! what they have won. What is public, and what is ours where nothing public says it, is in `INTERFACE.md`.
#![cfg_attr(any(target_arch = "bpf", target_os = "solana"), no_std)]
#![deny(unsafe_code)]

mod accounts;
mod checks;
mod errors;
mod events;
mod instructions;
mod math;
mod position;
mod text;
mod vault;

use instructions::*;
use sluice_program::anchor::{self, named};
use sluice_program::{log, Account, Address, AnchorError, Result};

sluice_program::entrypoint!(process);

const CREATE_ORDER: [u8; 8] = anchor::instruction("create_order");
const CANCEL_ORDER: [u8; 8] = anchor::instruction("cancel_order");
const CLOSE_ORDER: [u8; 8] = anchor::instruction("close_order");
const FILL_BUY_ORDER: [u8; 8] = anchor::instruction("fill_buy_order");
const FILL_SELL_ORDER: [u8; 8] = anchor::instruction("fill_sell_order");
const CLAIM_PAYOUT: [u8; 8] = anchor::instruction("claim_payout");
const CLAIM_PAYOUT2: [u8; 8] = anchor::instruction("claim_payout2");
const CLAIM_REFUND: [u8; 8] = anchor::instruction("claim_refund");
const CLOSE_LOST_POSITION: [u8; 8] = anchor::instruction("close_lost_position");
const CLOSE_POSITION: [u8; 8] = anchor::instruction("close_position");
const CREATE_MARKET_RESULT: [u8; 8] = anchor::instruction("create_market_result");
const INITIALIZE_VAULT: [u8; 8] = anchor::instruction("initialize_vault");
const SET_VAULT_CONFIG: [u8; 8] = anchor::instruction("set_vault_config");
const DISABLE_DEPOSITS: [u8; 8] = anchor::instruction("disable_deposits");
const DISABLE_WITHDRAWALS: [u8; 8] = anchor::instruction("disable_withdrawals");
const WITHDRAW: [u8; 8] = anchor::instruction("withdraw");

fn process(_: &Address, accounts: &[Account], data: &[u8]) -> Result {
    let (discriminator, args) = anchor::split_instruction(data)?;
    match *discriminator {
        CREATE_ORDER => named("CreateOrder", || create_order::run(accounts, args)),
        CANCEL_ORDER => named("CancelOrder", || cancel_order::run(accounts)),
        CLOSE_ORDER => named("CloseOrder", || close_order::run(accounts)),
        FILL_BUY_ORDER => named("FillBuyOrder", || fill_buy_order::run(accounts, args)),
        FILL_SELL_ORDER => named("FillSellOrder", || fill_sell_order::run(accounts, args)),
        CLAIM_PAYOUT => named("ClaimPayout", || claim_payout::run(accounts)),
        CLAIM_PAYOUT2 => named("ClaimPayout2", || claim_payout::run_by_keeper(accounts)),
        CLAIM_REFUND => named("ClaimRefund", || claim_payout::run_refund(accounts)),
        CLOSE_LOST_POSITION => named("CloseLostPosition", || close_lost_position::run(accounts)),
        CLOSE_POSITION => named("ClosePosition", || close_position::run(accounts)),
        CREATE_MARKET_RESULT => named("CreateMarketResult", || create_market_result::run(accounts, args)),
        INITIALIZE_VAULT => named("InitializeVault", || initialize_vault::run(accounts)),
        SET_VAULT_CONFIG => named("SetVaultConfig", || set_vault_config::run(accounts, args)),
        DISABLE_DEPOSITS => named("DisableDeposits", || disable::run_deposits(accounts)),
        DISABLE_WITHDRAWALS => named("DisableWithdrawals", || disable::run_withdrawals(accounts)),
        WITHDRAW => named("Withdraw", || withdraw::run(accounts, args)),
        _ => refuse(discriminator),
    }
}

/// The instructions of the public program that are left out, with the error that each returns.
const LEFT_OUT: [([u8; 8], &str, AnchorError); 9] = [
    left_out("migrate_vault_contract_units", "MigrateVaultContractUnits", errors::MIGRATION_STATE_MISMATCH),
    left_out(
        "migrate_position_contract_units",
        "MigratePositionContractUnits",
        errors::MIGRATION_STATE_MISMATCH,
    ),
    left_out("create_ticket", "CreateTicket", errors::INVALID_TICKET),
    left_out("accept_ticket", "AcceptTicket", errors::INVALID_TICKET),
    left_out("reject_ticket", "RejectTicket", errors::INVALID_TICKET),
    left_out("settle_ticket", "SettleTicket", errors::INVALID_TICKET),
    left_out("claim_ticket", "ClaimTicket", errors::INVALID_TICKET),
    left_out("refund_ticket", "RefundTicket", errors::INVALID_TICKET),
    left_out("close_ticket", "CloseTicket", errors::INVALID_TICKET),
];

const fn left_out(
    name: &str,
    logged: &'static str,
    error: AnchorError,
) -> ([u8; 8], &'static str, AnchorError) {
    (anchor::instruction(name), logged, error)
}

/// Fails with the error of an instruction that is left out, or with InstructionFallbackNotFound.
#[cold]
#[inline(never)]
fn refuse(discriminator: &[u8; 8]) -> Result {
    for (tag, name, error) in &LEFT_OUT {
        if tag == discriminator {
            log::Line::new().text("Instruction: ").text(name).emit();
            log::text("This instruction is not part of the stand-in: it has neither tickets nor older contract units");
            return Err((*error).into());
        }
    }
    Err(anchor::INSTRUCTION_FALLBACK_NOT_FOUND.into())
}
