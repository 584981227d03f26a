//! The instructions of the public program that are refused here.

use sluice_program::{anchor, log, ProgramError};

macro_rules! refused {
    ($($name:literal)*) => {
        const REFUSED: &[([u8; 8], &str)] = &[$((anchor::instruction($name), $name)),*];
    };
}

refused! {
    "claim_protocol_fee" "claim_protocol_fee2" "claim_reward" "close_config" "close_operator_account"
    "close_token_badge" "create_config" "create_dynamic_config" "create_operator_account" "create_token_badge"
    "dummy_ix" "fix_config_fee_params" "fix_pool_fee_params" "fix_pool_layout_version" "fund_reward"
    "initialize_reward" "set_pool_status" "split_position" "split_position2" "update_delegate_permission"
    "update_pool_fees" "update_reward_duration" "update_reward_funder" "withdraw_dead_liquidity_reward"
    "withdraw_ineligible_reward" "zap_protocol_fee"
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
