//! The instructions that pause and resume a protocol's positions.

use crate::error::{
    INVALID_PARAMS, ONLY_GUARDIANS, USER_ALREADY_PAUSED, USER_ALREADY_UNPAUSED, USER_CLASS_NOT_PAUSABLE,
};
use crate::state::auth_list::AuthList;
use sluice_lending::state::BorrowPosition;
use sluice_lending::state::SupplyPosition;
use sluice_lending::state::{ACTIVE, PAUSED, UNCONFIGURED};
use sluice_program::anchor::{self, decoded};
use sluice_program::bytes::Reader;
use sluice_program::{event, Account, Address, AnchorError, Result};

const PAUSE: [u8; 8] = anchor::event("LogPauseUser");
const RESUME: [u8; 8] = anchor::event("LogUnpauseUser");
/// The class whose protocols guardians may pause. A protocol without a class belongs to it.
const PAUSABLE: u8 = 0;

struct Target {
    protocol: Address,
    supply_mint: Address,
    borrow_mint: Address,
    supply_status: Option<u8>,
    borrow_status: Option<u8>,
}

impl Target {
    fn decode(args: &[u8]) -> Option<Self> {
        let mut from = Reader::new(args);
        Some(Self {
            protocol: from.address()?,
            supply_mint: from.address()?,
            borrow_mint: from.address()?,
            supply_status: optional(&mut from)?,
            borrow_status: optional(&mut from)?,
        })
    }
}

fn optional(from: &mut Reader) -> Option<Option<u8>> {
    if from.bool()? {
        from.u8().map(Some)
    } else {
        Some(None)
    }
}

/// The difference between pausing and resuming.
struct Change {
    status: u8,
    repeated: AnchorError,
    event: [u8; 8],
}

/// Arguments: the protocol, its mints, and for each of its two positions either nothing or 1. Signed by a guardian.
pub fn pause(accounts: &[Account], args: &[u8]) -> Result {
    set(accounts, args, &Change { status: PAUSED, repeated: USER_ALREADY_PAUSED, event: PAUSE })
}

/// The same, with 0 instead of 1.
pub fn resume(accounts: &[Account], args: &[u8]) -> Result {
    set(accounts, args, &Change { status: ACTIVE, repeated: USER_ALREADY_UNPAUSED, event: RESUME })
}

#[inline(never)]
fn set(accounts: &[Account], args: &[u8], change: &Change) -> Result {
    let target = decoded(Target::decode(args))?;
    let (&[authority, auth_list, supply, borrow], _) = anchor::accounts(accounts)?;
    anchor::check_signer(authority, "authority")?;
    let lists = AuthList::load(auth_list)?;
    let mut supplied = SupplyPosition::load(supply)?;
    let mut borrowed = BorrowPosition::load(borrow)?;
    if !lists.guardians.contains(authority.address()) {
        return Err(ONLY_GUARDIANS.into());
    }
    anchor::check_writable(supply, "user_supply_position")?;
    if supplied.protocol != target.protocol {
        return Err(anchor::CONSTRAINT_HAS_ONE.of("user_supply_position"));
    }
    anchor::check_writable(borrow, "user_borrow_position")?;
    if borrowed.protocol != target.protocol {
        return Err(anchor::CONSTRAINT_HAS_ONE.of("user_borrow_position"));
    }
    if change.status == PAUSED {
        check_pausable(&lists, &target, &supplied, &borrowed)?;
    }

    if let Some(wanted) = target.supply_status {
        change.apply(&mut supplied.status, wanted, &target, &supplied.mint)?;
        supplied.store(supply)?;
    }
    if let Some(wanted) = target.borrow_status {
        change.apply(&mut borrowed.status, wanted, &target, &borrowed.mint)?;
        borrowed.store(borrow)?;
    }
    Ok(())
}

fn check_pausable(
    lists: &AuthList,
    target: &Target,
    supplied: &SupplyPosition,
    borrowed: &BorrowPosition,
) -> Result {
    let mints_match = supplied.mint == target.supply_mint && borrowed.mint == target.borrow_mint;
    if !mints_match {
        return Err(INVALID_PARAMS.into());
    }
    match lists.class_of(&target.protocol) {
        None | Some(PAUSABLE) => Ok(()),
        Some(_) => Err(USER_CLASS_NOT_PAUSABLE.into()),
    }
}

impl Change {
    fn apply(&self, status: &mut u8, wanted: u8, target: &Target, mint: &Address) -> Result {
        if wanted != self.status || *status == UNCONFIGURED {
            return Err(INVALID_PARAMS.into());
        }
        if *status == self.status {
            return Err(self.repeated.into());
        }
        *status = wanted;
        event::log(&self.event, |event| {
            event.address(&target.protocol)?;
            event.address(mint)?;
            event.u8(wanted)
        })
    }
}
