//! The instruction `initialize_project`.

use sluice_program::anchor::{self, CreateDerived};
use sluice_program::bytes::Reader;
use sluice_program::{Account, Address, Result};

use crate::checks::{check_payer, check_system_program, check_wallet};
use crate::errors::{INVALID_SHARE_PERCENTAGE, NAME_TOO_LONG};
use crate::events::log_new_project;
use crate::state::{count_characters, read_text, Project, PROJECT_LEN, PROJECT_SEED};

const MAX_SHARE_BPS: u16 = 10_000;
/// Names have fewer characters than this.
const NAME_CHARACTERS: usize = 50;

/// Creates a project at the address that its base derives. The base signs.
#[inline(never)]
pub fn run(program: &Address, accounts: &[Account], args: &[u8]) -> Result {
    let mut reader = Reader::new(args);
    let name = anchor::decoded(read_text(&mut reader))?;
    let default_share_bps = anchor::decoded(reader.u16())?;
    let (&[payer, base, admin, account, system_program], _) = anchor::accounts::<5>(accounts)?;
    anchor::check_signer(payer, "payer")?;
    anchor::check_signer(base, "base")?;
    check_wallet(admin, "admin")?;
    check_system_program(system_program)?;

    check_payer(payer, account)?;
    CreateDerived {
        payer,
        account,
        seeds: &[PROJECT_SEED, &base.address().0],
        space: PROJECT_LEN,
        program,
        owner: program,
        name: "project",
    }
    .invoke()?;
    anchor::check_writable(payer, "payer")?;
    if count_characters(name) >= NAME_CHARACTERS {
        return Err(NAME_TOO_LONG.into());
    }
    if default_share_bps > MAX_SHARE_BPS {
        return Err(INVALID_SHARE_PERCENTAGE.into());
    }
    let project = Project { base: *base.address(), admin: *admin.address(), name, default_share_bps };
    project.store(account)?;
    log_new_project(account.address(), &project)
}
