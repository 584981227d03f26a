//! The assertion about a value in an account's data.

use core::cmp::Ordering;
use sluice_program::bytes::Reader;
use sluice_program::{Account, Result};

use crate::comparison::{compared, is_equal};
use crate::errors::{
    ACCOUNT_NOT_INITIALIZED, ASSERTION_FAILED, FAILED_TO_DESERIALIZE, INVALID_INSTRUCTION_DATA,
    NOT_ENOUGH_ACCOUNTS, RANGE_OUT_OF_BOUNDS,
};

const BOOL: u8 = 0;
const BYTES: u8 = 11;
const ADDRESS: u8 = 12;

/// An asserted value. Integers are kept as their bytes, the least significant first.
struct Assertion<'a> {
    offset: usize,
    kind: u8,
    value: &'a [u8],
    operator: u8,
}

/// Fails with AssertionFailed unless the value at the offset of the first account's data is as the arguments say. The
/// arguments are a logging level, which is ignored, the offset, the kind of the value, the value and the comparison.
pub fn assert_account_data(accounts: &[Account], args: &[u8]) -> Result {
    let target = *accounts.first().ok_or(NOT_ENOUGH_ACCOUNTS)?;
    let assertion = decode(args).ok_or(INVALID_INSTRUCTION_DATA)?;
    let data = target.data()?;
    if data.is_empty() {
        return Err(ACCOUNT_NOT_INITIALIZED.into());
    }
    let end = assertion.offset.checked_add(assertion.value.len()).ok_or(RANGE_OUT_OF_BOUNDS)?;
    let found = data.get(assertion.offset..end).ok_or(RANGE_OUT_OF_BOUNDS)?;
    if assertion.kind == BOOL && found.first().is_some_and(|byte| *byte > 1) {
        return Err(FAILED_TO_DESERIALIZE.into());
    }
    match holds(&assertion, found) {
        Some(true) => Ok(()),
        Some(false) => Err(ASSERTION_FAILED.into()),
        None => Err(INVALID_INSTRUCTION_DATA.into()),
    }
}

fn decode<'a>(args: &'a [u8]) -> Option<Assertion<'a>> {
    let mut reader = Reader::new(args);
    let _log_level = reader.u8()?;
    let offset = compact(&mut reader)?;
    let kind = reader.u8()?;
    let len = match kind {
        BOOL | 1 | 2 => 1,
        3 | 4 => 2,
        5 | 6 => 4,
        7 | 8 => 8,
        9 | 10 => 16,
        BYTES => compact(&mut reader)?,
        ADDRESS => 32,
        _ => return None,
    };
    let value = reader.bytes(len)?;
    if kind == BOOL && value.first().is_some_and(|byte| *byte > 1) {
        return None;
    }
    Some(Assertion { offset, kind, value, operator: reader.u8()? })
}

/// Reads a number in groups of seven bits, the least significant first.
fn compact(reader: &mut Reader) -> Option<usize> {
    let mut number = 0u64;
    let mut shift = 0;
    loop {
        let byte = reader.u8()?;
        let group = (byte & 0x7f) as u64;
        if shift == 63 && group > 1 {
            return None;
        }
        number |= group << shift;
        if byte < 0x80 {
            return Some(number as usize);
        }
        shift += 7;
        if shift > 63 {
            return None;
        }
    }
}

fn holds(assertion: &Assertion, found: &[u8]) -> Option<bool> {
    match assertion.kind {
        BOOL | BYTES | ADDRESS => {
            is_equal(compare(found, assertion.value, false).is_eq(), assertion.operator)
        }
        // Signed integers have even numbers.
        kind => compared(compare(found, assertion.value, kind & 1 == 0), assertion.operator),
    }
}

/// Compares two integers of the same length, or any bytes for equality.
fn compare(one: &[u8], other: &[u8], signed: bool) -> Ordering {
    let mut flip = if signed { 0x80 } else { 0 };
    for (a, b) in one.iter().zip(other).rev() {
        match (a ^ flip).cmp(&(b ^ flip)) {
            Ordering::Equal => flip = 0,
            different => return different,
        }
    }
    Ordering::Equal
}
