//! The instructions that return and update a vault's exchange prices.

mod get;
mod update;

pub use get::get;
pub use update::update;

use crate::checks;
use crate::prices::Reserves;
use crate::state::config::Config;
use crate::state::vault::Vault;
use sluice_program::{Account, Result};

struct Context {
    vault: Vault,
    config: Config,
    reserves: Reserves,
}

impl Context {
    fn load(vault: Account, config: Account, supply: Account, borrow: Account) -> Result<Self> {
        let vault = Vault::load(vault)?;
        let config = Config::load(config)?;
        let reserves = checks::reserves(&config, supply, borrow)?;
        Ok(Self { vault, config, reserves })
    }
}
