//! Copies and fills of lengths that the compiler does not know, which the BPF backend cannot emit itself.

use crate::syscalls;

/// Copies `from` into `to`, which must be of the same length.
pub fn copy(to: &mut [u8], from: &[u8]) {
    assert!(to.len() == from.len());
    // SAFETY: both slices are valid for the length, and a unique reference overlaps no other.
    unsafe { syscalls::sol_memcpy_(to.as_mut_ptr(), from.as_ptr(), from.len() as u64) }
}

pub fn fill(to: &mut [u8], value: u8) {
    // SAFETY: the slice is valid for the length.
    unsafe { syscalls::sol_memset_(to.as_mut_ptr(), value, to.len() as u64) }
}
