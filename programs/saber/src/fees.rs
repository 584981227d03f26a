//! Fees as ratios, all rounded down. A fee is None if its denominator is 0 or the result exceeds u64.

use sluice_program::bytes::{Reader, Writer};
use sluice_program::math::mul_div_floor;
use sluice_program::{ProgramError, Result};

/// A fraction, of which the denominator may be 0 in a hostile account.
#[derive(Clone, Copy)]
pub struct Ratio {
    pub numerator: u64,
    pub denominator: u64,
}

/// The four fees of a pool.
#[derive(Clone, Copy)]
pub struct Fees {
    /// The admin's share of the trade fee.
    pub admin_trade: Ratio,
    /// The admin's share of the withdrawal fee.
    pub admin_withdraw: Ratio,
    pub trade: Ratio,
    pub withdraw: Ratio,
}

impl Ratio {
    fn read(from: &mut Reader) -> Option<Self> {
        Some(Self { numerator: from.u64()?, denominator: from.u64()? })
    }

    fn write(&self, to: &mut Writer) -> Result {
        to.u64(self.numerator)?;
        to.u64(self.denominator)
    }

    /// Returns this fraction of `amount`, rounded down.
    pub fn of(&self, amount: u64) -> Option<u64> {
        mul_div_floor(amount, self.numerator, self.denominator)
    }
}

impl Fees {
    pub fn read(from: &mut Reader) -> Option<Self> {
        Some(Self {
            admin_trade: Ratio::read(from)?,
            admin_withdraw: Ratio::read(from)?,
            trade: Ratio::read(from)?,
            withdraw: Ratio::read(from)?,
        })
    }

    /// Reads the fees, which are the last of an instruction's arguments. Fails with InvalidAccountData if they are
    /// cut short or followed by other bytes.
    pub fn from_args(args: &mut Reader) -> Result<Self> {
        Self::read(args).filter(|_| args.rest().is_empty()).ok_or(ProgramError::INVALID_ACCOUNT_DATA)
    }

    pub fn write(&self, to: &mut Writer) -> Result {
        self.admin_trade.write(to)?;
        self.admin_withdraw.write(to)?;
        self.trade.write(to)?;
        self.withdraw.write(to)
    }

    /// Returns the trade fee on the amount that a deposit or withdrawal shifts between the two tokens. As in Curve,
    /// the rate is n / (4 (n − 1)) of the trade fee's for n tokens, which is half of it for two.
    pub fn shift(&self, amount: u64) -> Option<u64> {
        let numerator = mul_div_floor(self.trade.numerator, 2, 4)?;
        mul_div_floor(amount, numerator, self.trade.denominator)
    }
}
