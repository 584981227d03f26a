//! The instructions of the public program that are refused here.

use sluice_program::{anchor, log, ProgramError};

macro_rules! refused {
    ($($name:literal)*) => {
        const REFUSED: &[([u8; 8], &str)] = &[$((anchor::instruction($name), $name)),*];
    };
}

refused! {
    "claim_partner_pool_creation_fee" "claim_protocol_fee" "claim_protocol_fee2" "claim_protocol_pool_creation_fee"
    "close_claim_protocol_fee_operator" "close_operator_account" "close_token_badge"
    "create_config_with_transfer_hook" "create_operator_account" "create_partner_metadata" "create_token_badge"
    "create_virtual_pool_metadata" "migrate_meteora_damm"
    "migrate_meteora_damm_claim_lp_token" "migrate_meteora_damm_lock_lp_token"
    "migration_meteora_damm_create_metadata" "swap2_with_transfer_hook" "zap_protocol_fee"
}

/// One that has its discriminator here, because the name is too long to be hashed at compile time.
const INITIALIZE_WITH_HOOK: ([u8; 8], &str) = (
    [0xb6, 0x0d, 0xe9, 0xb1, 0x2a, 0x91, 0x87, 0x02],
    "initialize_virtual_pool_with_token2022_transfer_hook",
);

/// Returns InstructionFallbackNotFound. If the public program has the instruction, a log line says that it is left
/// out.
#[cold]
#[inline(never)]
pub fn refuse(discriminator: &[u8; 8]) -> ProgramError {
    if let Some((_, name)) =
        REFUSED.iter().chain([&INITIALIZE_WITH_HOOK]).find(|(tag, _)| tag == discriminator)
    {
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
