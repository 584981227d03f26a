//! The instructions.

pub mod claim;
pub mod claim_v2;
pub mod close_referral_token_account;
pub mod close_referral_token_account_v2;
pub mod create_admin_token_account;
pub mod initialize_project;
pub mod initialize_referral_account;
pub mod initialize_referral_account_with_name;
pub mod initialize_referral_token_account;
pub mod transfer_project;
pub mod transfer_referral_account;
pub mod update_project;
pub mod update_referral_account;
pub mod withdraw_from_project;
