//! The vault, and the addresses of the program.

use sluice_program::token::{self, amount_of, Transfer};
use sluice_program::{address, anchor, layout, Account, Address, AnchorError, Result};

use crate::errors::{
    INVALID_ADMIN, INVALID_API_AUTHORITY, INVALID_KEEPER, INVALID_MINT, INVALID_TOKEN_ACCOUNT,
};

pub const PROGRAM: Address = address!("3ZZuTbwC6aJbvteyVxXUS7gtFYdf7AuXeitx6VyvjvUp");
/// The settlement mint, JupUSD.
pub const MINT: Address = address!("JuprjznTrTSp2UFa3ZBUFgwdAmtZCq4MQCwysN55USD");
/// The only vault, which is that of the settlement mint.
pub const VAULT: Address = address!("2y9Ad2GD7gwiMkkMu4bBK5216Pv9YJsBkSHAGwN3rBuJ");
pub const VAULT_BUMP: u8 = 254;
pub const VAULT_SEED: &[u8] = b"vault";
/// The vault's associated token account.
pub const VAULT_TOKENS: Address = address!("8zNYCcMUSm4JgTCAYp9JQCAth5Dx8BotpTNcRWGZJnfy");
/// The bytes of a vault, as on mainnet.
pub const VAULT_SPACE: usize = 2000;

/// The parts of a contract and of a dollar. A winning contract pays one dollar.
pub const ONE: u64 = 1_000_000;
/// The unit version in which contracts have parts.
pub const UNIT_VERSION: u8 = 1;

layout! {
    /// The vault.
    pub struct Vault = "Vault" {
        pub settlement_mint: Address,
        /// The contracts of all positions, on both sides of every market.
        pub current_contracts: u64,
        pub current_open_orders: u32,
        pub global_max_contracts: u64,
        pub position_max_contracts: u64,
        pub position_max_orders: u32,
        pub settlement_delay_seconds: u64,
        pub deposits_disabled: bool,
        pub withdrawals_disabled: bool,
        pub protocol_fee_bps: u16,
        pub bump: u8,
        pub trading_disabled: bool,
        pub unit_version: u8,
        // The public fields end here.
        pub admin: Address,
        pub authority: Address,
        pub keeper: Address,
        pub cosigner: Address,
    }
}

impl Vault {
    /// Reads the vault. Fails with ConstraintSeeds for any other account, and with an error of Anchor's if it does not
    /// exist.
    #[inline(never)]
    pub fn load(account: Account) -> Result<Self> {
        if *account.address() != VAULT {
            return Err(anchor::CONSTRAINT_SEEDS.of("vault"));
        }
        layout::load(account, &PROGRAM, "vault")
    }

    /// Fails with InvalidKeeper unless the keeper signs.
    pub fn check_keeper(&self, account: Account) -> Result {
        check_key(account, &self.keeper, &INVALID_KEEPER, "authority")
    }

    /// Fails with InvalidKeeper unless the second signer of fills signs.
    pub fn check_cosigner(&self, account: Account) -> Result {
        check_key(account, &self.cosigner, &INVALID_KEEPER, "secondary_authority")
    }

    /// Fails with InvalidAPIAuthority unless the service signs.
    pub fn check_authority(&self, account: Account) -> Result {
        check_key(account, &self.authority, &INVALID_API_AUTHORITY, "authority")
    }

    /// Fails with InvalidAdmin unless the admin signs.
    pub fn check_admin(&self, account: Account) -> Result {
        check_key(account, &self.admin, &INVALID_ADMIN, "admin")
    }
}

#[inline(never)]
fn check_key(account: Account, key: &Address, error: &AnchorError, name: &str) -> Result {
    anchor::check_signer(account, name)?;
    if account.address() == key {
        Ok(())
    } else {
        Err(error.of(name))
    }
}

/// Fails with InvalidMint unless the account is the settlement mint.
pub fn check_mint(account: Account) -> Result {
    if *account.address() == MINT {
        Ok(())
    } else {
        Err(INVALID_MINT.of("settlement_mint"))
    }
}

/// Fails with InvalidTokenAccount unless the account is the vault's, and with InvalidProgramId unless the other is the
/// token program.
#[inline(never)]
pub fn check_vault_tokens(account: Account, token_program: Account) -> Result {
    anchor::check_program(token_program, &[token::PROGRAM], "token_program")?;
    if *account.address() == VAULT_TOKENS {
        Ok(())
    } else {
        Err(INVALID_TOKEN_ACCOUNT.of("vault_token_account"))
    }
}

/// The accounts by which tokens leave the vault.
pub struct VaultPayout<'a> {
    pub vault: Account<'a>,
    pub tokens: Account<'a>,
    pub token_program: Account<'a>,
}

impl VaultPayout<'_> {
    /// Transfers tokens of the vault. Fails with `insufficient` if it has fewer.
    #[inline(never)]
    pub fn pay(&self, destination: Account, amount: u64, insufficient: &AnchorError) -> Result {
        if amount_of(self.tokens)? < amount {
            return Err(insufficient.of("vault_token_account"));
        }
        Transfer {
            program: self.token_program,
            source: self.tokens,
            destination,
            authority: self.vault,
            amount,
        }
        .invoke(&[&[VAULT_SEED, &MINT.0, &[VAULT_BUMP]]])
    }
}
