import { estimateVenueFee } from '../../exchange/venue-fee.ts';
import { isForecastSwap } from '../../forecasts/crafting/forecast-execution.ts';
import { addForecastPrices } from '../../forecasts/quotes/forecast-exchange.ts';
import { createForecastQuotes } from '../../forecasts/quotes/forecast-quotes.ts';
import { GaslessOrders } from '../../predictions/crafting/paying/gasless-orders.ts';
import type { PredictionAccountFollower } from '../../predictions/following/prediction-account-follower.ts';
import { getEventProvider } from '../../predictions/lists/event-lists.ts';
import type { PredictionHistory, TradedVolume } from '../../predictions/lists/prediction-lists.ts';
import type {
  OpenPredictionPosition,
  PredictionEvents,
  PredictionExchange,
} from '../../predictions/prediction.ts';
import { EventPieces } from '../../products/prediction/endpoints/json/event-pieces.ts';
import type {
  PredictionDesk,
  PredictionServices,
} from '../../products/prediction/endpoints/prediction-services.ts';
import type { Sponsor } from '../../transactions/sponsor/sponsor.ts';
import type { DeskForecasts } from './desk-forecasts.ts';
import { createPositionLists } from '../../predictions/lists/position-values.ts';
import type { PredictionPositionLists } from '../../predictions/lists/prediction-lists.ts';
import type { PredictionDeskOptions, TestPredictionDesk } from './prediction-desk.ts';
import type { HeldSocial } from './held-social.ts';
import type { TestWallets } from './signing-wallets.ts';

/** The volume of events of which nothing was traded. */
const NOTHING: TradedVolume = { total: 0n, day: 0n };

/** What the services of a desk are made of. */
export interface DeskServiceParts {
  readonly wallets: TestWallets;
  readonly accounts: PredictionAccountFollower;
  readonly vault: PredictionDesk['vault'];
  readonly social: HeldSocial;
  readonly getDesk: () => TestPredictionDesk;
  readonly forecasts: DeskForecasts | null;
  readonly options: PredictionDeskOptions;
}

/** Creates what the product's endpoints work with. */
export function createDeskServices(parts: DeskServiceParts): PredictionServices {
  const { refusedCountries = new Set<string>(), hasMarkets = true } = parts.options;
  return { refusedCountries, desk: hasMarkets ? createDesk(parts) : null };
}

function createDesk({
  wallets,
  accounts,
  vault,
  social,
  getDesk,
  forecasts,
}: DeskServiceParts): PredictionDesk {
  const { market, dependencies } = wallets;
  const { chain, pools, lookupTables, genesis } = market;
  const events = createEvents(getDesk);
  const quotes = createForecastQuotes({ pools, chain });
  const exchange = addForecastPrices(createExchange(getDesk), events, quotes);
  const now = () => chain.clock().unixTimestamp;
  const valued = createPositionLists({ events, accounts, exchange, now });
  const lists = createLists(getDesk, events, valued);
  const sponsor = createSponsor(genesis.keys.sponsor, getDesk);
  const fail = (error: unknown) => {
    throw error;
  };
  const gasless = new GaslessOrders({ sponsor, chain, accounts, onDefect: fail });
  let number = 0;
  return {
    events,
    accounts,
    exchange,
    lists,
    history: createHistory(getDesk),
    social,
    forecasts,
    vault,
    crafting: {
      chain,
      pools,
      lookupTables,
      events,
      accounts,
      exchange,
      vault,
      authority: genesis.keys.predictionAuthority,
      gasless,
      newOrderId: () => String(++number).padStart(32, '0'),
    },
    forecastCrafting:
      forecasts === null
        ? null
        : {
            chain,
            pools,
            lookupTables,
            events,
            rounds: forecasts.rounds,
            holdings: forecasts.holdings,
            quotes,
            gasless,
            newRequestId: () => `00000000-0000-4000-8000-${String(++number).padStart(12, '0')}`,
          },
    executing: {
      ...dependencies,
      authority: genesis.keys.predictionAuthority.address,
      isForecastSwap: (message) =>
        forecasts !== null &&
        isForecastSwap(message, { has: (mint) => forecasts.rounds.findByMint(mint) !== null }),
    },
    pieces: new EventPieces({ events, exchange, lists, now: () => Number(now()) }),
  };
}

