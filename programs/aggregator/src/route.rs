//! The part that all forms of a route have in common.

use crate::authority::Authority;
use crate::error::{
    INSUFFICIENT_FUNDS, INVALID_CALCULATION, INVALID_OUTPUT_TOKEN_ACCOUNT, INVALID_ROUTE_PLAN,
    INVALID_TOKEN_ACCOUNT, SLIPPAGE_TOLERANCE_EXCEEDED, SOURCE_AND_DESTINATION_MINT_CANNOT_BE_THE_SAME,
};
use crate::events::Record;
use crate::keys::PROGRAM;
use crate::plan::{Plan, Version};
use crate::steps::{self, Amounts, Delivery, Run, Source};
use crate::token::{amount_of, mint_of, Mover};
use sluice_program::{cpi, math, Account, Address, Result};

pub const BPS: u64 = 10_000;

/// The terms of the user, in atoms and basis points.
#[derive(Clone, Copy)]
pub struct Terms {
    /// The exact input, or in routes for an exact output the output after the platform fee.
    pub amount: u64,
    /// The quote for the other side: the output after the platform fee, or the input with it.
    pub quoted: u64,
    pub slippage_bps: u16,
    pub platform_fee_bps: u16,
    pub positive_slippage_bps: u16,
}

/// A route with its terms and its accounts.
pub struct Route<'d, 'a> {
    pub plan: Plan<'d>,
    pub terms: Terms,
    pub user: Authority<'a>,
    /// The user's account.
    pub source: Account<'a>,
    /// The mint that steps must take from the first index, where the form demands one.
    pub source_mint: Option<&'a Address>,
    pub source_mover: Mover<'a>,
    /// The account to which the steps should deliver. Fees and payments are taken from it.
    pub destination: Account<'a>,
    pub destination_mint: Address,
    pub destination_mover: Mover<'a>,
    /// The account to which the output is passed on.
    pub pass_on_to: Option<Account<'a>>,
    pub shared: Option<Shared<'a>>,
    pub platform_fee: Option<PlatformFee<'a>>,
    pub positive_slippage_account: Option<Account<'a>>,
    pub event_authority: Account<'a>,
}

/// The additional accounts of the shared forms, whose steps use accounts of a program authority.
#[derive(Clone, Copy)]
pub struct Shared<'a> {
    pub authority: Authority<'a>,
    pub source: Account<'a>,
}

/// The account that receives the platform fee.
#[derive(Clone, Copy)]
pub struct PlatformFee<'a> {
    pub account: Account<'a>,
    pub mint: Address,
}

impl<'a> PlatformFee<'a> {
    /// Reads the mint of the account. Fails with InvalidTokenAccount if it cannot be a token account, or if it is the
    /// program itself, which stands for an absent account.
    pub fn load(account: Account<'a>) -> Result<Self> {
        if *account.address() == PROGRAM {
            return Err(INVALID_TOKEN_ACCOUNT.into());
        }
        Ok(Self { account, mint: mint_of(account)? })
    }
}

impl<'d, 'a> Route<'d, 'a> {
    /// Runs the route over the venues' accounts, and returns the net output to the caller.
    pub fn execute(&self, accounts: &[Account<'a>]) -> Result {
        let (input_fee, output_fee_account) = self.side_of_fee()?;
        let amount = self.terms.amount.checked_sub(input_fee).ok_or(INVALID_CALCULATION)?;
        let mut record = self.record()?;
        let fee_first = self.plan.version == Version::V1;
        if fee_first {
            self.pay_input_fee(input_fee, &mut record)?;
        }
        self.fund_shared_source(amount)?;

        let run = self.run(Amounts::Inputs(amount));
        let delivery = steps::run(&run, accounts, &mut record)?;
        record.close()?;
        let delivery = self.check_delivery(delivery)?;

        if !fee_first {
            self.pay_input_fee(input_fee, &mut record)?;
        }
        let net = self.pay_output_fee(delivery.amount, output_fee_account, &mut record)?;
        self.check_slippage(net)?;
        let net = self.pay_positive_slippage(net)?;
        self.pass_on(net, delivery.account)?;
        cpi::set_return_data(&net.to_le_bytes());
        Ok(())
    }

    /// Returns the authority that signs the steps and the payments from their results.
    pub fn authority(&self) -> Authority<'a> {
        self.shared.map_or(self.user, |shared| shared.authority)
    }

    pub fn run<'s>(&'s self, amounts: Amounts<'s>) -> Run<'s, 'd, 'a> {
        let source = Source { account: self.shared.map(|shared| shared.source), mint: self.source_mint };
        Run { plan: &self.plan, source, amounts, authority: self.authority() }
    }

