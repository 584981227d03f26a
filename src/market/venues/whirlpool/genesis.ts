import {
  feeTierAddress,
  oracleAddress,
  positionAddress,
  tickArrayAddress,
  whirlpoolAddress,
} from './addresses.ts';
import {
  encodeFeeTier,
  encodePosition,
  encodeWhirlpool,
  encodeWhirlpoolsConfig,
  type RewardInfo,
  type Sides,
} from './layout.ts';
import { encodeOracle } from './oracle.ts';
import { WHIRLPOOL_PROGRAM } from './program.ts';
import { amountA, amountB } from './swap-math.ts';
import { encodeDynamicTickArray, encodeTickArray, type Tick, tickArrayStart } from './tick-array.ts';
import { MAX_TICK, MIN_TICK, sqrtPriceAtTick, tickAtSqrtPrice } from './tick-math.ts';
import { tickArrayAddresses, tickWindow } from './tick-window.ts';
import { type Address, addressBytes, compareAddresses } from '../../../solana/address.ts';
import { findProgramAddress } from '../../../solana/pda.ts';
import { SYSTEM_PROGRAM, TOKEN_PROGRAM } from '../../../solana/program-addresses.ts';
import { encodeMint } from '../../../solana/programs/token/mint.ts';
import type { AccountLedger } from '../../../genesis/account-ledger.ts';
import { integerSquareRoot } from '../../../genesis/integer-square-root.ts';
import type { GenesisKeys } from '../../../genesis/keys.ts';
import { ledgerMint } from '../../../genesis/mints.ts';
import type { VenueGenesis } from '../../venue-genesis.ts';
import { atomsWorth } from '../../../genesis/prices.ts';
import { type TokenInfo, genesisToken } from '../../../genesis/tokens.ts';
import {
  PLANNED_WHIRLPOOLS,
  type PlannedAdaptiveFee,
  type PlannedRange,
  type PlannedWhirlpool,
  WHIRLPOOL_FEE_TIERS,
  WHIRLPOOL_PROTOCOL_FEE_RATE,
  WHIRLPOOLS_CONFIG,
} from './genesis-plan.ts';

/** A position of a pool, held by whoever made the pools. */
export interface GenesisPosition {
  readonly address: Address;
  /** The mint of its one token. */
  readonly mint: Address;
  readonly lowerTick: number;
  readonly upperTick: number;
  readonly liquidity: bigint;
}

export interface GenesisWhirlpool {
  readonly address: Address;
  /** In the order of their bytes: token A, token B. */
  readonly mints: Sides<Address>;
  readonly vaults: Sides<Address>;
  readonly tickSpacing: number;
  readonly positions: readonly GenesisPosition[];
  /** The accounts that a swap at the genesis price names of the pool alone. */
  readonly swapAccounts: readonly Address[];
}

/** A pool on its way to its accounts. */
interface PoolDraft {
  readonly address: Address;
  readonly bump: number;
  readonly tokens: Sides<TokenInfo>;
  readonly vaults: Sides<Address>;
  readonly tickSpacing: number;
  readonly dynamicArrays: boolean;
  readonly adaptiveFee: PlannedAdaptiveFee | null;
  readonly sqrtPrice: bigint;
  readonly tick: number;
}

/** So many dollars of both tokens make a price of plenty of digits. */
const PRICE_PROBE_USD = 1_000_000_000n;

/** The configuration and fee tiers of mainnet, and the pools of `PLANNED_WHIRLPOOLS` with their positions. */
export const whirlpoolGenesis: VenueGenesis<GenesisWhirlpool> = {
  programs: [{ name: 'whirlpool', address: WHIRLPOOL_PROGRAM }],
  sharedAccounts: [WHIRLPOOL_PROGRAM],
  addPools: addWhirlpools,
  poolAccounts: ({ swapAccounts }) => swapAccounts,
};

function addWhirlpools(ledger: AccountLedger, keys: GenesisKeys): GenesisWhirlpool[] {
  const authority = keys.feeOwner.address;
  const config = encodeWhirlpoolsConfig({
    feeAuthority: authority,
    collectProtocolFeesAuthority: authority,
    rewardEmissionsSuperAuthority: authority,
    defaultProtocolFeeRate: WHIRLPOOL_PROTOCOL_FEE_RATE,
    featureFlags: 0,
  });
  ledger.addData(WHIRLPOOLS_CONFIG, WHIRLPOOL_PROGRAM, config);
  for (const [tickSpacing, defaultFeeRate] of WHIRLPOOL_FEE_TIERS) {
    const tier = encodeFeeTier({ config: WHIRLPOOLS_CONFIG, tickSpacing, defaultFeeRate });
    ledger.addData(feeTierAddress(WHIRLPOOLS_CONFIG, tickSpacing), WHIRLPOOL_PROGRAM, tier);
  }
  return PLANNED_WHIRLPOOLS.map((plan) => addWhirlpool(ledger, keys, plan));
}

