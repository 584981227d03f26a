//! The instructions.

pub mod create;
pub mod create_v3;
mod make;
pub mod update_v2;

use crate::state::{optional, Collection, Fields, Uses};
use sluice_program::bytes::Reader;

/// Reads the fields as the older instructions pass them.
fn data_v2<'a>(from: &mut Reader<'a>) -> Option<Fields<'a>> {
    let mut fields = Fields::read_data(from)?;
    fields.collection = optional(from, |from| Collection::read(from))?;
    fields.uses = optional(from, |from| Uses::read(from))?;
    Some(fields)
}

/// Returns `value` if the whole data was read.
fn whole<T>(from: &Reader, value: T) -> Option<T> {
    if from.rest().is_empty() {
        Some(value)
    } else {
        None
    }
}
