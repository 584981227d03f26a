import { MasterKey } from '../../src/custody/keys/master-key.ts';
import { openCustody } from '../../src/custody/open-custody.ts';
import { readTokenBalance } from '../../src/protocol/positions/token-balance.ts';
import type { Address } from '../../src/solana/address.ts';
import { createKeypairFromSeed, type Keypair } from '../../src/solana/keypair.ts';
import { deriveAssociatedTokenAddress } from '../../src/solana/pda.ts';
import { SYSTEM_PROGRAM, TOKEN_PROGRAM, WRAPPED_SOL_MINT } from '../../src/solana/program-addresses.ts';
import type { Store } from '../../src/store/index.ts';
import { type GenesisTestMarket, openTestMarket } from '../../src/testing/genesis-market/open.ts';
import { openTestStore } from '../../src/testing/store/test-store.ts';
import type { TestNetwork } from '../../src/testing/svm/network.ts';
import { ManualTimers } from '../../src/testing/timers.ts';
import { ordinaryTokenAccount } from '../../src/testing/token-account.ts';
import type { OrderPrices } from '../../src/waiting-orders/keeper/begin-fill.ts';
import { ROUND_MS } from '../../src/waiting-orders/keeper/order-keeper.ts';
import { UNFINISHED_STATES } from '../../src/waiting-orders/machine.ts';
import { WaitingOrderStore } from '../../src/waiting-orders/store/order-store.ts';
import type { OrderState, WaitingOrder } from '../../src/waiting-orders/waiting-order.ts';
import { ChaosChain } from './chaos-chain.ts';
import type { CallFault, CallTarget } from './faulty-calls.ts';
import { OrdersProcess, type SharedParts } from './orders-process.ts';
import { RandomNumbers } from './random-numbers.ts';
import { findOrderDifferences, type StoredOrderRecord } from './reckoning.ts';
import { type OrderService, TradingWallet, USDC } from './trading-wallet.ts';

export interface CampaignOptions {
  readonly orders: number;
  readonly seed: number;
}

/** What a campaign did, and what does not add up afterwards. */
export interface CampaignResult {
  readonly states: ReadonlyMap<OrderState, number>;
  /** How often each kind of fault was injected. */
  readonly faults: ReadonlyMap<string, number>;
  readonly fills: number;
  readonly differences: readonly string[];
}

const WALLETS = 6;
/** Orders that are made or cancelled at the same time. */
const CONCURRENT = 4;
const SLOTS_PER_ROUND = 2n;
const LIMITS = { floorBps: 500, maxFloorBps: 2_500 };
/** Prices that the median is taken of. */
const MEDIAN_OF = 15;
/** After the faults have ended, everything must come to rest within so many rounds. */
const MAX_QUIET_ROUNDS = 600;
/** Floors are computed exactly, and here with numbers of JavaScript. */
const ROUNDING = 1e-9;
/** A clock that jumps takes every lease past its end. */
const CLOCK_JUMP_MS = 40_000;

