//! The state of a vault: its totals, prices, top tick and current branch.

use crate::error::{BRANCH_NOT_FOUND, NEW_BRANCH_INVALID};
use crate::keys::PROGRAM;
use crate::math::tick::NO_TICK;
use crate::math::{add, narrow, sub};
use crate::state::branch::{Branch, Branches};
use crate::state::debt_map::DebtMaps;
use sluice_program::layout::Flag;
use sluice_program::{anchor, layout, Account, Result};

const NAME: &str = "vault_state";

layout! {
    /// The state of a vault.
    #[derive(Clone, Copy)]
    pub struct Vault = "VaultState" {
        pub vault_id: u16,
        /// Whether debt was liquidated in the current branch. If so, the top tick is the branch's lowest.
        pub branch_liquidated: bool as Flag,
        /// [`NO_TICK`] while no position has debt.
        pub topmost_tick: i32,
        pub current_branch_id: u32,
        pub total_branch_id: u32,
        /// A raw amount.
        pub total_supply: u64,
        /// A raw amount without dust.
        pub total_borrow: u64,
        pub total_positions: u32,
        pub absorbed_debt: u128,
        pub absorbed_col: u128,
        pub absorbed_dust_debt: u64,
        pub prices: Prices,
        pub next_position_id: u32,
        /// A Unix second.
        pub last_update: u64,
    }
}

layout! {
    /// The four exchange prices. 1.0 is 10^12.
    #[derive(Clone, Copy)]
    pub struct Prices {
        pub liquidity_supply: u64,
        pub liquidity_borrow: u64,
        pub vault_supply: u64,
        pub vault_borrow: u64,
    }
}

impl Vault {
    /// Reads the state. Fails with an error of Anchor's unless the account is one.
    pub fn load(account: Account) -> Result<Self> {
        layout::load_zero_copy(account, &PROGRAM, NAME)
    }

    /// Reads the state for changing it. Fails also unless the account is writable.
    pub fn load_writable(account: Account) -> Result<Self> {
        let vault = Self::load(account)?;
        anchor::check_writable(account, NAME)?;
        Ok(vault)
    }

    /// Writes the state.
    pub fn store(&self, account: Account) -> Result {
        layout::store(self, account)
    }

    /// Updates the total after the raw collateral of a position changed from `before` to `after`.
    pub fn move_supply(&mut self, before: u128, after: u128) -> Result {
        self.total_supply = narrow(sub(add(self.total_supply as u128, after)?, before)?)?;
        Ok(())
    }

    /// Updates the total after the debt (without dust) of a position changed from `before` to `after`. Debts are
    /// rounded up when they are read, so the last position to leave may have more debt than the total.
    pub fn move_borrow(&mut self, before: u128, after: u128) -> Result {
        self.total_borrow = narrow(sub(add(self.total_borrow as u128, after)?, before)?)?;
        Ok(())
    }

    /// Makes a liquidated branch, with its lowest tick, the current one.
    pub fn rest_on(&mut self, tick: i32, branch_id: u32) {
        self.branch_liquidated = true;
        self.topmost_tick = tick;
        self.current_branch_id = branch_id;
    }

    /// Makes the branch after the last one the current one.
    pub fn begin_branch(&mut self) -> Result {
        self.total_branch_id = self.total_branch_id.checked_add(1).ok_or(NEW_BRANCH_INVALID)?;
        self.branch_liquidated = false;
        self.current_branch_id = self.total_branch_id;
        Ok(())
    }

    /// Makes `tick`, which is not below the top tick, the new top tick. Above a liquidated branch this begins a new
    /// branch. Fails with VaultNewBranchInvalid unless `new_branch` is then the one after the last.
    #[inline(never)]
    pub fn raise_top(&mut self, tick: i32, new_branch: Account) -> Result {
        if self.branch_liquidated {
            let mut branch = Branch::load(new_branch, "new_branch")?;
            if self.total_branch_id.checked_add(1) != Some(branch.id) {
                return Err(NEW_BRANCH_INVALID.into());
            }
            branch.reset();
            branch.connected_branch_id = self.current_branch_id;
            branch.connected_minima_tick = self.topmost_tick;
            branch.store()?;
            self.begin_branch()?;
        }
        self.topmost_tick = tick;
        Ok(())
    }

    /// Finds the top tick after the present one has lost its debt: the next tick with debt, or the lowest tick of the
    /// branch below the current one, which then becomes current again. Returns the new top tick.
    #[inline(never)]
    pub fn lower_top(&mut self, branches: &Branches, maps: &DebtMaps) -> Result<i32> {
        let mut branch = branches.load(self.current_branch_id)?;
        let next = maps.next_below(self.topmost_tick)?;
        let base = branch.connected_minima_tick;
        if base <= next {
            // The higher one of both is no tick if the last position without liquidation leaves a vault.
            self.topmost_tick = next;
            self.branch_liquidated = false;
            return Ok(next);
        }
        let last = branch.id.checked_sub(1).ok_or(BRANCH_NOT_FOUND)?;
        self.rest_on(base, branch.connected_branch_id);
        self.total_branch_id = last;
        branch.reset();
        branch.store()?;
        Ok(base)
    }
}

const _: () = assert!(NO_TICK < crate::math::tick::MIN_TICK);
