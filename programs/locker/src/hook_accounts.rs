//! The accounts that follow those of an instruction, for the transfer hook of the mint.

use crate::error::{DUPLICATED_REMAINING_ACCOUNT_TYPES, INSUFFICIENT_REMAINING_ACCOUNTS};
use sluice_program::bytes::Reader;
use sluice_program::{Account, Result};

/// The only kind of lists: accounts for the transfer hook.
const TRANSFER_HOOK: u8 = 0;

/// The argument that says how many of the following accounts are for what. Each list is its kind and its length, a
/// byte each.
pub struct HookLists<'d> {
    lists: &'d [u8],
}

impl<'d> HookLists<'d> {
    /// Reads an optional vector of lists. Returns None for a kind that is not known.
    pub fn read(from: &mut Reader<'d>) -> Option<Self> {
        let lists: &[u8] = match from.u8()? {
            0 => &[],
            1 => {
                let count = from.u32()? as usize;
                from.bytes(count << 1)?
            }
            _ => return None,
        };
        let known = lists.chunks_exact(2).all(|list| list[0] == TRANSFER_HOOK);
        known.then_some(Self { lists })
    }

    /// Returns the accounts for the transfer hook, or None if there is no list that is not empty. Fails with
    /// InsufficientRemainingAccounts or DuplicatedRemainingAccountTypes.
    #[inline(never)]
    pub fn select<'s, 'a>(&self, following: &'s [Account<'a>]) -> Result<Option<&'s [Account<'a>]>> {
        let (mut found, mut rest) = (None, following);
        for list in self.lists.chunks_exact(2) {
            let len = list[1] as usize;
            if len == 0 {
                continue;
            }
            let (taken, left) = rest.split_at_checked(len).ok_or(INSUFFICIENT_REMAINING_ACCOUNTS)?;
            if found.is_some() {
                return Err(DUPLICATED_REMAINING_ACCOUNT_TYPES.into());
            }
            (found, rest) = (Some(taken), left);
        }
        Ok(found)
    }
}
