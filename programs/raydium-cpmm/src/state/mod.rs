//! Layouts of the program's accounts. Offsets include the discriminator.

pub mod config;
pub mod observation;
pub mod pool;

use sluice_program::anchor;

/// The permission of `authority` to create pools whose creator earns fees. The address follows the discriminator.
pub const PERMISSION_TAG: [u8; 8] = anchor::account("Permission");
pub const PERMISSION_LEN: usize = 8 + 32 + 30 * 8;

/// The permission for a mint, whatever its extensions are. The bump and the mint follow the discriminator.
pub const SUPPORT_MINT_TAG: [u8; 8] = anchor::account("SupportMintAssociated");

/// A creator's own share of its fees, in place of the configuration's. The fields are bump, creator, configuration,
/// rate.
pub const CREATOR_FEE_SHARE_TAG: [u8; 8] = anchor::account("CreatorFeeShare");
pub const CREATOR_FEE_SHARE_RATE: usize = 8 + 1 + 32 + 32;
pub const CREATOR_FEE_SHARE_LEN: usize = CREATOR_FEE_SHARE_RATE + 8 + 8 * 8;
