//! Orders and the results of markets.

use sluice_program::bytes::{self, Reader, Writer};
use sluice_program::layout::Field;
use sluice_program::{anchor, layout, Account, Address, ProgramError, Result};

use crate::text::{MarketId, OptionalText, Text};
use crate::vault::PROGRAM;

pub const ORDER_SEED: &[u8] = b"order";
pub const RESULT_SEED: &[u8] = b"market_result";
/// The bytes of an order and of a result, as on mainnet.
pub const ORDER_SPACE: usize = 397;
pub const RESULT_SPACE: usize = 95;
/// Where the sums of an order's fills stand. The public fields never reach that far with the texts that are accepted.
const ORDER_TOTALS: usize = ORDER_SPACE - 16;

/// The id by which the service names an order: the seed of its address.
pub type ExternalId = Text<32>;
/// The id of an order at the venue.
pub type VenueId = Text<80>;
/// The form of an id that the venue may not have given yet.
pub type OptionalVenueId = OptionalText<80>;

/// The status of an order.
#[derive(Clone, Copy, PartialEq, Eq)]
pub enum Status {
    Pending,
    Filled,
    Failed,
    PartiallyFilled,
    Cancelled,
}

impl Field for Status {
    const LEN: usize = 1;

    #[inline(always)]
    fn read(from: &mut Reader) -> Option<Self> {
        Some(match from.u8()? {
            0 => Self::Pending,
            1 => Self::Filled,
            2 => Self::Failed,
            3 => Self::PartiallyFilled,
            4 => Self::Cancelled,
            _ => return None,
        })
    }

    #[inline(always)]
    fn write(value: &Self, to: &mut Writer) -> Result {
        to.u8(*value as u8)
    }
}

layout! {
    /// An order.
    pub struct Order = "Order" {
        pub owner: Address,
        pub position: Address,
        pub status: Status,
        pub market_id: MarketId,
        pub is_yes: bool,
        pub is_buy: bool,
        pub created_at: i64,
        pub contracts: u64,
        /// The highest price of a purchase, the lowest of a sale.
        pub limit_price: u64,
        pub filled_at: i64,
        pub filled_contracts: u64,
        pub average_price: u64,
        pub order_id: Option<VenueId> as OptionalVenueId,
        pub external_id: ExternalId,
        pub bump: u8,
        pub is_limit: bool,
        pub payer: Address,
        /// Zero if there is none.
        pub integrator: Address,
        pub integrator_fee_bps: u16,
        pub unit_version: u8,
    }
}

/// What the fills of an order came to.
#[derive(Clone, Copy, Default)]
pub struct OrderTotals {
    /// The cost of purchases, or what sales brought before fees.
    pub amount: u64,
    pub fees: u64,
}

impl Order {
    /// Reads the account. Fails with an error of Anchor's unless it is an order.
    #[inline(never)]
    pub fn load(account: Account) -> Result<Self> {
        layout::load(account, &PROGRAM, "order")
    }

    /// Reads what the order's fills came to.
    pub fn totals(account: Account) -> Result<OrderTotals> {
        let data = account.data()?;
        let amount = bytes::u64_at(&data, ORDER_TOTALS).ok_or(ProgramError::INVALID_ACCOUNT_DATA)?;
        let fees = bytes::u64_at(&data, ORDER_TOTALS + 8).ok_or(ProgramError::INVALID_ACCOUNT_DATA)?;
        Ok(OrderTotals { amount, fees })
    }

    /// Writes the account.
    #[inline(never)]
    pub fn store(&self, totals: &OrderTotals, account: Account) -> Result {
        layout::store(self, account)?;
        let mut data = account.data_mut()?;
        bytes::put(&mut data, ORDER_TOTALS, &totals.amount.to_le_bytes())?;
        bytes::put(&mut data, ORDER_TOTALS + 8, &totals.fees.to_le_bytes())
    }

    /// Calls `run` with the seeds by which the order signs.
    #[inline(always)]
    pub fn sign(&self, run: impl FnOnce(&[&[&[u8]]]) -> Result) -> Result {
        run(&[&[ORDER_SEED, &self.owner.0, self.external_id.bytes(), &[self.bump]]])
    }

    /// Returns whether it may be filled, or be ended by its owner.
    pub fn is_open(&self) -> bool {
        matches!(self.status, Status::Pending | Status::PartiallyFilled)
    }
}

/// How a market ended.
pub const OUTCOME_YES: u8 = 1;
pub const OUTCOME_SPLIT: u8 = 2;
pub const OUTCOME_REFUND: u8 = 3;

layout! {
    /// The result of a market.
    pub struct MarketResult = "MarketResult" {
        pub market_id: MarketId,
        pub outcome: u8,
        /// The first Unix second in which claims are permitted.
        pub settlement_time: i64,
        pub claims_enabled: bool,
        pub created_at: i64,
        pub bump: u8,
    }
}

impl MarketResult {
    /// Reads the account. Fails with an error of Anchor's unless it is a result, and with AccountNotInitialized if there
    /// is none yet.
    pub fn load(account: Account) -> Result<Self> {
        layout::load(account, &PROGRAM, "market_result")
    }

    /// Fails with ConstraintSeeds unless the account stands where the result of the market does.
    #[inline(never)]
    pub fn check_address(account: Account, market_id: &MarketId) -> Result<u8> {
        anchor::check_derived(account, &[RESULT_SEED, &market_id.0], &PROGRAM, "market_result")
    }
}
