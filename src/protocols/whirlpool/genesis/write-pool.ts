import {
  deriveWhirlpoolOracleAddress,
  derivePositionBundleAddress,
  deriveTickArrayAddress,
} from '../program/addresses.ts';
import { encodePosition, encodeWhirlpool, type RewardInfo } from '../program/layout.ts';
import { encodePositionBundle } from '../positions/layout.ts';
import { encodeOracle } from '../program/oracle.ts';
import { WHIRLPOOL_PROGRAM } from '../program/program.ts';
import {
  encodeDynamicTickArray,
  encodeTickArray,
  type Tick,
  computeTickArrayStart,
} from '../program/tick-array.ts';
import { type Address, toAddressBytes } from '../../../solana/address.ts';
import { SYSTEM_PROGRAM, TOKEN_PROGRAM } from '../../../solana/program-addresses.ts';
import { encodeMint } from '../../../solana/programs/token/mint.ts';
import type { AccountLedger } from '../../../protocol/genesis/account-ledger.ts';
import { toLedgerMint } from '../../../protocol/genesis/mints.ts';
import {
  type PlannedAdaptiveFee,
  WHIRLPOOL_FEE_TIERS,
  WHIRLPOOL_PROTOCOL_FEE_RATE,
  WHIRLPOOLS_CONFIG,
} from './plan.ts';
import { computeDepositAmounts, type GenesisPosition, type PoolDraft, listGenesisTicks } from './draft.ts';

export function addPool(
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
    feeRate: getTierFeeRate(tickSpacing),
    protocolFeeRate: WHIRLPOOL_PROTOCOL_FEE_RATE,
    liquidity: positions.reduce((sum, { liquidity }) => sum + liquidity, 0n),
    protocolFeesOwed: [0n, 0n],
    mints: [tokens[0].mint, tokens[1].mint],
    feeGrowth: [0n, 0n],
    rewardsUpdatedAt: 0n,
    rewards: [reward(toAddressBytes(rewardAuthority)), reward(nothing), reward(nothing)],
  });
  ledger.addData(address, WHIRLPOOL_PROGRAM, data);
  const paidIn = positions.map((position) => computeDepositAmounts(market, position));
  for (const side of [0, 1] as const) {
    const amount = paidIn.reduce((sum, amounts) => sum + amounts[side], 0n);
    ledger.addTokens(vaults[side], toLedgerMint(tokens[side]), { owner: address, amount });
  }
}

/**
 * Nothing was swapped yet. The reference is the current price. `initialize_pool_with_adaptive_fee` leaves it at tick 0,
 * and with a clock that begins near 0 the distance from there would count as volatility.
 */
export function addOracle(
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
  ledger.addData(deriveWhirlpoolOracleAddress(address), WHIRLPOOL_PROGRAM, data);
}

function getTierFeeRate(tickSpacing: number): number {
  const tier = WHIRLPOOL_FEE_TIERS.find(([spacing]) => spacing === tickSpacing);
  if (tier === undefined) throw new Error(`no fee tier for a tick spacing of ${tickSpacing}`);
  return tier[1];
}

/**
 * The positions already have their liquidity, so the rent of their end ticks is already paid in arrays of the dynamic
 * form. No two positions end at the same tick.
 */
export function addTickArrays(
  ledger: AccountLedger,
  market: PoolDraft,
  positions: readonly GenesisPosition[],
): void {
  const { address, tickSpacing } = market;
  const encode = market.dynamicArrays ? encodeDynamicTickArray : encodeTickArray;
  const arrays = new Map<number, Tick[]>();
  for (const tick of listGenesisTicks(positions)) {
    const start = computeTickArrayStart(tick.index, tickSpacing);
    arrays.set(start, [...(arrays.get(start) ?? []), tick]);
  }
  for (const [start, ticks] of arrays) {
    const data = encode({ whirlpool: address, start, ticks }, tickSpacing);
    ledger.addData(deriveTickArrayAddress(address, start), WHIRLPOOL_PROGRAM, data);
  }
}

export function addPosition(
  ledger: AccountLedger,
  { address: whirlpool }: PoolDraft,
  position: GenesisPosition,
  owner: Address,
): void {
  const { address, mint, isBundled, lowerTick, upperTick, liquidity } = position;
  const nothingYet = { feeGrowthCheckpoints: [0n, 0n], feesOwed: [0n, 0n] } as const;
  const data = encodePosition({ whirlpool, mint, liquidity, lowerTick, upperTick, ...nothingYet });
  ledger.addData(address, WHIRLPOOL_PROGRAM, data);
  if (isBundled) {
    const bundle = encodePositionBundle({ mint, open: [0] });
    ledger.addData(derivePositionBundleAddress(mint), WHIRLPOOL_PROGRAM, bundle);
  }
  const token = { mint, tokenProgram: TOKEN_PROGRAM, accountExtensions: [] };
  ledger.addAssociatedTokens(token, { owner, amount: 1n });
  const base = { mintAuthority: null, supply: 1n, decimals: 0, freezeAuthority: null };
  ledger.addData(mint, TOKEN_PROGRAM, encodeMint({ ...base, extensions: [] }));
}
