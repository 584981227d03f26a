import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { vi } from 'vitest';
import type { Chain } from '../../src/chain/chain.ts';
import { openRpcChain } from '../../src/chain/rpc/rpc-chain.ts';
import { SYSTEM_TIMERS } from '../../src/common/ports/timers.ts';
import { readTokenBalance } from '../../src/protocol/positions/token-balance.ts';
import { createKeypairFromSeed, type Keypair } from '../../src/solana/keypair.ts';
import type { Store } from '../../src/store/index.ts';
import { openMigratedStore } from '../../src/testing/store/test-store.ts';
import { now } from '../../src/testing/waits.ts';
import { UNFINISHED_STATES } from '../../src/waiting-orders/machine.ts';
import { WaitingOrderStore } from '../../src/waiting-orders/store/order-store.ts';
import { waitingOrders } from '../../src/waiting-orders/store/order-tables.ts';
import type { OrderState, OrderTransaction, WaitingOrder } from '../../src/waiting-orders/waiting-order.ts';
import { TriggerClient } from '../e2e/trigger-client.ts';
import { type CampaignResult, countFills } from './campaign.ts';
import { HttpOrders } from './http-orders.ts';
import { OrderInstances } from './order-instances.ts';
import { ProcessFaults } from './process-faults.ts';
import { RandomNumbers } from './random-numbers.ts';
import { findMostSlippage } from './reckoned-fills.ts';
import { findOrderDifferences, listAccounts, type StoredOrderRecord } from './reckoning.ts';
import { NO_SHARES } from './reckoned-shares.ts';
import { type OrderWishes, type ServiceLink, TradingWallet } from './trading-wallet.ts';
import { areRounds, pickEdit, pickOrder, USDC } from './wanted-orders.ts';

const WALLETS = 6;
/** Orders that are made or cancelled at the same time. */
const CONCURRENT = 12;
const SLOTS_PER_ROUND = 2n;
const FAULTS_PER_ROUND = 0.4;
/** The price of SOL stays so near to where it began. */
const PRICE_RANGE = 0.08;
/** Pools follow a price until it is within their fees, and the price of USDC is one of pools too. */
const POOL_DEVIATION = 0.015;
const FLOORS = { floorBps: 500, maxFloorBps: 2_500 };
/** A price from before an order still counts in the median of its first fill. */
const MEDIAN_MS = 60_000;

interface SeenPrice {
  readonly at: number;
  readonly price: number;
}

interface Trader {
  readonly wallet: TradingWallet;
  readonly link: ServiceLink;
}

interface ProcessCampaignResult extends Omit<CampaignResult, 'earningRounds'> {
  /** The orders that the store has. */
  readonly orders: number;
  /** How often wallets were refused something, by the reason. */
  readonly refusals: ReadonlyMap<string, number>;
}

/** Lets wallets make and cancel orders over HTTP while two keepers fill them and everything around them fails. */
export class ProcessCampaign {
  readonly #random: RandomNumbers;
  readonly #instances: OrderInstances;
  readonly #chain: Chain;
  readonly #gasWallet: Keypair;
  readonly #store: Store;
  readonly #storeFolder: string;
  readonly #orders: WaitingOrderStore;
  readonly #traders: Trader[] = [];
  readonly #faults: ProcessFaults;
  readonly #refusals = new Map<string, number>();
  readonly #defects: unknown[] = [];
  /** US dollars for one SOL, the newest last. */
  readonly #prices: SeenPrice[] = [];
  #isQuiet = false;
  #nextRound: () => void = () => undefined;
  #round = Promise.resolve();

