//! A stand-in for the aggregator program: routes of any number of hops and splits over the venues in [`venues`].
//!
//! Instructions, accounts, arithmetic, error codes, events and the venues' calls are those of the public program;
//! `programs/README.md` lists the instructions and steps that are supported.
#![cfg_attr(any(target_arch = "bpf", target_os = "solana"), no_std)]
#![deny(unsafe_code)]

mod authority;
mod demands;
mod error;
mod events;
mod exact_out;
mod holdings;
mod instructions;
mod keys;
mod plan;
mod route;
mod steps;
mod token;
mod venues;

use instructions::{claim, route_v1, route_v2, token_account, token_ledger};
use sluice_program::{anchor, event, log, Account, Address, ProgramError, Result};

sluice_program::entrypoint!(process);

const ROUTE_V2: [u8; 8] = anchor::instruction("route_v2");
const SHARED_ACCOUNTS_ROUTE_V2: [u8; 8] = anchor::instruction("shared_accounts_route_v2");
const ROUTE: [u8; 8] = anchor::instruction("route");
const ROUTE_WITH_TOKEN_LEDGER: [u8; 8] = anchor::instruction("route_with_token_ledger");
const SHARED_ACCOUNTS_ROUTE: [u8; 8] = anchor::instruction("shared_accounts_route");
const SHARED_ACCOUNTS_ROUTE_WITH_TOKEN_LEDGER: [u8; 8] =
    anchor::instruction("shared_accounts_route_with_token_ledger");
const CREATE_TOKEN_LEDGER: [u8; 8] = anchor::instruction("create_token_ledger");
const SET_TOKEN_LEDGER: [u8; 8] = anchor::instruction("set_token_ledger");
const CREATE_TOKEN_ACCOUNT: [u8; 8] = anchor::instruction("create_token_account");
const CLAIM: [u8; 8] = anchor::instruction("claim");
const CLAIM_TOKEN: [u8; 8] = anchor::instruction("claim_token");
const CLOSE_TOKEN: [u8; 8] = anchor::instruction("close_token");
const EXACT_OUT_ROUTE: [u8; 8] = anchor::instruction("exact_out_route");
const EXACT_OUT_ROUTE_V2: [u8; 8] = anchor::instruction("exact_out_route_v2");
const SHARED_ACCOUNTS_EXACT_OUT_ROUTE: [u8; 8] = anchor::instruction("shared_accounts_exact_out_route");
const SHARED_ACCOUNTS_EXACT_OUT_ROUTE_V2: [u8; 8] = anchor::instruction("shared_accounts_exact_out_route_v2");

/// An instruction. It is called with its accounts and its data after the discriminator.
type Instruction = fn(&[Account], &[u8]) -> Result;

fn process(_: &Address, accounts: &[Account], data: &[u8]) -> Result {
    // The public program gives the same answer to unknown instructions and to data without a discriminator.
    let Some((discriminator, args)) = data.split_first_chunk() else {
        return Err(ProgramError::INVALID_ACCOUNT_DATA);
    };
    let (line, run): (&str, Instruction) = match *discriminator {
        event::TAG => return events::accept(accounts),
        ROUTE_V2 => ("Instruction: RouteV2", route_v2::route),
        SHARED_ACCOUNTS_ROUTE_V2 => ("Instruction: SharedAccountsRouteV2", route_v2::shared_accounts_route),
        ROUTE => ("Instruction: Route", route_v1::route),
        ROUTE_WITH_TOKEN_LEDGER => ("Instruction: RouteWithTokenLedger", route_v1::route_with_token_ledger),
        SHARED_ACCOUNTS_ROUTE => ("Instruction: SharedAccountsRoute", route_v1::shared_accounts_route),
        SHARED_ACCOUNTS_ROUTE_WITH_TOKEN_LEDGER => (
            "Instruction: SharedAccountsRouteWithTokenLedger",
            route_v1::shared_accounts_route_with_token_ledger,
        ),
        CREATE_TOKEN_LEDGER => ("Instruction: CreateTokenLedger", token_ledger::create),
        SET_TOKEN_LEDGER => ("Instruction: SetTokenLedger", token_ledger::set),
        CREATE_TOKEN_ACCOUNT => ("Instruction: CreateTokenAccount", token_account::create),
        CLAIM => ("Instruction: Claim", claim::lamports),
        CLAIM_TOKEN => ("Instruction: ClaimToken", claim::tokens),
        EXACT_OUT_ROUTE => ("Instruction: ExactOutRoute", route_v1::exact_out_route),
        SHARED_ACCOUNTS_EXACT_OUT_ROUTE => {
            ("Instruction: SharedAccountsExactOutRoute", route_v1::shared_accounts_exact_out_route)
        }
        EXACT_OUT_ROUTE_V2 => ("Instruction: ExactOutRouteV2", route_v2::exact_out_route),
        SHARED_ACCOUNTS_EXACT_OUT_ROUTE_V2 => {
            ("Instruction: SharedAccountsExactOutRouteV2", route_v2::shared_accounts_exact_out_route)
        }
        CLOSE_TOKEN => {
            log::text("The stand-in does not carry out this instruction");
            return Err(anchor::INSTRUCTION_FALLBACK_NOT_FOUND.into());
        }
        _ => return Err(ProgramError::INVALID_ACCOUNT_DATA),
    };
    log::text(line);
    run(accounts, args)
}