/** Writes a pool as `initialize_pool_v2` and the positions' `open_position` and `increase_liquidity` leave it. */
function addWhirlpool(ledger: AccountLedger, keys: GenesisKeys, plan: PlannedWhirlpool): GenesisWhirlpool {
  const market = draftOf(plan);
  const positions = plan.ranges.map((range, index) => positionOf(market, range, index));
  addPool(ledger, market, positions, keys.feeOwner.address);
  addTickArrays(ledger, market, positions);
  if (market.adaptiveFee !== null) addOracle(ledger, market, market.adaptiveFee);
  for (const position of positions) addPosition(ledger, market, position, keys.poolCreator.address);
  const { down, up } = tickWindow(market.tick, market.tickSpacing);
  const arrays = tickArrayAddresses(market.address, [...new Set([...down, ...up])]);
  return {
    address: market.address,
    mints: [market.tokens[0].mint, market.tokens[1].mint],
    vaults: market.vaults,
    tickSpacing: market.tickSpacing,
    positions,
    swapAccounts: [market.address, ...market.vaults, oracleAddress(market.address), ...arrays],
  };
}

function draftOf({ pair, tickSpacing, dynamicArrays = false, adaptiveFee }: PlannedWhirlpool): PoolDraft {
  const [first, second] = [genesisToken(pair[0]), genesisToken(pair[1])];
  const tokens: Sides<TokenInfo> =
    compareAddresses(first.mint, second.mint) < 0 ? [first, second] : [second, first];
  const { address, bump } = whirlpoolAddress(
    ...([WHIRLPOOLS_CONFIG, tokens[0].mint, tokens[1].mint] as const),
    adaptiveFee?.feeTierIndex ?? tickSpacing,
  );
  const worth = tokens.map((token) => atomsWorth(PRICE_PROBE_USD, token)) as [bigint, bigint];
  const sqrtPrice = integerSquareRoot((worth[1] << 128n) / worth[0]);
  return {
    address,
    bump,
    tokens,
    tickSpacing,
    dynamicArrays,
    adaptiveFee: adaptiveFee ?? null,
    sqrtPrice,
    vaults: [keyless('vault', address, tokens[0].mint), keyless('vault', address, tokens[1].mint)],
    tick: tickAtSqrtPrice(sqrtPrice),
  };
}

function positionOf(market: PoolDraft, { reach, depth }: PlannedRange, index: number): GenesisPosition {
  const { address, tick, tickSpacing, tokens } = market;
  const lowest = Math.ceil(MIN_TICK / tickSpacing) * tickSpacing;
  const highest = Math.floor(MAX_TICK / tickSpacing) * tickSpacing;
  const lowerTick = Math.max(lowest, Math.floor((tick - reach) / tickSpacing) * tickSpacing);
  const upperTick = Math.min(highest, Math.ceil((tick + reach) / tickSpacing) * tickSpacing);
  const amounts: Sides<bigint> = [atomsWorth(depth, tokens[0]), atomsWorth(depth, tokens[1])];
  const mint = keyless('position mint', address, tokens[0].mint, index);
  const liquidity = liquidityFor(market.sqrtPrice, [lowerTick, upperTick], amounts);
  return { address: positionAddress(mint).address, mint, lowerTick, upperTick, liquidity };
}

/** The most liquidity in the range that neither amount is too little for. */
function liquidityFor(sqrtPrice: bigint, range: Sides<number>, amounts: Sides<bigint>): bigint {
  const [lower, upper] = [sqrtPriceAtTick(range[0]), sqrtPriceAtTick(range[1])];
  const ofA = (amounts[0] * ((sqrtPrice * upper) >> 64n)) / (upper - sqrtPrice);
  const ofB = (amounts[1] << 64n) / (sqrtPrice - lower);
  return ofA < ofB ? ofA : ofB;
}

function addPool(
  ledger: AccountLedger,
  market: PoolDraft,
  positions: readonly GenesisPosition[],
  rewardAuthority: Address,
): void {
  const { address, bump, tokens, vaults, tickSpacing, adaptiveFee, sqrtPrice, tick } = market;
  const reward = (extension: Uint8Array): RewardInfo => ({
    mint: SYSTEM_PROGRAM,
    vault: SYSTEM_PROGRAM,
    emissionsPerSecond: 0n,
    growthGlobal: 0n,
    extension,
  });
  const nothing = new Uint8Array(32);
  const data = encodeWhirlpool({
    config: WHIRLPOOLS_CONFIG,
    bump,
    tickSpacing,
    sqrtPrice,
    tick,
    vaults,
    feeTierIndex: adaptiveFee?.feeTierIndex ?? tickSpacing,
    feeRate: feeRateOf(tickSpacing),
    protocolFeeRate: WHIRLPOOL_PROTOCOL_FEE_RATE,
    liquidity: positions.reduce((sum, { liquidity }) => sum + liquidity, 0n),
    protocolFeesOwed: [0n, 0n],
    mints: [tokens[0].mint, tokens[1].mint],
    feeGrowth: [0n, 0n],
    rewardsUpdatedAt: 0n,
    rewards: [reward(addressBytes(rewardAuthority)), reward(nothing), reward(nothing)],
  });
  ledger.addData(address, WHIRLPOOL_PROGRAM, data);
  const paidIn = positions.map((position) => amountsOf(market, position));
  for (const side of [0, 1] as const) {
    const amount = paidIn.reduce((sum, amounts) => sum + amounts[side], 0n);
    ledger.addTokens(vaults[side], ledgerMint(tokens[side]), { owner: address, amount });
  }
}

