//! Parsing of route plans.

use crate::error::SWAP_NOT_SUPPORTED;
use crate::venues::{self, Venue};
use sluice_program::anchor::INSTRUCTION_DID_NOT_DESERIALIZE;
use sluice_program::bytes::Reader;
use sluice_program::heap::List;
use sluice_program::Result;

/// The generation of the interface to which a route belongs.
#[derive(Clone, Copy, PartialEq, Eq)]
pub enum Version {
    /// A share is a byte, in percent.
    V1,
    /// A share is two bytes, in basis points.
    V2,
}

/// 100 percent in basis points.
pub const WHOLE: u64 = 10_000;
const PERCENT: u16 = 100;

impl Version {
    fn share(self, reader: &mut Reader) -> Option<u16> {
        match self {
            Self::V1 => reader.u8().map(|percent| u16::from(percent).wrapping_mul(PERCENT)),
            Self::V2 => reader.u16(),
        }
    }
}

/// A step of a plan.
#[derive(Clone, Copy)]
pub struct Step<'d> {
    pub tag: u8,
    pub venue: &'static Venue,
    /// The fields of the variant. Their length and values were checked, but they are not decoded yet.
    pub fields: &'d [u8],
    /// In basis points.
    pub share: u16,
    pub input: u8,
    pub output: u8,
}

/// The steps of a route.
pub struct Plan<'d> {
    pub steps: List<Step<'d>>,
    pub version: Version,
}

/// A step has at least a tag, a share of one byte, and two indices.
const MIN_STEP_LEN: usize = 4;

/// Reads a `vec<RoutePlanStep>`. Fails with InstructionDidNotDeserialize if it is cut short or has an unknown tag,
/// and with SwapNotSupported if it has a tag that this program leaves out.
pub fn read<'d>(reader: &mut Reader<'d>, version: Version) -> Result<Plan<'d>> {
    let count = required(reader.u32())? as usize;
    if count > reader.rest().len() / MIN_STEP_LEN {
        return Err(INSTRUCTION_DID_NOT_DESERIALIZE.into());
    }
    let mut steps = List::with_capacity(count)?;
    for _ in 0..count {
        steps.push(read_step(reader, version)?)?;
    }
    Ok(Plan { steps, version })
}

#[inline(always)]
fn read_step<'d>(reader: &mut Reader<'d>, version: Version) -> Result<Step<'d>> {
    let tag = required(reader.u8())?;
    let Some(venue) = venues::find(tag) else {
        let error = if venues::is_known(tag) { SWAP_NOT_SUPPORTED } else { INSTRUCTION_DID_NOT_DESERIALIZE };
        return Err(error.into());
    };
    let start = reader.rest();
    required((venue.fields)(reader))?;
    let fields = &start[..start.len() - reader.rest().len()];
    let share = required(version.share(reader))?;
    Ok(Step { tag, venue, fields, share, input: required(reader.u8())?, output: required(reader.u8())? })
}

/// Returns the argument. Fails with InstructionDidNotDeserialize if it is None.
#[inline(always)]
pub fn required<T>(argument: Option<T>) -> Result<T> {
    match argument {
        Some(value) => Ok(value),
        None => Err(INSTRUCTION_DID_NOT_DESERIALIZE.into()),
    }
}
