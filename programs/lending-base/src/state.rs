//! Accounts of the liquidity program that other programs also read.

use crate::LIQUIDITY_PROGRAM;
use sluice_program::interest::{Accrual, PRICE_ONE};
use sluice_program::layout::Flag;
use sluice_program::{layout, Account, Address, Result};

/// The statuses of a position. One that is neither active nor unconfigured is paused.
pub const ACTIVE: u8 = 0;
pub const PAUSED: u8 = 1;
pub const UNCONFIGURED: u8 = 2;

layout! {
    /// The totals and prices of one token.
    #[derive(Clone, Copy)]
    pub struct Reserve = "TokenReserve" {
        pub mint: Address,
        pub vault: Address,
        pub borrow_rate: u16,
        pub fee_on_interest: u16,
        pub last_utilization: u16,
        pub last_update: u64,
        pub supply_exchange_price: u64,
        pub borrow_exchange_price: u64,
        pub max_utilization: u16,
        /// A raw amount.
        pub supply_with_interest: u64,
        pub supply_interest_free: u64,
        /// A raw amount.
        pub borrow_with_interest: u64,
        pub borrow_interest_free: u64,
        pub total_claim_amount: u64,
        /// The protocol that announced a payment, the time of the announcement, and the vault's balance then.
        pub interacting_protocol: Address,
        pub interacting_timestamp: u64,
        pub interacting_balance: u64,
    }
}

impl Reserve {
    /// Reads the reserve. Fails with an error of Anchor's unless the account is one of the liquidity program's.
    pub fn load(account: Account) -> Result<Self> {
        layout::load_zero_copy(account, &LIQUIDITY_PROGRAM, "token_reserve")
    }

    /// Writes the reserve.
    pub fn store(&self, account: Account) -> Result {
        layout::store(self, account)
    }

    /// Returns a reserve that no protocol uses yet.
    pub fn new(mint: &Address, vault: &Address, now: u64) -> Self {
        Self {
            mint: *mint,
            vault: *vault,
            borrow_rate: 0,
            fee_on_interest: 0,
            last_utilization: 0,
            last_update: now,
            supply_exchange_price: PRICE_ONE,
            borrow_exchange_price: PRICE_ONE,
            max_utilization: 0,
            supply_with_interest: 0,
            supply_interest_free: 0,
            borrow_with_interest: 0,
            borrow_interest_free: 0,
            total_claim_amount: 0,
            interacting_protocol: Address::ZERO,
            interacting_timestamp: 0,
            interacting_balance: 0,
        }
    }

    /// Returns the fields on which the prices depend.
    #[inline(always)]
    pub fn accrual(&self) -> Accrual {
        Accrual {
            supply_exchange_price: self.supply_exchange_price,
            borrow_exchange_price: self.borrow_exchange_price,
            borrow_rate: self.borrow_rate,
            fee_on_interest: self.fee_on_interest,
            last_utilization: self.last_utilization,
            last_update: self.last_update,
            supply_with_interest: self.supply_with_interest,
            supply_interest_free: self.supply_interest_free,
            borrow_with_interest: self.borrow_with_interest,
            borrow_interest_free: self.borrow_interest_free,
        }
    }
}

layout! {
    /// The amount of one token that a protocol supplied, with its limits.
    #[derive(Clone, Copy)]
    pub struct SupplyPosition = "UserSupplyPosition" {
        pub protocol: Address,
        pub mint: Address,
        pub with_interest: bool as Flag,
        /// A raw amount if the position earns interest.
        pub amount: u64,
        /// The amount that must stay, raw if the position earns interest. It is zero while less than the base limit
        /// is supplied.
        pub withdrawal_limit: u64,
        /// No build that sets this field is known.
        pub decay_amount: u64,
        pub last_update: u64,
        pub expand_percent: u16,
        pub expand_duration: u32,
        pub decay_duration: u32,
        pub base_withdrawal_limit: u64,
        pub status: u8,
    }
}

impl SupplyPosition {
    /// Reads the position. Fails with an error of Anchor's unless the account is one of the liquidity program's.
    pub fn load(account: Account) -> Result<Self> {
        layout::load_zero_copy(account, &LIQUIDITY_PROGRAM, "user_supply_position")
    }

    /// Writes the position.
    pub fn store(&self, account: Account) -> Result {
        layout::store(self, account)
    }

    /// Returns a position that cannot be used before it is configured.
    pub fn new(protocol: &Address, mint: &Address, now: u64) -> Self {
        Self {
            protocol: *protocol,
            mint: *mint,
            with_interest: false,
            amount: 0,
            withdrawal_limit: 0,
            decay_amount: 0,
            last_update: now,
            expand_percent: 0,
            expand_duration: 0,
            decay_duration: 0,
            base_withdrawal_limit: 0,
            status: UNCONFIGURED,
        }
    }
}

layout! {
    /// The amount of one token that a protocol borrowed, with its limits.
    #[derive(Clone, Copy)]
    pub struct BorrowPosition = "UserBorrowPosition" {
        pub protocol: Address,
        pub mint: Address,
        pub with_interest: bool as Flag,
        /// A raw amount if the position pays interest.
        pub amount: u64,
        pub debt_ceiling: u64,
        pub last_update: u64,
        pub expand_percent: u16,
        pub expand_duration: u32,
        pub base_debt_ceiling: u64,
        pub max_debt_ceiling: u64,
        pub status: u8,
    }
}

impl BorrowPosition {
    /// Reads the position. Fails with an error of Anchor's unless the account is one of the liquidity program's.
    pub fn load(account: Account) -> Result<Self> {
        layout::load_zero_copy(account, &LIQUIDITY_PROGRAM, "user_borrow_position")
    }

    /// Writes the position.
    pub fn store(&self, account: Account) -> Result {
        layout::store(self, account)
    }

    /// Returns a position that cannot be used before it is configured.
    pub fn new(protocol: &Address, mint: &Address, now: u64) -> Self {
        Self {
            protocol: *protocol,
            mint: *mint,
            with_interest: false,
            amount: 0,
            debt_ceiling: 0,
            last_update: now,
            expand_percent: 0,
            expand_duration: 0,
            base_debt_ceiling: 0,
            max_debt_ceiling: 0,
            status: UNCONFIGURED,
        }
    }
}
