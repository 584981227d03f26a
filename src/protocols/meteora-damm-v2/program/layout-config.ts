import type { Address } from '../../../solana/address.ts';
import { ByteWriter } from '../../../solana/codec/byte-writer.ts';
import { SYSTEM_PROGRAM } from '../../../solana/program-addresses.ts';
import { type DammPoolTerms, writeBaseFee } from './layout.ts';

/** The terms that a static configuration gives to the pools under it. */
export type DammConfigTerms = Pick<
  DammPoolTerms,
  | 'baseFee'
  | 'protocolFeePercent'
  | 'referralFeePercent'
  | 'compoundingBps'
  | 'dynamicFee'
  | 'sqrtMinPrice'
  | 'sqrtMaxPrice'
  | 'activationType'
  | 'collectFeeMode'
>;

export interface DammConfig {
  readonly index: bigint;
  /** The only wallet or program that creates pools under it; null if every wallet may. */
  readonly creatorAuthority: Address | null;
  /** Null for a dynamic configuration, whose pools have terms of their own. */
  readonly terms: DammConfigTerms | null;
}

const CONFIG_SIZE = 328;
const CONFIG_TAG = Uint8Array.of(155, 12, 170, 224, 30, 250, 204, 130);
/** The kinds of configurations. */
const [STATIC, DYNAMIC] = [0, 1] as const;
/** The length of the fees, which a dynamic configuration does not have. */
const FEES_SIZE = 128;

/** Encodes the account of a configuration. Its pools have no vault that may buy before all others. */
export function encodeDammConfig({ index, creatorAuthority, terms }: DammConfig): Uint8Array {
  const to = new ByteWriter(CONFIG_SIZE).bytes(CONFIG_TAG).zeros(32);
  to.address(creatorAuthority ?? SYSTEM_PROGRAM);
  if (terms === null) to.zeros(FEES_SIZE + 2).u8(DYNAMIC);
  else writeFees(to, terms).u8(terms.activationType).u8(terms.collectFeeMode).u8(STATIC);
  to.zeros(5).u64(index);
  if (terms !== null) to.u128(terms.sqrtMinPrice).u128(terms.sqrtMaxPrice);
  return to.zeros(CONFIG_SIZE - to.length).finish();
}

function writeFees(to: ByteWriter, { baseFee, dynamicFee, ...terms }: DammConfigTerms): ByteWriter {
  writeBaseFee(to, baseFee);
  if (dynamicFee === null) to.zeros(48);
  else {
    to.u8(1).zeros(7).u32(dynamicFee.maxAccumulator).u32(dynamicFee.control).u16(dynamicFee.binStep);
    to.u16(dynamicFee.filterPeriod).u16(dynamicFee.decayPeriod).u16(dynamicFee.reductionBps).zeros(8);
    to.u128(dynamicFee.binStepQ64);
  }
  to.u8(terms.protocolFeePercent).zeros(1).u8(terms.referralFeePercent).zeros(3).u16(terms.compoundingBps);
  return to.zeros(40);
}
