//! The instruction `initialize_pool_with_dynamic_config`.

use super::initialize_customizable::{custom_terms, read_custom};
use crate::error::INVALID_CONFIG_TYPE;
use crate::instructions::new_pool::{make, Terms};
use crate::instructions::parameters::require;
use crate::instructions::pool_accounts::{check, check_mints, context, create_accounts};
use crate::keys::POOL_SEED;
use crate::state::config::Config;
use sluice_program::anchor::{self, decoded};
use sluice_program::bytes::Reader;
use sluice_program::{Account, Result};

const DYNAMIC: u8 = 1;

/// Arguments: all terms of the pool, as of `initialize_customizable_pool`. The configuration only names who may create
/// pools, of which each pair can have one.
pub fn initialize_with_dynamic_config(accounts: &[Account], args: &[u8]) -> Result {
    let parsed = decoded(read_custom(&mut Reader::new(args)))?;
    let (given, badges) = anchor::accounts::<21>(accounts)?;
    let &[creator, mint, holding, payer, authority, config_account, ref rest @ ..] = given;
    let context = context([creator, mint, holding, payer], rest);
    anchor::check_signer(authority, "pool_creator_authority")?;
    let config = Config::load(config_account)?;
    check(&context)?;
    if config.creator_authority != *authority.address() {
        return Err(anchor::CONSTRAINT_HAS_ONE.of("config"));
    }
    create_accounts(&context, POOL_SEED, &config_account.address().0)?;
    let terms = Terms { proves_tokens: false, ..custom_terms(&context, parsed)? };
    check_mints(&context, badges)?;
    require(config.kind == DYNAMIC, INVALID_CONFIG_TYPE)?;
    make(&context, &terms, &args[..terms.fees.written_len()])
}
