import { randomBytes, randomUUID } from 'node:crypto';
import { NO_METRICS } from '../../src/common/ports/metrics.ts';
import { SYSTEM_TIMERS } from '../../src/common/ports/timers.ts';
import { MasterKey } from '../../src/custody/keys/master-key.ts';
import { openCustody } from '../../src/custody/open-custody.ts';
import type { PlainPrice } from '../../src/market-data/market-data.ts';
import { venueLabels } from '../../src/protocol/venue/venue.ts';
import { VENUES } from '../../src/protocols/venues.ts';
import { type Address, address } from '../../src/solana/address.ts';
import { createKeypairFromSeed, type Keypair } from '../../src/solana/keypair.ts';
import { deriveAssociatedTokenAddress } from '../../src/solana/pda.ts';
import { SYSTEM_PROGRAM, TOKEN_PROGRAM } from '../../src/solana/program-addresses.ts';
import { bps } from '../../src/solana/units.ts';
import { USDC } from '../../src/testing/genesis-market/makers.ts';
import { openTestStore } from '../../src/testing/store/test-store.ts';
import { numbered } from '../../src/testing/test-tokens.ts';
import { ManualTimers } from '../../src/testing/timers.ts';
import { ordinaryTokenAccount } from '../../src/testing/token-account.ts';
import { createTestOrder } from '../../src/testing/waiting-orders/test-orders.ts';
import { TOKEN_ACCOUNT_RENT } from '../../src/transactions/build/closings.ts';
import { FillPlanner } from '../../src/waiting-orders/fills/fill-planner.ts';
import { GasWallet } from '../../src/waiting-orders/fills/gas-wallet.ts';
import { readLandedFill } from '../../src/waiting-orders/fills/landed-fill.ts';
import { createFillMaker } from '../../src/waiting-orders/keeper/create-fill-maker.ts';
import { OrderKeeper } from '../../src/waiting-orders/keeper/order-keeper.ts';
import { findOrderPrices } from '../../src/waiting-orders/opening/order-prices.ts';
import { MEDIAN_SLOTS } from '../../src/waiting-orders/references/price-history.ts';
import { ReferencePrices } from '../../src/waiting-orders/references/reference-prices.ts';
import { WaitingOrderStore } from '../../src/waiting-orders/store/order-store.ts';
import { TriggerIndex } from '../../src/waiting-orders/triggers/trigger-index.ts';
import type { FillMaker } from '../../src/waiting-orders/keeper/begin-fill.ts';
import type { OrderLeg } from '../../src/waiting-orders/order-plan.ts';
import { NEVER, type WaitingOrder } from '../../src/waiting-orders/waiting-order.ts';
import { type EmbeddedMarket, openEmbeddedMarket } from '../market/embedded-market.ts';
import { storeOrders, storeWaitingOrders, WAITED_PRICE } from './open-orders.ts';

const TAKER = createKeypairFromSeed(new Uint8Array(32).fill(77));
export const JUP = address('JUPyiwrYJFskUPiHa7hkeR8VUtAeFoSYbKedZNsDvCN');
const WALLETS = 50;
/** Mints that the orders wait for which are never triggered. */
const WAITED_MINTS = 1_000;
/** US dollars for one JUP in the genesis. */
const JUP_DOLLARS = 0.49;
const DECIMALS = 6;
/** Some 12 dollars. */
const SOLD = 25_000_000n;
const LOOK_MS = 20;
const GAS_LIMIT = 1_000_000_000_000n;
const TAKER_HOLDS = 1_000_000_000_000n;
const YEAR_MS = 365 * 86_400_000;
export const HOUR_MS = 3_600_000;

export interface OrderMarketOptions {
  /** Open orders that are never triggered. */
  readonly waiting: number;
  /** How many orders each step of the price triggers: each sells JUP for USDC from an account of its own on the network. */
  readonly steps: readonly number[];
  /** Recurring orders whose first round is due in an hour. Each sells JUP for USDC, too. Default 0. */
  readonly rounds?: number;
  readonly slotMs: number;
}

