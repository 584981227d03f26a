//! A stand-in for the oracle program. It returns the rate of two tokens to the vaults, as a product of up to four
//! prices.
//!
//! Instructions, accounts, layouts, rounding, error codes and events are those of the public program;
//! `programs/README.md` lists the instructions and sources that are supported.
#![cfg_attr(any(target_arch = "bpf", target_os = "solana"), no_std)]
#![deny(unsafe_code)]

mod error;
mod instructions;
mod sources;
mod state;

use instructions::{admin, exchange_rate, init_oracle};
use sluice_program::anchor::{self, named};
use sluice_program::{log, Account, Address, Result};
use sources::Purpose::{Liquidate, Operate};

sluice_program::entrypoint!(process);

const GET_EXCHANGE_RATE: [u8; 8] = anchor::instruction("get_exchange_rate");
const GET_EXCHANGE_RATE_OPERATE: [u8; 8] = anchor::instruction("get_exchange_rate_operate");
const GET_EXCHANGE_RATE_LIQUIDATE: [u8; 8] = anchor::instruction("get_exchange_rate_liquidate");
const GET_BOTH_EXCHANGE_RATE: [u8; 8] = anchor::instruction("get_both_exchange_rate");
const INIT_ADMIN: [u8; 8] = anchor::instruction("init_admin");
const INIT_ORACLE_CONFIG: [u8; 8] = anchor::instruction("init_oracle_config");
const UPDATE_AUTHORITY: [u8; 8] = anchor::instruction("update_authority");
const UPDATE_AUTHS: [u8; 8] = anchor::instruction("update_auths");

/// The instructions of the public program for sources that are not supported. They are refused.
const REFUSED: [[u8; 8]; 7] = [
    anchor::instruction("get_center_price"),
    anchor::instruction("init_dex_peg_oracle_config"),
    anchor::instruction("init_chainlink_data_streams_cache"),
    anchor::instruction("refresh_price_feed_with_chainlink"),
    anchor::instruction("chainlink_data_streams_feed_access_controller"),
    anchor::instruction("update_chainlink_data_streams_cache_feeds"),
    anchor::instruction("update_chainlink_data_streams_cache_keepers"),
];

fn process(_: &Address, accounts: &[Account], data: &[u8]) -> Result {
    let (discriminator, args) = anchor::split_instruction(data)?;
    match *discriminator {
        GET_EXCHANGE_RATE => named("GetExchangeRate", || exchange_rate::one(accounts, args, Operate)),
        GET_EXCHANGE_RATE_OPERATE => {
            named("GetExchangeRateOperate", || exchange_rate::one(accounts, args, Operate))
        }
        GET_EXCHANGE_RATE_LIQUIDATE => {
            named("GetExchangeRateLiquidate", || exchange_rate::one(accounts, args, Liquidate))
        }
        GET_BOTH_EXCHANGE_RATE => named("GetBothExchangeRate", || exchange_rate::both(accounts, args)),
        INIT_ADMIN => named("InitAdmin", || admin::create(accounts, args)),
        INIT_ORACLE_CONFIG => named("InitOracleConfig", || init_oracle::run(accounts, args)),
        UPDATE_AUTHORITY => named("UpdateAuthority", || admin::update_authority(accounts, args)),
        UPDATE_AUTHS => named("UpdateAuths", || admin::update_auths(accounts, args)),
        _ => {
            if REFUSED.contains(discriminator) {
                log::text("this stand-in leaves out this instruction of the public program");
            }
            Err(anchor::INSTRUCTION_FALLBACK_NOT_FOUND.into())
        }
    }
}
