//! The instruction `initialize_pool_v2`.

use super::{create, read_terms, Context};
use sluice_program::anchor::{self, decoded};
use sluice_program::bytes::Reader;
use sluice_program::{Account, Result};

/// Does the same as [`initialize`] for mints of both token programs. Arguments: the tick spacing, the price.
pub fn initialize_v2(accounts: &[Account], args: &[u8]) -> Result {
    let terms = decoded(read_terms(&mut Reader::new(args)))?;
    let (&[config, mint_a, mint_b, badge_a, badge_b, funder, pool, ref rest @ ..], _) =
        anchor::accounts::<14>(accounts)?;
    let &[vault_a, vault_b, fee_tier, program_a, program_b, system, rent] = rest;
    create(
        &Context {
            config,
            mints: [mint_a, mint_b],
            badges: Some([badge_a, badge_b]),
            funder,
            pool,
            vaults: [vault_a, vault_b],
            fee_tier,
            programs: [program_a, program_b],
            system,
            rent,
        },
        &terms,
    )
}
