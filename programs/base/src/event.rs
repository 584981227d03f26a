//! Events: in the log, and by a call of the program to itself where the log could be cut.

use crate::account::Account;
use crate::address::Address;
use crate::bytes::Writer;
use crate::cpi;
use crate::error::Result;
use crate::log;

/// First 8 bytes of the data of every such call to itself; the event's own discriminator and fields follow.
pub const TAG: [u8; 8] = [0xe4, 0x45, 0xa5, 0x2e, 0x51, 0xcb, 0x9a, 0x1d];
/// Seed of the derived address that signs the call, so that no one else can make one.
pub const AUTHORITY_SEED: &[u8] = b"__event_authority";

/// Records `data`: [`TAG`], then the event. `bump` is that of the program's event authority.
/// Fails in the runtime when `authority` is another account.
pub fn emit(program: &Address, authority: Account, bump: u8, data: &[u8]) -> Result {
    cpi::invoke(program, &[authority.readonly_signer()], data, &[&[AUTHORITY_SEED, &[bump]]])
}

/// Logs an event of fixed fields, which `write` puts behind its discriminator. AccountDataTooSmall beyond
/// 256 bytes in all.
#[inline(always)]
pub fn log(tag: &[u8; 8], write: impl FnOnce(&mut Writer) -> Result) -> Result {
    let mut buffer = [0; 256];
    let mut event = Writer::new(&mut buffer);
    event.array(tag)?;
    write(&mut event)?;
    log::data(&[event.written()]);
    Ok(())
}
