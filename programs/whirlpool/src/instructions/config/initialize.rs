//! The instruction `initialize_config`.

use crate::instructions::{check_new, check_system};
use crate::keys::PROGRAM;
use crate::state::config::{Config, CONFIG_LEN};
use sluice_program::anchor::{self, decoded};
use sluice_program::bytes::Reader;
use sluice_program::{address, system, Account, Address, Result};

/// The keys that may create configurations: Orca's on Solana and on Eclipse.
const ADMINS: [Address; 2] = [
    address!("GwH3Hiv5mACLX3ufTw1pFsrhSPon5tdw252DBs4Rx4PV"),
    address!("AqiJTdr9jLPDAk5prGhWFHtSM1qJszAsdZVV7oeinxhh"),
];

/// Arguments: the three authorities, and the protocol's share for new pools. An admin pays.
pub fn initialize(accounts: &[Account], args: &[u8]) -> Result {
    let new = decoded(Config::read(&mut Reader::new(args)))?;
    let (&[config, funder, system_program], _) = anchor::accounts(accounts)?;
    anchor::check_signer(funder, "funder")?;
    check_system(system_program)?;
    check_new(config, funder)?;
    system::Create { payer: funder, account: config, space: CONFIG_LEN, owner: &PROGRAM }.invoke(&[])?;
    anchor::check_writable(funder, "funder")?;
    if !ADMINS.contains(funder.address()) {
        return Err(anchor::CONSTRAINT_RAW.of("funder"));
    }
    new.encode(&mut config.data_mut()?)
}
