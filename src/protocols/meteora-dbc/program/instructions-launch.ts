import type { Address } from '../../../solana/address.ts';
import { ByteWriter } from '../../../solana/codec/byte-writer.ts';
import {
  type Instruction,
  readonly,
  readonlySigner,
  writable,
  writableSigner,
} from '../../../solana/messages/instruction.ts';
import { SYSTEM_PROGRAM, TOKEN_2022_PROGRAM } from '../../../solana/program-addresses.ts';
import {
  deriveMetadataAddress,
  TOKEN_METADATA_PROGRAM,
} from '../../../solana/programs/token-metadata/program.ts';
import {
  deriveDbcPartnerMetadataAddress,
  deriveDbcPoolMetadataAddress,
  type DbcPoolKeys,
} from './addresses.ts';
import { type DbcConfigParameters, encodeDbcConfigParameters } from './config-parameters.ts';
import { createDbcInstruction, DBC_EVENT_ACCOUNTS } from './instruction.ts';
import { METEORA_DBC_AUTHORITY } from './program.ts';

/** Who creates a config. The config is a fresh key that signs. */
export interface DbcConfigParties {
  readonly config: Address;
  readonly feeClaimer: Address;
  readonly leftoverReceiver: Address;
  readonly quoteMint: Address;
  readonly payer: Address;
}

/** Who launches a token. Both sign, and so does the mint. */
export interface DbcLaunchParties {
  readonly creator: Address;
  readonly payer: Address;
}

/** The names of a launched token. */
export interface DbcTokenNames {
  readonly name: string;
  readonly symbol: string;
  readonly uri: string;
}

/** What a partner or a creator says about itself on chain. */
export interface DbcProfile {
  readonly name: string;
  readonly website: string;
  readonly logo: string;
}

/** Creates a config, under which anyone can launch tokens afterwards. */
export function createDbcConfig(parties: DbcConfigParties, parameters: DbcConfigParameters): Instruction {
  const accounts = [
    writableSigner(parties.config),
    ...[parties.feeClaimer, parties.leftoverReceiver, parties.quoteMint].map(readonly),
    writableSigner(parties.payer),
    readonly(SYSTEM_PROGRAM),
    ...DBC_EVENT_ACCOUNTS,
  ];
  return createDbcInstruction('create_config', accounts, encodeDbcConfigParameters(parameters));
}

export function createDbcPartnerMetadata(
  { feeClaimer, payer }: { readonly feeClaimer: Address; readonly payer: Address },
  profile: DbcProfile,
): Instruction {
  const accounts = [
    writable(deriveDbcPartnerMetadataAddress(feeClaimer)),
    writableSigner(payer),
    readonlySigner(feeClaimer),
    readonly(SYSTEM_PROGRAM),
    ...DBC_EVENT_ACCOUNTS,
  ];
  return createDbcInstruction('create_partner_metadata', accounts, encodeProfile(profile));
}

/** Launches a token: creates its mint, mints the supply into the vault, and opens the curve. */
export function initializeDbcPool(
  pool: DbcPoolKeys,
  { creator, payer }: DbcLaunchParties,
  names: DbcTokenNames,
): Instruction {
  const isToken2022 = pool.tokenBaseProgram === TOKEN_2022_PROGRAM;
  const accounts = [
    readonly(pool.config),
    readonly(METEORA_DBC_AUTHORITY),
    readonlySigner(creator),
    writableSigner(pool.baseMint),
    readonly(pool.quoteMint),
    ...[pool.pool, pool.baseVault, pool.quoteVault].map(writable),
    ...(isToken2022
      ? []
      : [writable(deriveMetadataAddress(pool.baseMint)), readonly(TOKEN_METADATA_PROGRAM)]),
    writableSigner(payer),
    ...[pool.tokenQuoteProgram, pool.tokenBaseProgram, SYSTEM_PROGRAM].map(readonly),
    ...DBC_EVENT_ACCOUNTS,
  ];
  return createDbcInstruction(
    isToken2022 ? 'initialize_virtual_pool_with_token2022' : 'initialize_virtual_pool_with_spl_token',
    accounts,
    encodeTexts([names.name, names.symbol, names.uri], 0),
  );
}

export function createDbcPoolMetadata(
  pool: Address,
  { creator, payer }: DbcLaunchParties,
  profile: DbcProfile,
): Instruction {
  const accounts = [
    writable(pool),
    writable(deriveDbcPoolMetadataAddress(pool)),
    readonlySigner(creator),
    writableSigner(payer),
    readonly(SYSTEM_PROGRAM),
    ...DBC_EVENT_ACCOUNTS,
  ];
  return createDbcInstruction('create_virtual_pool_metadata', accounts, encodeProfile(profile));
}

/** Hands a curve to another creator. */
export function transferDbcPoolCreator(
  { pool, config }: Pick<DbcPoolKeys, 'pool' | 'config'>,
  { creator, newCreator }: { readonly creator: Address; readonly newCreator: Address },
): Instruction {
  const accounts = [
    writable(pool),
    readonly(config),
    readonlySigner(creator),
    readonly(newCreator),
    ...DBC_EVENT_ACCOUNTS,
  ];
  return createDbcInstruction('transfer_pool_creator', accounts);
}

function encodeProfile({ name, website, logo }: DbcProfile): Uint8Array {
  return encodeTexts([name, website, logo], 96);
}

function encodeTexts(texts: readonly string[], padding: number): Uint8Array {
  const to = new ByteWriter(256).zeros(padding);
  for (const text of texts) {
    const bytes = new TextEncoder().encode(text);
    to.u32(bytes.length).bytes(bytes);
  }
  return to.finish();
}
