//! The instruction `initialize_pool`.

use super::{create, read_terms, Context};
use sluice_program::anchor::{self, decoded};
use sluice_program::bytes::Reader;
use sluice_program::{Account, Result};

/// Arguments: a bump, which is ignored, the tick spacing, the price.
pub fn initialize(accounts: &[Account], args: &[u8]) -> Result {
    let mut reader = Reader::new(args);
    decoded(reader.u8())?;
    let terms = decoded(read_terms(&mut reader))?;
    let (&[config, mint_a, mint_b, funder, pool, vault_a, vault_b, fee_tier, program, system, rent], _) =
        anchor::accounts(accounts)?;
    create(
        &Context {
            config,
            mints: [mint_a, mint_b],
            badges: None,
            funder,
            pool,
            vaults: [vault_a, vault_b],
            fee_tier,
            programs: [program, program],
            system,
            rent,
        },
        &terms,
    )
}
