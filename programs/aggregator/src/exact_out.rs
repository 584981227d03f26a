//! Routes for an exact output, whose input is bounded.

use crate::authority::Authority;
use crate::demands;
use crate::error::{
    EXACT_OUT_AMOUNT_NOT_MATCHED, INVALID_CALCULATION, INVALID_MINT, INVALID_OUTPUT_TOKEN_ACCOUNT,
    SLIPPAGE_TOLERANCE_EXCEEDED,
};
use crate::events::Record;
use crate::route::{share_of, PlatformFee, Route, BPS};
use crate::steps::{self, Amounts, Delivery};
use crate::token::{amount_of, Mover};
use sluice_program::{cpi, math, Account, Result};

impl<'a> Route<'_, 'a> {
    /// Runs the route over the venues' accounts, and returns the user's whole input to the caller. The input is what
    /// the user's source account lost.
    pub fn execute_exact_out(&self, accounts: &[Account<'a>]) -> Result {
        let output_fee = self.output_fee()?;
        let wanted = self.terms.amount.checked_add(output_fee).ok_or(INVALID_CALCULATION)?;
        let demands = demands::work_out(&self.plan, wanted, accounts)?;
        let held = amount_of(self.source)?;
        self.fund_shared_source(demands.input)?;

        let mut record = self.record()?;
        let mut run = self.run(Amounts::Outputs(&demands.outputs));
        run.source.account = run.source.account.or(Some(self.source));
        let delivery = steps::run(&run, accounts, &mut record)?;
        record.close()?;
        let delivered_to = self.check_exact_delivery(delivery, wanted)?;

        let taken = held.checked_sub(amount_of(self.source)?).ok_or(INVALID_CALCULATION)?;
        let paid = self.pay_fees(taken, output_fee, &mut record)?;
        self.check_input(paid)?;
        let paid = self.pay_positive_slippage_of_input(paid)?;
        self.pass_on(self.terms.amount, delivered_to)?;
        cpi::set_return_data(&paid.to_le_bytes());
        Ok(())
    }

    /// Returns the fee in the output mint, which the steps deliver in addition.
    fn output_fee(&self) -> Result<u64> {
        match self.platform_fee {
            Some(fee) if fee.mint == self.destination_mint => {
                share_of(self.terms.amount, self.terms.platform_fee_bps)
            }
            _ => Ok(0),
        }
    }

    /// Fails with ExactOutAmountNotMatched unless exactly `wanted` arrived at the last step's output index. In the
    /// shared forms, fails before that with InvalidMint if it is of another mint, and with InvalidOutputTokenAccount
    /// if it is not the program's own account.
    fn check_exact_delivery(&self, delivery: Option<Delivery<'a>>, wanted: u64) -> Result<Account<'a>> {
        if self.shared.is_some() {
            let Some(delivery) = delivery.as_ref().filter(|delivery| delivery.mint == self.destination_mint)
            else {
                return Err(INVALID_MINT.into());
            };
            if !delivery.account.is(self.destination) {
                return Err(INVALID_OUTPUT_TOKEN_ACCOUNT.into());
            }
        }
        match delivery {
            Some(delivery) if delivery.amount == wanted => Ok(delivery.account),
            None if wanted == 0 => Ok(self.destination),
            _ => Err(EXACT_OUT_AMOUNT_NOT_MATCHED.into()),
        }
    }

    /// Pays the platform fee, and returns the input with it. A fee in the input mint is such a share of both together.
    fn pay_fees(&self, taken: u64, output_fee: u64, record: &mut Record<'a>) -> Result<u64> {
        let Some(fee) = self.platform_fee else {
            return Ok(taken);
        };
        if fee.mint == self.destination_mint {
            let from = (self.destination, &self.destination_mover, &self.authority());
            self.pay_or_skip(from, fee, output_fee, record)?;
            return Ok(taken);
        }
        let amount = self.input_fee(taken)?;
        // The event names the input mint, whatever the account is of.
        let fee = PlatformFee { mint: *self.source_mint.unwrap_or(&fee.mint), ..fee };
        self.pay_or_skip((self.source, &self.source_mover, &self.user), fee, amount, record)?;
        taken.checked_add(amount).ok_or_else(|| INVALID_CALCULATION.into())
    }

    /// Pays the fee. A fee of zero is not paid, but the v1 forms log it.
    fn pay_or_skip(
        &self,
        from: (Account<'a>, &Mover<'a>, &Authority<'a>),
        fee: PlatformFee<'a>,
        amount: u64,
        record: &mut Record<'a>,
    ) -> Result {
        match amount {
            0 => record.fee(fee.account, &fee.mint, amount),
            _ => self.pay_fee(from, &fee, amount, record),
        }
    }

    /// Returns floor(taken × fee / (10000 − fee)). Fails with InvalidCalculation unless the fee leaves something.
    fn input_fee(&self, taken: u64) -> Result<u64> {
        let bps = self.terms.platform_fee_bps as u64;
        let kept = BPS.checked_sub(bps).ok_or(INVALID_CALCULATION)?;
        math::mul_div_floor(taken, bps, kept).ok_or_else(|| INVALID_CALCULATION.into())
    }

    /// Fails with SlippageToleranceExceeded if `paid` is above ceil(quoted × (10000 + slippage) / 10000).
    fn check_input(&self, paid: u64) -> Result {
        let allowed = BPS + self.terms.slippage_bps as u64;
        match math::mul_div_ceil(self.terms.quoted, allowed, BPS) {
            Some(most) if paid > most => Err(SLIPPAGE_TOLERANCE_EXCEEDED.into()),
            // The bound is more than an account can hold.
            _ => Ok(()),
        }
    }

    /// Takes what the input stays below the quote, at most floor((quoted + that) × p / (10000 + p)), from the user's
    /// source account in addition. Returns the input with it.
    fn pay_positive_slippage_of_input(&self, paid: u64) -> Result<u64> {
        let Some(account) = self.positive_slippage_account else {
            return Ok(paid);
        };
        let share = self.terms.positive_slippage_bps as u64;
        let saved = self.terms.quoted.saturating_sub(paid);
        let whole = self.terms.quoted.checked_add(saved).ok_or(INVALID_CALCULATION)?;
        let most = math::mul_div_floor(whole, share, BPS + share).ok_or(INVALID_CALCULATION)?;
        let amount = saved.min(most);
        if amount > 0 {
            self.source_mover.transfer((self.source, account), &self.user, amount)?;
        }
        paid.checked_add(amount).ok_or_else(|| INVALID_CALCULATION.into())
    }
}
