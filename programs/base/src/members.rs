//! A list of addresses in an account. It names the wallets that may administer a program.

use crate::address::Address;
use crate::anchor::{self, AnchorError};
use crate::bytes::{Reader, Writer};
use crate::error::Result;
use crate::heap::List;
use crate::layout::Field;
use crate::log;
use core::ops::Deref;

/// The bytes of an entry in an instruction: an address, and whether it is a member from now on.
pub const ENTRY: usize = 32 + 1;

/// At most `MAX` addresses, in the order in which they were added.
pub struct Members<const MAX: usize>(List<Address>);

/// The errors of a program that changes its members.
pub struct Refusals {
    /// Returned for the zero address, and for removing the authority.
    pub invalid: AnchorError,
    pub full: AnchorError,
}

impl<const MAX: usize> Members<MAX> {
    /// Returns an empty list. Fails with InvalidRealloc if the heap has too little room left.
    pub fn empty() -> Result<Self> {
        Ok(Self(List::with_capacity(MAX)?))
    }

    /// Returns a list with one member.
    pub fn of(member: &Address) -> Result<Self> {
        let mut members = Self::empty()?;
        members.0.push(*member)?;
        Ok(members)
    }

    /// Adds `member` to the list or removes it. Fails with InvalidRealloc if the list is full.
    pub fn set(&mut self, member: &Address, present: bool) -> Result {
        let found = self.0.iter().position(|each| each == member);
        match (found, present) {
            (None, true) => self.0.push(*member),
            (Some(at), false) => {
                self.0.remove(at);
                Ok(())
            }
            _ => Ok(()),
        }
    }

    /// Adds or removes the member of each entry. `authority` must stay a member. Only the result must fit: meanwhile
    /// there may be more than `MAX` members. Fails with the errors of `refusals`, and with
    /// InstructionDidNotDeserialize if an entry is invalid.
    #[inline(never)]
    pub fn update(&mut self, entries: &[u8], authority: &Address, refusals: &Refusals) -> Result {
        let mut members = Self(List::with_capacity(MAX + entries.len() / ENTRY)?);
        for member in self.0.iter() {
            members.0.push(*member)?;
        }
        for entry in entries.chunks_exact(ENTRY) {
            let mut from = Reader::new(entry);
            let member = anchor::decoded(from.address())?;
            let present = anchor::decoded(from.bool())?;
            if member == Address::ZERO || (member == *authority && !present) {
                return Err(refusals.invalid.into());
            }
            members.set(&member, present)?;
        }
        if members.len() > MAX {
            return Err(refusals.full.into());
        }
        *self = members;
        Ok(())
    }
}

/// The encoding of a vector in borsh. A vector of more than `MAX` addresses is invalid.
impl<const MAX: usize> Field for Members<MAX> {
    const LEN: usize = 4 + MAX * 32;

    fn read(from: &mut Reader) -> Option<Self> {
        let mut members = Self::empty().ok()?;
        for _ in 0..from.u32()? {
            members.0.push(from.address()?).ok()?;
        }
        Some(members)
    }

    fn write(members: &Self, to: &mut Writer) -> Result {
        to.u32(members.0.len() as u32)?;
        for member in members.0.iter() {
            to.address(member)?;
        }
        Ok(())
    }
}

/// Returns the bytes of the entries of an instruction's vector, or None if it is cut short.
pub fn entries(args: &[u8]) -> Option<&[u8]> {
    let mut from = Reader::new(args);
    let count = from.u32()? as usize;
    if count > args.len() / ENTRY {
        return None;
    }
    from.bytes(count * ENTRY)
}

/// Logs an event that repeats such a vector, or a vector with entries of the same length. Fails with InvalidRealloc
/// if the heap has too little room left.
pub fn log_update(tag: &[u8; 8], entries: &[u8]) -> Result {
    let count = entries.len() / ENTRY;
    let mut event = List::with_capacity(tag.len() + 4 + entries.len())?;
    event.extend(tag)?;
    event.extend(&(count as u32).to_le_bytes())?;
    event.extend(entries)?;
    log::data(&[&event]);
    Ok(())
}

impl<const MAX: usize> Deref for Members<MAX> {
    type Target = [Address];

    fn deref(&self) -> &[Address] {
        &self.0
    }
}
