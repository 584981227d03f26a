import type { Address } from '../../../solana/address.ts';
import {
  type AccountMeta,
  type Instruction,
  readonly,
  writable,
  writableSigner,
} from '../../../solana/messages/instruction.ts';
import { deriveAssociatedTokenAddress, findProgramAddress } from '../../../solana/pda.ts';
import { SYSTEM_PROGRAM, TOKEN_2022_PROGRAM } from '../../../solana/program-addresses.ts';
import { deriveVestingEscrow, LOCK_PROGRAM } from '../../jupiter-lock/layout.ts';
import {
  deriveDammPoolAddress,
  deriveDammPositionAddress,
  deriveDammPositionTokenAddress,
  deriveDammVaultAddress,
} from '../../meteora-damm-v2/program/addresses.ts';
import {
  METEORA_DAMM_V2_AUTHORITY,
  METEORA_DAMM_V2_EVENT_AUTHORITY,
  METEORA_DAMM_V2_PROGRAM,
} from '../../meteora-damm-v2/program/program.ts';
import {
  deriveDbcLockerBaseAddress,
  deriveDbcMigrationMetadataAddress,
  type DbcPoolKeys,
} from './addresses.ts';
import { createDbcInstruction, DBC_EVENT_ACCOUNTS } from './instruction.ts';
import { METEORA_DBC_AUTHORITY, METEORA_DBC_PROGRAM } from './program.ts';

/** What a migration is carried out with. The payer and the mints of the positions, which are fresh keys, sign. */
export interface DbcMigrationParties {
  readonly payer: Address;
  /** The config of DAMM v2 that belongs to the curve's migration fee option. */
  readonly dammConfig: Address;
  readonly firstPositionMint: Address;
  /** Null where one position holds all of the liquidity. */
  readonly secondPositionMint: Address | null;
}

/** Moves the tokens that vest for the creator into an escrow of the locker, once the curve is completed. */
export function createDbcLocker(
  pool: DbcPoolKeys,
  { creator, payer }: { readonly creator: Address; readonly payer: Address },
): Instruction {
  const base = deriveDbcLockerBaseAddress(pool.pool);
  const escrow = deriveVestingEscrow(base).address;
  const accounts = [
    writable(pool.pool),
    readonly(pool.config),
    ...[METEORA_DBC_AUTHORITY, pool.baseVault, pool.baseMint, base].map(writable),
    readonly(creator),
    writable(escrow),
    writable(deriveAssociatedTokenAddress(escrow, pool.baseMint, pool.tokenBaseProgram)),
    writableSigner(payer),
    ...[pool.tokenBaseProgram, LOCK_PROGRAM, findLockEventAuthority(), SYSTEM_PROGRAM].map(readonly),
  ];
  return createDbcInstruction('create_locker', accounts);
}

function findLockEventAuthority(): Address {
  return findProgramAddress(LOCK_PROGRAM, [Buffer.from('__event_authority')]).address;
}

/** Does nothing on chain. Clients of earlier versions send it before a migration. */
export function createDbcMigrationMetadata(
  { pool, config }: Pick<DbcPoolKeys, 'pool' | 'config'>,
  payer: Address,
): Instruction {
  const accounts = [pool, config, deriveDbcMigrationMetadataAddress(pool), payer, SYSTEM_PROGRAM].map(
    readonly,
  );
  return createDbcInstruction('migration_damm_v2_create_metadata', [...accounts, ...DBC_EVENT_ACCOUNTS]);
}

/** Creates the DAMM v2 pool of a completed curve, with the liquidity and its locks as the config has them. */
export function migrateDbcToDammV2(pool: DbcPoolKeys, parties: DbcMigrationParties): Instruction {
  const { baseMint, quoteMint } = pool;
  const dammPool = deriveDammPoolAddress(parties.dammConfig, baseMint, quoteMint);
  const accounts = [
    writable(pool.pool),
    readonly(deriveDbcMigrationMetadataAddress(pool.pool)),
    readonly(pool.config),
    ...[METEORA_DBC_AUTHORITY, dammPool].map(writable),
    ...listPositionAccounts(parties.firstPositionMint),
    ...listPositionAccounts(parties.secondPositionMint),
    ...[METEORA_DAMM_V2_AUTHORITY, METEORA_DAMM_V2_PROGRAM].map(readonly),
    ...[baseMint, quoteMint].map(writable),
    ...[baseMint, quoteMint].map((mint) => writable(deriveDammVaultAddress(dammPool, mint))),
    ...[pool.baseVault, pool.quoteVault].map(writable),
    writableSigner(parties.payer),
    ...[pool.tokenBaseProgram, pool.tokenQuoteProgram, TOKEN_2022_PROGRAM].map(readonly),
    ...[METEORA_DAMM_V2_EVENT_AUTHORITY, SYSTEM_PROGRAM, parties.dammConfig].map(readonly),
  ];
  return createDbcInstruction('migration_damm_v2', accounts);
}

/** The mint, the token account and the position; the program itself stands for each of a position that is left out. */
function listPositionAccounts(mint: Address | null): AccountMeta[] {
  if (mint === null) return [0, 1, 2].map(() => readonly(METEORA_DBC_PROGRAM));
  return [
    writableSigner(mint),
    ...[deriveDammPositionTokenAddress(mint), deriveDammPositionAddress(mint)].map(writable),
  ];
}
