//! The instruction that announces a payment.

use crate::checks;
use crate::error::INVALID_PARAMS;
use crate::keys::PROGRAM;
use crate::refresh::now;
use crate::state::liquidity::Liquidity;
use sluice_lending::state::BorrowPosition;
use sluice_lending::state::Reserve;
use sluice_lending::state::SupplyPosition;
use sluice_program::anchor::{self, decoded};
use sluice_program::bytes::Reader;
use sluice_program::token::{TokenAccount, PROGRAMS};
use sluice_program::{Account, Address, Result};

/// Argument: the mint. A protocol announces that it will transfer tokens; `operate` counts them in the same second.
pub fn run(accounts: &[Account], args: &[u8]) -> Result {
    let mint = decoded(Reader::new(args).address())?;
    let (&[protocol, liquidity, supply, borrow, vault, reserve, token_program], _) =
        anchor::accounts(accounts)?;
    anchor::check_signer(protocol, "protocol")?;
    let state = Liquidity::load(liquidity)?;
    let supply = anchor::optional(supply, &PROGRAM);
    let borrow = anchor::optional(borrow, &PROGRAM);
    let supplied = supply.map(SupplyPosition::load).transpose()?;
    let borrowed = borrow.map(BorrowPosition::load).transpose()?;
    let held = TokenAccount::load(vault, "vault")?;
    let mut totals = Reserve::load(reserve)?;
    anchor::check_program(token_program, &PROGRAMS, "token_program")?;
    state.check_unlocked()?;
    if let Some(position) = supplied {
        belongs((&position.protocol, &position.mint), protocol, &mint, "user_supply_position")?;
    }
    if let Some(position) = borrowed {
        belongs((&position.protocol, &position.mint), protocol, &mint, "user_borrow_position")?;
    }
    anchor::check_writable(reserve, "token_reserve")?;
    checks::has_one(&totals.vault, vault, "token_reserve")?;
    if totals.mint != mint {
        return Err(anchor::CONSTRAINT_HAS_ONE.of("token_reserve"));
    }
    if !vault.is_owned_by(token_program.address()) {
        return Err(anchor::CONSTRAINT_TOKEN_TOKEN_PROGRAM.of("vault"));
    }
    if supply.is_none() && borrow.is_none() {
        return Err(INVALID_PARAMS.into());
    }

    totals.interacting_protocol = *protocol.address();
    totals.interacting_timestamp = now()?;
    totals.interacting_balance = held.amount;
    totals.store(reserve)
}

fn belongs(position: (&Address, &Address), protocol: Account, mint: &Address, name: &str) -> Result {
    checks::has_one(position.0, protocol, name)?;
    if position.1 == mint {
        Ok(())
    } else {
        Err(anchor::CONSTRAINT_HAS_ONE.of(name))
    }
}
