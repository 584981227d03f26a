//! What can go wrong.

use sluice_program::{entrypoint, log};

sluice_program::errors! {
    MATH_OVERFLOW = 6000 MathOverflow "A number leaves its range"
}

/// An error whose number depends on the program.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Wrong {
    /// MathOverflow: a number leaves its range, or a divisor is zero.
    Overflow,
    /// TypeCastFailed: a result does not fit its type.
    Cast,
}

/// Ends the program where the public ones panic, which is on state that none of their instructions writes.
#[cold]
#[inline(never)]
pub fn out_of_range(what: &str) -> ! {
    log::Line::new().text("out of range: ").text(what).emit();
    entrypoint::abort()
}

/// Returns the value, or ends the program if it is None.
#[inline(always)]
pub fn in_range<T>(value: Option<T>, what: &str) -> T {
    match value {
        Some(value) => value,
        None => out_of_range(what),
    }
}
