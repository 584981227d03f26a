import type { Address } from '../../../solana/address.ts';
import { ByteWriter } from '../../../solana/codec/byte-writer.ts';
import {
  type Instruction,
  readonly,
  readonlySigner,
  writable,
  writableSigner,
} from '../../../solana/messages/instruction.ts';
import { SYSTEM_PROGRAM } from '../../../solana/program-addresses.ts';
import { ORACLE_PROGRAM } from '../lending-base/programs.ts';
import { ORACLE_ADMIN, deriveLendOracleAddress } from './addresses.ts';
import { type OracleSource, writeSources } from './layouts.ts';

const INIT_ADMIN = Uint8Array.from([97, 65, 97, 27, 200, 206, 72, 219]);
const INIT_ORACLE_CONFIG = Uint8Array.from([77, 144, 180, 246, 217, 15, 118, 92]);
const UPDATE_AUTHS = Uint8Array.from([93, 96, 178, 156, 57, 117, 253, 209]);

/** The instructions that read the rate of an oracle. `both` returns the rate for liquidations and the one for users. */
const GET_RATE = {
  operate: Uint8Array.from([174, 166, 126, 10, 122, 153, 94, 203]),
  liquidate: Uint8Array.from([228, 169, 73, 39, 91, 82, 27, 5]),
  both: Uint8Array.from([92, 88, 161, 46, 230, 193, 46, 237]),
} as const;

/** Creates the admin account. `authority` becomes the first auth. */
export function initOracleAdmin(payer: Address, authority: Address): Instruction {
  return {
    programAddress: ORACLE_PROGRAM,
    accounts: [writableSigner(payer), writable(ORACLE_ADMIN.address), readonly(SYSTEM_PROGRAM)],
    data: new ByteWriter(40).bytes(INIT_ADMIN).address(authority).finish(),
  };
}

/** Adds or removes auths. The authority signs. */
export function updateOracleAuths(
  authority: Address,
  auths: readonly (readonly [Address, boolean])[],
): Instruction {
  const data = new ByteWriter(12 + 33 * auths.length).bytes(UPDATE_AUTHS).u32(auths.length);
  for (const [auth, present] of auths) data.address(auth).bool(present);
  return {
    programAddress: ORACLE_PROGRAM,
    accounts: [readonlySigner(authority), writable(ORACLE_ADMIN.address)],
    data: data.finish(),
  };
}

/** Creates the oracle with the number `nonce`. An auth signs, and pays the rent. */
export function initOracle(auth: Address, nonce: number, sources: readonly OracleSource[]): Instruction {
  const data = new ByteWriter(300).bytes(INIT_ORACLE_CONFIG);
  writeSources(data, sources);
  return {
    programAddress: ORACLE_PROGRAM,
    accounts: [
      writableSigner(auth),
      readonly(ORACLE_ADMIN.address),
      writable(deriveLendOracleAddress(nonce).address),
      readonly(SYSTEM_PROGRAM),
    ],
    data: data.u16(nonce).finish(),
  };
}

/** Returns the rate in the return data as a u128, or two of them with `both`. */
export function getExchangeRate(
  which: keyof typeof GET_RATE,
  nonce: number,
  sources: readonly Pick<OracleSource, 'source'>[],
): Instruction {
  return {
    programAddress: ORACLE_PROGRAM,
    accounts: [
      readonly(deriveLendOracleAddress(nonce).address),
      ...sources.map(({ source }) => readonly(source)),
    ],
    data: new ByteWriter(10).bytes(GET_RATE[which]).u16(nonce).finish(),
  };
}
