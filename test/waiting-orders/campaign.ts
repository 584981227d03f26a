import { MasterKey } from '../../src/custody/keys/master-key.ts';
import { openCustody } from '../../src/custody/open-custody.ts';
import { readTokenBalance } from '../../src/protocol/positions/token-balance.ts';
import { createKeypairFromSeed, type Keypair } from '../../src/solana/keypair.ts';
import { deriveAssociatedTokenAddress } from '../../src/solana/pda.ts';
import { SYSTEM_PROGRAM, TOKEN_PROGRAM, WRAPPED_SOL_MINT } from '../../src/solana/program-addresses.ts';
import { OrderEarn, type PooledEarnMarket } from '../../src/lend/earn/order-earn.ts';
import type { Store } from '../../src/store/index.ts';
import { type GenesisTestMarket, openTestMarket } from '../../src/testing/genesis-market/open.ts';
import { openTestStore } from '../../src/testing/store/test-store.ts';
import type { TestNetwork } from '../../src/testing/svm/network.ts';
import { ManualTimers } from '../../src/testing/timers.ts';
import { ordinaryTokenAccount } from '../../src/testing/token-account.ts';
import { now } from '../../src/testing/waits.ts';
import { getEarnMint } from '../../src/waiting-orders/earning/earn-mint.ts';
import type { OrderPrices } from '../../src/waiting-orders/keeper/begin-fill.ts';
import { ROUND_MS } from '../../src/waiting-orders/keeper/order-keeper.ts';
import { findOrderPrices } from '../../src/waiting-orders/opening/order-prices.ts';
import { findTrailedPrice } from '../../src/waiting-orders/opening/trailed-price.ts';
import type { OrderLeg } from '../../src/waiting-orders/order-plan.ts';
import type { OrderSale } from '../../src/waiting-orders/order-sale.ts';
import { WaitingOrderStore } from '../../src/waiting-orders/store/order-store.ts';
import { IS_UNFINISHED, waitingOrders } from '../../src/waiting-orders/store/order-tables.ts';
import type { OrderState, OrderTransaction, WaitingOrder } from '../../src/waiting-orders/waiting-order.ts';
import { CampaignPrices, getDecimals } from './campaign-prices.ts';
import { ChaosChain } from './chaos-chain.ts';
import type { CallFault, CallTarget } from './faulty-calls.ts';
import { OrdersProcess, type SharedParts } from './orders-process.ts';
import { RandomNumbers } from './random-numbers.ts';
import { findMostSlippage } from './reckoned-fills.ts';
import { findOrderDifferences, listAccounts, type StoredOrderRecord } from './reckoning.ts';
import { type OrderService, type OrderWishes, TradingWallet } from './trading-wallet.ts';
import { areRounds, pickEdit, pickOrder, USDC } from './wanted-orders.ts';
import { WatermarkLog } from './watermark-log.ts';

export interface CampaignOptions {
  readonly orders: number;
  readonly seed: number;
}

/** What a campaign did, and what does not add up afterwards. */
export interface CampaignResult {
  readonly states: ReadonlyMap<OrderState, number>;
  /** How often each kind of fault was injected. */
  readonly faults: ReadonlyMap<string, number>;
  /** Fills that succeeded, by what they belong to. */
  readonly fills: ReadonlyMap<OrderLeg, number>;
  /** Rounds among them that sold shares of what was lent out. */
  readonly earningRounds: number;
  readonly differences: readonly string[];
}

interface PlannedSale {
  readonly sale: OrderSale;
  readonly prices: OrderPrices;
}

const PROCESSES = 3;
const WALLETS = 6;
/** Orders that are made or cancelled at the same time. */
const CONCURRENT = 4;
const SLOTS_PER_ROUND = 2n;
/** On the clock of the network, by which what is lent out earns. It runs fast, so that a campaign sees some of that. */
const SECONDS_PER_ROUND = 3_600n;
const LIMITS = { floorBps: 500, maxFloorBps: 2_500 };
/** After so many rounds the watermarks are looked at. */
const WATERMARK_ROUNDS = 5;
/** After the faults have ended, everything must come to rest within so many rounds. */
const MAX_QUIET_ROUNDS = 600;
/** Rounds without faults before it is looked whether everything has followed the price. */
const CALM_ROUNDS = 80;
/** Floors are computed exactly, and here with numbers of JavaScript. */
const ROUNDING = 1e-9;
/** A clock that jumps takes every lease past its end. */
const CLOCK_JUMP_MS = 40_000;

