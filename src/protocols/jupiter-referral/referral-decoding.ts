import {
  LAMPORTS,
  nameInstructions,
  type ProgramInstructions,
} from '../../protocol/instructions/program-instructions.ts';
import { REFERRAL_PROGRAM } from '../../solana/programs/referral/program.ts';

/** The instructions of the referral program. */
export const REFERRAL_INSTRUCTIONS: ProgramInstructions = {
  program: REFERRAL_PROGRAM,
  label: 'Jupiter referral',
  instructions: [
    {
      name: 'initialize_referral_account',
      accounts: 'payer partner project referral_account system_program',
    },
    {
      name: 'initialize_referral_account_with_name',
      args: [['name', 'string']],
      accounts: 'payer partner project referral_account system_program',
    },
    {
      name: 'initialize_referral_token_account',
      accounts: 'payer project referral_account referral_token_account mint system_program token_program',
    },
    {
      name: 'claim_v2',
      accounts:
        'payer project admin project_admin_token_account referral_account referral_token_account partner partner_token_account mint system_program token_program associated_token_program',
    },
    {
      name: 'create_admin_token_account',
      accounts:
        'project project_authority admin project_admin_token_account mint system_program token_program associated_token_program',
    },
    {
      name: 'withdraw_from_project',
      args: [['amount', 'u64', LAMPORTS]],
      accounts: 'admin project project_authority system_program',
    },
    ...nameInstructions(
      'initialize_project update_project transfer_project update_referral_account transfer_referral_account claim close_referral_token_account close_referral_token_account_v2',
    ),
  ],
};
