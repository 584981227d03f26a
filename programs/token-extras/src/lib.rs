//! A stand-in for the program of mpl-toolbox that creates an associated token account where it is missing, so that a
//! client need not ask a node first whether the account exists.
//!
//! Its one instruction, accounts, checks and error numbers are those of the public program.
#![cfg_attr(any(target_arch = "bpf", target_os = "solana"), no_std)]
#![deny(unsafe_code)]

mod error;
mod token_account;

use error::{
    require, CANNOT_CREATE_NON_ASSOCIATED_TOKEN, INVALID_ASSOCIATED_TOKEN_ACCOUNT,
    INVALID_ASSOCIATED_TOKEN_PROGRAM, INVALID_PROGRAM_OWNER, INVALID_SYSTEM_PROGRAM, INVALID_TOKEN_MINT,
    INVALID_TOKEN_OWNER, INVALID_TOKEN_PROGRAM,
};
use sluice_program::{associated_token, cpi, system, token, Account, Address, ProgramError, Result};

sluice_program::entrypoint!(process);

const CREATE_TOKEN_IF_MISSING: [u8; 1] = [0];

fn process(_: &Address, accounts: &[Account], data: &[u8]) -> Result {
    if data == CREATE_TOKEN_IF_MISSING {
        create_token_if_missing(accounts)
    } else {
        Err(ProgramError::BORSH_IO_ERROR)
    }
}

/// Accounts: payer, token account, mint, owner, the owner's associated account, system program, token program,
/// associated token program. The token account may be another one than the associated one if it exists.
fn create_token_if_missing(accounts: &[Account]) -> Result {
    let &[payer, account, mint, owner, associated, system, token_program, ata_program, ..] = accounts else {
        return Err(ProgramError::NOT_ENOUGH_ACCOUNT_KEYS);
    };
    let expected = associated_token::find(owner.address(), mint.address(), &token::PROGRAM)?;
    require(*system.address() == system::PROGRAM, INVALID_SYSTEM_PROGRAM)?;
    require(*token_program.address() == token::PROGRAM, INVALID_TOKEN_PROGRAM)?;
    require(*ata_program.address() == associated_token::PROGRAM, INVALID_ASSOCIATED_TOKEN_PROGRAM)?;
    require(*associated.address() == expected, INVALID_ASSOCIATED_TOKEN_ACCOUNT)?;
    if account.data_len() != 0 {
        let holding = token_account::read(&account.data()?)?;
        require(account.is_owned_by(&token::PROGRAM), INVALID_PROGRAM_OWNER)?;
        require(holding.mint == *mint.address(), INVALID_TOKEN_MINT)?;
        return require(holding.owner == *owner.address(), INVALID_TOKEN_OWNER);
    }
    require(account.is(associated), CANNOT_CREATE_NON_ASSOCIATED_TOKEN)?;
    let accounts = [
        payer.writable_signer(),
        associated.writable(),
        owner.readonly(),
        mint.readonly(),
        system.readonly(),
        token_program.readonly(),
    ];
    cpi::invoke(&associated_token::PROGRAM, &accounts, &CREATE, &[])
}

/// The associated token program's instruction that creates an account and fails if it exists.
const CREATE: [u8; 1] = [0];
