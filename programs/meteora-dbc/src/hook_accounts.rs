//! The accounts that follow those of an instruction, for the transfer hook of the base token.

use crate::error::{
    require, DUPLICATED_REMAINING_ACCOUNT_TYPES, INVALID_REMAINING_ACCOUNTS_LENGTH,
    INVALID_REMAINING_ACCOUNT_SLICE_TYPE, NO_TRANSFER_HOOK_PROGRAM,
};
use sluice_program::bytes::Reader;
use sluice_program::{Account, Result};

/// The kinds of lists: accounts for the hook of the base token, and those for the hook when a referrer is paid.
const BASE: u8 = 0;
const BASE_REFERRAL: u8 = 1;

/// The argument that says how many of the following accounts are for what. Each list is its kind and its length, a
/// byte each.
pub struct HookLists<'d> {
    lists: &'d [u8],
}

impl<'d> HookLists<'d> {
    /// No lists at all.
    pub const NONE: HookLists<'static> = HookLists { lists: &[] };

    /// Reads a vector of lists. Returns None for a kind that is not known.
    pub fn read(from: &mut Reader<'d>) -> Option<Self> {
        let count = from.u32()? as usize;
        let lists = from.bytes(count << 1)?;
        let known = lists.chunks_exact(2).all(|list| list[0] == BASE || list[0] == BASE_REFERRAL);
        known.then_some(Self { lists })
    }

    /// Checks the lists of an instruction that pays out base tokens. The program's own pools, which are the only ones
    /// here, have base tokens without a hook, so a list that is not empty fails with NoTransferHookProgram. Before
    /// that it fails with InvalidRemainingAccountSliceType, InvalidRemainingAccountsLength or
    /// DuplicatedRemainingAccountTypes.
    #[inline(never)]
    pub fn check(&self, following: &[Account]) -> Result {
        let (mut left, mut found) = (following.len(), false);
        for list in self.lists.chunks_exact(2) {
            require(list[0] == BASE, INVALID_REMAINING_ACCOUNT_SLICE_TYPE)?;
            let len = list[1] as usize;
            if len == 0 {
                continue;
            }
            require(len <= left, INVALID_REMAINING_ACCOUNTS_LENGTH)?;
            require(!found, DUPLICATED_REMAINING_ACCOUNT_TYPES)?;
            (left, found) = (left - len, true);
        }
        require(!found, NO_TRANSFER_HOOK_PROGRAM)
    }
}