/** Lets wallets make, change and cancel orders while several processes fill them and everything around them fails. */
export async function runCampaign({ orders, seed }: CampaignOptions): Promise<CampaignResult> {
  const campaign = await Campaign.open(seed);
  try {
    await campaign.run(orders);
    return await campaign.reckon();
  } finally {
    await campaign.close();
  }
}

class Campaign {
  readonly #random: RandomNumbers;
  readonly #timers = new ManualTimers();
  readonly #chain: ChaosChain;
  readonly #network: TestNetwork;
  readonly #store: Store;
  readonly #closeStore: () => Promise<void>;
  readonly #shared: SharedParts;
  readonly #wallets: readonly TradingWallet[];
  readonly #processes: OrdersProcess[] = [];
  readonly #ended: OrdersProcess[] = [];
  readonly #faults = new Map<string, number>();
  readonly #defects: unknown[] = [];
  /** What was planned of each leg of each order. */
  readonly #planned = new Map<string, readonly PlannedSale[]>();
  readonly #prices: CampaignPrices;
  readonly #watermarks: WatermarkLog;
  readonly #firstRate: bigint;
  #isQuiet = false;
  #rounds = 0;
  #nextRound: () => void = () => undefined;
  #round = Promise.resolve();

  private constructor(parts: {
    readonly seed: number;
    readonly chain: ChaosChain;
    readonly store: Store;
    readonly closeStore: () => Promise<void>;
    readonly market: GenesisTestMarket;
    readonly custody: SharedParts['custody'];
    readonly gasWallet: Keypair;
    readonly wallets: readonly TradingWallet[];
    readonly timers: ManualTimers;
  }) {
    const { seed, chain, store, closeStore, market, custody, gasWallet, wallets, timers } = parts;
    this.#random = new RandomNumbers(seed);
    this.#prices = new CampaignPrices(this.#random);
    this.#watermarks = new WatermarkLog(store, this.#prices);
    this.#chain = chain;
    this.#network = market.network;
    this.#store = store;
    this.#closeStore = closeStore;
    this.#wallets = wallets;
    this.#timers = timers;
    this.#shared = {
      market,
      store,
      custody,
      gasWallet,
      limits: LIMITS,
      worthInDollars: (mint, atoms) => {
        const dollars = this.#prices.price(mint);
        return dollars === null ? null : (Number(atoms) * dollars) / 10 ** getDecimals(mint);
      },
      aheadMs: () => timers.now() - now(),
      priceOf: (mint) => this.#prices.price(mint),
      findHeldPrice: (mint) => (mint === WRAPPED_SOL_MINT ? this.#prices.held(mint) : null),
      findPrices: (order) => findOrderPrices(this.#prices, order),
      findWatermark: (mint, condition) => findTrailedPrice(this.#prices, mint, condition),
      random: () => this.#random.fraction(),
      onDefect: (_, error) => this.#defects.push(error),
      onPlan: (sale, prices) => {
        const key = `${sale.id} ${sale.leg}`;
        this.#planned.set(key, [...(this.#planned.get(key) ?? []), { sale, prices }]);
      },
    };
    this.#firstRate = this.#findShares().rate;
    this.#chain.onSend = () => this.#decideSend();
    this.#beginRound();
    for (let process = 0; process < PROCESSES; process++) this.#start();
  }

  static async open(seed: number): Promise<Campaign> {
    const timers = new ManualTimers();
    const [{ store: real, cleanUp }, market] = await Promise.all([
      openTestStore('sqlite'),
      openTestMarket('with programs', (network) => new ChaosChain(network)),
    ]);
    const chain = market.chain as ChaosChain;
    // Orders measure the clock of the database from time to time, and count on with a clock that no test can move.
    const store = { ...real, now: async () => now() };
    const masters = { current: new MasterKey(new Uint8Array(32).fill(5)), previous: null };
    const { custody } = await openCustody({
      store,
      masters,
      now: () => timers.now(),
      every: () => () => undefined,
      onDefect: () => undefined,
    });
    const fund = ({ address }: Keypair) =>
      market.network.setAccount(address, createWalletAccount(1_000_000_000_000n));
    const gasWallet = createKeypairFromSeed(new Uint8Array(32).fill(1));
    fund(gasWallet);
    const wallets: TradingWallet[] = [];
    for (let index = 0; index < WALLETS; index++) {
      const keypair = createKeypairFromSeed(new Uint8Array(32).fill(100 + index));
      fund(keypair);
      const account = deriveAssociatedTokenAddress(keypair.address, USDC, TOKEN_PROGRAM);
      const data = ordinaryTokenAccount({ mint: USDC, owner: keypair.address, amount: 1_000_000_000_000n });
      market.network.setData(account, TOKEN_PROGRAM, data);
      await custody.createVault(keypair.address);
      wallets.push(new TradingWallet(keypair));
    }
    return new Campaign({
      seed,
      chain,
      store,
      closeStore: cleanUp,
      market,
      custody,
      gasWallet,
      wallets,
      timers,
    });
  }

  /** Makes so many orders, cancels some of them, and lets everything come to rest. */
  async run(orders: number): Promise<void> {
    await this.#makeAll(orders, (number) => this.#live(number));
    for (let round = 0; round < 200; round++) await this.#pass();
    await this.#rest();
  }

  /** Does something so many times, several at a time, while rounds pass. */
  async #makeAll(count: number, work: (number: number) => Promise<void>): Promise<void> {
    const running = new Set<Promise<void>>();
    for (let made = 0; made < count || running.size > 0; ) {
      while (running.size < CONCURRENT && made < count) {
        const each = work(made++).finally(() => running.delete(each));
        running.add(each);
      }
      await this.#pass();
    }
  }

  /** The life of one order, as far as its wallet takes part in it. */
  async #live(number: number): Promise<void> {
    const random = this.#random;
    const wallet = random.pick(this.#wallets);
    const wanted = pickOrder(this.#mood(), number);
    const id = await wallet.makeOrder(this.#link, wanted);
    if (id === null) return;
    for (let rounds = random.below(30); rounds > 0; rounds--) await this.#round;
    if (random.chance(0.2)) await this.#sendDust(wallet);
    if (!areRounds(wanted) && random.chance(0.3)) {
      const isEdited = await wallet.editOrder(this.#link, id, pickEdit(this.#mood(), wanted));
      if (isEdited) this.#count('edits');
    }
    if (random.chance(0.3)) await wallet.cancelOrder(this.#link, id);
  }

  /** Returns what USDC is lent out for. */
  #findShares(): PooledEarnMarket {
    const market = new OrderEarn(this.#shared.market.pools, () => this.#chain.clock()).find(USDC);
    if (market === null) throw new Error('USDC is not lent');
    return market;
  }

  #mood() {
    const { earnMint } = this.#findShares();
    return { random: this.#random, price: this.#prices.newest, now: this.#timers.now(), earnMint };
  }

  /** How clients reach a process: any of them, which may be another one the next time. */
  readonly #link = {
    request: <T>(work: (service: OrderService) => Promise<T>): Promise<T> =>
      this.#random.pick(this.#processes).request(work),
    nextRound: () => this.#round,
    isRepeating: () => !this.#isQuiet && this.#random.chance(0.15),
  };

  /** Somebody sends tokens to the account of an order, which may be about to close. */
  async #sendDust(wallet: TradingWallet): Promise<void> {
    this.#count('gifts of strangers');
    await wallet.giveTokens(this.#chain, this.#random.pick(wallet.accounts));
  }

  async #pass(): Promise<void> {
    this.#rounds++;
    this.#prices.move();
    this.#watermarks.noteRound();
    if (!this.#isQuiet && this.#random.chance(0.01)) {
      this.#count('clock jumps');
      this.#timers.advance(CLOCK_JUMP_MS);
    }
    await this.#chain.passSlots(SLOTS_PER_ROUND);
    this.#network.setUnixTime(this.#chain.clock().unixTimestamp + SECONDS_PER_ROUND);
    for (const { calls } of [...this.#processes, ...this.#ended]) calls.passRound();
    for (const { keeper } of this.#processes) keeper.notePrice(WRAPPED_SOL_MINT);
    this.#timers.advance(ROUND_MS);
    await this.#settle();
    this.#restart();
    const begin = this.#nextRound;
    this.#beginRound();
    begin();
    await this.#settle();
    if (this.#rounds % WATERMARK_ROUNDS === 0) await this.#watermarks.read();
  }

  #beginRound(): void {
    this.#round = new Promise((resolve) => {
      this.#nextRound = resolve;
    });
  }

  /** Waits until no call of a process is under way. */
  async #settle(): Promise<void> {
    for (let quiet = 0; quiet < 3; quiet++) {
      await new Promise(setImmediate);
      if ([...this.#processes, ...this.#ended].some(({ calls }) => calls.pending > 0)) quiet = -1;
    }
  }

  /** Replaces what was killed. */
  #restart(): void {
    for (const process of this.#processes.filter(({ calls }) => calls.isKilled)) {
      this.#processes.splice(this.#processes.indexOf(process), 1);
      this.#ended.push(process);
      this.#start();
    }
  }

  #start(): void {
    // The clocks of processes differ.
    const ahead = this.#random.below(120_000) - 60_000;
    const timers = {
      now: () => this.#timers.now() + ahead,
      after: (delay: number, callback: () => void) => this.#timers.after(delay, callback),
    };
    const outage = { until: 0 };
    this.#processes.push(
      new OrdersProcess(this.#shared, timers, (target) => this.#decideCall(target, outage)),
    );
  }

  /** @param outage - Until which round the process gets no answers of the network, although its calls arrive. */
  #decideCall(target: CallTarget, outage: { until: number }): CallFault | null {
    const random = this.#random;
    if (this.#isQuiet) return null;
    if (target === 'network' && this.#rounds < outage.until) return { kind: 'cut off', when: 'after' };
    if (!random.chance(0.04)) return null;
    if (random.chance(0.05)) {
      this.#count('outages of the network');
      outage.until = this.#rounds + random.below(600);
    }
    const when = random.chance(0.5) ? 'before' : 'after';
    const kind = random.pick(['killed', 'cut off', 'cut off', 'held up'] as const);
    this.#count(kind);
    return kind === 'held up' ? { kind, rounds: random.below(100) } : { kind, when };
  }

  #decideSend() {
    const random = this.#random;
    const usual = { landsAfter: 0n, landsAgainAfter: null, unseenFor: 0n };
    if (this.#isQuiet || random.chance(0.6)) return usual;
    switch (random.pick(['dropped', 'late', 'twice', 'seen late'] as const)) {
      case 'dropped':
        this.#count('dropped');
        return { ...usual, landsAfter: null };
      case 'late':
        this.#count('late');
        return { ...usual, landsAfter: BigInt(random.below(160)) };
      case 'twice':
        this.#count('twice');
        return { ...usual, landsAgainAfter: BigInt(random.below(60)) };
      case 'seen late':
        this.#count('seen late');
        return { ...usual, unseenFor: BigInt(random.below(40)) };
    }
  }

  #count(fault: string): void {
    this.#faults.set(fault, (this.#faults.get(fault) ?? 0) + 1);
  }

  /** Ends all faults, and lets rounds pass until nothing is under way. Then wallets take their money back from most orders. */
  async #rest(): Promise<void> {
    this.#isQuiet = true;
    const begin = this.#rounds;
    await this.#passUntilFinished();
    for (let round = 0; round < CALM_ROUNDS; round++) await this.#pass();
    await this.#watermarks.checkFollowed(this.#rounds - begin);
    const left = (await this.#readRecords()).filter(({ order }) =>
      ['open', 'expired', 'ready_to_cancel'].includes(order.state),
    );
    const cancelled = left.filter(() => this.#random.chance(0.8)).map(({ order }) => order);
    await this.#makeAll(cancelled.length, async (number) => {
      const order = cancelled[number];
      const wallet = this.#wallets.find(({ address }) => address === order?.wallet);
      if (order !== undefined) await wallet?.cancelOrder(this.#link, order.id);
    });
    await this.#passUntilFinished();
  }

  async #passUntilFinished(): Promise<void> {
    for (let round = 0; round < MAX_QUIET_ROUNDS; round++) {
      await this.#pass();
      const { id } = waitingOrders;
      const [unfinished] = await this.#store.db
        .select({ id })
        .from(waitingOrders)
        .where(IS_UNFINISHED)
        .limit(1);
      if (unfinished === undefined) return;
    }
  }

  async reckon(): Promise<CampaignResult> {
    const records = await this.#readRecords();
    const states = new Map<OrderState, number>();
    for (const { order } of records) states.set(order.state, (states.get(order.state) ?? 0) + 1);
    const differences = await findOrderDifferences(this.#chain, records, {
      leastOutput: (order, fill, input) => this.#computeLeast(order, fill, input),
      wishes: ({ id }) => this.#findWishes(id),
      rates: { first: this.#firstRate, last: this.#findShares().rate },
    });
    const known = new Set(records.flatMap(({ order }) => listAccounts(order)));
    const lost = this.#wallets
      .flatMap(({ accounts }) => accounts)
      .filter((account) => !known.has(account) && readTokenBalance(this.#network.account(account)) > 0n);
    return {
      states,
      faults: this.#faults,
      fills: countFills(records),
      earningRounds:
        countFills(records.filter(({ order }) => getEarnMint(order.plan) !== null)).get('round') ?? 0,
      differences: [
        ...differences,
        ...lost.map((account) => `the deposit in ${account} landed, and no order knows it`),
        ...this.#watermarks.differences,
        ...this.#defects.map((error) => `a defect was reported: ${error}`),
      ],
    };
  }

  #findWishes(id: string): OrderWishes | null {
    for (const { orders } of this.#wallets) {
      const wishes = orders.get(id);
      if (wishes !== undefined) return wishes;
    }
    return null;
  }

  /** By the prices of all fills that were planned for the leg of the order. */
  #computeLeast({ id }: WaitingOrder, { leg }: OrderTransaction, input: bigint): bigint {
    const wishes = this.#findWishes(id);
    const planned = this.#planned.get(`${id} ${leg}`) ?? [];
    const floors = planned.map(({ sale: { inputMint, outputMint }, prices }) => {
      const worth = (Number(input) * (prices.referenceIn ?? 0)) / 10 ** getDecimals(inputMint);
      const received = (worth * 10 ** getDecimals(outputMint)) / (prices.referenceOut ?? 1);
      const slippage = findMostSlippage(wishes, leg, inputMint, LIMITS);
      return Math.floor(received * (1 - slippage / 10_000) * (1 - ROUNDING));
    });
    return BigInt(Math.min(...floors));
  }

  async #readRecords(): Promise<readonly StoredOrderRecord[]> {
    const orders = new WaitingOrderStore({
      store: this.#store,
      network: this.#chain.genesisHash,
      historyDays: 0,
    });
    const records: StoredOrderRecord[] = [];
    for (const wallet of this.#wallets) {
      for (const id of wallet.orders.keys()) {
        const order = await orders.get(id);
        if (order !== null) records.push({ order, transactions: await orders.transactionsOf(id) });
      }
    }
    return records;
  }

  async close(): Promise<void> {
    for (const process of [...this.#processes, ...this.#ended]) process.close();
    await this.#closeStore();
  }
}

/** Counts the fills that succeeded. */
export function countFills(records: readonly StoredOrderRecord[]): ReadonlyMap<OrderLeg, number> {
  const fills = new Map<OrderLeg, number>();
  for (const { kind, outcome, leg } of records.flatMap(({ transactions }) => transactions)) {
    if (kind === 'fill' && outcome === 'success' && leg !== null) fills.set(leg, (fills.get(leg) ?? 0) + 1);
  }
  return fills;
}

function createWalletAccount(lamports: bigint) {
  return { owner: SYSTEM_PROGRAM, data: new Uint8Array(0), executable: false, rentEpoch: 0n, lamports };
}
