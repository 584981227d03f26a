//! The instruction `update_project`.

use sluice_program::bytes::Reader;
use sluice_program::heap::List;
use sluice_program::{anchor, Account, Address, Result};

use crate::checks::check_named;
use crate::events::log_project_update;
use crate::state::{load_project, read_text, Project};

/// The arguments of `update_project`. A field that is None stays as it is.
struct Changes<'a> {
    name: Option<&'a [u8]>,
    default_share_bps: Option<u16>,
}

impl<'a> Changes<'a> {
    fn decode(args: &'a [u8]) -> Option<Self> {
        let mut reader = Reader::new(args);
        let name = if reader.bool()? { Some(read_text(&mut reader)?) } else { None };
        let default_share_bps = if reader.bool()? { Some(reader.u16()?) } else { None };
        Some(Self { name, default_share_bps })
    }
}

/// Changes the name of a project, or the share of its future partners. The admin signs. As in the public program, the
/// share is not checked here; a claim fails if it is above 10,000 basis points.
#[inline(never)]
pub fn run(program: &Address, accounts: &[Account], args: &[u8]) -> Result {
    let changes = anchor::decoded(Changes::decode(args))?;
    let (&[admin, account], _) = anchor::accounts::<2>(accounts)?;
    anchor::check_signer(admin, "admin")?;
    let before = copy_of(account, program)?;
    let mut project = Project::decode(&before)?;
    anchor::check_writable(account, "project")?;
    check_named(admin, &project.admin, "project")?;

    project.name = changes.name.unwrap_or(project.name);
    project.default_share_bps = changes.default_share_bps.unwrap_or(project.default_share_bps);
    project.store(account)?;
    log_project_update(account.address(), &project)
}

/// Copies the account's data, so that the account can be written while its old name is still needed.
fn copy_of(account: Account, program: &Address) -> Result<List<u8>> {
    let data = load_project(account, program)?;
    let mut copy = List::with_capacity(data.len())?;
    copy.extend(&data)?;
    Ok(copy)
}
