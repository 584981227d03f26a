//! The instructions of the public program that are refused here.

use sluice_program::{anchor, log, ProgramError};

macro_rules! refused {
    ($($name:literal)*) => {
        const REFUSED: &[([u8; 8], &str)] = &[$((anchor::instruction($name), $name)),*];
    };
}

refused! {
    "close_bundled_position" "collect_protocol_fees" "collect_protocol_fees_v2" "delete_position_bundle"
    "delete_token_badge" "idl_include" "initialize_adaptive_fee_tier" "initialize_config_extension"
    "initialize_pool_with_adaptive_fee" "initialize_position_bundle"
    "initialize_position_bundle_with_metadata" "initialize_reward" "initialize_reward_v2"
    "initialize_token_badge" "lock_position" "migrate_repurpose_reward_authority_space"
    "open_bundled_position" "open_position_with_metadata" "reposition_liquidity_v2" "reset_position_range"
    "set_adaptive_fee_constants" "set_collect_protocol_fees_authority" "set_config_extension_authority"
    "set_config_feature_flag" "set_default_base_fee_rate" "set_default_fee_rate"
    "set_default_protocol_fee_rate" "set_delegated_fee_authority" "set_fee_authority" "set_fee_rate"
    "set_fee_rate_by_delegated_fee_authority" "set_initialize_pool_authority"
    "set_preset_adaptive_fee_constants" "set_protocol_fee_rate" "set_reward_authority"
    "set_reward_authority_by_super_authority" "set_reward_emissions" "set_reward_emissions_super_authority"
    "set_reward_emissions_v2" "set_token_badge_attribute" "set_token_badge_authority"
    "transfer_locked_position" "two_hop_swap" "two_hop_swap_v2"
}

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
