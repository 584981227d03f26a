//! The instruction that sets the account of a token's rewards.

use crate::error::REWARDS_RATE_MODEL_ALREADY_SET;
use crate::state::admin::Admin;
use crate::state::lending::Lending;
use crate::state::liquidity::Reserve;
use sluice_program::anchor::{self, decoded};
use sluice_program::bytes::Reader;
use sluice_program::token::Mint;
use sluice_program::{event, Account, Address, Result};

const EVENT: [u8; 8] = anchor::event("LogUpdateRewards");

/// Argument: the mint. Signed by an auth. The account can be set only once.
pub fn run(accounts: &[Account], args: &[u8]) -> Result {
    let mint = decoded(Reader::new(args).address())?;
    let (&[signer, admin, account, receipt_mint, model, reserve], _) = anchor::accounts(accounts)?;
    anchor::check_signer(signer, "signer")?;
    let admin = Admin::load(admin)?;
    let mut lending = Lending::load(account)?;
    Mint::load(receipt_mint, "f_token_mint")?;
    let totals = Reserve::load(reserve)?;
    admin.check_auth(signer)?;
    anchor::check_writable(account, "lending")?;
    if lending.mint != mint || lending.receipt_mint != *receipt_mint.address() || totals.mint != mint {
        return Err(anchor::CONSTRAINT_HAS_ONE.of("lending"));
    }
    if lending.rewards != Address::ZERO {
        return Err(REWARDS_RATE_MODEL_ALREADY_SET.into());
    }
    lending.rewards = *model.address();
    lending.store(account)?;
    event::log(&EVENT, |event| event.address(model.address()))
}