/**
 * A keeper over the embedded network, a store on disk and keys in custody, with open orders in the store. Slots pass for the
 * triggers, and prices change, when the bench says so; the network itself runs all the time.
 */
export class OrderMarket {
  readonly market: EmbeddedMarket;
  readonly index: TriggerIndex;
  /** A wallet with the tokens that the orders sell, for swaps without a wait. */
  readonly taker: Keypair = TAKER;
  readonly waitedMints: readonly Address[];
  /** The heap and the external memory before the open orders were read. */
  readonly bytesBefore: number;
  readonly #keeper: OrderKeeper;
  readonly #references: ReferencePrices;
  readonly #timers = new ManualTimers();
  readonly #watchers = new Map<Address, () => void>();
  readonly #prices = new Map<Address, number>();
  readonly #close: () => Promise<void>;
  #slot = 1;
  #step = 0;
  readonly #clock: { aheadMs: number };
  /** Called with each fill that is on its way to the network. */
  onSubmit: () => void = () => undefined;
  /** Called with what each fill belongs to that is signed. */
  onSign: (leg: OrderLeg) => void = () => undefined;

  static async open(options: OrderMarketOptions, collectGarbage: () => void): Promise<OrderMarket> {
    const stored = await openTestStore('sqlite');
    const { custody, close } = await openCustody({
      store: stored.store,
      masters: { current: new MasterKey(randomBytes(32)), previous: null },
      now: Date.now,
      every: () => () => undefined,
      onDefect: fail,
    });
    const wallets = Array.from({ length: WALLETS }, (_, index) => numbered(9_000_000 + index));
    const vaults: Address[] = [];
    for (const wallet of wallets) vaults.push((await custody.createVault(wallet)).vault);
    const rounds = createRecurringOrders(wallets, vaults, options.rounds ?? 0);
    const triggered = [...createTriggeredOrders(wallets, vaults, options.steps), ...rounds];
    const market = await openEmbeddedMarket(options.slotMs, [
      ...createAccounts(wallets, triggered),
      ...createTaker(),
    ]);
    const network = market.chain.genesisHash;
    const waitedMints = Array.from({ length: WAITED_MINTS }, (_, index) => numbered(8_000_000 + index));
    const pattern = createTestOrder(1, {
      inputMint: JUP,
      outputMint: USDC.mint,
      triggerMint: JUP,
      condition: 'below',
      triggerPrice: 1e-9,
      expiresAt: Date.now() + YEAR_MS,
    });
    await storeWaitingOrders(stored.store, network, pattern, { count: options.waiting, mints: waitedMints });
    await storeOrders(stored.store, network, triggered);
    const clock = { aheadMs: 0 };
    const gasWallet = await GasWallet.open(market.genesis.keys.sponsor, {
      limits: { perWallet: GAS_LIMIT, inAll: GAS_LIMIT },
      store: stored.store,
      chain: market.chain,
    });
    collectGarbage();
    return new OrderMarket({
      market,
      custody,
      gasWallet,
      waitedMints,
      clock,
      orders: new WaitingOrderStore({
        store: stored.store,
        network,
        historyDays: 0,
        aheadMs: () => clock.aheadMs,
      }),
      close: async () => {
        gasWallet.close();
        await market.close();
        await close();
        await stored.cleanUp();
      },
    });
  }

