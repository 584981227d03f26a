//! The accounts of the program, and its addresses.

use sluice_program::bytes::{Reader, Writer};
use sluice_program::layout::Field;
use sluice_program::{address, layout, Account, Address, Result};

use crate::errors::INVALID_ADMIN;

pub const PROGRAM: Address = address!("j1o2qRpjcyUwEvwtcfhEQefh773ZgjxcVRry7LDqg5X");

/// Signs the program's calls to itself.
pub const EVENT_AUTHORITY: Address = address!("ArsDfE54RTkC3zhtzPdtvTtKw9XSV5w1PCTBFVGiLd52");
pub const EVENT_AUTHORITY_BUMP: u8 = 255;

/// The account with the rates of the fees. It owns the token accounts that fees are paid to.
pub const FEE: Address = address!("27ZASRjinQgXKsrijKqb9xyRnH6W5KWgLSDveRghvHqc");
pub const FEE_SEED: &[u8] = b"fee";
pub const FEE_BUMP: u8 = 255;

/// Together with the maker and the unique id, the seeds of an order.
pub const ORDER_SEED: &[u8] = b"order";
/// The length of an order, with the bytes that the public program keeps for later.
pub const ORDER_SPACE: usize = 372;

/// The form of an optional Unix second in borsh, which takes one byte if there is none.
pub enum OptionalSecond {}

impl Field<Option<i64>> for OptionalSecond {
    const LEN: usize = 9;

    #[inline(always)]
    fn read(from: &mut Reader) -> Option<Option<i64>> {
        if from.bool()? {
            from.i64().map(Some)
        } else {
            Some(None)
        }
    }

    #[inline(always)]
    fn write(value: &Option<i64>, to: &mut Writer) -> Result {
        match value {
            None => to.u8(0),
            Some(second) => {
                to.u8(1)?;
                to.u64(*second as u64)
            }
        }
    }
}

layout! {
    /// An order. `making` is what it sells, and `taking` what it buys.
    pub struct Order = "Order" {
        pub maker: Address,
        pub input_mint: Address,
        pub output_mint: Address,
        pub input_token_program: Address,
        pub output_token_program: Address,
        /// The order's associated token account, which holds what is left of the input.
        pub input_mint_reserve: Address,
        pub unique_id: u64,
        pub ori_making_amount: u64,
        pub ori_taking_amount: u64,
        /// What is left. Both are above zero as long as the order exists.
        pub making_amount: u64,
        pub taking_amount: u64,
        /// What a taker has borrowed, or 0 outside of a pair of flash instructions.
        pub borrow_making_amount: u64,
        pub expired_at: Option<i64> as OptionalSecond,
        pub fee_bps: u16,
        /// The token account of the output mint that fees are paid to.
        pub fee_account: Address,
        pub created_at: i64,
        pub updated_at: i64,
        pub bump: u8,
        /// How much less than the price the maker accepts, in basis points.
        pub slippage_bps: u16,
    }
}

layout! {
    /// The rates of the fees in basis points. The public account ends before the admin.
    pub struct Fee = "Fee" {
        pub normal_fee_bps: u16,
        pub stable_fee_bps: u16,
        pub admin: Address,
    }
}

impl Order {
    /// Reads the account. Fails with an error of Anchor's unless it is an order.
    pub fn load(account: Account) -> Result<Self> {
        layout::load(account, &PROGRAM, "order")
    }

    /// Writes the account.
    pub fn store(&self, account: Account) -> Result {
        layout::store(self, account)
    }

    /// Returns whether the order has expired at that Unix second. The first expired second is the one it
    /// names.
    pub fn is_expired(&self, now: i64) -> bool {
        self.expired_at.is_some_and(|second| now >= second)
    }

    /// Calls `run` with the seeds by which the order signs.
    #[inline(always)]
    pub fn sign(&self, run: impl FnOnce(&[&[&[u8]]]) -> Result) -> Result {
        let unique_id = self.unique_id.to_le_bytes();
        run(&[&[ORDER_SEED, &self.maker.0, &unique_id, &[self.bump]]])
    }
}

impl Fee {
    /// Reads the account. Fails with an error of Anchor's unless it is the program's.
    pub fn load(account: Account, name: &str) -> Result<Self> {
        layout::load(account, &PROGRAM, name)
    }

    /// Fails with InvalidAdmin unless `signer` is the admin.
    pub fn check_admin(&self, signer: Account) -> Result {
        if self.admin == *signer.address() {
            Ok(())
        } else {
            Err(INVALID_ADMIN.of("admin"))
        }
    }
}
