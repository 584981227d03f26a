//! The token calls of pools, and the transfer fees of Token-2022 mints.

use crate::error::{NO_EXTRA_ACCOUNTS_FOR_TRANSFER_HOOK, TRANSFER_FEE_CALCULATION};
use crate::state::pool::Pool;
use sluice_program::bytes::Writer;
use sluice_program::sysvar::Clock;
use sluice_program::token::{self, Extension, TransferChecked, TransferFee, TransferFeeConfig};
use sluice_program::{cpi, Account, Address, Result};

/// The type of the extension with which a token account requires a memo before each transfer to it.
const MEMO_TRANSFER: u16 = 8;

/// A token of the pool, with the accounts that an instruction names for it.
#[derive(Clone, Copy)]
pub struct Side<'a> {
    pub mint: Account<'a>,
    pub program: Account<'a>,
    pub memo: Account<'a>,
    pub owner: Account<'a>,
    pub vault: Account<'a>,
    pub decimals: u8,
}

/// The pool, which owns the vaults and signs for them.
pub struct Payer<'a> {
    pub pool: &'a Pool,
    pub account: Account<'a>,
}

impl<'a> Side<'a> {
    /// Transfers `amount` from `authority`, who signs, into the vault.
    pub fn take_in(&self, authority: Account<'a>, amount: u64) -> Result {
        self.write_fee_memo()?;
        self.check_hook()?;
        self.transfer(self.owner, self.vault, authority, amount).invoke(&[])
    }

    /// Transfers `amount` out of the vault, after `memo` if the receiving account requires one.
    #[inline(never)]
    pub fn pay_out(&self, payer: &Payer<'a>, amount: u64, memo: &str) -> Result {
        self.write_fee_memo()?;
        if wants_memo(self.owner)? {
            write_memo(self.memo, memo.as_bytes())?;
        }
        self.check_hook()?;
        let transfer = self.transfer(self.vault, self.owner, payer.account, amount);
        payer.pool.with_signer(|signers| transfer.invoke(signers))
    }

    fn transfer(
        &self,
        source: Account<'a>,
        destination: Account<'a>,
        authority: Account<'a>,
        amount: u64,
    ) -> TransferChecked<'a> {
        TransferChecked {
            program: self.program,
            source,
            mint: self.mint,
            destination,
            authority,
            amount,
            decimals: self.decimals,
        }
    }

    /// Writes a memo with the mint's transfer fee, which comes before each transfer.
    #[inline(never)]
    fn write_fee_memo(&self) -> Result {
        let Some(fee) = fee_in_force(self.mint)? else {
            return Ok(());
        };
        let mut buffer = [0; 48];
        let mut writer = Writer::new(&mut buffer);
        writer.bytes(b"TFe: ")?;
        write_number(&mut writer, fee.bps as u64)?;
        writer.bytes(b", ")?;
        write_number(&mut writer, fee.maximum)?;
        write_memo(self.memo, writer.written())
    }

    /// Fails with NoExtraAccountsForTransferHook if the mint has a transfer hook.
    #[inline(never)]
    fn check_hook(&self) -> Result {
        if self.mint.is_owned_by(&token::PROGRAM) {
            return Ok(());
        }
        let data = self.mint.data()?;
        let mut hooks = token::extensions(&data).filter(|(kind, _)| *kind == Extension::TransferHook as u16);
        // The program's address follows the authority.
        let hooked =
            hooks.any(|(_, body)| body.get(32..64).is_some_and(|id| id.iter().any(|byte| *byte != 0)));
        if hooked {
            return Err(NO_EXTRA_ACCOUNTS_FOR_TRANSFER_HOOK.into());
        }
        Ok(())
    }
}

fn wants_memo(account: Account) -> Result<bool> {
    if account.is_owned_by(&token::PROGRAM) {
        return Ok(false);
    }
    let data = account.data()?;
    let wanted =
        token::extensions(&data).any(|(kind, body)| kind == MEMO_TRANSFER && body.first() == Some(&1));
    Ok(wanted)
}

fn write_memo(program: Account, text: &[u8]) -> Result {
    let id: &Address = program.address();
    cpi::invoke(id, &[], text, &[])
}

fn write_number(writer: &mut Writer, number: u64) -> Result {
    let mut digits = [0; 20];
    let mut from = digits.len();
    let mut rest = number;
    loop {
        from -= 1;
        digits[from] = b'0' + (rest % 10) as u8;
        rest /= 10;
        if rest == 0 {
            return writer.bytes(&digits[from..]);
        }
    }
}

/// Returns the fee that a transfer of `amount` withholds.
pub fn fee_of(mint: Account, amount: u64) -> Result<u64> {
    match fee_in_force(mint)? {
        None => Ok(0),
        Some(fee) => fee.fee(amount).ok_or_else(|| TRANSFER_FEE_CALCULATION.into()),
    }
}

/// Returns the amount to send so that `net` arrives. Fails with TransferFeeCalculationError if the two roundings of
/// the fee disagree.
#[inline(never)]
pub fn with_fee(mint: Account, net: u64) -> Result<u64> {
    let Some(terms) = fee_in_force(mint)? else {
        return Ok(net);
    };
    if net == 0 {
        return Ok(0);
    }
    let fee = terms.fee_to_deliver(net).ok_or(TRANSFER_FEE_CALCULATION)?;
    let gross = net.checked_add(fee).ok_or(TRANSFER_FEE_CALCULATION)?;
    if terms.fee(gross) == Some(fee) {
        Ok(gross)
    } else {
        Err(TRANSFER_FEE_CALCULATION.into())
    }
}

/// Returns the mint's transfer fee of this epoch, or None if it has none.
fn fee_in_force(mint: Account) -> Result<Option<TransferFee>> {
    if mint.is_owned_by(&token::PROGRAM) {
        return Ok(None);
    }
    match TransferFeeConfig::find(&mint.data()?)? {
        None => Ok(None),
        Some(config) => Ok(Some(config.at(Clock::get()?.epoch))),
    }
}