  private constructor(parts: {
    readonly seed: number;
    readonly instances: OrderInstances;
    readonly chain: Chain;
    readonly gasWallet: Keypair;
    readonly store: Store;
    readonly storeFolder: string;
  }) {
    this.#random = new RandomNumbers(parts.seed);
    this.#instances = parts.instances;
    this.#chain = parts.chain;
    this.#gasWallet = parts.gasWallet;
    this.#store = parts.store;
    this.#storeFolder = parts.storeFolder;
    const network = parts.chain.genesisHash;
    this.#orders = new WaitingOrderStore({ store: parts.store, network, historyDays: 0 });
    this.#faults = new ProcessFaults({
      random: this.#random,
      instances: this.#instances,
      chain: this.#chain,
      orders: this.#orders,
      listOrders: () => this.#listOrders(),
      gasWallet: this.#gasWallet.address,
    });
    this.#beginRound();
  }

  static async open(seed: number): Promise<ProcessCampaign> {
    const gasWallet = createKeypairFromSeed(new Uint8Array(32).fill(1));
    const instances = await OrderInstances.open(gasWallet);
    const chain = await openReader(instances);
    const storeFolder = mkdtempSync(join(tmpdir(), 'sluice-reckoning-'));
    const store = await openMigratedStore({ url: instances.databaseUrl, folder: storeFolder });
    const campaign = new ProcessCampaign({ seed, instances, chain, gasWallet, store, storeFolder });
    try {
      await campaign.#begin();
      return campaign;
    } catch (error) {
      await campaign.close();
      throw error;
    }
  }

  async #begin(): Promise<void> {
    await this.#instances.airdrop(this.#gasWallet.address, 80_000_000_000);
    for (let index = 0; index < WALLETS; index++) {
      const keypair = createKeypairFromSeed(new Uint8Array(32).fill(100 + index));
      const { address } = keypair;
      await this.#instances.airdrop(address, 200_000_000_000);
      await this.#instances.admin('POST', 'faucet', { wallet: address, mint: USDC, amount: '50000000000' });
      const client = await TriggerClient.signIn(this.#instances.shown('REST'), keypair);
      const service = new HttpOrders(client, (refusal) => this.#countRefusal(refusal));
      const link: ServiceLink = {
        request: (work) => work(service),
        nextRound: () => this.#round,
        isRepeating: () => !this.#isQuiet && this.#random.chance(0.15),
      };
      this.#faults.wallets.push(address);
      this.#traders.push({ wallet: new TradingWallet(keypair), link });
    }
    const { prices } = await this.#instances.admin('GET', 'prices');
    const sol = (prices as readonly { readonly symbol: string; readonly price: string }[]).find(
      ({ symbol }) => symbol === 'SOL',
    );
    this.#prices.push({ at: now(), price: Number(sol?.price) });
    await this.#instances.startKeepers();
  }

  /** Makes so many orders, and cancels some of them. */
  async run(orders: number): Promise<void> {
    const running = new Set<Promise<void>>();
    for (let made = 0; made < orders || running.size > 0; ) {
      while (running.size < CONCURRENT && made < orders) {
        const work = this.#live(made++)
          .catch((error: unknown) => void this.#defects.push(error))
          .finally(() => running.delete(work));
        running.add(work);
      }
      await this.#pass();
    }
  }

  /** The life of one order, as far as its wallet takes part in it. */
  async #live(number: number): Promise<void> {
    const random = this.#random;
    const { wallet, link } = random.pick(this.#traders);
    const wanted = pickOrder(this.#mood(), number);
    const id = await wallet.makeOrder(link, wanted);
    if (id === null) return;
    for (let rounds = random.below(30); rounds > 0; rounds--) await this.#round;
    if (random.chance(0.2)) await this.#giveTokens(wallet);
    if (!areRounds(wanted) && random.chance(0.3)) {
      const isEdited = await wallet.editOrder(link, id, pickEdit(this.#mood(), wanted));
      if (isEdited) this.#faults.count('edits');
    }
    if (random.chance(0.3)) await wallet.cancelOrder(link, id);
  }

  #mood() {
    return { random: this.#random, price: this.#price, now: now(), earnMint: null };
  }

  /** Somebody sends tokens to the account of an order, which may be about to close. */
  async #giveTokens(wallet: TradingWallet): Promise<void> {
    const given = wallet.giveTokens(this.#chain, this.#random.pick(wallet.accounts));
    await given.then(
      () => this.#faults.count('gifts of strangers'),
      () => undefined,
    );
  }

  async #pass(): Promise<void> {
    if (!this.#isQuiet && this.#random.chance(FAULTS_PER_ROUND)) await this.#faults.strike();
    if (this.#random.chance(0.3)) await this.#movePrice();
    const until = (await this.#readSlot()) + SLOTS_PER_ROUND;
    await vi.waitUntil(async () => (await this.#readSlot()) >= until);
    const begin = this.#nextRound;
    this.#beginRound();
    begin();
  }

  #beginRound(): void {
    this.#round = new Promise((resolve) => {
      this.#nextRound = resolve;
    });
  }

  async #readSlot(): Promise<bigint> {
    return BigInt(String((await this.#instances.admin('GET', '')).slot));
  }

  #countRefusal(refusal: string): void {
    this.#refusals.set(refusal, (this.#refusals.get(refusal) ?? 0) + 1);
  }

  get #price(): number {
    return this.#prices.at(-1)?.price ?? 0;
  }

  async #movePrice(): Promise<void> {
    const first = this.#prices[0]?.price ?? 0;
    const moved = this.#price * (1 + (this.#random.fraction() - 0.5) * 0.02);
    const price = Math.min(Math.max(moved, first * (1 - PRICE_RANGE)), first * (1 + PRICE_RANGE));
    const text = price.toFixed(4);
    this.#prices.push({ at: now(), price: Number(text) });
    await this.#instances.admin('PUT', 'prices/SOL', { price: text });
  }

  /** Ends all faults, and lets rounds pass until nothing is under way. Then wallets take their money back from most orders. */
  async #rest(): Promise<void> {
    this.#isQuiet = true;
    await this.#faults.end();
    await this.#passUntilFinished();
    const left = (await this.#readRecords()).filter(({ order }) =>
      ['open', 'expired', 'ready_to_cancel'].includes(order.state),
    );
    const cancels = left
      .filter(() => this.#random.chance(0.8))
      .map(async ({ order }) => {
        const trader = this.#traders.find(({ wallet }) => wallet.address === order.wallet);
        await trader?.wallet.cancelOrder(trader.link, order.id);
      });
    let isDone = false;
    const done = Promise.all(cancels).finally(() => {
      isDone = true;
    });
    while (!isDone) await this.#pass();
    await done;
    await this.#passUntilFinished();
  }

  async #passUntilFinished(): Promise<void> {
    const isUnderWay = ({ order }: StoredOrderRecord) =>
      (UNFINISHED_STATES as readonly OrderState[]).includes(order.state);
    do await this.#pass();
    while ((await this.#readRecords()).some(isUnderWay));
  }

  /** Lets everything come to rest, and counts what does not add up. */
  async reckon(): Promise<ProcessCampaignResult> {
    await this.#rest();
    const records = await this.#readRecords();
    const states = new Map<OrderState, number>();
    for (const { order } of records) states.set(order.state, (states.get(order.state) ?? 0) + 1);
    const differences = await findOrderDifferences(this.#chain, records, {
      leastOutput: (order, fill, input) => this.#computeLeast(order, fill, input),
      wishes: ({ id }) => this.#findWishes(id),
      rates: NO_SHARES,
    });
    return {
      orders: records.length,
      refusals: this.#refusals,
      states,
      faults: this.#faults.counts,
      fills: countFills(records),
      differences: [
        ...differences,
        ...(await this.#findLost(records)),
        ...[...this.#defects, ...this.#faults.defects, ...this.#instances.defects].map(
          (error) => `a defect: ${error}`,
        ),
      ],
    };
  }

  /** Orders that their wallets know, and money in accounts of deposits, which the store knows nothing of. */
  async #findLost(records: readonly StoredOrderRecord[]): Promise<readonly string[]> {
    const ids = new Set(records.map(({ order }) => order.id));
    const known = new Set(records.flatMap(({ order }) => listAccounts(order)));
    const wallets = this.#traders.map(({ wallet }) => wallet);
    const lost = wallets.flatMap(({ orders }) => [...orders.keys()]).filter((id) => !ids.has(id));
    const unknown = wallets.flatMap(({ accounts }) => accounts).filter((account) => !known.has(account));
    const updates = unknown.length === 0 ? [] : await this.#chain.getAccounts(unknown);
    return [
      ...lost.map((id) => `order ${id} was created and is not in the store`),
      ...updates
        .filter(({ account }) => readTokenBalance(account) > 0n)
        .map(({ address }) => `the deposit in ${address} landed, and no order knows it`),
    ];
  }

  /** By the prices that there were while the order waited. */
  #computeLeast(order: WaitingOrder, { leg }: OrderTransaction, input: bigint): bigint {
    const isExit = order.plan.kind === 'otoco' && leg !== 'entry';
    const inputMint = isExit ? order.outputMint : order.inputMint;
    const slippage = findMostSlippage(this.#findWishes(order.id), leg, inputMint, FLOORS);
    const before = this.#prices.filter(({ at }) => at < order.createdAt - MEDIAN_MS).slice(-1);
    const during = this.#prices.filter(
      ({ at }) => at >= order.createdAt - MEDIAN_MS && at <= order.updatedAt,
    );
    const prices = [...before, ...during].map(({ price }) => price);
    const received =
      inputMint === USDC
        ? (Number(input) * 1_000) / Math.max(...prices)
        : (Number(input) / 1_000) * Math.min(...prices);
    return BigInt(Math.floor(received * (1 - slippage / 10_000) * (1 - POOL_DEVIATION)));
  }

  #findWishes(id: string): OrderWishes | null {
    const wallets = this.#traders.map(({ wallet }) => wallet);
    return wallets.map(({ orders }) => orders.get(id)).find((wishes) => wishes !== undefined) ?? null;
  }

  async #listOrders(): Promise<readonly string[]> {
    const rows = await this.#store.db.select({ id: waitingOrders.id }).from(waitingOrders);
    return rows.map(({ id }) => id);
  }

  async #readRecords(): Promise<readonly StoredOrderRecord[]> {
    const records: StoredOrderRecord[] = [];
    for (const id of await this.#listOrders()) {
      const order = await this.#orders.get(id);
      if (order !== null) records.push({ order, transactions: await this.#orders.transactionsOf(id) });
    }
    return records;
  }

  async close(): Promise<void> {
    await this.#faults.settle();
    await this.#chain.close();
    await this.#store.close();
    await this.#instances.close();
    rmSync(this.#storeFolder, { recursive: true, force: true });
  }
}

function openReader(instances: OrderInstances): Promise<Chain> {
  return openRpcChain({
    url: new URL(instances.shown('Solana RPC')),
    wsUrl: new URL(instances.shown('Solana WebSocket')),
    pollMs: 200,
    staleMs: 30_000,
    sweepMs: 1_000,
    maxSubscriptions: 100,
    blockhashSlots: 300,
    callsPerSecond: 10_000,
    transactionsPerSecond: 0,
    programAccounts: null,
    timers: SYSTEM_TIMERS,
    random: Math.random,
    onNotice: () => undefined,
  });
}
