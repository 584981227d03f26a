import { wait, waitWithin } from '../../common/ports/timers.ts';
import type { PredictionFillEstimate } from '../../exchange/exchange.ts';
import type { MarketOutcome } from '../events/prediction-admin.ts';
import { ExchangeView } from '../../exchange/running/exchange-view.ts';
import { PredictionKeeper, type PredictionKeeperOptions } from '../keeper/prediction-keeper.ts';
import { computeRequired, readVault } from '../keeper/markets/vault-cover.ts';
import type { PredictionExchange, PredictionMarket, PredictionResult } from '../prediction.ts';

/** A keeper that works. */
export interface OpenedPredictionKeeper {
  /** The exchange, also while another process leads. */
  readonly exchange: PredictionExchange;
  /** Returns whether the vault covers further markets. Call it before they are created. */
  readonly open: (markets: readonly PredictionMarket[]) => Promise<MarketOutcome>;
  /** Has new markets traded that are among the events. Resolves when those are that may be, or after a while. */
  readonly begin: (markets: readonly PredictionMarket[]) => Promise<void>;
  /** Has the result of a market posted that is decided in the events. Resolves when it is on the chain, or after a while. */
  readonly resolve: (marketId: string, result: PredictionResult) => Promise<MarketOutcome>;
  /** Has the stakes of a market refunded that is cancelled in the events. Resolves like `resolve`. */
  readonly cancel: (marketId: string) => Promise<MarketOutcome>;
  /** Returns why orders are not filled by this process; null when they are, or another process leads. */
  readonly unhealthy: () => string | null;
  /** Begins nothing more. Resolves when nothing is on its way. */
  readonly drain: () => Promise<void>;
  readonly close: () => Promise<void>;
}

/** How long the start waits until the exchange is open. */
const MAX_FIRST_ROUND_MS = 5_000;
/** How long an administrator waits until a new market is traded, and for a result to be posted. */
const MAX_BEGINNING_MS = 5_000;
const MAX_POSTING_MS = 20_000;
const LOOK_AGAIN_MS = 20;
/** How long markets count whose creation was permitted, until they are among the events. */
const PERMITTED_MS = 10_000;

const NO_FILL: PredictionFillEstimate = { contracts: 0n, amount: 0n, fee: 0n, worstPrice: null };

/** Opens the keeper of prediction markets. Resolves when it works, or the network or the database has not answered yet. */
export async function openPredictionKeeper(
  options: PredictionKeeperOptions,
): Promise<OpenedPredictionKeeper> {
  const { accounts, chain, events, leases, outage, store, timers } = options;
  const listeners = new Set<(marketId: string) => void>();
  const notify = (marketId: string) => {
    for (const listener of listeners) listener(marketId);
  };
  // What another keeper does is read from its journal. A keeper that is alone needs nobody's.
  const view = leases === null ? null : new ExchangeView(store, chain.genesisHash);
  view?.follow(timers, outage.onFailure);
  let stopListening = view?.onChange(notify) ?? (() => {});
  const keeper = new PredictionKeeper(options, (session) => {
    stopListening();
    stopListening = (session?.books ?? view)?.onChange(notify) ?? (() => {});
    for (const { markets } of events.listEvents()) for (const { marketId } of markets) notify(marketId);
  });
  await waitWithin(keeper.start(), MAX_FIRST_ROUND_MS, timers);
  const findBooks = () => keeper.session?.books ?? view;
  /** Has the keeper look at all markets, and waits until there is what is waited for. Returns whether there is. */
  const hurryUntil = async (isDone: () => boolean, maxMs: number): Promise<boolean> => {
    keeper.session?.hurry();
    const until = timers.now() + maxMs;
    while (!isDone() && timers.now() < until) await wait(LOOK_AGAIN_MS, timers);
    return isDone();
  };
  const waitForTrading = async (markets: readonly PredictionMarket[]): Promise<void> => {
    const second = chain.clock().unixTimestamp;
    const opening = markets.filter(({ openAt }) => second >= BigInt(openAt));
    const isTraded = ({ marketId }: PredictionMarket) => findBooks()?.findMarket(marketId) !== null;
    await hurryUntil(() => opening.every(isTraded), MAX_BEGINNING_MS);
  };
  const waitForResult = async (marketId: string): Promise<MarketOutcome> => {
    const market = events.findMarket(marketId);
    if (market === null) return { ok: false, reason: `there is no market ${marketId}` };
    const isPosted = () => accounts.findResult(market.marketIdHash) !== null;
    return (await hurryUntil(isPosted, MAX_POSTING_MS))
      ? { ok: true }
      : { ok: false, reason: 'the result is decided, and the keeper has not posted it yet' };
  };
  return {
    exchange: {
      getBook: (marketId) => findBooks()?.getBook(marketId) ?? null,
      getPrices: (marketId) => findBooks()?.getPrices(marketId) ?? null,
      estimateBuy: (marketId, isYes, limits) => findBooks()?.estimateBuy(marketId, isYes, limits) ?? NO_FILL,
      estimateSell: (marketId, isYes, limits) =>
        findBooks()?.estimateSell(marketId, isYes, limits) ?? NO_FILL,
      onChange: (listener) => {
        listeners.add(listener);
        return () => listeners.delete(listener);
      },
    },
    open: createCoverCheck({ accounts, chain, events, timers }),
    begin: waitForTrading,
    resolve: waitForResult,
    cancel: waitForResult,
    unhealthy: () => keeper.unhealthy(),
    drain: () => keeper.drain(),
    close: async () => {
      await keeper.close();
      stopListening();
      view?.close();
    },
  };
}

/** Creates the check whether the vault covers what the house may lose on further markets, besides all that there are. */
function createCoverCheck({
  accounts,
  chain,
  events,
  timers,
}: Pick<
  PredictionKeeperOptions,
  'accounts' | 'chain' | 'events' | 'timers'
>): OpenedPredictionKeeper['open'] {
  let permitted: readonly { readonly market: PredictionMarket; readonly until: number }[] = [];
  return async (markets) => {
    const vault = await readVault(chain);
    if (vault === null) return { ok: false, reason: 'the network has no vault of prediction markets' };
    const now = timers.now();
    const known = events.listEvents().flatMap((event) => event.markets);
    const isKnown = ({ marketId }: PredictionMarket) => events.findMarket(marketId) !== null;
    permitted = permitted.filter(({ market, until }) => until > now && !isKnown(market));
    const all = [...known, ...permitted.map(({ market }) => market), ...markets];
    const second = chain.clock().unixTimestamp;
    const isTraded = ({ status, closeAt }: PredictionMarket) => status === 'open' && second < BigInt(closeAt);
    const required = computeRequired(accounts, all, isTraded);
    if (required > vault.tokens) {
      const reason = `the vault holds ${vault.tokens} micro USD, and ${required} are needed to cover what the house may lose`;
      return { ok: false, reason };
    }
    permitted = [...permitted, ...markets.map((market) => ({ market, until: now + PERMITTED_MS }))];
    return { ok: true };
  };
}