/**
 * Nothing was swapped yet. The reference is the present price: where the clock begins near 0, the way there from
 * tick 0, where `initialize_pool_with_adaptive_fee` leaves it, would pass for volatility.
 */
function addOracle(
  ledger: AccountLedger,
  { address, tick }: PoolDraft,
  { constants }: PlannedAdaptiveFee,
): void {
  const variables = {
    referenceUpdatedAt: 0n,
    majorSwapAt: 0n,
    volatilityReference: 0,
    volatility: 0,
    tickGroupReference: Math.floor(tick / constants.tickGroupSize),
  };
  const data = encodeOracle({ whirlpool: address, tradeEnabledAt: 0n, constants, variables });
  ledger.addData(oracleAddress(address), WHIRLPOOL_PROGRAM, data);
}

function feeRateOf(tickSpacing: number): number {
  const tier = WHIRLPOOL_FEE_TIERS.find(([spacing]) => spacing === tickSpacing);
  if (tier === undefined) throw new Error(`no fee tier for a tick spacing of ${tickSpacing}`);
  return tier[1];
}

/** What a position around the price takes of both tokens, rounded up as the program does. */
function amountsOf(
  { sqrtPrice }: PoolDraft,
  { lowerTick, upperTick, liquidity }: GenesisPosition,
): Sides<bigint> {
  const a = amountA(sqrtPrice, sqrtPriceAtTick(upperTick), liquidity, true);
  const b = amountB(sqrtPriceAtTick(lowerTick), sqrtPrice, liquidity, true);
  if (a === null || b === null) throw new RangeError(`a position takes more tokens than a u64 counts`);
  return [a, b];
}

/**
 * The positions have their liquidity, so that the rent of the ticks where they end is with the arrays of the dynamic
 * form; no two end at the same one.
 */
function addTickArrays(
  ledger: AccountLedger,
  market: PoolDraft,
  positions: readonly GenesisPosition[],
): void {
  const { address, tickSpacing } = market;
  const encode = market.dynamicArrays ? encodeDynamicTickArray : encodeTickArray;
  const arrays = new Map<number, Tick[]>();
  for (const tick of ticksOf(positions)) {
    const start = tickArrayStart(tick.index, tickSpacing);
    arrays.set(start, [...(arrays.get(start) ?? []), tick]);
  }
  for (const [start, ticks] of arrays) {
    const data = encode({ whirlpool: address, start, ticks }, tickSpacing);
    ledger.addData(tickArrayAddress(address, start), WHIRLPOOL_PROGRAM, data);
  }
}

/** Where liquidity changes. Nothing was earned yet, so no growth has to be set off. */
function ticksOf(positions: readonly GenesisPosition[]): Tick[] {
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

function addPosition(
  ledger: AccountLedger,
  { address: whirlpool }: PoolDraft,
  position: GenesisPosition,
  owner: Address,
): void {
  const { address, mint, lowerTick, upperTick, liquidity } = position;
  const nothingYet = { feeGrowthCheckpoints: [0n, 0n], feesOwed: [0n, 0n] } as const;
  const data = encodePosition({ whirlpool, mint, liquidity, lowerTick, upperTick, ...nothingYet });
  ledger.addData(address, WHIRLPOOL_PROGRAM, data);
  const token = { mint, tokenProgram: TOKEN_PROGRAM, accountExtensions: [] };
  ledger.addAssociatedTokens(token, { owner, amount: 1n });
  const base = { mintAuthority: null, supply: 1n, decimals: 0, freezeAuthority: null };
  ledger.addData(mint, TOKEN_PROGRAM, encodeMint({ ...base, extensions: [] }));
}

/** An address in place of one that a fresh key would give: nobody can have a key for it. */
function keyless(role: string, pool: Address, mint: Address, index = 0): Address {
  const seeds = [Buffer.from(role), addressBytes(pool), addressBytes(mint), Uint8Array.of(index)];
  return findProgramAddress(WHIRLPOOL_PROGRAM, seeds).address;
}