  private constructor({ market, custody, gasWallet, orders, waitedMints, clock, close }: OpenedParts) {
    this.#clock = clock;
    this.market = market;
    this.waitedMints = waitedMints;
    this.#close = close;
    for (const mint of waitedMints) this.#prices.set(mint, WAITED_PRICE);
    this.#prices.set(JUP, JUP_DOLLARS);
    this.#prices.set(USDC.mint, 1);
    this.#references = new ReferencePrices({
      marketData: {
        watch: ([mint], onChange) => {
          if (mint !== undefined) this.#watchers.set(mint, () => onChange(mint, null));
          return () => undefined;
        },
        plainPrice: (mint) => this.#price(mint),
      },
      chain: { slot: () => BigInt(this.#slot), unhealthy: () => market.chain.unhealthy() },
      holdSlots: 1,
      timers: this.#timers,
      onDefect: fail,
    });
    this.index = new TriggerIndex({
      seeds: [randomBytes(4).readInt32LE(), randomBytes(4).readInt32LE()],
      onMint: (mint, isNamed) => (isNamed ? this.#references.follow(mint) : this.#references.unfollow(mint)),
    });
    const planner = new FillPlanner({
      market: market.market,
      venueLabels: venueLabels(VENUES),
      gasWallet: gasWallet.keypair.address,
      isGasEmpty: () => gasWallet.isEmpty(),
      limits: { floorBps: 500, maxFloorBps: 2_500 },
      feeBps: bps(0),
    });
    this.#keeper = new OrderKeeper({
      earn: { find: () => null },
      holder: randomUUID(),
      orders,
      chain: this.#watchSubmissions(market.chain),
      settle: () => Promise.reject(new Error('there is no deposit and no withdrawal')),
      fills: this.#watchSigning(createFillMaker({ planner, gasWallet, custody, onDefect: fail })),
      index: this.index,
      findHeldPrice: (mint) => this.#references.held(mint),
      findPrices: (order) => findOrderPrices(this.#references, order),
      readFill: (landed, sale) => {
        const fill = readLandedFill(sale, landed);
        return fill.kind === 'filled' ? fill : fail('a fill', fill.error);
      },
      describeFailure: market.market.describeFailure,
      timers: SYSTEM_TIMERS,
      metrics: NO_METRICS,
      outage: { onFailure: (error) => fail('store', error), onAnswer: () => undefined },
      onDefect: fail,
    });
    this.#references.onTick((mint) => this.#keeper.notePrice(mint));
    const { heapUsed, external } = process.memoryUsage();
    this.bytesBefore = heapUsed + external;
  }

