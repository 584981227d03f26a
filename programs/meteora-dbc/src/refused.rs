//! The instructions of the public program that are refused here.

use sluice_program::{anchor, log, ProgramError};

macro_rules! refused {
    ($($name:literal)*) => {
        const REFUSED: &[([u8; 8], &str)] = &[$((anchor::instruction($name), $name)),*];
    };
}

refused! {
    "claim_partner_pool_creation_fee" "claim_protocol_fee" "claim_protocol_pool_creation_fee"
    "close_claim_protocol_fee_operator" "close_operator_account" "create_operator_account"
    "create_partner_metadata" "create_virtual_pool_metadata" "migrate_meteora_damm"
    "migrate_meteora_damm_claim_lp_token" "migrate_meteora_damm_lock_lp_token"
    "migration_meteora_damm_create_metadata" "zap_protocol_fee"
}

/// Returns InstructionFallbackNotFound. If the public program has the instruction, a log line says that it is left
/// out.
#[cold]
#[inline(never)]
pub fn refuse(discriminator: &[u8; 8]) -> ProgramError {
    if let Some((_, name)) = REFUSED.iter().find(|(tag, _)| tag == discriminator) {
        return refuse_named(name);
    }
    anchor::INSTRUCTION_FALLBACK_NOT_FOUND.into()
}

/// Returns InstructionFallbackNotFound, with a log line that names what is left out.
#[cold]
#[inline(never)]
pub fn refuse_named(name: &str) -> ProgramError {
    log::Line::new().text("not part of this stand-in: ").text(name).emit();
    anchor::INSTRUCTION_FALLBACK_NOT_FOUND.into()
}
