//! Layouts of the program's accounts. Offsets count the discriminator.

pub mod config;
pub mod observation;
pub mod pool;

use sluice_program::anchor;

/// The right of `authority` to make pools whose creator earns fees: its address behind the discriminator.
pub const PERMISSION_TAG: [u8; 8] = anchor::account("Permission");
pub const PERMISSION_LEN: usize = 8 + 32 + 30 * 8;

/// Lets a mint into pools whatever its extensions: bump and mint behind the discriminator.
pub const SUPPORT_MINT_TAG: [u8; 8] = anchor::account("SupportMintAssociated");

/// Another share of a creator's fees than the configuration's: bump, creator, configuration, rate.
pub const CREATOR_FEE_SHARE_TAG: [u8; 8] = anchor::account("CreatorFeeShare");
pub const CREATOR_FEE_SHARE_RATE: usize = 8 + 1 + 32 + 32;
pub const CREATOR_FEE_SHARE_LEN: usize = CREATOR_FEE_SHARE_RATE + 8 + 8 * 8;
