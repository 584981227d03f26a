//! Accounts as the runtime lays them out in a program's input, shared by all handles that name the same account.

use crate::address::Address;
use crate::cpi::CpiAccount;
use crate::entrypoint::GROWTH;
use crate::error::{ProgramError, Result};
use crate::memory;
use crate::syscalls::CAccount;
use core::marker::PhantomData;
use core::ops::{Deref, DerefMut};

/// What the runtime writes for an account's first occurrence; the data follows, then room for it to grow.
#[repr(C)]
pub(crate) struct RawAccount {
    /// The runtime's duplicate marker on entry, from then on the borrow state: `FREE`, a count, or `EXCLUSIVE`.
    borrow: u8,
    signer: u8,
    writable: u8,
    executable: u8,
    /// Padding on entry, from then on the length of the data as it was.
    entry_len: u32,
    address: Address,
    owner: Address,
    lamports: u64,
    data_len: u64,
}

const FREE: u8 = 0;
const EXCLUSIVE: u8 = 255;

/// A handle to one account of the running instruction. Copies are cheap and name the same account.
///
/// Everything that a call into another program may change is read anew each time, and data is lent out by guards:
/// a call that would change borrowed data fails with AccountBorrowFailed, as does a second exclusive borrow.
#[derive(Clone, Copy)]
#[repr(transparent)]
pub struct Account<'a> {
    raw: *mut RawAccount,
    input: PhantomData<&'a ()>,
}

impl<'a> Account<'a> {
    /// # Safety
    /// `raw` must be a non-duplicate account in the runtime's input region, valid for `'a`.
    pub(crate) unsafe fn new(raw: *mut RawAccount) -> Self {
        // SAFETY: by the contract above; the runtime reads neither the marker nor the padding back.
        unsafe {
            (*raw).borrow = FREE;
            (*raw).entry_len = (*raw).data_len as u32;
        }
        Self { raw, input: PhantomData }
    }

