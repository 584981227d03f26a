//! A bump allocator on the 32 KiB that the runtime maps, zeroed, for every call of a program.
//!
//! A stack frame has 4096 bytes, so tables whose length is known only at run time live here. The allocator's own
//! state is the heap's first word: programs have no writable statics.

use crate::error::{ProgramError, Result};
use core::marker::PhantomData;
use core::ops::Deref;

const START: usize = 0x3_0000_0000;
const LENGTH: usize = 32 * 1024;
/// The first word of the heap holds the offset of the next free byte. It is zero before the first use.
const HEADER: usize = 8;
/// The alignment of all blocks. It suffices for every type here.
const ALIGNMENT: usize = 8;

fn used() -> usize {
    // SAFETY: the runtime maps the heap readable for the whole call.
    let offset = unsafe { core::ptr::read_volatile(START as *const u64) } as usize;
    if offset == 0 {
        HEADER
    } else {
        offset
    }
}

fn set_used(offset: usize) {
    // SAFETY: as above, writable; nothing else refers to the first word.
    unsafe { core::ptr::write_volatile(START as *mut u64, offset as u64) }
}

/// Returns `size` bytes aligned to 8. Fails with InvalidRealloc if the heap is exhausted.
fn allocate(size: usize) -> Result<*mut u8> {
    let start = used();
    let end = start + size.next_multiple_of(ALIGNMENT);
    if end > LENGTH {
        return Err(ProgramError::INVALID_REALLOC);
    }
    set_used(end);
    Ok((START + start) as *mut u8)
}

/// A vector of fixed capacity on the heap. Its memory is never freed: allocate it once and [`List::clear`] it between
/// uses.
pub struct List<T: Copy> {
    items: *mut T,
    len: usize,
    capacity: usize,
    owns: PhantomData<T>,
}

impl<T: Copy> List<T> {
    /// Allocates a list. Fails with InvalidRealloc if the heap has too little room left.
    pub fn with_capacity(capacity: usize) -> Result<Self> {
        const { assert!(align_of::<T>() <= ALIGNMENT) }
        if capacity > LENGTH {
            return Err(ProgramError::INVALID_REALLOC);
        }
        let items = allocate(capacity.wrapping_mul(size_of::<T>()))?.cast();
        Ok(Self { items, len: 0, capacity, owns: PhantomData })
    }

    /// Allocates a list of `len` items that `write` writes. Fails with InvalidRealloc if the heap has too little room
    /// left.
    ///
    /// # Safety
    /// `write` must write all items through the pointer to the first one, or the list must be dropped unread.
    pub(crate) unsafe fn written_by(len: usize, write: impl FnOnce(*mut T)) -> Result<Self> {
        let mut list = Self::with_capacity(len)?;
        write(list.items);
        list.len = len;
        Ok(list)
    }

    /// Appends an item. Fails with InvalidRealloc if the list is full.
    #[inline(always)]
    pub fn push(&mut self, item: T) -> Result {
        if self.len == self.capacity {
            return Err(ProgramError::INVALID_REALLOC);
        }
        // SAFETY: the block has room for `capacity` items and `len` is below it.
        unsafe { self.items.add(self.len).write(item) }
        self.len += 1;
        Ok(())
    }

    /// Removes all items and keeps the memory.
    pub fn clear(&mut self) {
        self.len = 0;
    }

    /// Removes the item at `index` and moves the following ones up.
    pub fn remove(&mut self, index: usize) {
        for at in index + 1..self.len {
            let next = self[at];
            self.as_mut_slice()[at - 1] = next;
        }
        self.len -= 1;
    }

    /// Returns the items for changing them in place.
    pub fn as_mut_slice(&mut self) -> &mut [T] {
        // SAFETY: the first `len` items were written by `push`.
        unsafe { core::slice::from_raw_parts_mut(self.items, self.len) }
    }
}

impl List<u8> {
    /// Appends the bytes. Fails with InvalidRealloc if they do not fit.
    pub fn extend(&mut self, bytes: &[u8]) -> Result {
        let start = self.len;
        if bytes.len() > self.capacity - start {
            return Err(ProgramError::INVALID_REALLOC);
        }
        self.len += bytes.len();
        crate::memory::copy(&mut self.as_mut_slice()[start..], bytes);
        Ok(())
    }
}

impl<T: Copy> Deref for List<T> {
    type Target = [T];

    fn deref(&self) -> &[T] {
        // SAFETY: the first `len` items were written by `push`.
        unsafe { core::slice::from_raw_parts(self.items, self.len) }
    }
}

/// Frees everything that was allocated since, when dropped. Only for blocks inside this crate that are not kept.
pub(crate) struct Scratch(usize);

impl Scratch {
    pub(crate) fn new() -> Self {
        Self(used())
    }
}

impl Drop for Scratch {
    fn drop(&mut self) {
        set_used(self.0);
    }
}
