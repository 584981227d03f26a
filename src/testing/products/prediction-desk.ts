import type { FastifyInstance } from 'fastify';
import { estimateVenueFee } from '../../exchange/venue-fee.ts';
import type { PredictionBook } from '../../exchange/exchange.ts';
import { GaslessOrders } from '../../predictions/crafting/paying/gasless-orders.ts';
import { openPredictionVault } from '../../predictions/crafting/prediction-vault.ts';
import { PredictionAccountFollower } from '../../predictions/following/prediction-account-follower.ts';
import type {
  PredictionHistory,
  PredictionHistoryEvent,
  TradedVolume,
} from '../../predictions/lists/prediction-lists.ts';
import type {
  OpenPredictionPosition,
  PredictionEvent,
  PredictionEvents,
  PredictionExchange,
  PredictionPrices,
} from '../../predictions/prediction.ts';
import { prediction } from '../../products/prediction/index.ts';
import { EventPieces } from '../../products/prediction/endpoints/json/event-pieces.ts';
import type {
  PredictionDesk,
  PredictionServices,
} from '../../products/prediction/endpoints/prediction-services.ts';
import { JUPUSD_MINT, PREDICTION_PROGRAM } from '../../protocols/jupiter-prediction/prediction-program.ts';
import type { Address } from '../../solana/address.ts';
import type { Keypair } from '../../solana/keypair.ts';
import { getGenesisToken } from '../../solana/known-tokens.ts';
import { addSignatures, parseTransaction } from '../../solana/messages/transaction.ts';
import { computeRentExemptMinimum } from '../../solana/rent.ts';
import type { Sponsor } from '../../transactions/sponsor/sponsor.ts';
import { CREATED_AT, createTestEvent } from '../predictions/test-events.ts';
import { getJson, type JsonAnswer, openProductGateway, postJson } from '../product-gateway.ts';
import { ManualTimers } from '../timers.ts';
import { HeldSocial } from './held-social.ts';
import { TestWallets } from './signing-wallets.ts';

/** The volume of events of which nothing was traded. */
const NOTHING: TradedVolume = { total: 0n, day: 0n };

/** What a desk is opened with. */
export interface PredictionDeskOptions {
  /** Default: no country is refused. */
  readonly refusedCountries?: ReadonlySet<string>;
  /** The country of every request. Default: it is not known. */
  readonly country?: string;
  /** Whether the network has the program. Default: it has. */
  readonly hasMarkets?: boolean;
}

/**
 * The product behind its front door, over the genesis market. Its exchange offers and bids without end at prices that a test
 * sets, and its history has what a test puts there.
 */
export class TestPredictionDesk {
  readonly wallets: TestWallets;
  readonly accounts: PredictionAccountFollower;
  /** By id. */
  readonly events = new Map<string, PredictionEvent>();
  readonly history: PredictionHistoryEvent[] = [];
  readonly social: HeldSocial;
  prices: PredictionPrices | null = {
    buyYes: 400_000n,
    buyNo: 610_000n,
    sellYes: 390_000n,
    sellNo: 600_000n,
  };
  book: PredictionBook | null = { yes: [], no: [] };
  /** What the wallet of the sponsor pays for; null without a sponsor. */
  readonly spent: { readonly owner: Address; readonly lamports: bigint }[] = [];
  readonly gateway: FastifyInstance;
  readonly #close: () => void;

  private constructor(wallets: TestWallets, accounts: PredictionAccountFollower, parts: OpenedParts) {
    this.social = parts.social;
    this.wallets = wallets;
    this.accounts = accounts;
    this.gateway = parts.gateway;
    this.#close = parts.close;
    for (const event of parts.events) this.events.set(event.eventId, event);
  }

  static async open(options: PredictionDeskOptions = {}): Promise<TestPredictionDesk> {
    const wallets = await TestWallets.open();
    const { chain, network } = wallets.market;
    network.loadShipped('prediction');
    const outage = { onFailure: () => {}, onAnswer: () => {} };
    const fail = (_where: string, error: unknown) => {
      throw error;
    };
    const accounts = await PredictionAccountFollower.open({
      chain,
      timers: new ManualTimers(),
      outage,
      onDefect: fail,
    });
    const vault = await openPredictionVault(chain);
    let desk: TestPredictionDesk | null = null;
    const getDesk = () => desk as TestPredictionDesk;
    const social = new HeldSocial();
    const services = createServices({ wallets, accounts, vault, social, getDesk, options });
    const gateway = await openProductGateway(prediction.run({ services }), {
      countryOf: () => options.country ?? null,
    });
    const close = () => {
      vault.close();
      accounts.close();
    };
    const events = [createTestEvent(1)];
    desk = new TestPredictionDesk(wallets, accounts, { gateway, close, social, events });
    return desk;
  }

  async close(): Promise<void> {
    await this.gateway.close();
    this.#close();
    this.wallets.close();
  }

  get owner(): Address {
    return this.wallets.wallet.address;
  }

