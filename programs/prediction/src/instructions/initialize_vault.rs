//! The instruction `initialize_vault`.

use sluice_program::anchor::{self, CreateDerived};
use sluice_program::sysvar::Clock;
use sluice_program::token::Mint;
use sluice_program::{associated_token, layout, system, Account, Result};

use crate::errors::{INVALID_ADMIN, INVALID_VAULT_CONFIG};
use crate::events::emit_vault_initialized;
use crate::vault::{
    check_mint, check_vault_tokens, Vault, MINT, ONE, PROGRAM, UNIT_VERSION, VAULT_SEED, VAULT_SPACE,
};

/// The limits that a vault begins with: a thousand million contracts in all, a million in a position, and 50 open
/// orders in one.
const GLOBAL_MAX_CONTRACTS: u64 = 1_000_000_000 * ONE;
const POSITION_MAX_CONTRACTS: u64 = 1_000_000 * ONE;
const POSITION_MAX_ORDERS: u32 = 50;
/// How long the keeper waits before it claims for an owner: a day.
const SETTLEMENT_DELAY: u64 = 86_400;

/// Whoever may mint the settlement token becomes the admin of its vault, so that nobody else can take it. The last
/// three accounts, which the public program does not have, are the keys that the vault obeys.
pub fn run(accounts: &[Account]) -> Result {
    let (accounts, _) = anchor::accounts::<10>(accounts)?;
    let &[admin, vault, mint, tokens, system_program, token_program, associated_program, ref keys @ ..] =
        accounts;
    anchor::check_signer(admin, "admin")?;
    anchor::check_writable(admin, "admin")?;
    check_mint(mint)?;
    anchor::check_program(system_program, &[system::PROGRAM], "system_program")?;
    anchor::check_program(associated_program, &[associated_token::PROGRAM], "associated_token_program")?;
    check_vault_tokens(tokens, token_program)?;
    if Mint::load(mint, "settlement_mint")?.mint_authority != Some(*admin.address()) {
        return Err(INVALID_ADMIN.of("admin"));
    }
    let [authority, keeper, cosigner] = keys.map(|key| *key.address());
    if keeper == cosigner {
        return Err(INVALID_VAULT_CONFIG.into());
    }
    let bump = create(admin, vault)?;
    let created = Vault {
        settlement_mint: MINT,
        current_contracts: 0,
        current_open_orders: 0,
        global_max_contracts: GLOBAL_MAX_CONTRACTS,
        position_max_contracts: POSITION_MAX_CONTRACTS,
        position_max_orders: POSITION_MAX_ORDERS,
        settlement_delay_seconds: SETTLEMENT_DELAY,
        deposits_disabled: false,
        withdrawals_disabled: false,
        protocol_fee_bps: 0,
        bump,
        trading_disabled: false,
        unit_version: UNIT_VERSION,
        admin: *admin.address(),
        authority,
        keeper,
        cosigner,
    };
    layout::store(&created, vault)?;
    // Anybody may have created the vault's token account before.
    associated_token::CreateIdempotent {
        payer: admin,
        account: tokens,
        wallet: vault,
        mint,
        system_program,
        token_program,
    }
    .invoke()?;
    emit_vault_initialized(Clock::get()?.unix_timestamp)
}

#[inline(never)]
fn create(admin: Account, vault: Account) -> Result<u8> {
    CreateDerived {
        payer: admin,
        account: vault,
        seeds: &[VAULT_SEED, &MINT.0],
        space: VAULT_SPACE,
        program: &PROGRAM,
        owner: &PROGRAM,
        name: "vault",
    }
    .invoke()
}
