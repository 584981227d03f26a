//! The accounts of the program.

use sluice_program::cpi::Signers;
use sluice_program::members::Members;
use sluice_program::{anchor, layout, Account, Address, Result};

use crate::errors::{CANNOT_BORROW_BEFORE_REPAY, MATH_ERRORS, MISSED_INSTRUCTION};
use crate::keys::{DCA_SEED, FEE_AUTHORITY, PROGRAM};

const NAME: &str = "dca";
const MAX_KEEPERS: usize = 8;

/// What `next_cycle_amount_left` says between the two halves of a fill. No order can have that much: see
/// [`Dca::add_deposit`].
const IN_FLIGHT: u64 = u64::MAX;

layout! {
    /// An order that trades an equal part of its input in every cycle. Amounts are atoms, times are Unix seconds.
    pub struct Dca = "Dca" {
        pub user: Address,
        pub input_mint: Address,
        pub output_mint: Address,
        /// The number that the user chose, from which the address is derived.
        pub idx: u64,
        /// The second from which the next cycle may be filled.
        pub next_cycle_at: i64,
        pub in_deposited: u64,
        pub in_withdrawn: u64,
        pub out_withdrawn: u64,
        pub in_used: u64,
        /// What fills have brought, without their fees.
        pub out_received: u64,
        pub in_amount_per_cycle: u64,
        /// The seconds between two cycles.
        pub cycle_frequency: i64,
        /// What the next cycle trades, or `IN_FLIGHT`.
        pub next_cycle_amount_left: u64,
        pub in_account: Address,
        pub out_account: Address,
        /// The least and the most that `in_amount_per_cycle` may buy. Zero is no bound.
        pub min_out_amount: u64,
        pub max_out_amount: u64,
        /// Two balances at the beginning of the fill that runs: zero otherwise.
        pub keeper_in_balance_before_borrow: u64,
        pub dca_out_balance_before_swap: u64,
        pub created_at: i64,
        pub bump: u8,
    }
}

layout! {
    /// Who may fill orders and withdraw fees. The public program compiles them in; here the genesis writes them into the
    /// account that owns the fees, because each network has keys of its own.
    pub struct FeeAuthority = "FeeAuthority" {
        pub admin: Address,
        pub keepers: Members<MAX_KEEPERS>,
    }
}

impl Dca {
    /// Reads an order that is not being filled. Fails with CannotBorrowBeforeRepay if it is.
    pub fn load(account: Account) -> Result<Self> {
        let order = layout::load::<Self>(account, &PROGRAM, NAME)?;
        if order.next_cycle_amount_left == IN_FLIGHT {
            return Err(CANNOT_BORROW_BEFORE_REPAY.of(NAME));
        }
        Ok(order)
    }

    /// Reads an order of which a cycle is being filled. Fails with MissedInstruction if none is.
    pub fn load_in_flight(account: Account) -> Result<Self> {
        let order = layout::load::<Self>(account, &PROGRAM, NAME)?;
        if order.next_cycle_amount_left != IN_FLIGHT {
            return Err(MISSED_INSTRUCTION.of(NAME));
        }
        Ok(order)
    }

    /// Writes the order, of which no cycle is being filled from now on.
    pub fn store(&mut self, account: Account) -> Result {
        self.next_cycle_amount_left = self.cycle_amount()?;
        anchor::check_writable(account, NAME)?;
        layout::store(self, account)
    }

    /// Writes the order, of which a cycle is being filled until `fulfill_flash_fill` stores it.
    pub fn store_in_flight(&mut self, account: Account) -> Result {
        self.next_cycle_amount_left = IN_FLIGHT;
        anchor::check_writable(account, NAME)?;
        layout::store(self, account)
    }

    /// Counts a deposit. Returns None if the sum reaches the largest u64, which marks orders that are being filled.
    pub fn add_deposit(&mut self, amount: u64) -> Option<()> {
        let sum = self.in_deposited.checked_add(amount)?;
        if sum == IN_FLIGHT {
            return None;
        }
        self.in_deposited = sum;
        Some(())
    }

    /// Returns how much of the input was neither used nor withdrawn. Fails with MathErrors if the counts disagree.
    pub fn in_left(&self) -> Result<u64> {
        let left = self.in_deposited.checked_sub(self.in_withdrawn);
        Ok(left.and_then(|left| left.checked_sub(self.in_used)).ok_or(MATH_ERRORS)?)
    }

    /// Returns how much of the output was not withdrawn. Fails with MathErrors if the counts disagree.
    pub fn out_left(&self) -> Result<u64> {
        Ok(self.out_received.checked_sub(self.out_withdrawn).ok_or(MATH_ERRORS)?)
    }

    /// Counts the rest of the input and of the output as withdrawn, and returns that of the input. An order whose counts
    /// disagree is closed all the same: what its accounts hold is the user's.
    pub fn settle(&mut self) -> u64 {
        let unfilled = self.in_left().unwrap_or(0);
        self.in_withdrawn = self.in_withdrawn.saturating_add(unfilled);
        self.out_withdrawn = self.out_withdrawn.max(self.out_received);
        unfilled
    }

    /// Makes a call that the order signs.
    #[inline(always)]
    pub fn sign(&self, call: impl FnOnce(Signers) -> Result) -> Result {
        let Self { user, input_mint, output_mint, idx, bump, .. } = self;
        call(&[&[DCA_SEED, &user.0, &input_mint.0, &output_mint.0, &idx.to_le_bytes(), &[*bump]]])
    }
}

impl FeeAuthority {
    /// Reads the account. Fails with ConstraintSeeds for another address, and as [`layout::load`] does.
    pub fn load(account: Account) -> Result<Self> {
        const NAME: &str = "fee_authority";
        if *account.address() != FEE_AUTHORITY {
            return Err(anchor::CONSTRAINT_SEEDS.of(NAME));
        }
        layout::load(account, &PROGRAM, NAME)
    }
}
