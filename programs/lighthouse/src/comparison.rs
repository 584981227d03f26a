//! The comparisons that assertions name by a number.

use core::cmp::Ordering;

/// The comparisons of numbers. The two bitwise ones are left out.
pub fn compared(ordering: Ordering, operator: u8) -> Option<bool> {
    Some(match operator {
        0 => ordering.is_eq(),
        1 => ordering.is_ne(),
        2 => ordering.is_gt(),
        3 => ordering.is_lt(),
        4 => ordering.is_ge(),
        5 => ordering.is_le(),
        _ => return None,
    })
}

/// The comparisons of everything else.
pub fn is_equal(equal: bool, operator: u8) -> Option<bool> {
    match operator {
        0 => Some(equal),
        1 => Some(!equal),
        _ => None,
    }
}
