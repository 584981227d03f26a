import type { Chain } from '../../chain/chain.ts';
import type { Pools } from '../../market/pools/pools.ts';
import type { Address } from '../../solana/address.ts';
import { deriveAssociatedTokenAddress } from '../../solana/pda.ts';
import { TOKEN_PROGRAM } from '../../solana/program-addresses.ts';
import type { TokenAccountMints } from '../../transactions/token-account-mints.ts';
import {
  createPlatformFee,
  type PlatformFee,
  type SwapPair,
  chooseFeeMint,
  getMintClass,
  isHouseToken,
  type MintClass,
} from './platform-fee.ts';
import { type Bps, bps } from '../../solana/units.ts';

/** The operator's wallet for the platform fees of orders. */
export interface House {
  /** Fees are paid to its associated token accounts. If it has none for the mint of the fee, no fee is taken. */
  readonly wallet: Address;
  /** Returns when a token was launched on a bonding curve; null for a token that was not. Default: no launches are known. */
  readonly findLaunch?: (mint: Address) => KnownLaunch | null;
}

/** The part of a launch that decides how old its token is. */
interface KnownLaunch {
  /** Unix second; null if the curve counts its time in slots. */
  readonly launchedAt: bigint | null;
}

interface HouseFeeDependencies {
  readonly chain: Pick<Chain, 'clock'>;
  readonly pools: Pools;
  readonly tokenAccountMints: TokenAccountMints;
}

/** What the house fee of an order depends on. */
interface HouseFeeOrder extends SwapPair {
  readonly taker: Address | null;
  readonly receiver: Address | null;
}

const DAY_SECONDS = 86_400n;

/**
 * Determines the house fee of an order without a referrer.
 * Returns null if there is none, or it cannot be collected.
 */
export async function findHouseFee(
  { chain, pools, tokenAccountMints }: HouseFeeDependencies,
  house: House,
  order: HouseFeeOrder,
): Promise<PlatformFee | null> {
  // The house does not pay itself, because such a transfer moves nothing.
  if (order.taker === house.wallet || order.receiver === house.wallet) return null;
  const rate = getHouseFeeBps(order, (mint) => {
    const now = chain.clock().unixTimestamp;
    const launch = house.findLaunch?.(mint) ?? null;
    return launch === null ? isYoung(pools, mint, now) : isYoungLaunch(launch, now);
  });
  if (rate === 0) return null;
  const mint = chooseCollectedMint(pools, order);
  const tokenProgram = pools.account(mint)?.owner;
  if (tokenProgram === undefined) return null;
  const account = deriveAssociatedTokenAddress(house.wallet, mint, tokenProgram);
  if ((await tokenAccountMints.of(account)) !== mint) return null;
  return createPlatformFee(account, mint, rate, order.inputMint);
}

/** The program cannot take a fee from a Token-2022 output that goes to a receiver, so the input pays it. */
function chooseCollectedMint(pools: Pools, { inputMint, outputMint, receiver }: HouseFeeOrder): Address {
  const mint = chooseFeeMint(inputMint, outputMint);
  const isTakenOff = mint === outputMint && receiver !== null;
  return isTakenOff && pools.account(mint)?.owner !== TOKEN_PROGRAM ? inputMint : mint;
}

/** A launched token is as old as its curve, also once its liquidity has migrated to another pool. */
function isYoungLaunch({ launchedAt }: KnownLaunch, now: bigint): boolean {
  return launchedAt !== null && launchedAt + DAY_SECONDS > now;
}

/**
 * A token is as old as its first pool. Venues that do not store when a pool opened count as older than a day, so that
 * a token without such a date is never charged as a young one.
 */
function isYoung(pools: Pools, mint: Address, now: bigint): boolean {
  let isTraded = false;
  for (const handles of pools.counterparts(mint).values()) {
    for (const { venue, pool } of handles) {
      const openedAt = venue.openedAt?.(pool) ?? null;
      if (openedAt === null || openedAt + DAY_SECONDS <= now) return false;
      isTraded = true;
    }
  }
  return isTraded;
}

const FREE = bps(0);
const SOL_FOR_STABLECOIN = bps(2);
const STAKED_SOL_FOR_STABLECOIN = bps(5);
const OTHER_PAIR = bps(10);
const YOUNG_TOKEN = bps(50);

/**
 * Looks up the fee that the public service takes for an order.
 * @param isYoung - Whether a token is younger than 24 hours. Only called for tokens that are not listed.
 *
 * @example
 * ```ts
 * import { getHouseFeeBps } from './house-fee.ts';
 * import { getGenesisToken } from '../../solana/known-tokens.ts';
 *
 * const pair = { inputMint: getGenesisToken('SOL').mint, outputMint: getGenesisToken('USDC').mint };
 * getHouseFeeBps(pair, () => false); // 2
 * ```
 */
export function getHouseFeeBps(
  { inputMint, outputMint }: SwapPair,
  isYoung: (mint: Address) => boolean,
): Bps {
  const [paid, received] = [getMintClass(inputMint), getMintClass(outputMint)];
  if (isHouseToken(outputMint) && (paid === 'SOL' || paid === 'stablecoin')) return FREE;
  const isBetween = (one: MintClass, other: MintClass) =>
    (paid === one && received === other) || (paid === other && received === one);
  if (isBetween('staked SOL', 'staked SOL') || isBetween('stablecoin', 'stablecoin')) return FREE;
  if (isBetween('SOL', 'stablecoin')) return SOL_FOR_STABLECOIN;
  if (isBetween('staked SOL', 'stablecoin')) return STAKED_SOL_FOR_STABLECOIN;
  const isNew = [inputMint, outputMint].some((mint) => getMintClass(mint) === 'other' && isYoung(mint));
  return isNew ? YOUNG_TOKEN : OTHER_PAIR;
}