/** Lets wallets make and cancel orders while two processes fill them and everything around them fails. */
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
  /** The prices by which fills were planned, by the order. */
  readonly #planned = new Map<string, readonly OrderPrices[]>();
  /** US dollars for one SOL, the newest last. */
  readonly #prices: number[] = [];
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
        const dollars = this.#findPrice(mint);
        return dollars === null ? null : (Number(atoms) * dollars) / 10 ** getDecimals(mint);
      },
      findHeldPrice: (mint) => {
        if (mint !== WRAPPED_SOL_MINT) return null;
        const held = this.#prices.slice(-2);
        return { low: Math.min(...held), high: Math.max(...held) };
      },
      findPrices: (order) => {
        const price = this.#findPrice(order.triggerMint);
        if (price === null || !isSatisfied(order, price)) return null;
        const [referenceIn, referenceOut] = [order.inputMint, order.outputMint].map((mint) =>
          this.#findMedian(mint),
        );
        return { price, referenceIn: referenceIn ?? null, referenceOut: referenceOut ?? null };
      },
      onDefect: (_, error) => this.#defects.push(error),
      onPlan: ({ id }, prices) => this.#planned.set(id, [...(this.#planned.get(id) ?? []), prices]),
    };
    this.#movePrice();
    this.#chain.onSend = () => this.#decideSend();
    this.#beginRound();
    this.#start();
    this.#start();
  }

  static async open(seed: number): Promise<Campaign> {
    const timers = new ManualTimers();
    const [{ store: real, cleanUp }, market] = await Promise.all([
      openTestStore('sqlite'),
      openTestMarket('with programs', (network) => new ChaosChain(network)),
    ]);
    const chain = market.chain as ChaosChain;
    const store = { ...real, now: async () => timers.now() };
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
    const running = new Set<Promise<void>>();
    for (let made = 0; made < orders; ) {
      while (running.size < CONCURRENT && made < orders) {
        made++;
        const work = this.#live().finally(() => running.delete(work));
        running.add(work);
      }
      await this.#pass();
    }
    while (running.size > 0) await this.#pass();
    for (let round = 0; round < 200; round++) await this.#pass();
    await this.#rest();
  }

  /** The life of one order, as far as its wallet takes part in it. */
  async #live(): Promise<void> {
    const random = this.#random;
    const wallet = random.pick(this.#wallets);
    const price = this.#prices.at(-1) ?? 0;
    const sellsSol = random.chance(0.5);
    const id = await wallet.makeOrder(this.#link, {
      inputMint: sellsSol ? WRAPPED_SOL_MINT : USDC,
      outputMint: sellsSol ? USDC : WRAPPED_SOL_MINT,
      amount: sellsSol
        ? BigInt(random.below(900) + 100) * 1_000_000n
        : BigInt(random.below(180) + 20) * 1_000_000n,
      condition: random.chance(0.5) ? 'above' : 'below',
      triggerPriceUsd: Number((price * (1 + (random.fraction() - 0.5) * 0.06)).toFixed(4)),
      slippageBps: random.chance(0.5) ? null : random.below(300),
      expiresAt:
        this.#timers.now() + (random.chance(0.2) ? random.below(60) * 1_000 + 5_000 : 86_400_000_000),
    });
    if (id === null) return;
    for (let rounds = random.below(30); rounds > 0; rounds--) await this.#round;
    if (random.chance(0.2)) await this.#sendDust(wallet);
    if (random.chance(0.4)) await wallet.cancelOrder(this.#link, id);
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
    this.#movePrice();
    if (!this.#isQuiet && this.#random.chance(0.01)) {
      this.#count('clock jumps');
      this.#timers.advance(CLOCK_JUMP_MS);
    }
    await this.#chain.passSlots(SLOTS_PER_ROUND);
    for (const { calls } of [...this.#processes, ...this.#ended]) calls.passRound();
    for (const { keeper } of this.#processes) keeper.notePrice(WRAPPED_SOL_MINT);
    this.#timers.advance(ROUND_MS);
    await this.#settle();
    this.#restart();
    const begin = this.#nextRound;
    this.#beginRound();
    begin();
    await this.#settle();
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
    await this.#passUntilFinished();
    const left = (await this.#readRecords()).filter(({ order }) =>
      ['open', 'expired', 'ready_to_cancel'].includes(order.state),
    );
    for (const { order } of left.filter(() => this.#random.chance(0.8))) {
      const wallet = this.#wallets.find(({ address }) => address === order.wallet);
      const cancelled = wallet?.cancelOrder(this.#link, order.id) ?? Promise.resolve();
      let isDone = false;
      void cancelled.finally(() => {
        isDone = true;
      });
      while (!isDone) await this.#pass();
    }
    await this.#passUntilFinished();
  }

  async #passUntilFinished(): Promise<void> {
    for (let round = 0; round < MAX_QUIET_ROUNDS; round++) {
      await this.#pass();
      const records = await this.#readRecords();
      const isUnderWay = ({ order }: StoredOrderRecord) =>
        (UNFINISHED_STATES as readonly OrderState[]).includes(order.state);
      if (!records.some(isUnderWay)) return;
    }
  }

  async reckon(): Promise<CampaignResult> {
    const records = await this.#readRecords();
    const states = new Map<OrderState, number>();
    for (const { order } of records) states.set(order.state, (states.get(order.state) ?? 0) + 1);
    const differences = await findOrderDifferences(this.#chain, records, {
      leastOutput: (order, input) => this.#computeLeast(order, input),
    });
    const known = new Set(records.map(({ order }) => order.account));
    const lost = this.#wallets
      .flatMap(({ accounts }) => accounts)
      .filter((account) => !known.has(account) && readTokenBalance(this.#network.account(account)) > 0n);
    return {
      states,
      faults: this.#faults,
      fills: records
        .flatMap(({ transactions }) => transactions)
        .filter(({ kind, outcome }) => kind === 'fill' && outcome === 'success').length,
      differences: [
        ...differences,
        ...lost.map((account) => `the deposit in ${account} landed, and no order knows it`),
        ...this.#defects.map((error) => `a defect was reported: ${error}`),
      ],
    };
  }

  /** By the prices of all fills that were planned for the order. */
  #computeLeast(order: WaitingOrder, input: bigint): bigint {
    const { id, inputMint, slippageBps, triggerMint, condition } = order;
    const isProtective = (triggerMint === inputMint) === (condition === 'below');
    const named = slippageBps ?? (isProtective ? 2_000 : 0);
    const slippage = Math.min(Math.max(named, LIMITS.floorBps), LIMITS.maxFloorBps);
    const floors = (this.#planned.get(id) ?? []).map(({ referenceIn, referenceOut }) => {
      const worth = (Number(input) * (referenceIn ?? 0)) / 10 ** getDecimals(inputMint);
      const received = (worth * 10 ** getDecimals(order.outputMint)) / (referenceOut ?? 1);
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
      for (const id of wallet.orders) {
        const order = await orders.get(id);
        if (order !== null) records.push({ order, transactions: await orders.transactionsOf(id) });
      }
    }
    return records;
  }

  #movePrice(): void {
    const last = this.#prices.at(-1) ?? 200;
    const moved = last * (1 + (this.#random.fraction() - 0.5) * 0.012);
    this.#prices.push(Math.min(Math.max(moved, 184), 216));
  }

  #findPrice(mint: Address): number | null {
    if (mint === USDC) return 1;
    return mint === WRAPPED_SOL_MINT ? (this.#prices.at(-1) ?? null) : null;
  }

  #findMedian(mint: Address): number | null {
    if (mint !== WRAPPED_SOL_MINT) return this.#findPrice(mint);
    const sorted = this.#prices.slice(-MEDIAN_OF).sort((one, other) => one - other);
    return sorted[Math.floor(sorted.length / 2)] ?? null;
  }

  async close(): Promise<void> {
    for (const process of [...this.#processes, ...this.#ended]) process.close();
    await this.#closeStore();
  }
}

function isSatisfied({ condition, triggerPrice }: WaitingOrder, price: number): boolean {
  return condition === 'above' ? price >= triggerPrice : price <= triggerPrice;
}

function getDecimals(mint: Address): number {
  return mint === USDC ? 6 : 9;
}

function createWalletAccount(lamports: bigint) {
  return { owner: SYSTEM_PROGRAM, data: new Uint8Array(0), executable: false, rentEpoch: 0n, lamports };
}
