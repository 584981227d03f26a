//! Events in the log. Where the log could be truncated, a program emits its event by a call to itself.

use crate::account::Account;
use crate::address::Address;
use crate::bytes::Writer;
use crate::cpi;
use crate::error::Result;
use crate::log;

/// The first 8 bytes of the data of such a call. The event's own discriminator and fields follow.
pub const TAG: [u8; 8] = [0xe4, 0x45, 0xa5, 0x2e, 0x51, 0xcb, 0x9a, 0x1d];
/// The seed of the derived address that signs the call, so that no other program can make it.
pub const AUTHORITY_SEED: &[u8] = b"__event_authority";

/// Emits `data`, which consists of [`TAG`] and the event. `bump` is that of the program's event authority. The
/// runtime refuses the call if `authority` is another account.
pub fn emit(program: &Address, authority: Account, bump: u8, data: &[u8]) -> Result {
    cpi::invoke(program, &[authority.readonly_signer()], data, &[&[AUTHORITY_SEED, &[bump]]])
}

/// Logs an event with fixed fields, which `write` writes after the discriminator. Fails with AccountDataTooSmall if
/// the event exceeds 256 bytes.
#[inline(always)]
pub fn log(tag: &[u8; 8], write: impl FnOnce(&mut Writer) -> Result) -> Result {
    let mut buffer = [0; 256];
    let mut event = Writer::new(&mut buffer);
    event.array(tag)?;
    write(&mut event)?;
    log::data(&[event.written()]);
    Ok(())
}
