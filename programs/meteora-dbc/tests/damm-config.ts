import {
  MAX_SQRT_PRICE,
  METEORA_DAMM_V2_PROGRAM,
  MIN_SQRT_PRICE,
} from '../../../src/protocols/meteora-damm-v2/program/program.ts';
import {
  DbcMigrationFeeOption,
  METEORA_DBC_AUTHORITY,
} from '../../../src/protocols/meteora-dbc/program/program.ts';
import type { Address } from '../../../src/solana/address.ts';
import { ByteWriter } from '../../../src/solana/codec/byte-writer.ts';
import { SYSTEM_PROGRAM } from '../../../src/solana/program-addresses.ts';
import type { TestNetwork } from '../../../src/testing/svm/network.ts';

/** The fee of each migration fee option but the customizable one, in basis points. */
const FEES_OF_OPTIONS = [25, 30, 100, 200, 400, 600];

/** The fields of a configuration of DAMM v2 that decide whether a launch may migrate under it. */
export interface DammConfigFields {
  /** The migration fee option that the configuration is for. */
  readonly option: number;
  readonly authority?: Address;
  readonly vaultBase?: Address;
  readonly mode?: number;
  readonly periods?: number;
  readonly sqrtMinPrice?: bigint;
  readonly sqrtMaxPrice?: bigint;
  readonly activationType?: number;
}

/** Writes a configuration under which launches with the fee option migrate, but for the given fields. */
export function writeDammConfig(network: TestNetwork, address: Address, fields: DammConfigFields): void {
  const { option, authority = METEORA_DBC_AUTHORITY, vaultBase = SYSTEM_PROGRAM, mode = 0 } = fields;
  const isDynamic = option === DbcMigrationFeeOption.CUSTOMIZABLE;
  const to = new ByteWriter(CONFIG_SIZE).bytes(CONFIG_TAG).address(vaultBase).address(authority);
  to.u64(BigInt(FEES_OF_OPTIONS[option] ?? 0) * 100_000n)
    .u8(mode)
    .zeros(5);
  const periods = fields.periods ?? 0;
  to.u16(periods)
    .u64(periods === 0 ? 0n : 60n)
    .u64(periods === 0 ? 0n : 1n);
  to.zeros(48);
  if (isDynamic)
    to.zeros(8 + 40 + 2)
      .u8(1)
      .zeros(5 + 8 + 32);
  else {
    to.u8(20)
      .zeros(1)
      .u8(20)
      .zeros(3 + 2 + 40);
    to.u8(fields.activationType ?? 1)
      .u8(COLLECTS_QUOTE)
      .zeros(1 + 5 + 8);
    to.u128(fields.sqrtMinPrice ?? MIN_SQRT_PRICE).u128(fields.sqrtMaxPrice ?? MAX_SQRT_PRICE);
  }
  network.setData(address, METEORA_DAMM_V2_PROGRAM, to.zeros(CONFIG_SIZE - to.length).finish());
}

const CONFIG_SIZE = 328;
const CONFIG_TAG = Uint8Array.of(155, 12, 170, 224, 30, 250, 204, 130);
/** DAMM v2's number for fees in token B alone. */
const COLLECTS_QUOTE = 1;
