//! The runtime's layout of accounts in a program's input. All handles to one account share its entry.

use crate::address::Address;
use crate::cpi::CpiAccount;
use crate::entrypoint::GROWTH;
use crate::error::{ProgramError, Result};
use crate::memory;
use crate::syscalls::CAccount;
use crate::system;
use core::marker::PhantomData;
use core::ops::{Deref, DerefMut};

/// The runtime's entry for the first occurrence of an account. The data follows, then room for it to grow.
#[repr(C)]
pub(crate) struct RawAccount {
    /// On entry the runtime's duplicate marker, afterwards the borrow state: `FREE`, a number of readers, or
    /// `EXCLUSIVE`.
    borrow: u8,
    signer: u8,
    writable: u8,
    executable: u8,
    /// On entry padding, afterwards the length that the data had on entry.
    entry_len: u32,
    address: Address,
    owner: Address,
    lamports: u64,
    data_len: u64,
}

const FREE: u8 = 0;
const EXCLUSIVE: u8 = 255;

/// A handle to an account of the running instruction. It is cheap to copy; copies refer to the same account.
///
/// Fields that a call into another program may change are read again on each access. The data is borrowed through
/// guards: a call that would change borrowed data fails with AccountBorrowFailed, as does a second exclusive borrow.
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

    /// Returns the account's address.
    #[inline(always)]
    pub fn address(self) -> &'a Address {
        // SAFETY: valid for `'a`, and an account's address never changes.
        unsafe { &(*self.raw).address }
    }

    /// Returns the program that owns the account now.
    #[inline(always)]
    pub fn owner(self) -> Address {
        // SAFETY: valid for `'a`; read by value because a call may reassign it.
        unsafe { (*self.raw).owner }
    }

    /// Returns whether `program` owns the account now.
    #[inline(always)]
    pub fn is_owned_by(self, program: &Address) -> bool {
        // SAFETY: as in `owner`; the reference does not outlive the comparison.
        unsafe { &(*self.raw).owner == program }
    }

    /// Returns whether the account signed the instruction.
    #[inline(always)]
    pub fn is_signer(self) -> bool {
        // SAFETY: valid for `'a`.
        unsafe { (*self.raw).signer != 0 }
    }

    /// Returns whether the instruction may change the account.
    #[inline(always)]
    pub fn is_writable(self) -> bool {
        // SAFETY: valid for `'a`.
        unsafe { (*self.raw).writable != 0 }
    }

    /// Returns whether the account is a program.
    #[inline(always)]
    pub fn is_executable(self) -> bool {
        // SAFETY: valid for `'a`.
        unsafe { (*self.raw).executable != 0 }
    }

    /// Returns the balance in lamports.
    #[inline(always)]
    pub fn lamports(self) -> u64 {
        // SAFETY: valid for `'a`.
        unsafe { (*self.raw).lamports }
    }

    /// Sets the balance in lamports. When the program returns, the runtime checks that it was allowed to take them
    /// and that the sum has not changed.
    pub fn set_lamports(self, lamports: u64) {
        // SAFETY: valid for `'a`.
        unsafe { (*self.raw).lamports = lamports }
    }

    /// Returns the length of the data.
    #[inline(always)]
    pub fn data_len(self) -> usize {
        // SAFETY: valid for `'a`.
        unsafe { (*self.raw).data_len as usize }
    }

    /// Borrows the data for reading. Fails with AccountBorrowFailed while it is borrowed exclusively.
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

    /// Borrows the data exclusively. Fails with AccountBorrowFailed while any other borrow is alive. The runtime
    /// checks whether the program may write the account.
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

    /// Changes the length of the data and sets added bytes to zero. Fails with InvalidRealloc if the length exceeds
    /// the room that the runtime reserves for one instruction, and with AccountBorrowFailed while the data is
    /// borrowed.
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
        // SAFETY: valid for `'a`, the data is not borrowed, and the region has room for the length by the check above.
        unsafe { (*self.raw).data_len = len as u64 };
        if let Some(added) = self.data_mut()?.get_mut(before..) {
            memory::fill(added, 0);
        }
        Ok(())
    }

    /// Pays the account's lamports to `receiver`, and returns the account to the system program without data, so that
    /// its address can be used again at once. When the program returns, the runtime checks that the account was its
    /// own. Fails with ArithmeticOverflow if the receiver's lamports exceed u64, and with AccountBorrowFailed while
    /// the data is borrowed.
    #[inline(never)]
    pub fn close(self, receiver: Account) -> Result {
        let sum =
            receiver.lamports().checked_add(self.lamports()).ok_or(ProgramError::ARITHMETIC_OVERFLOW)?;
        self.resize(0)?;
        receiver.set_lamports(sum);
        self.set_lamports(0);
        // SAFETY: valid for `'a`.
        unsafe { (*self.raw).owner = system::PROGRAM };
        Ok(())
    }

    /// Returns whether both handles refer to the same account.
    #[inline(always)]
    pub fn is(self, other: Account) -> bool {
        core::ptr::eq(self.raw, other.raw)
    }

    /// Passes the account to a call as read-only and not signing.
    pub fn readonly(self) -> CpiAccount<'a> {
        CpiAccount { account: self, writable: false, signer: false }
    }

    /// Passes the account to a call as writable. The running instruction must itself be allowed to write it.
    pub fn writable(self) -> CpiAccount<'a> {
        CpiAccount { account: self, writable: true, signer: false }
    }

    /// Passes the account to a call as read-only and signing. It must sign the running instruction, or be derived
    /// from the call's seeds.
    pub fn readonly_signer(self) -> CpiAccount<'a> {
        CpiAccount { account: self, writable: false, signer: true }
    }

    /// Passes the account to a call as writable and signing, under both conditions above.
    pub fn writable_signer(self) -> CpiAccount<'a> {
        CpiAccount { account: self, writable: true, signer: true }
    }

    /// Returns whether the present borrows let a call read the data, or change it if `writable`.
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

/// The data of an account, borrowed for reading until this guard is dropped.
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

/// The data of an account, borrowed exclusively until this guard is dropped.
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