  get(path: string, query: Readonly<Record<string, string>> = {}): Promise<JsonAnswer> {
    return getJson(this.gateway, `/prediction/v1/${path}`, query);
  }

  post(path: string, body: unknown): Promise<JsonAnswer> {
    return postJson(this.gateway, `/prediction/v1/${path}`, body);
  }

  async delete(path: string, body: unknown): Promise<JsonAnswer> {
    const { statusCode, payload } = await this.gateway.inject({
      method: 'DELETE',
      url: `/prediction/v1/${path}`,
      headers: { 'content-type': 'application/json' },
      payload: JSON.stringify(body),
    });
    return { status: statusCode, json: JSON.parse(payload) };
  }

  /** Asks for the purchase of yes contracts of the first market for 5.00 USDC. */
  buy(change: object = {}): Promise<JsonAnswer> {
    const body = {
      ownerPubkey: this.owner,
      marketId: 'POLY-1-a',
      isYes: true,
      isBuy: true,
      depositAmount: '5000000',
      depositMint: getGenesisToken('USDC').mint,
      skipSigning: true,
      ...change,
    };
    return this.post('orders', body);
  }

  /** Signs a transaction that was handed out with the owner's key, and keeps the signatures that it has. */
  sign(transaction: string, by: Keypair = this.wallets.wallet): string {
    const parsed = parseTransaction(new Uint8Array(Buffer.from(transaction, 'base64')));
    return Buffer.from(addSignatures(parsed, [by])).toString('base64');
  }

  /** Gives a wallet an account of JupUSD. */
  giveJupUsd(owner: Address, amount: bigint): Address {
    return this.wallets.give(owner, JUPUSD_MINT, { amount });
  }

  /** Puts an account of the program on the network. */
  putAccount({ address, data }: { readonly address: Address; readonly data: Uint8Array }): Address {
    const lamports = computeRentExemptMinimum(data.length);
    const account = { owner: PREDICTION_PROGRAM, data, lamports, executable: false, rentEpoch: 0n };
    const { network, chain } = this.wallets.market;
    network.setAccount(address, account);
    chain.publish([address]);
    return address;
  }
}

interface OpenedParts {
  readonly gateway: FastifyInstance;
  readonly close: () => void;
  readonly social: HeldSocial;
  readonly events: readonly PredictionEvent[];
}

interface ServiceParts {
  readonly wallets: TestWallets;
  readonly accounts: PredictionAccountFollower;
  readonly vault: PredictionDesk['vault'];
  readonly social: HeldSocial;
  readonly getDesk: () => TestPredictionDesk;
  readonly options: PredictionDeskOptions;
}

function createServices(parts: ServiceParts): PredictionServices {
  const { refusedCountries = new Set<string>(), hasMarkets = true } = parts.options;
  return { refusedCountries, desk: hasMarkets ? createDesk(parts) : null };
}

function createDesk({ wallets, accounts, vault, social, getDesk }: ServiceParts): PredictionDesk {
  const { market, dependencies } = wallets;
  const { chain, pools, lookupTables, genesis } = market;
  const events = createEvents(getDesk);
  const exchange = createExchange(getDesk);
  const lists = createLists(getDesk, events);
  const sponsor = createSponsor(genesis.keys.sponsor, getDesk);
  const fail = (error: unknown) => {
    throw error;
  };
  let number = 0;
  return {
    events,
    accounts,
    exchange,
    lists,
    history: createHistory(getDesk),
    social,
    forecasts: null,
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
      gasless: new GaslessOrders({ sponsor, chain, accounts, onDefect: fail }),
      newOrderId: () => String(++number).padStart(32, '0'),
    },
    executing: { ...dependencies, authority: genesis.keys.predictionAuthority.address },
    pieces: new EventPieces({ events, exchange, lists, now: () => Number(chain.clock().unixTimestamp) }),
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
  const markets = () => [...getDesk().events.values()].flatMap((event) => event.markets);
  return {
    findEvent: (eventId) => getDesk().events.get(eventId) ?? null,
    findMarket: (marketId) => markets().find((market) => market.marketId === marketId) ?? null,
    findMarketByHash: (hash) => markets().find(({ marketIdHash }) => marketIdHash === hash) ?? null,
    listEvents: () => [...getDesk().events.values()],
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

function createLists(getDesk: () => TestPredictionDesk, events: PredictionEvents): PredictionDesk['lists'] {
  const all = () => [...getDesk().events.values()];
  return {
    selectEvents: ({ category }) => all().filter((event) => category === null || event.category === category),
    searchEvents: (text, limit) =>
      all()
        .filter(({ title }) => title.toLowerCase().includes(text.toLowerCase()))
        .slice(0, limit),
    suggestEvents: (_wallet, limit) => all().slice(0, limit),
    volumeOfEvent: () => NOTHING,
    volumeOfMarket: () => NOTHING,
    valuePosition: (position) => valueAtCost(events, position),
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

/** The second at which the market of a desk stands. */
export const DESK_TIME = CREATED_AT;
