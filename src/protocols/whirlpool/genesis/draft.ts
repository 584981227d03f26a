import {
  deriveBundledPositionAddress,
  deriveWhirlpoolPositionAddress,
  deriveWhirlpoolAddress,
} from '../program/addresses.ts';
import type { WhirlpoolSides } from '../program/layout.ts';
import { WHIRLPOOL_PROGRAM } from '../program/program.ts';
import { computeAmountA, computeAmountB } from '../venue/swap-math.ts';
import type { Tick } from '../program/tick-array.ts';
import { MAX_TICK, MIN_TICK, computeSqrtPriceAtTick, computeTickAtSqrtPrice } from '../program/tick-math.ts';
import { type Address, toAddressBytes, compareAddresses } from '../../../solana/address.ts';
import { findProgramAddress } from '../../../solana/pda.ts';
import { computeIntegerSquareRoot } from '../../../common/integer-square-root.ts';
import { computeAtomsWorth } from '../../../protocol/genesis/prices.ts';
import { type TokenInfo, getGenesisToken } from '../../../solana/known-tokens.ts';
import {
  type PlannedAdaptiveFee,
  type PlannedRange,
  type PlannedWhirlpool,
  WHIRLPOOLS_CONFIG,
} from './plan.ts';

/** A position of a pool. The pool creator holds it. */
export interface GenesisPosition {
  readonly address: Address;
  /** The mint of the only token of the position, or of its bundle. */
  readonly mint: Address;
  readonly isBundled: boolean;
  readonly lowerTick: number;
  readonly upperTick: number;
  readonly liquidity: bigint;
}

/** A pool whose accounts are not written yet. */
export interface PoolDraft {
  readonly address: Address;
  readonly bump: number;
  readonly tokens: WhirlpoolSides<TokenInfo>;
  readonly vaults: WhirlpoolSides<Address>;
  readonly tickSpacing: number;
  readonly dynamicArrays: boolean;
  readonly adaptiveFee: PlannedAdaptiveFee | null;
  readonly sqrtPrice: bigint;
  readonly tick: number;
}

/** The price is computed from this many dollars of both tokens, so that it has enough digits. */
const PRICE_PROBE_USD = 1_000_000_000n;

export function createPoolDraft({
  pair,
  tickSpacing,
  dynamicArrays = false,
  adaptiveFee,
}: PlannedWhirlpool): PoolDraft {
  const [first, second] = [getGenesisToken(pair[0]), getGenesisToken(pair[1])];
  const tokens: WhirlpoolSides<TokenInfo> =
    compareAddresses(first.mint, second.mint) < 0 ? [first, second] : [second, first];
  const { address, bump } = deriveWhirlpoolAddress(
    ...([WHIRLPOOLS_CONFIG, tokens[0].mint, tokens[1].mint] as const),
    adaptiveFee?.feeTierIndex ?? tickSpacing,
  );
  const worth = tokens.map((token) => computeAtomsWorth(PRICE_PROBE_USD, token)) as [bigint, bigint];
  const sqrtPrice = computeIntegerSquareRoot((worth[1] << 128n) / worth[0]);
  return {
    address,
    bump,
    tokens,
    tickSpacing,
    dynamicArrays,
    adaptiveFee: adaptiveFee ?? null,
    sqrtPrice,
    vaults: [keyless('vault', address, tokens[0].mint), keyless('vault', address, tokens[1].mint)],
    tick: computeTickAtSqrtPrice(sqrtPrice),
  };
}

export function createGenesisPosition(
  market: PoolDraft,
  { reach, depth, isBundled = false }: PlannedRange,
  index: number,
): GenesisPosition {
  const { address, tick, tickSpacing, tokens } = market;
  const lowest = Math.ceil(MIN_TICK / tickSpacing) * tickSpacing;
  const highest = Math.floor(MAX_TICK / tickSpacing) * tickSpacing;
  const lowerTick = Math.max(lowest, Math.floor((tick - reach) / tickSpacing) * tickSpacing);
  const upperTick = Math.min(highest, Math.ceil((tick + reach) / tickSpacing) * tickSpacing);
  const amounts: WhirlpoolSides<bigint> = [
    computeAtomsWorth(depth, tokens[0]),
    computeAtomsWorth(depth, tokens[1]),
  ];
  const mint = keyless('position mint', address, tokens[0].mint, index);
  const liquidity = liquidityFor(market.sqrtPrice, [lowerTick, upperTick], amounts);
  const at = isBundled ? deriveBundledPositionAddress(mint, 0) : deriveWhirlpoolPositionAddress(mint).address;
  return { address: at, mint, isBundled, lowerTick, upperTick, liquidity };
}

/** Returns the most liquidity in the range that both amounts suffice for. */
function liquidityFor(
  sqrtPrice: bigint,
  range: WhirlpoolSides<number>,
  amounts: WhirlpoolSides<bigint>,
): bigint {
  const [lower, upper] = [computeSqrtPriceAtTick(range[0]), computeSqrtPriceAtTick(range[1])];
  const ofA = (amounts[0] * ((sqrtPrice * upper) >> 64n)) / (upper - sqrtPrice);
  const ofB = (amounts[1] << 64n) / (sqrtPrice - lower);
  return ofA < ofB ? ofA : ofB;
}

/** Returns the amounts of both tokens that a position around the price takes, rounded up as the program does. */
export function computeDepositAmounts(
  { sqrtPrice }: PoolDraft,
  { lowerTick, upperTick, liquidity }: GenesisPosition,
): WhirlpoolSides<bigint> {
  const a = computeAmountA(sqrtPrice, computeSqrtPriceAtTick(upperTick), liquidity, true);
  const b = computeAmountB(computeSqrtPriceAtTick(lowerTick), sqrtPrice, liquidity, true);
  if (a === null || b === null) throw new RangeError(`a position takes more tokens than a u64 counts`);
  return [a, b];
}

/** The ticks at which liquidity changes. Nothing was earned yet, so there is no fee growth. */
export function listGenesisTicks(positions: readonly GenesisPosition[]): Tick[] {
  const ticks = new Map<number, Tick>();
  const add = (index: number, net: bigint, gross: bigint) => {
    const { liquidityNet = 0n, liquidityGross = 0n } = ticks.get(index) ?? {};
    const sums = { liquidityNet: liquidityNet + net, liquidityGross: liquidityGross + gross };
    ticks.set(index, { index, ...sums, feeGrowthOutside: [0n, 0n] });
  };
  for (const { lowerTick, upperTick, liquidity } of positions) {
    add(lowerTick, liquidity, liquidity);
    add(upperTick, -liquidity, liquidity);
  }
  return [...ticks.values()].sort((one, other) => one.index - other.index);
}

/** Replaces an address that a fresh key would give. Nobody can have a key for it. */
function keyless(role: string, pool: Address, mint: Address, index = 0): Address {
  const seeds = [Buffer.from(role), toAddressBytes(pool), toAddressBytes(mint), Uint8Array.of(index)];
  return findProgramAddress(WHIRLPOOL_PROGRAM, seeds).address;
}
