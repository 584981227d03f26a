import { type AccountMeta, type Instruction, readonly } from '../../../solana/messages/instruction.ts';
import { METEORA_DBC_EVENT_AUTHORITY, METEORA_DBC_PROGRAM } from './program.ts';

/** The discriminators of the instructions that are built here. */
const TAGS = {
  create_config: 'c9cff3724b6f2fbd',
  create_partner_metadata: 'c0a8eabfbce2e3ff',
  initialize_virtual_pool_with_spl_token: '8c55d7b06636684f',
  initialize_virtual_pool_with_token2022: 'a976334e916edc9b',
  create_virtual_pool_metadata: '2d61bb67fe6d7c86',
  transfer_pool_creator: '1407a9213a93a621',
  swap: 'f8c69e91e17587c8',
  swap2: '414b3f4ceb5b5b88',
  claim_trading_fee: '08ec5931987db151',
  claim_creator_trading_fee: '52dcfabd03556b2d',
  claim_trading_fee2: '54bf473209a237c1',
  claim_creator_trading_fee2: 'eef7d55e6e91588e',
  create_locker: 'a75a899a4b2f1154',
  migration_damm_v2_create_metadata: '6dbd1324c3b7de52',
  migration_damm_v2: '9ca9e66735e45040',
  withdraw_leftover: '14c6caedebf3b742',
  creator_withdraw_surplus: 'a50389071c864c50',
  partner_withdraw_surplus: 'a8ad4864c962265c',
  withdraw_migration_fee: 'ed8e2d178106dea2',
} as const;

export type DbcInstructionName = keyof typeof TAGS;

/** The last accounts of every instruction in which the program records an event. */
export const DBC_EVENT_ACCOUNTS: readonly AccountMeta[] = [
  readonly(METEORA_DBC_EVENT_AUTHORITY),
  readonly(METEORA_DBC_PROGRAM),
];

/** Puts an instruction of the program together from its accounts and its encoded arguments. */
export function createDbcInstruction(
  name: DbcInstructionName,
  accounts: readonly AccountMeta[],
  args: Uint8Array = new Uint8Array(0),
): Instruction {
  const data = Buffer.concat([Buffer.from(TAGS[name], 'hex'), args]);
  return { programAddress: METEORA_DBC_PROGRAM, accounts, data };
}
