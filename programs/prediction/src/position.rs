//! A wallet's contracts on one side of a market.

use sluice_program::{anchor, layout, Account, Address, Result};

use crate::errors::{
    GLOBAL_MAX_CONTRACTS_EXCEEDED, INSUFFICIENT_CONTRACTS, INVALID_POSITION, MATH_OVERFLOW,
    POSITION_MAX_CONTRACTS_EXCEEDED,
};
use crate::math::{mul_div_ceil, mul_div_floor, signed};
use crate::text::MarketId;
use crate::vault::{Vault, PROGRAM};

pub const POSITION_SEED: &[u8] = b"position";
/// The bytes of a position, as on mainnet.
pub const POSITION_SPACE: usize = 204;

layout! {
    /// A position.
    pub struct Position = "Position" {
        pub owner: Address,
        pub market_id: MarketId,
        pub is_yes: bool,
        pub payout_claimed: bool,
        pub payout_claimed_usd: u64,
        /// When it began to hold the contracts that it holds now.
        pub opened_at: i64,
        pub contracts: u64,
        /// The cost of the contracts held now, without fees.
        pub total_cost: u64,
        pub open_orders: u32,
        /// The fees of the contracts held now.
        pub fees_paid: u64,
        pub realized_pnl: i64,
        pub updated_at: i64,
        pub bump: u8,
        pub unit_version: u8,
        pub payer: Address,
    }
}

/// What leaves a position.
pub struct Removed {
    pub cost: u64,
    pub fees: u64,
}

impl Position {
    /// Reads the account. Fails with an error of Anchor's unless it is a position.
    pub fn load(account: Account) -> Result<Self> {
        layout::load(account, &PROGRAM, "position")
    }

    /// Adds bought contracts, also to the vault's count. Fails with PositionMaxContractsExceeded or
    /// GlobalMaxContractsExceeded.
    #[inline(never)]
    pub fn add(&mut self, vault: &mut Vault, contracts: u64, bought: &Removed, now: i64) -> Result {
        if self.contracts == 0 {
            self.opened_at = now;
        }
        self.contracts = self.contracts.checked_add(contracts).ok_or(MATH_OVERFLOW)?;
        if self.contracts > vault.position_max_contracts {
            return Err(POSITION_MAX_CONTRACTS_EXCEEDED.into());
        }
        vault.current_contracts = vault.current_contracts.checked_add(contracts).ok_or(MATH_OVERFLOW)?;
        if vault.current_contracts > vault.global_max_contracts {
            return Err(GLOBAL_MAX_CONTRACTS_EXCEEDED.into());
        }
        self.total_cost = self.total_cost.checked_add(bought.cost).ok_or(MATH_OVERFLOW)?;
        self.fees_paid = self.fees_paid.checked_add(bought.fees).ok_or(MATH_OVERFLOW)?;
        self.updated_at = now;
        Ok(())
    }

    /// Takes contracts away, also from the vault's count, with their share of cost and fees. The share of the cost is
    /// rounded down and that of the fees up, so that what stays never costs more than it can pay. Fails with
    /// InsufficientContracts if there are fewer.
    #[inline(never)]
    pub fn remove(&mut self, vault: &mut Vault, contracts: u64, now: i64) -> Result<Removed> {
        if contracts == 0 || contracts > self.contracts {
            return Err(INSUFFICIENT_CONTRACTS.of("position"));
        }
        let removed = Removed {
            cost: mul_div_floor(self.total_cost, contracts, self.contracts)?,
            fees: mul_div_ceil(self.fees_paid, contracts, self.contracts)?,
        };
        self.contracts -= contracts;
        self.total_cost -= removed.cost;
        self.fees_paid -= removed.fees;
        vault.current_contracts = vault.current_contracts.checked_sub(contracts).ok_or(MATH_OVERFLOW)?;
        self.updated_at = now;
        Ok(removed)
    }

    /// Adds what contracts brought in excess of their cost and fees, and returns it.
    #[inline(never)]
    pub fn realize(&mut self, brought: u64, removed: &Removed) -> Result<i64> {
        let spent = removed.cost.checked_add(removed.fees).ok_or(MATH_OVERFLOW)?;
        let realized = signed(brought)?.checked_sub(signed(spent)?).ok_or(MATH_OVERFLOW)?;
        self.realized_pnl = self.realized_pnl.checked_add(realized).ok_or(MATH_OVERFLOW)?;
        Ok(realized)
    }

    /// Counts an order that ended. Fails with MathOverflow if none is counted.
    pub fn end_order(&mut self) -> Result {
        self.open_orders = self.open_orders.checked_sub(1).ok_or(MATH_OVERFLOW)?;
        Ok(())
    }
}

/// Fails with InvalidPosition unless the account stands at that address.
pub fn check_position(account: Account, expected: &Address) -> Result {
    if account.address() == expected {
        anchor::check_writable(account, "position")
    } else {
        Err(INVALID_POSITION.of("position"))
    }
}
