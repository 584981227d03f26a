//! The pool account.

use crate::error::{in_range, INSUFFICIENT_VAULT, INVALID_FEE_MODEL, MATH_OVERFLOW};
use sluice_program::account::DataMut;
use sluice_program::bytes::{self, Writer};
use sluice_program::wide;
use sluice_program::{anchor, Address, ProgramError, Result};

pub const TAG: [u8; 8] = anchor::account("PoolState");
pub const LEN: usize = 637;

/// Offsets of addresses.
pub const AMM_CONFIG: usize = 8;
pub const CREATOR: usize = 40;
pub const VAULTS: [usize; 2] = [72, 104];
pub const LP_MINT: usize = 136;
pub const OBSERVATION: usize = 296;

/// Offsets of numbers. Pairs are those of token 0 and token 1.
const AUTH_BUMP: usize = 328;
const STATUS: usize = 329;
const LP_SUPPLY: usize = 333;
const PROTOCOL_FEES: [usize; 2] = [341, 349];
const FUND_FEES: [usize; 2] = [357, 365];
const OPEN_TIME: usize = 373;
const RECENT_EPOCH: usize = 381;
const CREATOR_FEE_ON: usize = 389;
const ENABLE_CREATOR_FEE: usize = 390;
const CREATOR_FEES: [usize; 2] = [397, 405];

/// The bits of the status. A set bit turns that kind of instruction off.
pub const DEPOSIT_OFF: u8 = 1;
pub const WITHDRAW_OFF: u8 = 2;
pub const SWAP_OFF: u8 = 4;

/// The receivers of fees. Each has an amount per token.
#[derive(Clone, Copy)]
pub enum Fees {
    Protocol,
    Fund,
    Creator,
}

impl Fees {
    const fn places(self) -> [usize; 2] {
        match self {
            Self::Protocol => PROTOCOL_FEES,
            Self::Fund => FUND_FEES,
            Self::Creator => CREATOR_FEES,
        }
    }
}

/// The fields of a new pool.
pub struct NewPool<'a> {
    pub amm_config: &'a Address,
    pub creator: &'a Address,
    pub vaults: [&'a Address; 2],
    pub lp_mint: &'a Address,
    pub mints: [&'a Address; 2],
    pub token_programs: [&'a Address; 2],
    pub observation: &'a Address,
    pub auth_bump: u8,
    pub decimals: [u8; 2],
    pub lp_decimals: u8,
    pub lp_supply: u64,
    pub open_time: u64,
    pub recent_epoch: u64,
    pub creator_fee_on: u8,
    pub enable_creator_fee: bool,
}

impl NewPool<'_> {
    /// Writes the discriminator and all fields into zeroed data.
    pub fn encode(&self, data: &mut [u8]) -> Result {
        let mut writer = Writer::new(data);
        writer.array(&TAG)?;
        writer.address(self.amm_config)?;
        writer.address(self.creator)?;
        for vault in self.vaults {
            writer.address(vault)?;
        }
        writer.address(self.lp_mint)?;
        for address in [self.mints, self.token_programs].into_iter().flatten() {
            writer.address(address)?;
        }
        writer.address(self.observation)?;
        // The status is between bump and decimals. It starts with everything turned on.
        writer.array(&[self.auth_bump, 0, self.lp_decimals, self.decimals[0], self.decimals[1]])?;
        writer.u64(self.lp_supply)?;
        writer.array(&[0; 32])?;
        writer.u64(self.open_time)?;
        writer.u64(self.recent_epoch)?;
        writer.array(&[self.creator_fee_on, self.enable_creator_fee as u8])
    }
}

/// A pool's data, of which owner, discriminator and length were checked.
pub struct Pool<'a>(DataMut<'a>);

impl<'a> Pool<'a> {
    /// Wraps data that was checked.
    pub fn new(data: DataMut<'a>) -> Self {
        Self(data)
    }

    /// Returns the address at an offset.
    pub fn address(&self, at: usize) -> Result<Address> {
        address(&self.0, at)
    }

    /// Returns the bump of the pools' authority.
    pub fn auth_bump(&self) -> u8 {
        self.0[AUTH_BUMP]
    }

    /// Returns whether the status turns a kind of instruction off.
    pub fn is_off(&self, bit: u8) -> bool {
        self.0[STATUS] & bit != 0
    }

