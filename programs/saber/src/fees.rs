//! Fees as ratios, all rounded down. None where the denominator is 0 or the result beyond u64.

use sluice_program::bytes::{Reader, Writer};
use sluice_program::math::mul_div_floor;
use sluice_program::{ProgramError, Result};

#[derive(Clone, Copy)]
pub struct Ratio {
    pub numerator: u64,
    pub denominator: u64,
}

#[derive(Clone, Copy)]
pub struct Fees {
    /// Of the trade fee.
    pub admin_trade: Ratio,
    /// Of the withdrawal fee.
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

    /// The last of an instruction's arguments: InvalidAccountData unless they end with it.
    pub fn from_args(args: &mut Reader) -> Result<Self> {
        Self::read(args).filter(|_| args.rest().is_empty()).ok_or(ProgramError::INVALID_ACCOUNT_DATA)
    }

    pub fn write(&self, to: &mut Writer) -> Result {
        self.admin_trade.write(to)?;
        self.admin_withdraw.write(to)?;
        self.trade.write(to)?;
        self.withdraw.write(to)
    }

    /// The trade fee on what a deposit or withdrawal shifts between the two tokens: half of the rate, as in Curve,
    /// where it is n / (4 (n − 1)) of it for n tokens.
    pub fn shift(&self, amount: u64) -> Option<u64> {
        let numerator = mul_div_floor(self.trade.numerator, 2, 4)?;
        mul_div_floor(amount, numerator, self.trade.denominator)
    }
}
