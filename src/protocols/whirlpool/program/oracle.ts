import type { Address } from '../../../solana/address.ts';
import { ByteReader } from '../../../solana/codec/byte-reader.ts';
import { ByteWriter } from '../../../solana/codec/byte-writer.ts';

/** How a pool's fee follows its volatility. These terms do not change with swaps. Times are in seconds. */
export interface AdaptiveFeeConstants {
  /** A swap that follows a reference sooner than this keeps the reference. */
  readonly filterPeriod: number;
  /** After this time nothing remains of earlier volatility. */
  readonly decayPeriod: number;
  /** Ten-thousandths of the volatility that remain after the filter period. */
  readonly reductionFactor: number;
  /** The weight of the square of the ticks crossed, in hundred-thousandths. */
  readonly controlFactor: number;
  readonly maxVolatility: number;
  /** The number of ticks that share one fee. */
  readonly tickGroupSize: number;
  /** A swap over at least this many ticks keeps the reference alive. */
  readonly majorSwapTicks: number;
}

/** The state that swaps leave. Volatility is a number of tick groups, times 10,000. */
export interface AdaptiveFeeVariables {
  readonly referenceUpdatedAt: bigint;
  readonly majorSwapAt: bigint;
  readonly volatilityReference: number;
  readonly tickGroupReference: number;
  readonly volatility: number;
}

/** The account that belongs to a pool with an adaptive fee. */
export interface Oracle {
  readonly whirlpool: Address;
  /** Swaps are refused before this Unix second. */
  readonly tradeEnabledAt: bigint;
  readonly constants: AdaptiveFeeConstants;
  readonly variables: AdaptiveFeeVariables;
}

const ORACLE_SIZE = 254;
const TAG = Uint8Array.of(0x8b, 0xc2, 0x83, 0xb3, 0x8c, 0xb3, 0xe5, 0xf4);
const RESERVED = 16;

/** @throws LayoutInvalid when the bytes are not an oracle */
export function decodeOracle(data: Uint8Array): Oracle {
  const from = new ByteReader(data, 'whirlpool oracle');
  from.expect(TAG, 'discriminator');
  const head = { whirlpool: from.address(), tradeEnabledAt: from.u64() };
  const constants = {
    filterPeriod: from.u16(),
    decayPeriod: from.u16(),
    reductionFactor: from.u16(),
    controlFactor: from.u32(),
    maxVolatility: from.u32(),
    tickGroupSize: from.u16(),
    majorSwapTicks: from.u16(),
  };
  from.skip(RESERVED);
  const variables = {
    referenceUpdatedAt: from.u64(),
    majorSwapAt: from.u64(),
    volatilityReference: from.u32(),
    tickGroupReference: from.i32(),
    volatility: from.u32(),
  };
  from.skip(ORACLE_SIZE - from.offset);
  from.end();
  return { ...head, constants, variables };
}

export function encodeOracle({ whirlpool, tradeEnabledAt, constants, variables }: Oracle): Uint8Array {
  const to = new ByteWriter(ORACLE_SIZE)
    .bytes(TAG)
    .address(whirlpool)
    .u64(tradeEnabledAt)
    .u16(constants.filterPeriod)
    .u16(constants.decayPeriod)
    .u16(constants.reductionFactor)
    .u32(constants.controlFactor)
    .u32(constants.maxVolatility)
    .u16(constants.tickGroupSize)
    .u16(constants.majorSwapTicks)
    .zeros(RESERVED)
    .u64(variables.referenceUpdatedAt)
    .u64(variables.majorSwapAt)
    .u32(variables.volatilityReference)
    .i32(variables.tickGroupReference)
    .u32(variables.volatility);
  return to.zeros(ORACLE_SIZE - to.length).finish();
}
