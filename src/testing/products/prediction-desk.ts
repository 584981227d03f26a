import type { FastifyInstance } from 'fastify';
import type { PredictionBook } from '../../exchange/exchange.ts';
import { openPredictionVault } from '../../predictions/crafting/prediction-vault.ts';
import { PredictionAccountFollower } from '../../predictions/following/prediction-account-follower.ts';
import type { PredictionHistoryEvent } from '../../predictions/lists/prediction-lists.ts';
import type { PredictionEvent, PredictionPrices } from '../../predictions/prediction.ts';
import { prediction } from '../../products/prediction/index.ts';
import { JUPUSD_MINT, PREDICTION_PROGRAM } from '../../protocols/jupiter-prediction/prediction-program.ts';
import type { Address } from '../../solana/address.ts';
import type { Keypair } from '../../solana/keypair.ts';
import { getGenesisToken } from '../../solana/known-tokens.ts';
import { addSignatures, parseTransaction } from '../../solana/messages/transaction.ts';
import { computeRentExemptMinimum } from '../../solana/rent.ts';
import { CREATED_AT, createTestEvent } from '../predictions/test-events.ts';
import { getJson, type JsonAnswer, openProductGateway, postJson } from '../product-gateway.ts';
import { DeskForecasts } from './desk-forecasts.ts';
import { ManualTimers } from '../timers.ts';
import { HeldSocial } from './held-social.ts';
import { createDeskServices } from './prediction-desk-services.ts';
import { TestWallets } from './signing-wallets.ts';

/** What a desk is opened with. */
export interface PredictionDeskOptions {
  /** Default: no country is refused. */
  readonly refusedCountries?: ReadonlySet<string>;
  /** The country of every request. Default: it is not known. */
  readonly country?: string;
  /** Whether the network has the program. Default: it has. */
  readonly hasMarkets?: boolean;
  /** Whether it has the program of forecasts. Default: it has not. */
  readonly hasForecasts?: boolean;
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
  readonly #forecasts: DeskForecasts | null;
  readonly #close: () => void;

  private constructor(wallets: TestWallets, accounts: PredictionAccountFollower, parts: OpenedParts) {
    this.social = parts.social;
    this.wallets = wallets;
    this.accounts = accounts;
    this.gateway = parts.gateway;
    this.#close = parts.close;
    this.#forecasts = parts.forecasts;
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
    const forecasts = options.hasForecasts === true ? new DeskForecasts(wallets.market) : null;
    const services = createDeskServices({ wallets, accounts, vault, social, getDesk, forecasts, options });
    const gateway = await openProductGateway(prediction.run({ services }), {
      countryOf: () => options.country ?? null,
    });
    const close = () => {
      vault.close();
      accounts.close();
    };
    const events = [createTestEvent(1)];
    desk = new TestPredictionDesk(wallets, accounts, { gateway, close, social, forecasts, events });
    return desk;
  }

  async close(): Promise<void> {
    await this.gateway.close();
    this.#close();
    this.wallets.close();
  }

  /** Its rounds, if it was opened with them. */
  get forecasts(): DeskForecasts {
    if (this.#forecasts === null) throw new Error('the desk was opened without forecasts');
    return this.#forecasts;
  }

  /** Returns the events of both kinds. */
  listEvents(): readonly PredictionEvent[] {
    return [...this.events.values(), ...(this.#forecasts?.listEvents() ?? [])];
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
  readonly forecasts: DeskForecasts | null;
  readonly events: readonly PredictionEvent[];
}

/** The second at which the market of a desk stands. */
export const DESK_TIME = CREATED_AT;
