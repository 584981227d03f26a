//! The instructions of the public program that are refused here.

use sluice_program::{anchor, log, ProgramError};

macro_rules! refused {
    ($($name:literal)*) => {
        const REFUSED: &[([u8; 8], &str)] = &[$((anchor::instruction($name), $name)),*];
    };
}

refused! { "create_root_escrow" "create_vesting_escrow_from_root" "fund_root_escrow" }

/// Returns InstructionFallbackNotFound. If the public program has the instruction, a log line says that it is left
/// out.
#[cold]
#[inline(never)]
pub fn refuse(discriminator: &[u8; 8]) -> ProgramError {
    if let Some((_, name)) = REFUSED.iter().find(|(tag, _)| tag == discriminator) {
        log::Line::new().text("not part of this stand-in: ").text(name).emit();
    }
    anchor::INSTRUCTION_FALLBACK_NOT_FOUND.into()
}
