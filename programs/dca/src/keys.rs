//! The program's addresses and the seeds from which it derives others.

use sluice_program::{address, Address};

pub const PROGRAM: Address = address!("DCA265Vj8a9CEuX1eb1LWRnDT7uK6q1xMipnNyatn23M");

/// Signs the program's calls to itself.
pub const EVENT_AUTHORITY: Address = address!("Cspp27eGUDMXxPEdhmEXFVRn6Lt1L7xJyALF3nmnWoBj");
pub const EVENT_AUTHORITY_BUMP: u8 = 254;

/// Owns the accounts that collect fees. Its address has the seed `FEE_SEED`.
pub const FEE_AUTHORITY: Address = address!("CpoD6tWAsMDeyvVG2q2rD1JbDY6d4AujnvAn2NdrhZV2");
pub const FEE_AUTHORITY_BUMP: u8 = 254;

pub const FEE_SEED: &[u8] = b"fee";
pub const DCA_SEED: &[u8] = b"dca";
/// The seed, before the order's address, of the account in which `transfer` unwraps SOL.
pub const INTERMEDIATE_SEED: &[u8] = b"intermediate";
