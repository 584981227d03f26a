//! Addresses and seeds of the public program.

use sluice_program::{address, Address};

pub const PROGRAM: Address = address!("JUP6LkbZbjS1jKKwapdHNy74zcZ3tLUZoi5QNyVTaV4");

/// Signs the program's calls to itself.
pub const EVENT_AUTHORITY: Address = address!("D8cy77BBepLMngZx6ZukaTff5hCt1HrWyKk3Hnd9oitf");
pub const EVENT_AUTHORITY_BUMP: u8 = 255;

/// The wallet to which [`crate::instructions::claim`] sends the balances of the program authorities.
pub const FEE_WALLET: Address = address!("7JQeyNK55fkUPUmEotupBFpiBGpgEQYLe8Ht1VdSfxcP");

pub const AUTHORITY_SEED: &[u8] = b"authority";
/// Together with user and mint, the seeds of a user's temporary token account.
pub const TOKEN_ACCOUNT_SEED: &[u8] = b"token_account";

/// The program authorities of the first ids with their bumps. They are derived once here instead of in every route.
pub const AUTHORITIES: [(Address, u8); 16] = [
    (address!("GGztQqQ6pCPaJQnNpXBgELr5cs3WwDakRbh1iEMzjgSJ"), 255),
    (address!("2MFoS3MPtvyQ4Wh4M9pdfPjz6UhVoNbFbGJAskCPCj3h"), 255),
    (address!("BQ72nSv9f3PRyRKCBnHLVrerrv37CYTHm5h3s9VSGQDV"), 254),
    (address!("6U91aKa8pmMxkJwBCfPTmUEfZi6dHe7DcFq2ALvB2tbB"), 255),
    (address!("4xDsmeTWPNjgSVSS1VTfzFq3iHZhp77ffPkAmkZkdu71"), 255),
    (address!("CapuXNQoDviLvU1PxFiizLgPNQCxrsag1uMeyk6zLVps"), 255),
    (address!("9nnLbotNTcUhvbrsA6Mdkx45Sm82G35zo28AqUvjExn8"), 250),
    (address!("6LXutJvKUw8Q5ue2gCgKHQdAN4suWW8awzFVC6XCguFx"), 254),
    (address!("HFqp6ErWHY6Uzhj8rFyjYuDya2mXUpYEk8VW75K9PSiY"), 255),
    (address!("DSN3j1ykL3obAVNv7ZX49VsFCPe4LqzxHnmtLiPwY6xg"), 254),
    (address!("69yhtoJR4JYPPABZcSNkzuqbaFbwHsCkja1sP1Q2aVT5"), 253),
    (address!("HU23r7UoZbqTUuh3vA7emAGztFtqwTeVips789vqxxBw"), 255),
    (address!("3LoAYHuSd7Gh8d7RTFnhvYtiTiefdZ5ByamU42vkzd76"), 255),
    (address!("3CgvbiM3op4vjrrjH2zcrQUwsqh5veNVRjFCB9N6sRoD"), 255),
    (address!("GP8StUXNYSZjPikyRsvkTbvRV1GBxMErb59cpeCJnDf1"), 255),
    (address!("7iWnBRRhBCiNXXPhqiGzvvBkKrvFSWqqmxRyu9VyYBxE"), 255),
];
