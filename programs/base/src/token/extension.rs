use crate::bytes::Reader;
use crate::error::{ProgramError, Result};
use crate::math;
use crate::token::state::ACCOUNT_LEN;

/// Mint extensions that programs here look at; the numbers are Token-2022's.
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

/// Behind the common part stand one byte of account type and then the extensions.
const EXTENSIONS: usize = ACCOUNT_LEN + 1;
const BPS: u64 = 10_000;

/// The extensions of a mint or token account: their types and bodies, up to the first that is empty or cut short.
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

pub fn has_extension(mint_data: &[u8], extension: Extension) -> bool {
    extensions(mint_data).any(|(kind, _)| kind == extension as u16)
}

/// What the mint keeps of each transfer.
#[derive(Clone, Copy)]
pub struct TransferFee {
    pub epoch: u64,
    pub maximum: u64,
    pub bps: u16,
}

#[derive(Clone, Copy)]
pub struct TransferFeeConfig {
    pub older: TransferFee,
    pub newer: TransferFee,
}

impl TransferFeeConfig {
    /// The mint's transfer fee, None when it has no such extension; InvalidAccountData when that is malformed.
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

    /// The schedule in force in `epoch`.
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
    /// ceil(amount × bps / 10000), at most the maximum. None when that is beyond u64, which `bps` up to 10000
    /// never is.
    pub fn fee(&self, amount: u64) -> Option<u64> {
        let fee = math::mul_div_ceil(amount, self.bps as u64, BPS)?;
        Some(fee.min(self.maximum))
    }

    /// The amount to send so that `net` arrives, as Token-2022 reckons it; None beyond u64.
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

    /// The fee of sending [`TransferFee::gross`] of `net`.
    pub fn fee_to_deliver(&self, net: u64) -> Option<u64> {
        self.fee(self.gross(net)?)
    }
}

/// Length of a token account for a mint with these extensions, as Token-2022 requires it, with immutable owner
/// when `immutable_owner`; the plain length for a mint without extensions.
pub fn account_size(mint_data: &[u8], immutable_owner: bool) -> usize {
    // Type and length stand before each body.
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
