import type { Address } from '../../../solana/address.ts';
import { ByteReader } from '../../../solana/codec/byte-reader.ts';
import { ByteWriter } from '../../../solana/codec/byte-writer.ts';

// Accounts of the oracle program. Source: the public IDL `oracle` 0.1.5.

const ORACLE = new Uint8Array(Buffer.from('8bc283b38cb3e5f4', 'hex'));
const ORACLE_ADMIN = new Uint8Array(Buffer.from('efe80814fe3f19f6', 'hex'));
/** The maximum number of hops of an oracle, for which accounts have room. */
const MAX_SOURCES = 4;
const SOURCE_LENGTH = 66;
const ORACLE_LENGTH = 8 + 2 + 4 + MAX_SOURCES * SOURCE_LENGTH + 1;
const MAX_AUTHS = 10;
const ORACLE_ADMIN_LENGTH = 8 + 32 + 4 + 32 * MAX_AUTHS;

/** The names of the kinds of sources in REST answers. The index is the number in the account. */
const SOURCE_TYPES = [
  'pyth',
  'stakePool',
  'msolPool',
  'redstone',
  'chainlink',
  'singlePool',
  'jupLend',
  'chainlinkDataStreams',
  'pstPool',
  'dexSmartColPegOracle',
  'dexSmartDebtPegOracle',
] as const;
export type SourceType = (typeof SOURCE_TYPES)[number];

/** One hop of an oracle. */
export interface OracleSource {
  /** The account that the price is read from. */
  readonly source: Address;
  /** Whether the reciprocal of the price is taken. */
  readonly invert: boolean;
  readonly multiplier: bigint;
  readonly divisor: bigint;
  readonly sourceType: SourceType;
}

export interface OracleAccount {
  readonly nonce: number;
  readonly sources: readonly OracleSource[];
  readonly bump: number;
}

/** Whether data begins with the discriminator of an oracle. */
export function isOracle(data: Uint8Array): boolean {
  return ORACLE.every((byte, at) => data[at] === byte);
}

/** @throws LayoutInvalid when the data is not an oracle. */
export function decodeOracle(data: Uint8Array): OracleAccount {
  const reader = new ByteReader(data, 'oracle');
  reader.expect(ORACLE, 'discriminator');
  const nonce = reader.u16();
  const count = reader.u32();
  if (count > MAX_SOURCES) reader.fail(`it must have at most ${MAX_SOURCES} sources, got ${count}`);
  const sources = Array.from({ length: count }, () => readSource(reader));
  return { nonce, sources, bump: reader.u8() };
}

/** Encodes the account as the program creates it, with room for the maximum number of sources. */
export function encodeOracle({ nonce, sources, bump }: OracleAccount): Uint8Array {
  const writer = new ByteWriter(ORACLE_LENGTH).bytes(ORACLE).u16(nonce);
  writeSources(writer, sources);
  return writer
    .u8(bump)
    .zeros(ORACLE_LENGTH - writer.length)
    .finish();
}

export interface OracleAdminAccount {
  /** The address that sets the auths. */
  readonly authority: Address;
  /** The addresses that may create oracles. */
  readonly auths: readonly Address[];
}

/** @throws LayoutInvalid when the data is not the oracle program's admin account. */
export function decodeOracleAdmin(data: Uint8Array): OracleAdminAccount {
  const reader = new ByteReader(data, 'oracle admin');
  reader.expect(ORACLE_ADMIN, 'discriminator');
  const authority = reader.address();
  const count = reader.u32();
  if (count > MAX_AUTHS) reader.fail(`it must have at most ${MAX_AUTHS} auths, got ${count}`);
  return { authority, auths: Array.from({ length: count }, () => reader.address()) };
}

export function encodeOracleAdmin({ authority, auths }: OracleAdminAccount): Uint8Array {
  const writer = new ByteWriter(ORACLE_ADMIN_LENGTH).bytes(ORACLE_ADMIN).address(authority).u32(auths.length);
  for (const auth of auths) writer.address(auth);
  return writer.zeros(ORACLE_ADMIN_LENGTH - writer.length).finish();
}

/** Writes a vector of sources, which has the same layout in instructions and in accounts. */
export function writeSources(writer: ByteWriter, sources: readonly OracleSource[]): void {
  writer.u32(sources.length);
  for (const { source, invert, multiplier, divisor, sourceType } of sources) {
    writer.address(source).bool(invert).u128(multiplier).u128(divisor).u8(SOURCE_TYPES.indexOf(sourceType));
  }
}

function readSource(reader: ByteReader): OracleSource {
  const hop = { source: reader.address(), invert: reader.bool() };
  const scale = { multiplier: reader.u128(), divisor: reader.u128() };
  const kind = reader.u8();
  const sourceType = SOURCE_TYPES[kind];
  if (sourceType === undefined) reader.fail(`no kind of source has the number ${kind}`);
  return { ...hop, ...scale, sourceType };
}