function createSponsor(keypair: Sponsor['keypair'], getDesk: () => TestPredictionDesk): Sponsor {
  return {
    keypair,
    leastDollars: 1,
    feeMints: new Set(),
    budget: {
      refusal: async () => null,
      spend: async (owner, lamports) => {
        getDesk().spent.push({ owner, lamports });
        return null;
      },
      giveBack: (owner, lamports) => {
        getDesk().spent.push({ owner, lamports: -lamports });
      },
    },
  };
}

function createEvents(getDesk: () => TestPredictionDesk): PredictionEvents {
  const markets = () =>
    getDesk()
      .listEvents()
      .flatMap((event) => event.markets);
  return {
    findEvent: (eventId) =>
      getDesk()
        .listEvents()
        .find((event) => event.eventId === eventId) ?? null,
    findMarket: (marketId) => markets().find((market) => market.marketId === marketId) ?? null,
    findMarketByHash: (hash) => markets().find(({ marketIdHash }) => marketIdHash === hash) ?? null,
    listEvents: () => getDesk().listEvents(),
    onChange: () => () => undefined,
  };
}

function createExchange(getDesk: () => TestPredictionDesk): PredictionExchange {
  const estimate = (price: bigint | null, contracts: bigint) => ({
    contracts: price === null ? 0n : contracts,
    amount: price === null ? 0n : (contracts * price) / 1_000_000n,
    fee: price === null ? 0n : estimateVenueFee(700, contracts, price),
    worstPrice: price,
  });
  return {
    getPrices: () => getDesk().prices,
    onChange: () => () => undefined,
    getBook: () => getDesk().book,
    estimateBuy: (_marketId, isYes, { amount }) => {
      const price = (isYes ? getDesk().prices?.buyYes : getDesk().prices?.buyNo) ?? null;
      return estimate(price, price === null ? 0n : (amount * 1_000_000n) / price);
    },
    estimateSell: (_marketId, isYes, { contracts }) =>
      estimate((isYes ? getDesk().prices?.sellYes : getDesk().prices?.sellNo) ?? null, contracts),
  };
}

function createLists(
  getDesk: () => TestPredictionDesk,
  events: PredictionEvents,
  valued: PredictionPositionLists,
): PredictionDesk['lists'] {
  const all = () => getDesk().listEvents();
  return {
    selectEvents: ({ provider, category }) =>
      all().filter(
        (event) => getEventProvider(event) === provider && (category === null || event.category === category),
      ),
    searchEvents: (text, { limit }) =>
      all()
        .filter(({ title }) => title.toLowerCase().includes(text.toLowerCase()))
        .slice(0, limit),
    suggestEvents: (_wallet, { limit }) => all().slice(0, limit),
    volumeOfEvent: () => NOTHING,
    volumeOfMarket: () => NOTHING,
    valuePosition: (position) =>
      events.findMarketByHash(position.marketIdHash)?.forecast == null
        ? valueAtCost(events, position)
        : valued.valuePosition(position),
  };
}

/** Values a position at its cost, as if nobody bid. */
function valueAtCost(events: PredictionEvents, position: OpenPredictionPosition) {
  const market = events.findMarketByHash(position.marketIdHash);
  const event = market === null ? null : events.findEvent(market.eventId);
  if (market === null || event === null) return null;
  const { contracts, totalCost } = position;
  return {
    position,
    event,
    market,
    value: totalCost,
    markPrice: 400_000n,
    sellPrice: null,
    averagePrice: contracts === 0n ? 0n : (totalCost * 1_000_000n) / contracts,
    pnl: 0n,
    pnlPercent: 0,
    pnlAfterFees: -position.feesPaid,
    pnlAfterFeesPercent: null,
    payout: contracts,
    isClaimable: false,
    claimableAt: null,
  };
}

function createHistory(getDesk: () => TestPredictionDesk): PredictionHistory {
  return {
    listHistory: async ({ owner, start, end }) => {
      const events = getDesk().history.filter((event) => owner === null || event.owner === owner);
      return { events: events.slice(start, end), total: events.length };
    },
    findOrderHistory: async (order) => getDesk().history.filter((event) => event.order === order),
  };
}
