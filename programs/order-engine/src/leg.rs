//! The payment of one side of a fill.

use sluice_program::sysvar::Clock;
use sluice_program::token::{
    self, CloseAccount, InitializeAccount3, Mint, SyncNative, Transfer, TransferChecked, TransferFeeConfig,
};
use sluice_program::{anchor, system, Account, Address, ProgramError, Result};

use crate::errors::{MISSING_TEMPORARY_WRAPPED_SOL_TOKEN_ACCOUNT, TOKEN_2022_MINT_EXTENSION_NOT_SUPPORTED};

const TEMPORARY_ACCOUNT: &[u8] = b"temporary-wsol-token-account";

/// One payment of a fill.
pub struct Leg<'a> {
    pub program: &'a Address,
    /// Pays the rent of the account in which SOL is unwrapped, and gets it back.
    pub maker: Account<'a>,
    /// The wallet that pays.
    pub payer: Account<'a>,
    /// The wallet that is paid.
    pub recipient: Account<'a>,
    /// The payer's token account, or None if it pays in SOL itself.
    pub source: Option<Account<'a>>,
    /// The recipient's token account, or None if it is paid in SOL itself.
    pub destination: Option<Account<'a>>,
    pub mint: Account<'a>,
    pub token_program: Account<'a>,
    pub temporary: Option<Account<'a>>,
}

impl<'a> Leg<'a> {
    /// Pays `amount` atoms.
    ///
    /// Fails with RequireKeysEqViolated if a token account is left out and the mint is not that of wrapped SOL.
    pub fn pay(&self, amount: u64) -> Result {
        match (self.source, self.destination) {
            (Some(source), Some(destination)) => self.transfer_tokens(source, destination, amount),
            (None, None) => {
                self.check_native()?;
                self.transfer_lamports(self.payer, self.recipient, amount)
            }
            (None, Some(destination)) => {
                self.check_native()?;
                self.transfer_lamports(self.payer, destination, amount)?;
                SyncNative { program: self.token_program, account: destination }.invoke()
            }
            (Some(source), None) => {
                self.check_native()?;
                self.unwrap(source, amount)?;
                // Unwrapped SOL arrives in the maker's wallet. In the input leg the maker is the recipient, so
                // nothing is left to pay.
                if self.recipient.is(self.maker) {
                    return Ok(());
                }
                self.transfer_lamports(self.maker, self.recipient, amount)
            }
        }
    }

    fn check_native(&self) -> Result {
        if *self.mint.address() == token::NATIVE_MINT {
            Ok(())
        } else {
            Err(anchor::REQUIRE_KEYS_EQ_VIOLATED.into())
        }
    }

    fn transfer_lamports(&self, from: Account, to: Account, lamports: u64) -> Result {
        system::Transfer { from, to, lamports }.invoke(&[])
    }

    /// Transfers tokens. Token-2022 gets the mint and its decimals too. A mint whose transfer fee of this epoch is
    /// above zero is refused, because the recipient would receive less than was agreed.
    fn transfer_tokens(&self, source: Account, destination: Account, amount: u64) -> Result {
        let Self { token_program: program, payer: authority, mint, .. } = *self;
        if *program.address() != token::PROGRAM_2022 {
            return Transfer { program, source, destination, authority, amount }.invoke(&[]);
        }
        let decimals = self.decimals_without_fee()?;
        TransferChecked { program, source, mint, destination, authority, amount, decimals }.invoke(&[])
    }

    /// Fails with InvalidAccountData if the mint was closed, since token accounts can outlive their mint.
    fn decimals_without_fee(&self) -> Result<u8> {
        if !self.mint.is_owned_by(&token::PROGRAM_2022) {
            return Err(ProgramError::INVALID_ACCOUNT_DATA);
        }
        let Mint { decimals, .. } = Mint::load(self.mint, "mint")?;
        let fee = TransferFeeConfig::find(&self.mint.data()?)?;
        match fee {
            Some(fee) if fee.at(Clock::get()?.epoch).bps != 0 => {
                Err(TOKEN_2022_MINT_EXTENSION_NOT_SUPPORTED.into())
            }
            _ => Ok(decimals),
        }
    }

    /// Converts wrapped SOL of `source` into lamports of the maker, through an account that exists only during this
    /// call.
    fn unwrap(&self, source: Account, amount: u64) -> Result {
        let Self { maker, payer, mint, token_program: program, .. } = *self;
        let account = self.temporary.ok_or(MISSING_TEMPORARY_WRAPPED_SOL_TOKEN_ACCOUNT)?;
        let owner = maker.address();
        let (expected, bump) = Address::find(&[TEMPORARY_ACCOUNT, &owner.0], self.program)?;
        if *account.address() != expected {
            return Err(anchor::REQUIRE_KEYS_EQ_VIOLATED.into());
        }
        system::Create { payer: maker, account, space: token::ACCOUNT_LEN, owner: &token::PROGRAM }
            .invoke(&[&[TEMPORARY_ACCOUNT, &owner.0, &[bump]]])?;
        InitializeAccount3 { program, account, mint, owner }.invoke()?;
        Transfer { program, source, destination: account, authority: payer, amount }.invoke(&[])?;
        CloseAccount { program, account, destination: maker, authority: maker }.invoke(&[])
    }
}
