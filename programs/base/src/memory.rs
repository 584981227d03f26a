//! Copies, moves and fills of a length that is unknown at compile time. The BPF backend cannot emit them itself.

use crate::syscalls;
use core::ops::Range;

/// Copies `from` into `to`. Panics unless both have the same length.
pub fn copy(to: &mut [u8], from: &[u8]) {
    assert!(to.len() == from.len());
    // SAFETY: both slices are valid for the length, and a unique reference overlaps no other.
    unsafe { syscalls::sol_memcpy_(to.as_mut_ptr(), from.as_ptr(), from.len() as u64) }
}

/// Copies the bytes of a range to another place in the same slice, which may overlap the range. Panics unless both
/// lie in the slice.
pub fn shift(bytes: &mut [u8], from: Range<usize>, to: usize) {
    let len = bytes[from.clone()].len();
    assert!(len <= bytes[to..].len());
    let start = bytes.as_mut_ptr();
    // SAFETY: both ranges lie in the slice by the checks above, and the runtime's move lets them overlap.
    unsafe { syscalls::sol_memmove_(start.add(to), start.add(from.start), len as u64) }
}

/// Sets all bytes to `value`.
pub fn fill(to: &mut [u8], value: u8) {
    // SAFETY: the slice is valid for the length.
    unsafe { syscalls::sol_memset_(to.as_mut_ptr(), value, to.len() as u64) }
}
