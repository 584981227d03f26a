//! A position: collateral and debt of one owner in a vault.

use crate::keys::PROGRAM;
use crate::math::tick::{ratio_at, NO_TICK};
use crate::math::{add, mul, narrow};
use sluice_program::layout::Flag;
use sluice_program::{anchor, layout, Account, Address, Result};

const NAME: &str = "position";

layout! {
    /// The fields of a position.
    #[derive(Clone, Copy)]
    pub struct Position = "Position" {
        pub vault_id: u16,
        pub id: u32,
        pub mint: Address,
        pub is_supply_only: bool as Flag,
        pub tick: i32,
        /// The id of the tick's debt of which the position's debt is a part.
        pub tick_id: u32,
        /// Raw collateral.
        pub supply: u64,
        /// The excess of the debt that follows from the tick over the position's real debt.
        pub dust_debt: u64,
    }
}

impl Position {
    /// Returns a new position without collateral and debt.
    pub fn new(vault_id: u16, id: u32, mint: &Address) -> Self {
        Self {
            vault_id,
            id,
            mint: *mint,
            is_supply_only: true,
            tick: NO_TICK,
            tick_id: 0,
            supply: 0,
            dust_debt: 0,
        }
    }

    /// Reads a position for changing it. Fails with an error of Anchor's unless the account is a writable position.
    pub fn load(account: Account) -> Result<Self> {
        let position = layout::load_zero_copy(account, &PROGRAM, NAME)?;
        anchor::check_writable(account, NAME)?;
        Ok(position)
    }

    /// Writes the position.
    pub fn store(&self, account: Account) -> Result {
        layout::store(self, account)
    }
}

/// The amounts of a position while an operation changes them.
#[derive(Clone, Copy)]
pub struct Holding {
    /// Raw collateral.
    pub col: u128,
    /// Raw debt. It includes dust, as its tick counts it, unless said otherwise.
    pub debt: u128,
    pub dust: u128,
    pub tick: i32,
    pub tick_id: u32,
}

impl Holding {
    /// Returns the recorded amounts, before any liquidation is applied. The debt is rounded up.
    #[inline(never)]
    pub fn of(position: &Position) -> Result<Self> {
        let col = position.supply as u128;
        let dust = position.dust_debt as u128;
        if position.is_supply_only {
            return Ok(Self { col, debt: 0, dust, tick: NO_TICK, tick_id: 0 });
        }
        let debt = add(mul(ratio_at(position.tick)?, add(col, 1)?)? >> 48, 1)?;
        Ok(Self { col, debt, dust, tick: position.tick, tick_id: position.tick_id })
    }

    /// Records these amounts in the position.
    pub fn record(&self, position: &mut Position) -> Result {
        position.is_supply_only = self.tick == NO_TICK;
        position.tick = self.tick;
        position.tick_id = self.tick_id;
        position.supply = narrow(self.col)?;
        position.dust_debt = narrow(self.dust)?;
        Ok(())
    }
}
