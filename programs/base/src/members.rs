//! A list of addresses in an account: who may administer a program.

use crate::address::Address;
use crate::anchor::{self, AnchorError};
use crate::bytes::{Reader, Writer};
use crate::error::Result;
use crate::heap::List;
use crate::layout::Field;
use crate::log;
use core::ops::Deref;

/// Bytes of an address with whether it belongs, as instructions pass them.
pub const ENTRY: usize = 32 + 1;

/// At most `MAX` addresses, in the order in which they came.
pub struct Members<const MAX: usize>(List<Address>);

/// The errors of a program that changes its members.
pub struct Refusals {
    /// For the zero address, and for an authority that would cease to be a member.
    pub invalid: AnchorError,
    pub full: AnchorError,
}

impl<const MAX: usize> Members<MAX> {
    /// InvalidRealloc when the heap has not that much left.
    pub fn empty() -> Result<Self> {
        Ok(Self(List::with_capacity(MAX)?))
    }

    /// A list of one.
    pub fn of(member: &Address) -> Result<Self> {
        let mut members = Self::empty()?;
        members.0.push(*member)?;
        Ok(members)
    }

    /// Makes `member` one of the members, or none of them. InvalidRealloc when the list is full.
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

    /// Sets what each of `entries` says, of which `authority` stays a member. Only the outcome must fit: in between there
    /// may be more than `MAX`.
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

/// Borsh's vector of addresses; None beyond `MAX`.
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

/// The bytes of the entries of a vector of addresses with whether they belong; None when it is cut short.
pub fn entries(args: &[u8]) -> Option<&[u8]> {
    let mut from = Reader::new(args);
    let count = from.u32()? as usize;
    if count > args.len() / ENTRY {
        return None;
    }
    from.bytes(count * ENTRY)
}

/// Logs an event that repeats a vector of such entries, or of entries as long. InvalidRealloc when the heap has not
/// that much left.
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