  /** Reads all open orders. Returns how many milliseconds that took. */
  async start(count: number): Promise<number> {
    const begin = performance.now();
    this.#keeper.start();
    while (this.index.size < count || this.#keeper.unhealthy() !== null) await pause(10);
    const milliseconds = performance.now() - begin;
    for (let slot = 0; slot < MEDIAN_SLOTS + 2; slot++) this.pass();
    return milliseconds;
  }

  /** Sets the price to where it triggers the orders of the next step, and lets it hold until the slot before. */
  approach(): void {
    this.setPrice(JUP, stepPrice(this.#step++));
    this.#timers.advance(0);
    this.pass();
  }

  setPrice(mint: Address, dollars: number): void {
    this.#prices.set(mint, dollars);
    this.#watchers.get(mint)?.();
  }

  /** Has everything looked at that is waiting to be. */
  flush(): void {
    while (this.#timers.waiting > 1) this.#timers.advance(0);
  }

  /** Begins a slot. If a price has held for long enough, the keeper knows when this returns. */
  pass(): void {
    this.#slot++;
    this.#timers.advance(LOOK_MS);
    this.flush();
  }

  /** Puts the clock forward, as a user does. */
  advanceClock(milliseconds: number): void {
    this.#clock.aheadMs += milliseconds;
  }

  async close(): Promise<void> {
    await this.#keeper.close();
    this.#references.close();
    await this.#close();
  }

  #price(mint: Address): PlainPrice | null {
    const dollars = this.#prices.get(mint);
    if (dollars === undefined) return null;
    return { usdPrice: dollars, dollarsPerAtom: dollars / 10 ** DECIMALS, decimals: DECIMALS };
  }

  #watchSigning(fills: FillMaker): FillMaker {
    return {
      ...fills,
      sign: (sale, plan) => {
        this.onSign(sale.leg);
        return fills.sign(sale, plan);
      },
    };
  }

  #watchSubmissions(chain: EmbeddedMarket['chain']): EmbeddedMarket['chain'] {
    return new Proxy(chain, {
      get: (_, name) => {
        const member: unknown = Reflect.get(chain, name, chain);
        if (typeof member !== 'function') return member;
        if (name !== 'send') return member.bind(chain);
        return (...sent: Parameters<typeof chain.send>) => {
          this.onSubmit();
          return chain.send(...sent);
        };
      },
    });
  }
}

interface OpenedParts {
  readonly market: EmbeddedMarket;
  readonly custody: Awaited<ReturnType<typeof openCustody>>['custody'];
  readonly gasWallet: GasWallet;
  readonly orders: WaitingOrderStore;
  readonly waitedMints: readonly Address[];
  readonly clock: { aheadMs: number };
  readonly close: () => Promise<void>;
}

function stepPrice(step: number): number {
  return JUP_DOLLARS * (1 + (step + 1) * 1e-5);
}

function createTriggeredOrders(
  wallets: readonly Address[],
  vaults: readonly Address[],
  steps: readonly number[],
): readonly WaitingOrder[] {
  const prices = steps.flatMap((count, step) => Array<number>(count).fill(stepPrice(step)));
  return prices.map((triggerPrice, index) =>
    createTestOrder(100 + index, {
      id: randomUUID(),
      depositRequestId: randomUUID(),
      wallet: wallets[index % WALLETS] as Address,
      vault: vaults[index % WALLETS] as Address,
      account: numbered(10_000_000 + index),
      inputMint: JUP,
      outputMint: USDC.mint,
      triggerMint: JUP,
      condition: 'above',
      triggerPrice,
      inputAmount: SOLD,
      remaining: SOLD,
      expiresAt: Date.now() + YEAR_MS,
    }),
  );
}

function createRecurringOrders(
  wallets: readonly Address[],
  vaults: readonly Address[],
  count: number,
): readonly WaitingOrder[] {
  const beginAt = Date.now() + HOUR_MS;
  return Array.from({ length: count }, (_, index) => {
    const order = createTestOrder(1_000_000 + index, {
      id: randomUUID(),
      depositRequestId: randomUUID(),
      wallet: wallets[index % WALLETS] as Address,
      vault: vaults[index % WALLETS] as Address,
      account: numbered(20_000_000 + index),
      inputMint: JUP,
      outputMint: USDC.mint,
      inputAmount: SOLD,
      remaining: SOLD,
      expiresAt: NEVER,
    });
    return {
      ...order,
      plan: { kind: 'time_based', rounds: 2, intervalMs: HOUR_MS, beginAt, band: null, earnMint: null },
      rounds: { filled: 0, nextAt: beginAt, lastAt: null },
    };
  });
}

/** Returns the wallets with their accounts for the output, and the accounts of the orders. */
function createAccounts(wallets: readonly Address[], orders: readonly WaitingOrder[]) {
  return [
    ...wallets.map(createWallet),
    ...wallets.map((wallet) => createToken(toUsdcAccount(wallet), wallet, USDC.mint, 0n)),
    ...orders.map(({ account, vault }) => createToken(account, vault, JUP, SOLD)),
  ];
}

function createTaker() {
  const { address: wallet } = TAKER;
  const paid = deriveAssociatedTokenAddress(wallet, JUP, TOKEN_PROGRAM);
  return [
    createWallet(wallet),
    createToken(paid, wallet, JUP, TAKER_HOLDS),
    createToken(toUsdcAccount(wallet), wallet, USDC.mint, 0n),
  ];
}

function toUsdcAccount(wallet: Address): Address {
  return deriveAssociatedTokenAddress(wallet, USDC.mint, TOKEN_PROGRAM);
}

function createWallet(wallet: Address) {
  const plain = { owner: SYSTEM_PROGRAM, data: new Uint8Array(0), executable: false, rentEpoch: 0n };
  return { address: wallet, account: { ...plain, lamports: 10_000_000_000n } };
}

function createToken(account: Address, owner: Address, mint: Address, amount: bigint) {
  const data = ordinaryTokenAccount({ owner, mint, amount });
  const plain = { owner: TOKEN_PROGRAM, executable: false, rentEpoch: 0n };
  return { address: account, account: { ...plain, lamports: TOKEN_ACCOUNT_RENT, data } };
}

function fail(where: string | unknown, error?: unknown): never {
  throw new Error(`${String(where)}: ${String(error)}`, { cause: error });
}

function pause(milliseconds: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, milliseconds));
}
