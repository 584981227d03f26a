import type { Account } from '../../../chain/accounts.ts';
import type { Timers } from '../../../common/ports/timers.ts';
import type { Work } from '../../../common/work/work.ts';
import type { Pools } from '../../../market/pools/pools.ts';
import { decodeMintFacts } from '../../../market/mint-facts.ts';
import type { PositionFetcher } from '../../../protocol/positions/fetcher.ts';
import { openWalletReader } from '../../../protocol/positions/wallet-reader.ts';
import type { Chain } from '../../../chain/chain.ts';
import { type Address, toAddressBytes } from '../../../solana/address.ts';
import { isOnCurve } from '../../../solana/curve.ts';
import type { Message } from '../../../solana/messages/message.ts';
import { isTokenProgram, WRAPPED_SOL_MINT } from '../../../solana/program-addresses.ts';
import { findBurnedAmount } from '../../../solana/programs/token/instructions.ts';
import type { Tokens } from '../../../tokens/tokens.ts';
import type { MarketData } from '../../../market-data/market-data.ts';

export interface WorthDependencies {
  readonly chain: Pick<Chain, 'openView'>;
  readonly pools: Pick<Pools, 'knows'>;
  readonly marketData: Pick<MarketData, 'price'>;
  readonly tokens: Pick<Tokens, 'isVerified'>;
  /** Those of all products and platforms. Their claims say which tokens stand for positions. */
  readonly positionFetchers: readonly PositionFetcher[];
  readonly timers: Timers;
  /** Whether every pool of the network is known, as on a network of one's own. */
  readonly knowsAllPools: boolean;
}

/** Why a balance is not burned, although the owner asked for it. */
export type KeepReason =
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
 * @param atoms - The balance.
 * @param mint - The account of the mint; null if it does not exist.
 * @param claimed - The mints of the wallet that stand for positions; null if they could not be found out.
 * @returns null if the balance is worthless
 */
export function findKeepReason(
  dependencies: MarketDependencies & Pick<WorthDependencies, 'knowsAllPools'>,
  address: Address,
  atoms: bigint,
  mint: Account | null,
  claimed: ReadonlySet<Address> | null,
): KeepReason | null {
  const value = judgeMarketValue(dependencies, address, atoms);
  if (value === 'verified') return 'verified';
  const facts = mint === null ? null : decodeMintFacts(mint);
  if (facts === null || claimed === null) return 'unknown';
  if (facts.decimals === 0 || claimed.has(address)) return 'position';
  if (value === 'valuable') return 'valuable';
  // It may be traded on a venue that is not known here.
  if (value === 'untraded' && !dependencies.knowsAllPools) return 'unknown';
  // What a program mints is a receipt for something that it keeps. Anyone may open a pool that prices it too low, and
  // the holders of other receipts gain by each one that is burned.
  const { mintAuthority } = facts;
  return mintAuthority !== null && !isOnCurve(toAddressBytes(mintAuthority)) ? 'position' : null;
}

type MarketDependencies = Pick<WorthDependencies, 'pools' | 'marketData' | 'tokens'>;

/** Judges a balance by the operator and the market alone. */
function judgeMarketValue(
  { pools, marketData, tokens }: MarketDependencies,
  mint: Address,
  atoms: bigint,
): 'verified' | 'valuable' | 'worthless' | 'untraded' {
  if (mint === WRAPPED_SOL_MINT || tokens.isVerified(mint)) return 'verified';
  const price = marketData.price(mint);
  if (price !== null) {
    return Number(atoms) * price.dollarsPerAtom < WORTHLESS_BELOW ? 'worthless' : 'valuable';
  }
  return pools.knows(mint) ? 'valuable' : 'untraded';
}

/**
 * Finds out whether a balance that a transaction burns has become worth something since it was made.
 *
 * Returns a sentence; null if all that is burned is still worthless.
 */
export function findGainedValue(
  dependencies: MarketDependencies,
  { staticAccounts, instructions }: Pick<Message, 'staticAccounts' | 'instructions'>,
): string | null {
  for (const { programIndex, accounts, data } of instructions) {
    const program = staticAccounts[programIndex];
    const atoms = program !== undefined && isTokenProgram(program) ? findBurnedAmount(data) : null;
    const mint = staticAccounts[accounts[1] ?? -1];
    if (atoms === null || mint === undefined) continue;
    const value = judgeMarketValue(dependencies, mint, atoms);
    if (value === 'verified' || value === 'valuable') {
      return `the balance of ${mint} is not worthless any more, and nothing was burned; ask for new transactions`;
    }
  }
  return null;
}

/**
 * Finds the mints of a wallet that stand for positions.
 *
 * Returns null if a platform could not be asked.
 * @throws ChainUnavailable when the network does not answer
 */
export async function findClaimedMints(
  { chain, positionFetchers, timers }: Pick<WorthDependencies, 'chain' | 'positionFetchers' | 'timers'>,
  owner: Address,
  work: Work,
): Promise<ReadonlySet<Address> | null> {
  let isComplete = true;
  const onFailed = () => {
    isComplete = false;
  };
  const reader = openWalletReader(
    chain.openView(),
    owner,
    positionFetchers,
    onFailed,
    timers,
    undefined,
    work,
  );
  const claimed = await reader.claimedMints();
  // Claims are made for the accounts that the reader holds.
  return isComplete && (await reader.omittedTokens()) === 0 ? claimed : null;
}