    /// Sets the status.
    pub fn set_status(&mut self, status: u8) {
        self.0[STATUS] = status;
    }

    /// Returns the Unix second from which on swaps are possible.
    pub fn open_time(&self) -> Result<u64> {
        self.u64(OPEN_TIME)
    }

    /// Stores the epoch of the last change.
    pub fn set_recent_epoch(&mut self, epoch: u64) -> Result {
        self.put(RECENT_EPOCH, epoch)
    }

    /// Returns the LP supply, which includes the locked tokens.
    pub fn lp_supply(&self) -> Result<u64> {
        self.u64(LP_SUPPLY)
    }

    /// Sets the LP supply.
    pub fn set_lp_supply(&mut self, supply: u64) -> Result {
        self.put(LP_SUPPLY, supply)
    }

    /// Returns the unpaid fees of a receiver in one token.
    pub fn fees(&self, whose: Fees, side: usize) -> Result<u64> {
        self.u64(whose.places()[side])
    }

    /// Sets the unpaid fees of a receiver in one token.
    pub fn set_fees(&mut self, whose: Fees, side: usize, amount: u64) -> Result {
        self.put(whose.places()[side], amount)
    }

    /// Adds to the unpaid fees of a receiver in one token. Ends the program if the sum exceeds u64.
    pub fn add_fees(&mut self, whose: Fees, side: usize, amount: u64) -> Result {
        let sum = self.fees(whose, side)?.checked_add(amount);
        self.set_fees(whose, side, in_range(sum, "uncollected fees"))
    }

    /// Returns the part of the vaults' `amounts` that belongs to the liquidity providers. Fails with MathOverflow or
    /// InsufficientVault if the unpaid fees exceed u64 or a vault.
    pub fn reserves(&self, amounts: [u64; 2]) -> Result<[u64; 2]> {
        let owed = [self.owed(0)?, self.owed(1)?];
        Ok([less(amounts[0], owed[0])?, less(amounts[1], owed[1])?])
    }

    fn owed(&self, side: usize) -> Result<u64> {
        let mut owed = 0u64;
        for whose in [Fees::Protocol, Fees::Fund, Fees::Creator] {
            owed = owed.checked_add(self.fees(whose, side)?).ok_or(MATH_OVERFLOW)?;
        }
        Ok(owed)
    }

    /// Returns the pool's creator rate, which is either zero or the `configured` one.
    pub fn creator_fee_rate(&self, configured: u64) -> u64 {
        if self.0[ENABLE_CREATOR_FEE] != 0 {
            configured
        } else {
            0
        }
    }

    /// Returns whether the creator is paid in the input token, if that is on `side`. Fails with InvalidFeeModel if
    /// the pool's setting is unknown.
    pub fn creator_fee_on_input(&self, side: usize) -> Result<bool> {
        match self.0[CREATOR_FEE_ON] {
            0 => Ok(true),
            token @ (1 | 2) => Ok(token as usize == side + 1),
            _ => Err(INVALID_FEE_MODEL.into()),
        }
    }

    fn u64(&self, at: usize) -> Result<u64> {
        bytes::u64_at(&self.0, at).ok_or(ProgramError::ACCOUNT_DATA_TOO_SMALL)
    }

    fn put(&mut self, at: usize, value: u64) -> Result {
        bytes::put(&mut self.0, at, &value.to_le_bytes())
    }
}

/// Reads an address in a pool's data.
pub fn address(data: &[u8], at: usize) -> Result<Address> {
    bytes::address_at(data, at).ok_or(ProgramError::ACCOUNT_DATA_TOO_SMALL)
}

/// Returns, for each token, its price in the other token as Q32.32. Ends the program if a reserve is zero.
pub fn prices(reserves: [u64; 2]) -> [u128; 2] {
    let price = |of: u64, per: u64| {
        in_range(wide::div_floor((of as u128) << 32, per as u128), "price of an empty reserve")
    };
    [price(reserves[1], reserves[0]), price(reserves[0], reserves[1])]
}

fn less(amount: u64, owed: u64) -> Result<u64> {
    amount.checked_sub(owed).ok_or_else(|| INSUFFICIENT_VAULT.into())
}
