//! Extensions of Token-2022 mints, and the transfer fee.

use crate::bytes::Reader;
use crate::error::{ProgramError, Result};
use crate::math;
use crate::token::state::ACCOUNT_LEN;

/// The mint extensions that programs here use, with the numbers of Token-2022.
#[derive(Clone, Copy, PartialEq, Eq)]
#[repr(u16)]
pub enum Extension {
    TransferFeeConfig = 1,
    MintCloseAuthority = 3,
    ConfidentialTransferMint = 4,
    DefaultAccountState = 6,
    NonTransferable = 9,
    InterestBearingConfig = 10,
    PermanentDelegate = 12,
    TransferHook = 14,
    MetadataPointer = 18,
    TokenMetadata = 19,
    GroupPointer = 20,
    TokenGroup = 21,
    GroupMemberPointer = 22,
    TokenGroupMember = 23,
    ScaledUiAmount = 25,
    Pausable = 26,
}

/// One byte with the account type follows the common part, then the extensions.
const EXTENSIONS: usize = ACCOUNT_LEN + 1;
const BPS: u64 = 10_000;

/// Iterates over the extensions of a mint or token account, as type and body. It stops at the first one that is empty
/// or cut short.
pub fn extensions(data: &[u8]) -> impl Iterator<Item = (u16, &[u8])> {
    let mut reader = Reader::new(data.get(EXTENSIONS..).unwrap_or(&[]));
    core::iter::from_fn(move || {
        let kind = reader.u16()?;
        let len = reader.u16()?;
        let body = reader.bytes(len as usize)?;
        if kind == 0 {
            None
        } else {
            Some((kind, body))
        }
    })
}

/// Returns whether the mint has the extension.
pub fn has_extension(mint_data: &[u8], extension: Extension) -> bool {
    extensions(mint_data).any(|(kind, _)| kind == extension as u16)
}

/// The fee that the mint withholds from each transfer.
#[derive(Clone, Copy)]
pub struct TransferFee {
    pub epoch: u64,
    pub maximum: u64,
    pub bps: u16,
}

/// The two schedules of a mint's transfer fee.
#[derive(Clone, Copy)]
pub struct TransferFeeConfig {
    pub older: TransferFee,
    pub newer: TransferFee,
}

impl TransferFeeConfig {
    /// Reads the mint's transfer fee. Returns None if the mint has no such extension, and fails with
    /// InvalidAccountData if the extension is malformed.
    pub fn find(mint_data: &[u8]) -> Result<Option<Self>> {
        let wanted = Extension::TransferFeeConfig as u16;
        let Some((_, body)) = extensions(mint_data).find(|(kind, _)| *kind == wanted) else {
            return Ok(None);
        };
        // Two authorities and the withheld amount come first.
        let mut reader = Reader::new(body.get(72..).unwrap_or(&[]));
        let schedules = read_fee(&mut reader).zip(read_fee(&mut reader));
        let (older, newer) = schedules.ok_or(ProgramError::INVALID_ACCOUNT_DATA)?;
        Ok(Some(Self { older, newer }))
    }

    /// Returns the schedule that is in force in `epoch`.
    pub fn at(&self, epoch: u64) -> TransferFee {
        if epoch >= self.newer.epoch {
            self.newer
        } else {
            self.older
        }
    }
}

fn read_fee(reader: &mut Reader) -> Option<TransferFee> {
    Some(TransferFee { epoch: reader.u64()?, maximum: reader.u64()?, bps: reader.u16()? })
}

impl TransferFee {
    /// Returns ceil(amount × bps / 10000), at most the maximum. Returns None if that exceeds u64, which cannot happen
    /// with `bps` up to 10000.
    pub fn fee(&self, amount: u64) -> Option<u64> {
        let fee = math::mul_div_ceil(amount, self.bps as u64, BPS)?;
        Some(fee.min(self.maximum))
    }

    /// Returns the amount to send so that `net` arrives, as Token-2022 computes it, or None if it exceeds u64.
    pub fn gross(&self, net: u64) -> Option<u64> {
        if self.bps == 0 || net == 0 {
            return Some(net);
        }
        let share_kept = BPS.checked_sub(self.bps as u64)?;
        match math::mul_div_ceil(net, BPS, share_kept) {
            Some(gross) if gross - net < self.maximum => Some(gross),
            _ => net.checked_add(self.maximum),
        }
    }

    /// Returns the fee for sending [`TransferFee::gross`] of `net`.
    pub fn fee_to_deliver(&self, net: u64) -> Option<u64> {
        self.fee(self.gross(net)?)
    }
}

/// Returns the length that Token-2022 requires of a token account for this mint, including the extension for an
/// immutable owner if `immutable_owner`. For a mint without extensions it is the plain length.
pub fn account_size(mint_data: &[u8], immutable_owner: bool) -> usize {
    // A type and a length come before each body.
    const HEADER: usize = 4;
    let mut body = 0;
    let mut owner_fixed = immutable_owner;
    for (kind, _) in extensions(mint_data) {
        body += match kind {
            k if k == Extension::TransferFeeConfig as u16 => HEADER + 8,
            k if k == Extension::TransferHook as u16 => HEADER + 1,
            k if k == Extension::Pausable as u16 => HEADER,
            k if k == Extension::NonTransferable as u16 => {
                owner_fixed = true;
                HEADER
            }
            _ => 0,
        };
    }
    if owner_fixed {
        body += HEADER;
    }
    if body == 0 {
        ACCOUNT_LEN
    } else {
        EXTENSIONS + body
    }
}
