import type { AccountView } from '../../../chain/accounts.ts';
import type { Address } from '../../../solana/address.ts';
import type { Timers } from '../../../common/ports/timers.ts';
import { visitInTurns, UNITS_PER_TURN, createUnaccountedWork, type Work } from '../../../common/work/work.ts';
import { LayoutInvalid } from '../../../solana/codec/byte-reader.ts';
import {
  computeDollarsPerToken,
  isScaled,
  type MintDisplay,
  getMintDisplay,
} from '../../../solana/programs/token/display-amount.ts';
import type { Yield } from '../../../protocol/positions/element.ts';
import type { PositionFetcher, WalletMint, WalletReader } from '../../../protocol/positions/fetcher.ts';
import { openWalletReader } from '../../../protocol/positions/wallet-reader.ts';
import { listNamedMints } from '../valuation/named-mints.ts';
import { sortElements } from '../valuation/sort.ts';
import type { PricedMint } from '../valuation/value-asset.ts';
import { listElementMints, valueElement } from '../valuation/value-element.ts';
import type { ValuedElement } from '../valuation/valued.ts';
import { type FetcherOutcome, leaveOut, type FetcherRunOptions, runFetcher } from './run-fetcher.ts';
import { type KnownCollection, addCollections } from './collections.ts';
import { findReadablePart } from './readable-part.ts';
import { tagSpam, removeSpam } from './spam.ts';
import { type ListedDescription, type TokenDescription, TokenDescriptions } from './token-list.ts';

export interface EvaluationDependencies extends FetcherRunOptions {
  /**
   * Returns the current dollars per atom, for display; null if unknown. A listed token is trusted. Any other token
   * needs pools that a small trade cannot move.
   */
  readonly dollarsPerAtom: (mint: Address, isListed: boolean) => number | null;
  /** Returns the known facts about a collection; null for an unknown collection. */
  readonly collectionOf: (id: Address) => KnownCollection | null;
  /** Returns the yields of merely holding the token. */
  readonly yieldsOf: (mint: Address) => readonly Yield[];
  /** Returns how the operator's list describes the mint; null if it is not on the list. */
  readonly listed: (mint: Address) => ListedDescription | null;
  /** Whether rare searches are always made, see `PositionFetcher.rareSearch`. Default: false. */
  readonly searchesRare?: boolean;
}

export interface EvaluationRequest {
  readonly owner: Address;
  /** All fetchers. Their claims count even where their positions are not asked for. */
  readonly fetchers: readonly PositionFetcher[];
  /** The requested platforms; null for all. */
  readonly platforms: ReadonlySet<string> | null;
  readonly hideSpam: boolean;
}

/** Every position of a wallet, as of one moment. */
export interface Portfolio {
  readonly owner: Address;
  /** Unix ms at the end of the evaluation. */
  readonly date: number;
  /** Milliseconds. */
  readonly duration: number;
  readonly outcomes: readonly FetcherOutcome[];
  /** By value, the largest first. */
  readonly elements: readonly ValuedElement[];
  /** One for each mint that `elements` name. */
  readonly tokens: ReadonlyMap<Address, TokenDescription>;
  /** The slots that accounts were read at. They are one slot over the embedded network. */
  readonly slots: { readonly oldest: bigint; readonly newest: bigint };
  /** The accounts from which the portfolio was read, the wallet's own first. */
  readonly accounts: readonly Address[];
}

/**
 * Runs the fetchers concurrently, and then prices and values their findings in one pass. The promise rejects with
 * `WorkRefused` alone.
 */
export async function evaluate(
  view: AccountView,
  { owner, fetchers, platforms, hideSpam }: EvaluationRequest,
  dependencies: EvaluationDependencies,
  work: Work = createUnaccountedWork(),
): Promise<Portfolio> {
  const { timers, listed, onDefect, searchesRare = false } = dependencies;
  const start = timers.now();
  const isKnown = (mint: Address) => listed(mint) !== null;
  const wallet = openWalletReader(view, owner, fetchers, onDefect, timers, isKnown, work);
  const asked = fetchers.filter(({ platformId }) => platforms === null || platforms.has(platformId));
  const isLeftOut = ({ rareSearch }: PositionFetcher) =>
    rareSearch !== undefined &&
    platforms === null &&
    !searchesRare &&
    !wallet.indexes(rareSearch.program, rareSearch.field);
  const descriptions = new TokenDescriptions(wallet, listed);
  const mints = new Map<Address, WalletMint>();
  const outcomes = await Promise.all(
    asked.map(async (fetcher) => {
      if (isLeftOut(fetcher)) return leaveOut(fetcher);
      const outcome = await runFetcher(fetcher, wallet, dependencies);
      const named = await readOutcomeMints(wallet, outcome);
      for (const [address, mint] of named) mints.set(address, mint);
      await descriptions.add(named);
      return outcome;
    }),
  );
  const prices = await priceAll(mints, await computeDisplays(wallet, mints, timers), dependencies, work);
  const terms = { hideSpam, listed, collectionOf: dependencies.collectionOf };
  const valued: Awaited<ReturnType<typeof valueOutcome>>[] = [];
  for (const outcome of outcomes) valued.push(await valueOutcome(outcome, prices, terms, work));
  const elements = sortElements(valued.flatMap((each) => each.elements));
  return {
    owner,
    date: timers.now(),
    duration: Math.max(0, Math.round(timers.now() - start)),
    outcomes: valued.map(({ outcome }) => outcome),
    elements,
    tokens: collectDescriptions(elements, descriptions),
    slots: view.slots(),
    accounts: wallet.touched(),
  };
}

