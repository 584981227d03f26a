//! The instruction `withdraw`.

use sluice_program::anchor::{self, decoded};
use sluice_program::bytes::Reader;
use sluice_program::sysvar::Clock;
use sluice_program::token::{amount_of, TokenAccount};
use sluice_program::{Account, Result};

use crate::errors::{
    INSUFFICIENT_VAULT_BALANCE, INVALID_ARGUMENT, INVALID_MINT, INVALID_TOKEN_ACCOUNT, WITHDRAWALS_DISABLED,
};
use crate::events::{emit_withdrawal, Withdrawal};
use crate::vault::{check_vault_tokens, Vault, VaultPayout, MINT, VAULT_TOKENS};

/// The admin takes what no position can claim. No contract ever pays or cost more than one, so all positions together
/// never claim more than there are contracts, on both sides of every market.
pub fn run(accounts: &[Account], args: &[u8]) -> Result {
    let (accounts, _) = anchor::accounts::<5>(accounts)?;
    let &[admin, vault, destination, tokens, token_program] = accounts;
    let amount = decoded(Reader::new(args).u64())?;
    let state = Vault::load(vault)?;
    state.check_admin(admin)?;
    check_vault_tokens(tokens, token_program)?;
    anchor::check_writable(tokens, "vault_token_account")?;
    check_destination(destination)?;
    if state.withdrawals_disabled {
        return Err(WITHDRAWALS_DISABLED.into());
    }
    if amount == 0 {
        return Err(INVALID_ARGUMENT.into());
    }
    let left = amount_of(tokens)?.checked_sub(amount).ok_or(INSUFFICIENT_VAULT_BALANCE)?;
    if left < state.current_contracts {
        return Err(INSUFFICIENT_VAULT_BALANCE.of("vault_token_account"));
    }
    VaultPayout { vault, tokens, token_program }.pay(destination, amount, &INSUFFICIENT_VAULT_BALANCE)?;
    let withdrawal = Withdrawal { admin: admin.address(), destination: destination.address(), amount, left };
    emit_withdrawal(&withdrawal, Clock::get()?.unix_timestamp)
}

#[inline(never)]
fn check_destination(account: Account) -> Result {
    anchor::check_writable(account, "destination_token_account")?;
    if *account.address() == VAULT_TOKENS {
        return Err(INVALID_TOKEN_ACCOUNT.of("destination_token_account"));
    }
    if TokenAccount::load(account, "destination_token_account")?.mint != MINT {
        return Err(INVALID_MINT.of("destination_token_account"));
    }
    Ok(())
}
