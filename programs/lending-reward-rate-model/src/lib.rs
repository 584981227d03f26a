//! A stand-in for the program that sets the rewards of earn tokens: their amount per year, start and duration, and
//! the rewards that follow.
//!
//! Instructions, accounts, layouts, rounding, error codes and events are those of the public program;
//! `programs/README.md` lists the instructions that are supported.
#![cfg_attr(any(target_arch = "bpf", target_os = "solana"), no_std)]
#![deny(unsafe_code)]

mod admin;
mod error;
mod model;
mod rewards;

use sluice_program::anchor::{self, named};
use sluice_program::{address, Account, Address, Result};

sluice_program::entrypoint!(process);

pub const PROGRAM: Address = address!("jup7TthsMgcR9Y3L277b8Eo9uboVSmu1utkuXHNUKar");

const INIT_ADMIN: [u8; 8] = anchor::instruction("init_lending_rewards_admin");
const INIT_MODEL: [u8; 8] = anchor::instruction("init_lending_rewards_rate_model");
const UPDATE_AUTHORITY: [u8; 8] = anchor::instruction("update_authority");
const UPDATE_AUTHS: [u8; 8] = anchor::instruction("update_auths");
const START: [u8; 8] = anchor::instruction("start_rewards");
const STOP: [u8; 8] = anchor::instruction("stop_rewards");
const QUEUE: [u8; 8] = anchor::instruction("queue_next_rewards");
const CANCEL: [u8; 8] = anchor::instruction("cancel_queued_rewards");
const TRANSITION: [u8; 8] = anchor::instruction("transition_to_next_rewards");

fn process(_: &Address, accounts: &[Account], data: &[u8]) -> Result {
    let (discriminator, args) = anchor::split_instruction(data)?;
    match *discriminator {
        START => named("StartRewards", || rewards::start(accounts, args)),
        STOP => named("StopRewards", || rewards::stop(accounts)),
        QUEUE => named("QueueNextRewards", || rewards::queue(accounts, args)),
        CANCEL => named("CancelQueuedRewards", || rewards::cancel(accounts)),
        TRANSITION => named("TransitionToNextRewards", || rewards::transition(accounts)),
        INIT_ADMIN => named("InitLendingRewardsAdmin", || admin::create(accounts, args)),
        INIT_MODEL => named("InitLendingRewardsRateModel", || model::create(accounts)),
        UPDATE_AUTHORITY => named("UpdateAuthority", || admin::update_authority(accounts, args)),
        UPDATE_AUTHS => named("UpdateAuths", || admin::update_auths(accounts, args)),
        _ => Err(anchor::INSTRUCTION_FALLBACK_NOT_FOUND.into()),
    }
}
