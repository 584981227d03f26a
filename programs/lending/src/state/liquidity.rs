//! The fields that this program reads from the liquidity program's accounts.

use sluice_lending::state::{self, SupplyPosition};
use sluice_lending::LIQUIDITY_PROGRAM;
use sluice_program::interest::Accrual;
use sluice_program::{layout, Account, Address, Result};

/// A reserve's mint, and the fields on which its prices depend.
pub struct Reserve {
    pub mint: Address,
    pub accrual: Accrual,
}

impl Reserve {
    /// Reads a reserve. Fails with an error of Anchor's unless the account is one.
    #[inline(never)]
    pub fn load(account: Account) -> Result<Self> {
        let reserve: state::Reserve =
            layout::load(account, &LIQUIDITY_PROGRAM, "supply_token_reserves_liquidity")?;
        Ok(Self { mint: reserve.mint, accrual: reserve.accrual() })
    }
}

/// Returns the raw amount of a supply position.
#[inline(never)]
pub fn supplied(position: Account) -> Result<u64> {
    let name = "lending_supply_position_on_liquidity";
    let position: SupplyPosition = layout::load(position, &LIQUIDITY_PROGRAM, name)?;
    Ok(position.amount)
}
