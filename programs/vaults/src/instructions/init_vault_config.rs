//! Creates a vault's configuration.

use crate::checks;
use crate::error::{
    ADMIN_ADDRESS_ZERO_NOT_ALLOWED, ADMIN_BORROW_TOKEN_REQUIRED, ADMIN_INVALID_VAULT_TYPE,
    ADMIN_LIQUIDITY_PROGRAM_MISMATCH, ADMIN_ORACLE_PROGRAM_MISMATCH, ADMIN_SUPPLY_TOKEN_REQUIRED,
    ADMIN_VAULT_ID_MISMATCH,
};
use crate::events;
use crate::instructions::{settings, vault_id};
use crate::keys::{CONFIG_SEED, METADATA_SEED, ORACLE_PROGRAM, PROGRAM};
use crate::state::admin::Admin;
use crate::state::config::{Config, Terms};
use crate::state::metadata::Metadata;
use crate::state::oracle;
use sluice_program::anchor::{self, decoded};
use sluice_program::bytes::Reader;
use sluice_program::layout::{Field, Layout};
use sluice_program::token::Mint;
use sluice_program::{system, Account, Address, Result};

const EVENT: [u8; 8] = anchor::event("LogInitVaultConfig");

struct Arguments {
    terms: Terms,
    vault_type: u8,
    rebalancer: Address,
    liquidity_program: Address,
    oracle_program: Address,
}

impl Arguments {
    fn read(from: &mut Reader) -> Option<Self> {
        Some(Self {
            terms: Terms::read(from)?,
            vault_type: from.u8()?,
            rebalancer: from.address()?,
            liquidity_program: from.address()?,
            oracle_program: from.address()?,
        })
    }

    /// Checks the configuration. Only vaults without a leg at the dex are supported.
    fn check(&self, admin: &Admin) -> Result {
        checks::require(self.liquidity_program == admin.liquidity_program, ADMIN_LIQUIDITY_PROGRAM_MISMATCH)?;
        checks::require(self.oracle_program == ORACLE_PROGRAM, ADMIN_ORACLE_PROGRAM_MISMATCH)?;
        checks::require(self.rebalancer != Address::ZERO, ADMIN_ADDRESS_ZERO_NOT_ALLOWED)?;
        checks::require(self.vault_type == 0, ADMIN_INVALID_VAULT_TYPE)
    }
}

/// Arguments: the vault's id, which must be the next one, and its terms. Signed by an auth.
pub fn run(accounts: &[Account], args: &[u8]) -> Result {
    let (id, mut from) = vault_id(args)?;
    let arguments = decoded(Arguments::read(&mut from))?;
    let (&[authority, admin_account, account, metadata, oracle, supply, borrow, ref rest @ ..], _) =
        anchor::accounts::<10>(accounts)?;
    let &[_supply_dex, _borrow_dex, system_program] = rest;
    let mut admin = Admin::load(admin_account)?;
    admin.check_auth(authority)?;
    anchor::check_writable(admin_account, "vault_admin")?;
    anchor::check_program(system_program, &[system::PROGRAM], "system_program")?;
    oracle::nonce(oracle, "oracle")?;
    let bump = open(authority, account, metadata, id)?;
    checks::require(id == admin.next_vault_id, ADMIN_VAULT_ID_MISMATCH)?;
    arguments.check(&admin)?;
    let supply = anchor::optional(supply, &PROGRAM).ok_or(ADMIN_SUPPLY_TOKEN_REQUIRED)?;
    let borrow = anchor::optional(borrow, &PROGRAM).ok_or(ADMIN_BORROW_TOKEN_REQUIRED)?;
    let decimals =
        (Mint::load(supply, "supply_token")?.decimals, Mint::load(borrow, "borrow_token")?.decimals);
    Config {
        vault_id: id,
        terms: settings::stored(&arguments.terms)?,
        vault_type: arguments.vault_type,
        oracle: *oracle.address(),
        rebalancer: arguments.rebalancer,
        liquidity_program: arguments.liquidity_program,
        oracle_program: arguments.oracle_program,
        supply_token: *supply.address(),
        borrow_token: *borrow.address(),
        bump,
    }
    .store(account)?;
    let (supply_decimals, borrow_decimals) = decimals;
    Metadata { vault_id: id, lookup_table: Address::ZERO, supply_decimals, borrow_decimals }
        .store(metadata)?;
    admin.next_vault_id = id.checked_add(1).ok_or(ADMIN_VAULT_ID_MISMATCH)?;
    admin.store(admin_account)?;
    events::address(&EVENT, account.address())
}

/// Creates the vault's configuration and its metadata for clients, and returns the configuration's bump.
#[inline(never)]
fn open(payer: Account, account: Account, metadata: Account, id: u16) -> Result<u8> {
    let id = id.to_le_bytes();
    let bump = checks::create(payer, account, &[CONFIG_SEED, &id], Config::SPACE, "vault_config")?;
    checks::create(payer, metadata, &[METADATA_SEED, &id], Metadata::SPACE, "vault_metadata")?;
    Ok(bump)
}
