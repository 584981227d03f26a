//! The code that all of Sluice's on-chain programs share, on `core` alone.
//!
//! A program is a function `process(program, accounts, data)` that is passed to [`entrypoint!`]. The crate provides
//! everything that a program needs from the runtime (calls, derived addresses, sysvars, logs) and from the token and
//! system programs, so that programs themselves contain no `unsafe`. `README.md` beside this crate shows the
//! interface by example.
#![cfg_attr(not(test), no_std)]

pub mod account;
pub mod address;
pub mod anchor;
pub mod associated_token;
pub mod bytes;
pub mod call_stack;
pub mod cpi;
pub mod entrypoint;
pub mod error;
pub mod event;
pub mod heap;
pub mod instructions;
pub mod interest;
pub mod layout;
pub mod log;
pub mod math;
pub mod members;
pub mod memory;
mod sha256;
mod syscalls;
pub mod system;
pub mod sysvar;
pub mod token;
pub mod wide;

pub use account::Account;
pub use address::Address;
pub use anchor::AnchorError;
pub use error::{ProgramError, Result};