    pub fn record(&self) -> Result<Record<'a>> {
        match self.plan.version {
            Version::V1 => Record::each(self.event_authority),
            Version::V2 => Record::together(self.event_authority, self.plan.steps.len()),
        }
    }

    /// Returns the fee in the input mint, and the fee account if its mint is the output mint. The mint of the fee
    /// account decides which of the two applies.
    fn side_of_fee(&self) -> Result<(u64, Option<Account<'a>>)> {
        match self.platform_fee {
            None => Ok((0, None)),
            Some(fee) if fee.mint == self.destination_mint => Ok((0, Some(fee.account))),
            Some(_) => Ok((share_of(self.terms.amount, self.terms.platform_fee_bps)?, None)),
        }
    }

    fn pay_input_fee(&self, amount: u64, record: &mut Record<'a>) -> Result {
        let Some(fee) = self.platform_fee.filter(|fee| fee.mint != self.destination_mint) else {
            return Ok(());
        };
        self.pay_fee((self.source, &self.source_mover, &self.user), &fee, amount, record)
    }

    /// Pays the fee and returns the rest of `delivered`.
    fn pay_output_fee(
        &self,
        delivered: u64,
        account: Option<Account<'a>>,
        record: &mut Record<'a>,
    ) -> Result<u64> {
        let (Some(_), Some(fee)) = (account, self.platform_fee) else {
            return Ok(delivered);
        };
        let amount = share_of(delivered, self.terms.platform_fee_bps)?;
        let authority = self.authority();
        self.pay_fee((self.destination, &self.destination_mover, &authority), &fee, amount, record)?;
        delivered.checked_sub(amount).ok_or_else(|| INVALID_CALCULATION.into())
    }

    /// Pays the fee. The v2 forms skip a fee of zero; the v1 forms pay and log it.
    pub fn pay_fee(
        &self,
        (from, mover, authority): (Account<'a>, &Mover<'a>, &Authority<'a>),
        fee: &PlatformFee<'a>,
        amount: u64,
        record: &mut Record<'a>,
    ) -> Result {
        if amount == 0 && self.plan.version == Version::V2 {
            return Ok(());
        }
        mover.transfer((from, fee.account), authority, amount)?;
        record.fee(fee.account, &fee.mint, amount)
    }

    pub fn fund_shared_source(&self, amount: u64) -> Result {
        match self.shared {
            Some(shared) if !shared.source.is(self.source) => {
                self.source_mover.transfer((self.source, shared.source), &self.user, amount)
            }
            _ => Ok(()),
        }
    }

    /// Fails with InvalidRoutePlan unless the last step delivered the destination's mint. In the shared forms, fails
    /// with InvalidOutputTokenAccount unless it delivered to the program's own account.
    fn check_delivery(&self, delivery: Option<Delivery<'a>>) -> Result<Delivery<'a>> {
        let Some(delivery) = delivery.filter(|delivery| delivery.mint == self.destination_mint) else {
            return Err(INVALID_ROUTE_PLAN.into());
        };
        if self.shared.is_some() && !delivery.account.is(self.destination) {
            return Err(INVALID_OUTPUT_TOKEN_ACCOUNT.into());
        }
        Ok(delivery)
    }

    /// Fails with SlippageToleranceExceeded if `net` is below ceil(quoted × (10000 − slippage) / 10000). There is no
    /// minimum if the quote is zero or the threshold is below one atom before rounding.
    fn check_slippage(&self, net: u64) -> Result {
        let Terms { quoted, slippage_bps, .. } = self.terms;
        if quoted == 0 {
            return Ok(());
        }
        let kept = BPS.checked_sub(slippage_bps as u64).ok_or(INVALID_CALCULATION)?;
        let exact = math::div_rem(math::widening_mul(quoted, kept), BPS);
        let (whole, rest) = exact.ok_or(INVALID_CALCULATION)?;
        let rounded_up = whole > 0 && rest > 0;
        if net < whole || (net == whole && rounded_up) {
            return Err(SLIPPAGE_TOLERANCE_EXCEEDED.into());
        }
        Ok(())
    }

    /// Takes a part of the amount above the quote, of at most floor(net × p / (10000 + p)). Returns the rest.
    fn pay_positive_slippage(&self, net: u64) -> Result<u64> {
        let Some(account) = self.positive_slippage_account else {
            return Ok(net);
        };
        let share = self.terms.positive_slippage_bps as u64;
        let excess = net.saturating_sub(self.terms.quoted);
        let most = math::mul_div_floor(net, share, BPS + share).ok_or(INVALID_CALCULATION)?;
        let amount = excess.min(most);
        if amount > 0 {
            self.destination_mover.transfer((self.destination, account), &self.authority(), amount)?;
        }
        Ok(net - amount)
    }

    /// Transfers the output to the final account, unless the last step delivered there itself.
    pub fn pass_on(&self, net: u64, delivered_to: Account<'a>) -> Result {
        match self.pass_on_to {
            Some(account) if !account.is(delivered_to) => {
                self.destination_mover.transfer((self.destination, account), &self.authority(), net)
            }
            _ => Ok(()),
        }
    }
}

/// Fails with InsufficientFunds unless `source` holds the input.
pub fn check_funds(source: Account, terms: &Terms) -> Result {
    if amount_of(source)? < terms.amount {
        Err(INSUFFICIENT_FUNDS.into())
    } else {
        Ok(())
    }
}

/// Fails with SourceAndDestinationMintCannotBeTheSame if both mints are the same, which the shared forms refuse.
pub fn check_two_mints(source_mint: Account, destination_mint: Account) -> Result {
    if source_mint.is(destination_mint) {
        return Err(SOURCE_AND_DESTINATION_MINT_CANNOT_BE_THE_SAME.into());
    }
    Ok(())
}

/// Returns floor(amount × bps / 10000).
pub fn share_of(amount: u64, bps: u16) -> Result<u64> {
    math::mul_div_floor(amount, bps as u64, BPS).ok_or_else(|| INVALID_CALCULATION.into())
}