/** Reads the mints in the elements of one fetcher. Mints that cannot be read are missing from the result. */
async function readOutcomeMints(
  wallet: WalletReader,
  { elements }: FetcherOutcome,
): Promise<ReadonlyMap<Address, WalletMint>> {
  const named = [...new Set(elements.flatMap(listElementMints))];
  return wallet.mints(named).catch(() => readMintsOneByOne(wallet, named));
}

/** The mints have been read, so requesting them again makes no further call. */
async function readMintsOneByOne(
  wallet: WalletReader,
  addresses: readonly Address[],
): Promise<ReadonlyMap<Address, WalletMint>> {
  const none: ReadonlyMap<Address, WalletMint> = new Map();
  const read = await Promise.all(addresses.map((mint) => wallet.mints([mint]).catch(() => none)));
  return new Map(read.flatMap((found) => [...found]));
}

/** How the amounts of scaled mints are displayed now. Almost no wallet holds any, and then the clock is not read. */
async function computeDisplays(
  wallet: WalletReader,
  mints: ReadonlyMap<Address, WalletMint>,
  timers: Pick<Timers, 'now'>,
): Promise<ReadonlyMap<Address, MintDisplay>> {
  const scaled = [...mints].filter(([, mint]) => isScaled(mint));
  if (scaled.length === 0) return new Map();
  const time = await wallet.clock().then(
    ({ unixTimestamp }) => unixTimestamp,
    () => BigInt(Math.floor(timers.now() / 1_000)),
  );
  return new Map(scaled.map(([address, mint]) => [address, computeDisplay(mint, time)]));
}

/** A malformed extension scales nothing. */
function computeDisplay(mint: WalletMint, time: bigint): MintDisplay {
  try {
    return getMintDisplay(mint, time);
  } catch (error) {
    if (error instanceof LayoutInvalid) return { decimals: mint.decimals, scale: null };
    throw error;
  }
}

/** Up to 64 prices are taken in one turn of the event loop, so that they are of the same moment. */
async function priceAll(
  mints: ReadonlyMap<Address, WalletMint>,
  displays: ReadonlyMap<Address, MintDisplay>,
  { dollarsPerAtom, yieldsOf, listed }: EvaluationDependencies,
  work: Work,
): Promise<ReadonlyMap<Address, PricedMint>> {
  const prices = new Map<Address, PricedMint>();
  const priceOne = ([mint, { decimals }]: readonly [Address, WalletMint]) => {
    const perAtom = dollarsPerAtom(mint, listed(mint) !== null);
    const { scale } = displays.get(mint) ?? { scale: null };
    const price = perAtom === null ? null : computeDollarsPerToken(perAtom, { decimals, scale });
    prices.set(mint, { decimals, scale, price, yields: yieldsOf(mint) });
  };
  if (mints.size <= UNITS_PER_TURN) for (const each of mints) priceOne(each);
  else await visitInTurns(work, mints, priceOne);
  return prices;
}

interface ValuationTerms extends Pick<EvaluationDependencies, 'listed' | 'collectionOf'> {
  readonly hideSpam: boolean;
}

/** Values the elements of one fetcher. Assets whose mint could not be read are left out and reported. */
async function valueOutcome(
  outcome: FetcherOutcome,
  prices: ReadonlyMap<Address, PricedMint>,
  { hideSpam, listed, collectionOf }: ValuationTerms,
  work: Work,
): Promise<{ readonly outcome: FetcherOutcome; readonly elements: readonly ValuedElement[] }> {
  const isSpam = (mint: Address) => listed(mint) === null && prices.get(mint)?.price === null;
  const missing = new Set<Address>();
  const elements: ValuedElement[] = [];
  for (const element of outcome.elements) {
    for (const mint of listElementMints(element)) if (!prices.has(mint)) missing.add(mint);
    const readable = findReadablePart(element, (mint) => prices.has(mint));
    if (readable === null) continue;
    const tagged = tagSpam(addCollections(readable, collectionOf), isSpam);
    const shown = hideSpam ? removeSpam(tagged) : tagged;
    const valued = await valueElement(shown, outcome.fetcher, prices, work);
    if (valued !== null) elements.push(valued);
  }
  if (missing.size === 0) return { outcome, elements };
  const error = `positions name ${[...missing].slice(0, 3).join(', ')}, which could not be read as a mint`;
  return { outcome: { ...outcome, error: outcome.error ?? error }, elements };
}

function collectDescriptions(
  elements: readonly ValuedElement[],
  descriptions: TokenDescriptions,
): ReadonlyMap<Address, TokenDescription> {
  const tokens = new Map<Address, TokenDescription>();
  for (const mint of elements.flatMap(listNamedMints)) {
    const token = descriptions.get(mint);
    if (token !== undefined) tokens.set(mint, token);
  }
  return tokens;
}
