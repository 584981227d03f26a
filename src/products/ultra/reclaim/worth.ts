import type { Account } from '../../../chain/chain.ts';
import type { Timers } from '../../../common/ports/timers.ts';
import type { Pools } from '../../../market/pools/pools.ts';
import { mintFacts } from '../../../market/mint-facts.ts';
import type { PositionFetcher } from '../../../positions/fetcher.ts';
import { openWalletReader } from '../../../positions/wallet-reader.ts';
import type { Chain } from '../../../chain/chain.ts';
import { type Address, addressBytes } from '../../../solana/address.ts';
import { isOnCurve } from '../../../solana/curve.ts';
import { WRAPPED_SOL_MINT } from '../../../solana/program-addresses.ts';
import type { Tokens } from '../../../tokens/tokens.ts';
import type { MarketData } from '../../../trades/market-data.ts';

export interface WorthDependencies {
  readonly chain: Pick<Chain, 'openView'>;
  readonly pools: Pick<Pools, 'knows'>;
  readonly marketData: Pick<MarketData, 'price'>;
  readonly tokens: Pick<Tokens, 'isVerified'>;
  /** Those of all products and platforms. Their claims say which tokens stand for positions. */
  readonly positionFetchers: () => readonly PositionFetcher[];
  readonly timers: Timers;
  /** Whether every pool of the network is known, as on a network of one's own. */
  readonly knowsAllPools: boolean;
}

/** Why a balance is not burned, although the owner asked for it. */
export type Worth =
  /** The operator or the list of known tokens vouches for the token. */
  | 'verified'
  /** It is worth a cent or more, or a pool trades it and nobody can say what it is worth. */
  | 'valuable'
  /** It stands for something that a program keeps for its holder. */
  | 'position'
  /** What it is worth could not be found out. */
  | 'unknown';

/** US dollars. */
const WORTHLESS_BELOW = 0.01;

/**
 * Judges whether a balance is worthless. In doubt it is not: burning cannot be undone. A token without a price need not be
 * worthless, since nobody trades the receipts of deposits, shares of pools and positions that are NFTs.
 *
 * @param atoms the balance
 * @param mint the account of the mint; null if it does not exist
 * @param claimed the mints of the wallet that stand for positions; null if they could not be found out
 * @returns null if the balance is worthless
 */
export function worthOf(
  {
    pools,
    marketData,
    tokens,
    knowsAllPools,
  }: Pick<WorthDependencies, 'pools' | 'marketData' | 'tokens' | 'knowsAllPools'>,
  address: Address,
  atoms: bigint,
  mint: Account | null,
  claimed: ReadonlySet<Address> | null,
): Worth | null {
  if (address === WRAPPED_SOL_MINT || tokens.isVerified(address)) return 'verified';
  const facts = mint === null ? null : mintFacts(mint);
  if (facts === null || claimed === null) return 'unknown';
  if (facts.decimals === 0 || claimed.has(address)) return 'position';
  const price = marketData.price(address);
  if (price !== null) return Number(atoms) * price.dollarsPerAtom < WORTHLESS_BELOW ? null : 'valuable';
  if (pools.knows(address)) return 'valuable';
  // It may be traded on a venue that is not known here.
  if (!knowsAllPools) return 'unknown';
  // What a program mints is a receipt for something that it keeps.
  const { mintAuthority } = facts;
  return mintAuthority !== null && !isOnCurve(addressBytes(mintAuthority)) ? 'position' : null;
}

/**
 * Finds the mints of a wallet that stand for positions.
 *
 * @returns null if a platform could not be asked
 * @throws ChainUnavailable when the network does not answer
 */
export async function claimedMintsOf(
  { chain, positionFetchers, timers }: Pick<WorthDependencies, 'chain' | 'positionFetchers' | 'timers'>,
  owner: Address,
): Promise<ReadonlySet<Address> | null> {
  let isComplete = true;
  const onFailed = () => {
    isComplete = false;
  };
  const reader = openWalletReader(chain.openView(), owner, positionFetchers(), onFailed, timers);
  const claimed = await reader.claimedMints();
  // Claims are made for the accounts that the reader holds.
  return isComplete && (await reader.omittedTokens()) === 0 ? claimed : null;
}