    #[inline(always)]
    pub fn address(self) -> &'a Address {
        // SAFETY: valid for `'a`, and an account's address never changes.
        unsafe { &(*self.raw).address }
    }

    /// The program that owns the account at this moment.
    #[inline(always)]
    pub fn owner(self) -> Address {
        // SAFETY: valid for `'a`; read by value because a call may reassign it.
        unsafe { (*self.raw).owner }
    }

    #[inline(always)]
    pub fn is_owned_by(self, program: &Address) -> bool {
        // SAFETY: as in `owner`; the reference does not outlive the comparison.
        unsafe { &(*self.raw).owner == program }
    }

    #[inline(always)]
    pub fn is_signer(self) -> bool {
        // SAFETY: valid for `'a`.
        unsafe { (*self.raw).signer != 0 }
    }

    #[inline(always)]
    pub fn is_writable(self) -> bool {
        // SAFETY: valid for `'a`.
        unsafe { (*self.raw).writable != 0 }
    }

    #[inline(always)]
    pub fn is_executable(self) -> bool {
        // SAFETY: valid for `'a`.
        unsafe { (*self.raw).executable != 0 }
    }

    #[inline(always)]
    pub fn lamports(self) -> u64 {
        // SAFETY: valid for `'a`.
        unsafe { (*self.raw).lamports }
    }

    /// The runtime refuses, when the program returns, what it was not allowed to take or did not balance.
    pub fn set_lamports(self, lamports: u64) {
        // SAFETY: valid for `'a`.
        unsafe { (*self.raw).lamports = lamports }
    }

    #[inline(always)]
    pub fn data_len(self) -> usize {
        // SAFETY: valid for `'a`.
        unsafe { (*self.raw).data_len as usize }
    }

    /// AccountBorrowFailed while an exclusive borrow is alive.
    #[inline(always)]
    pub fn data(self) -> Result<Data<'a>> {
        // SAFETY: valid for `'a`; the program runs on one thread.
        let state = unsafe { &mut (*self.raw).borrow };
        if *state >= EXCLUSIVE - 1 {
            return Err(ProgramError::ACCOUNT_BORROW_FAILED);
        }
        *state += 1;
        // SAFETY: the guard keeps writers away until it is dropped.
        let bytes = unsafe { core::slice::from_raw_parts(self.data_pointer(), self.data_len()) };
        Ok(Data { bytes, account: self })
    }

    /// AccountBorrowFailed while any other borrow is alive. Whether the program may write is the runtime's check.
    #[inline(always)]
    pub fn data_mut(self) -> Result<DataMut<'a>> {
        // SAFETY: as in `data`.
        let state = unsafe { &mut (*self.raw).borrow };
        if *state != FREE {
            return Err(ProgramError::ACCOUNT_BORROW_FAILED);
        }
        *state = EXCLUSIVE;
        // SAFETY: the guard keeps all others away until it is dropped.
        let bytes = unsafe { core::slice::from_raw_parts_mut(self.data_pointer(), self.data_len()) };
        Ok(DataMut { bytes, account: self })
    }

    /// Changes the length of the data; what is added is zero. InvalidRealloc beyond the room that the runtime leaves
    /// for one instruction, AccountBorrowFailed while the data is borrowed.
    pub fn resize(self, len: usize) -> Result {
        if !self.can_lend(true) {
            return Err(ProgramError::ACCOUNT_BORROW_FAILED);
        }
        // SAFETY: valid for `'a`.
        let most = unsafe { (*self.raw).entry_len } as usize + GROWTH;
        if len > most {
            return Err(ProgramError::INVALID_REALLOC);
        }
        let before = self.data_len();
        // SAFETY: valid for `'a`, nobody holds the data, and the region has room for the length by the check above.
        unsafe { (*self.raw).data_len = len as u64 };
        if let Some(added) = self.data_mut()?.get_mut(before..) {
            memory::fill(added, 0);
        }
        Ok(())
    }

    /// Whether both handles name the same account.
    #[inline(always)]
    pub fn is(self, other: Account) -> bool {
        core::ptr::eq(self.raw, other.raw)
    }

    /// How a call takes this account: with these privileges, which it must itself have or sign for.
    pub fn readonly(self) -> CpiAccount<'a> {
        CpiAccount { account: self, writable: false, signer: false }
    }

    pub fn writable(self) -> CpiAccount<'a> {
        CpiAccount { account: self, writable: true, signer: false }
    }

    pub fn readonly_signer(self) -> CpiAccount<'a> {
        CpiAccount { account: self, writable: false, signer: true }
    }

    pub fn writable_signer(self) -> CpiAccount<'a> {
        CpiAccount { account: self, writable: true, signer: true }
    }

    /// Whether a call may change (`writable`) or read the data now, with regard to the borrows that are alive.
    pub(crate) fn can_lend(self, writable: bool) -> bool {
        // SAFETY: valid for `'a`.
        let state = unsafe { (*self.raw).borrow };
        if writable {
            state == FREE
        } else {
            state != EXCLUSIVE
        }
    }

    pub(crate) fn to_c(self) -> CAccount {
        let raw = self.raw;
        // SAFETY: valid for `'a`; only addresses are taken, and plain values read.
        unsafe {
            CAccount {
                address: &raw const (*raw).address,
                lamports: &raw mut (*raw).lamports,
                data_len: (*raw).data_len,
                data: self.data_pointer(),
                owner: &raw const (*raw).owner,
                rent_epoch: 0,
                signer: self.is_signer(),
                writable: self.is_writable(),
                executable: self.is_executable(),
            }
        }
    }

    fn data_pointer(self) -> *mut u8 {
        // SAFETY: the data starts right behind the header.
        unsafe { self.raw.add(1).cast() }
    }
}

/// An account's data, shared with other readers until dropped.
pub struct Data<'a> {
    bytes: &'a [u8],
    account: Account<'a>,
}

impl Deref for Data<'_> {
    type Target = [u8];

    #[inline(always)]
    fn deref(&self) -> &[u8] {
        self.bytes
    }
}

impl Drop for Data<'_> {
    #[inline(always)]
    fn drop(&mut self) {
        // SAFETY: valid for the account's lifetime; `data` counted this guard.
        unsafe { (*self.account.raw).borrow -= 1 }
    }
}

/// An account's data, lent to one writer until dropped.
pub struct DataMut<'a> {
    bytes: &'a mut [u8],
    account: Account<'a>,
}

impl Deref for DataMut<'_> {
    type Target = [u8];

    #[inline(always)]
    fn deref(&self) -> &[u8] {
        self.bytes
    }
}

impl DerefMut for DataMut<'_> {
    #[inline(always)]
    fn deref_mut(&mut self) -> &mut [u8] {
        self.bytes
    }
}

impl Drop for DataMut<'_> {
    #[inline(always)]
    fn drop(&mut self) {
        // SAFETY: valid for the account's lifetime; this guard was the only one.
        unsafe { (*self.account.raw).borrow = FREE }
    }
}
