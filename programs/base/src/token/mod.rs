//! The SPL token program and Token-2022: accounts, extensions, calls.

mod calls;
mod extension;
mod state;

pub use calls::{
    Burn, CloseAccount, InitializeAccount3, InitializeImmutableOwner, InitializeMint2, MintTo, SyncNative,
    Transfer, TransferChecked,
};
pub use extension::{account_size, extensions, has_extension, Extension, TransferFee, TransferFeeConfig};
pub use state::{amount_of, Mint, TokenAccount, ACCOUNT_LEN, MINT_LEN};

use crate::address::Address;

pub const PROGRAM: Address = Address::from_base58("TokenkegQfeZyiNwAJbNbGKPFXCWuBvf9Ss623VQ5DA");
pub const PROGRAM_2022: Address = Address::from_base58("TokenzQdBNbLqP5VEhdkAS6EPFLC1PHnBqCXEpPxuEb");
/// Both token programs, for checks that accept either.
pub const PROGRAMS: [Address; 2] = [PROGRAM, PROGRAM_2022];
/// The mint of wrapped SOL.
pub const NATIVE_MINT: Address = Address::from_base58("So11111111111111111111111111111111111111112");
