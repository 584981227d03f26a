import { randomBytes, randomUUID } from 'node:crypto';
import type { LandedTransaction } from '../../chain/landed-transactions.ts';
import { type Metrics, NO_METRICS } from '../../common/ports/metrics.ts';
import { type Address, toAddress, toAddressBytes } from '../../solana/address.ts';
import { encodeBase58 } from '../../solana/encoding/base58.ts';
import { createKeypairFromSeed } from '../../solana/keypair.ts';
import { compileMessage } from '../../solana/messages/compile-message.ts';
import type { Instruction } from '../../solana/messages/instruction.ts';
import {
  getTransactionSignature,
  parseTransaction,
  signTransaction,
} from '../../solana/messages/transaction.ts';
import { TOKEN_PROGRAM } from '../../solana/program-addresses.ts';
import { transfer } from '../../solana/programs/token/instructions.ts';
import { encodeMint } from '../../solana/programs/token/mint.ts';
import { transferLamports } from '../../solana/programs/system.ts';
import type { Store } from '../../store/index.ts';
import type { PlannedFill } from '../../waiting-orders/fills/fill-plan.ts';
import type { FillMaker } from '../../waiting-orders/keeper/begin-fill.ts';
import { OrderKeeper, type OrderKeeperOptions } from '../../waiting-orders/keeper/order-keeper.ts';
import { listTriggers } from '../../waiting-orders/legs.ts';
import { findOrderPrices } from '../../waiting-orders/opening/order-prices.ts';
import { findTrailedPrice } from '../../waiting-orders/opening/trailed-price.ts';
import type { PlanKind } from '../../waiting-orders/order-plan.ts';
import { findSale, type OrderSale } from '../../waiting-orders/order-sale.ts';
import { toOrderRow, toTransactionRow } from '../../waiting-orders/store/order-rows.ts';
import { WaitingOrderStore } from '../../waiting-orders/store/order-store.ts';
import { orderTransactions, waitingOrders } from '../../waiting-orders/store/order-tables.ts';
import { TriggerIndex } from '../../waiting-orders/triggers/trigger-index.ts';
import {
  NEVER,
  type OrderTransaction,
  type WaitingOrder,
  type WaitReason,
} from '../../waiting-orders/waiting-order.ts';
import { SvmChain } from '../svm/chain.ts';
import { TestNetwork } from '../svm/network.ts';
import { ManualTimers } from '../timers.ts';
import { ordinaryTokenAccount } from '../token-account.ts';
import { InterruptedCalls } from './interrupted.ts';
import { createTestOrder, type SingleChanges } from './test-orders.ts';

/** What a fill of a test order sells, in atoms. Its accounts have enough for many fills. */
export const SOLD = 20_000_000n;
/** What a fill pays: lamports to a wallet, or atoms to an account of the vault. */
export const PAID = 30_000_000n;
/** What an account of an order holds at first. */
export const FUNDED = 10n * SOLD;
/** What a fill costs the gas wallet at most. */
const GAS = 20_000n;
/** How much time passes at once, and how many slots. */
export const STEP_MS = 5_000;
const STEP_SLOTS = 20n;
const REACHED = 1;
const TRIGGER_PRICE = 1.5;
/** The prices of an order that buys below `TRIGGER_PRICE`, or has bought, at which it sells again. */
export const [TAKE_PROFIT, STOP_LOSS] = [10, 0.5];
export const ROUND_INTERVAL_MS = 60_000;
const MAX_STEPS = 100;
/** All accounts of orders hold this token, so that what one fill pays can be sold by another. */
const MINT = toAddress(new Uint8Array(32).fill(4));

interface SignedFill {
  readonly wire: Uint8Array;
  readonly signature: string;
}

/** A keeper of its own process, with everything that it calls. */
export interface KeeperProcess {
  readonly keeper: OrderKeeper;
  readonly calls: InterruptedCalls;
}

/**
 * Keepers over one store and one chain. A fill moves tokens on a real SVM from the order's account to a market, which pays the
 * wallet, or the vault's other account. A second fill would succeed on the chain, so that only the keepers prevent it.
 */
export class KeeperWorld {
  readonly timers = new ManualTimers();
  readonly network = new TestNetwork();
  readonly chain = new ExpiringChain(this.network);
  readonly orders: WaitingOrderStore;
  /** Of every token, in US dollars. */
  price = REACHED;
  /** The random number by which the next rounds of orders are delayed. */
  random = 0;
  /** Where keepers that are started count. */
  metrics: Metrics = NO_METRICS;
  /** Milliseconds by which the clock of the store is ahead of all others. */
  storeAhead = 0;
  /** What lands a deposit or a withdrawal. */
  settle: OrderKeeperOptions['settle'] = () =>
    Promise.reject(new Error('there is no deposit and no withdrawal'));
  /** Why the next fill cannot be planned; null if it can. */
  refusePlan: (sale: OrderSale) => WaitReason | null = () => null;
  /** Whether fills close the accounts of their orders. */
  closing = false;
  /** Atoms by which fills take less than they sell. */
  shortBy = 0n;
  /** Lamports that are counted for fills. */
  spent = 0n;
  readonly defects: unknown[] = [];
  readonly #store: Store;
  readonly #references: Parameters<typeof findOrderPrices>[0] = {
    held: () => ({ low: this.price, high: this.price }),
    price: () => this.price,
    median: () => this.price,
    toWorth: (_, price) => price,
  };
  readonly #gasWallet = createKeypairFromSeed(new Uint8Array(32).fill(1));
  readonly #market = createKeypairFromSeed(new Uint8Array(32).fill(2));
  readonly #vault = createKeypairFromSeed(new Uint8Array(32).fill(3));
  readonly #marketTokens: Address;
  readonly #processes: KeeperProcess[] = [];

  constructor(store: Store) {
    this.#store = store;
    this.orders = this.#openOrders();
    for (const { address } of [this.#gasWallet, this.#market]) {
      this.network.svm.airdrop(Buffer.from(toAddressBytes(address)), 1_000_000_000_000n);
    }
    const mint = { mintAuthority: null, supply: 0n, decimals: 6, freezeAuthority: null, extensions: [] };
    this.network.setData(MINT, TOKEN_PROGRAM, encodeMint(mint));
    this.#marketTokens = this.#newTokens(this.#market.address, 1_000_000_000_000n);
  }

  /** Starts a keeper that has seen nothing of the others. */
  start(calls = new InterruptedCalls(), maxInFlight = 1_000): KeeperProcess {
    const holder = randomUUID();
    const [orders, chain] = [calls.wrap(this.#openOrders()), calls.wrap(this.chain)];
    const describeFailure = () => ({ code: null, program: null, callers: [], message: 'it failed' });
    const { timers } = this;
    const keeper = new OrderKeeper({
      holder,
      orders,
      chain,
      earn: { find: () => null },
      settle: (transaction) => this.settle(transaction),
      fills: calls.wrap(this.#createFills()),
      index: new TriggerIndex({ seeds: [1, 2] }),
      findHeldPrice: () => ({ low: this.price, high: this.price }),
      findPrices: (order) => findOrderPrices(this.#references, order),
      findWatermark: (mint, condition) => findTrailedPrice(this.#references, mint, condition),
      readFill: (landed, { account, wallet, outputAccount }) => {
        const output =
          outputAccount === null ? getLamportChange(landed, wallet) : getTokenChange(landed, outputAccount);
        return { input: -getTokenChange(landed, account), output, isWhole: this.closing };
      },
      random: () => this.random,
      describeFailure,
      timers,
      metrics: this.metrics,
      maxInFlight,
      outage: { onFailure: () => undefined, onAnswer: () => undefined },
      onDefect: (_, error) => this.defects.push(error),
    });
    const process = { keeper, calls };
    this.#processes.push(process);
    void keeper.start();
    return process;
  }

  /** Stores an open order whose price is `TRIGGER_PRICE` or less. */
  async newOrder(changes: Partial<WaitingOrder> & SingleChanges = {}): Promise<WaitingOrder> {
    const now = this.timers.now();
    const order = createTestOrder(0, {
      id: randomUUID(),
      depositRequestId: randomUUID(),
      wallet: this.network.newWallet(1_000_000_000n),
      vault: this.#vault.address,
      account: this.#newTokens(this.#vault.address, FUNDED),
      inputAmount: SOLD,
      remaining: changes.inputAmount ?? SOLD,
      triggerPrice: TRIGGER_PRICE,
      createdAt: now,
      updatedAt: now,
      expiresAt: now + 86_400_000,
      ...changes,
    });
    await this.#store.db.insert(waitingOrders).values(toOrderRow(this.chain.genesisHash, order));
    return order;
  }

  /**
   * Stores an open order of a kind. One with two exits sells at `TAKE_PROFIT` and `STOP_LOSS`, one with an entry buys at
   * `TRIGGER_PRICE`. A recurring one sells `SOLD` in each of three rounds, the first of which is due now.
   */
  newOrderOf(kind: PlanKind, changes: Partial<WaitingOrder> = {}): Promise<WaitingOrder> {
    if (kind === 'single') return this.newOrder(changes);
    if (kind === 'time_based' || kind === 'price_conditional') return this.#newRecurringOrder(kind, changes);
    const { outputMint: triggerMint } = createTestOrder(0);
    const exits = {
      triggerMint,
      takeProfit: { triggerPrice: TAKE_PROFIT, slippageBps: null },
      stopLoss: { triggerPrice: STOP_LOSS, slippageBps: null },
    };
    if (kind === 'oco') return this.newOrder({ plan: { kind, ...exits }, ...changes });
    const entry = { condition: 'below', triggerPrice: TRIGGER_PRICE, slippageBps: null } as const;
    const plan = { kind, ...exits, ...entry, outputAccount: this.#newTokens(this.#vault.address, FUNDED) };
    return this.newOrder({ plan, ...changes });
  }

  #newRecurringOrder(
    kind: 'time_based' | 'price_conditional',
    changes: Partial<WaitingOrder>,
  ): Promise<WaitingOrder> {
    const { outputMint: triggerMint } = createTestOrder(0);
    const beginAt = this.timers.now() + this.storeAhead;
    const band = kind === 'time_based' ? null : { triggerMint, minPrice: STOP_LOSS, maxPrice: TRIGGER_PRICE };
    const plan = { kind, rounds: 3, intervalMs: ROUND_INTERVAL_MS, beginAt, band, earnMint: null };
    const rounds = { filled: 0, nextAt: beginAt, lastAt: null };
    return this.newOrder({ plan, rounds, inputAmount: 3n * SOLD, expiresAt: NEVER, ...changes });
  }

  /** Returns a token account. Tests on one store do not know the accounts of each other. */
  #newTokens(owner: Address, amount: bigint): Address {
    const account = toAddress(randomBytes(32));
    this.setTokens(account, owner, amount);
    return account;
  }

  /** Writes a token account, whatever was at its address. */
  setTokens(account: Address, owner: Address, amount: bigint): void {
    this.network.setData(account, TOKEN_PROGRAM, ordinaryTokenAccount({ mint: MINT, owner, amount }));
  }

  /** Stores a transaction of an order that only the chain can end. */
  async insertTransaction(transaction: OrderTransaction): Promise<void> {
    await this.#store.db.insert(orderTransactions).values(toTransactionRow(transaction));
  }

  /** Removes all orders from the store, so that no keeper that is started later works on them. */
  async removeOrders(): Promise<void> {
    await this.#store.db.delete(orderTransactions);
    await this.#store.db.delete(waitingOrders);
  }

  /** Signs what fills the leg of an order that is live, or its next round. */
  signFill(order: WaitingOrder): SignedFill {
    return this.#sign(findSale(order, listTriggers(order)[0]?.leg ?? 'round'));
  }

  #sign(sale: OrderSale): SignedFill {
    const sold = (sale.exactly ?? sale.remaining) - this.shortBy;
    const message = compileMessage({
      feePayer: this.#gasWallet.address,
      blockhash: this.chain.newBlockhash(),
      instructions: [
        transfer(TOKEN_PROGRAM, {
          source: sale.account,
          destination: this.#marketTokens,
          authority: this.#vault.address,
          amount: sold,
        }),
        this.#pay(sale),
      ],
    });
    const wire = signTransaction(message, [this.#gasWallet, this.#vault, this.#market]);
    return { wire, signature: getTransactionSignature(parseTransaction(wire)) };
  }

  #pay({ outputAccount, wallet }: OrderSale): Instruction {
    const { address: authority } = this.#market;
    if (outputAccount === null) return transferLamports(authority, wallet, PAID);
    const payment = { source: this.#marketTokens, destination: outputAccount, authority, amount: PAID };
    return transfer(TOKEN_PROGRAM, payment);
  }

  /** How often the account of an order has paid `SOLD`. */
  fillsOf({ account }: WaitingOrder): bigint {
    return this.paidBy(account) / SOLD;
  }

  /** Atoms that an account of an order has paid more than it has received. */
  paidBy(account: Address): bigint {
    return FUNDED - this.network.tokenBalance(account);
  }

  /** Lets rounds pass until the order is in one of the states. */
  async runUntil(id: string, isDone: (order: WaitingOrder) => boolean): Promise<WaitingOrder> {
    for (let step = 0; step < MAX_STEPS; step++) {
      const order = await this.orders.get(id);
      if (order !== null && isDone(order)) return order;
      await this.pass();
    }
    throw new Error(`it did not happen to the order: ${JSON.stringify(await this.orders.get(id), toText)}`);
  }

  /** Lets time pass until the order is filled, or something else is so. */
  async passWhile(
    isOngoing: () => boolean,
    id: string,
    isFilled = (order: WaitingOrder) => order.state === 'fill_success',
  ): Promise<void> {
    for (let step = 0; step < MAX_STEPS && isOngoing(); step++) {
      const order = await this.orders.get(id);
      if (order !== null && isFilled(order)) return;
      await this.pass();
    }
  }

  /** Lets time pass, until all that they have called has answered. */
  async pass(): Promise<void> {
    this.chain.pass(STEP_SLOTS);
    this.timers.advance(STEP_MS);
    await this.quiet();
  }

  /** Sets the price of every token, and tells the keepers of the one that test orders wait for. */
  setPrice(price: number): void {
    this.price = price;
    const { outputMint } = createTestOrder(0);
    for (const { keeper } of this.#processes) keeper.notePrice(outputMint);
  }

  /** Waits until no call of a keeper is under way. */
  async quiet(): Promise<void> {
    for (let quiet = 0; quiet < 3; quiet++) {
      await new Promise(setImmediate);
      if (this.#processes.some(({ calls }) => calls.pending > 0)) quiet = -1;
    }
  }

  async close(): Promise<void> {
    for (const { keeper, calls } of this.#processes) {
      calls.kill();
      void keeper.close();
    }
  }

  #openOrders(): WaitingOrderStore {
    const orders = new WaitingOrderStore({
      store: this.#store,
      network: this.chain.genesisHash,
      historyDays: 0,
    });
    const now = async () => this.timers.now() + this.storeAhead;
    return new Proxy(orders, {
      get: (_, name) => {
        if (name === 'now') return now;
        const member: unknown = Reflect.get(orders, name, orders);
        return typeof member === 'function' ? member.bind(orders) : member;
      },
    });
  }

  #createFills(): FillMaker {
    return {
      plan: async (sale) => {
        const reason = this.refusePlan(sale);
        if (reason !== null) return { kind: 'waits', reason, detail: 'a test says so' };
        const fill: Partial<PlannedFill> = {
          kind: 'fill',
          lastValidBlockHeight: this.chain.lastValidHeight(),
          inputAmount: SOLD,
          held: this.network.tokenBalance(sale.account),
          lamports: GAS,
        };
        return fill as PlannedFill;
      },
      spend: async (wallet, lamports) => {
        this.spent += lamports;
        return { wallet, lamports, day: 0 };
      },
      giveBack: (_, lamports) => {
        this.spent -= lamports;
      },
      sign: async (sale) => this.#sign(sale),
    };
  }
}

function getLamportChange({ accounts, preBalances, postBalances }: LandedTransaction, of: Address): bigint {
  const at = accounts.indexOf(of);
  return (postBalances[at] ?? 0n) - (preBalances[at] ?? 0n);
}

function getTokenChange({ preTokenBalances, postTokenBalances }: LandedTransaction, of: Address): bigint {
  const [before, after] = [preTokenBalances, postTokenBalances].map((balances) =>
    balances.find(({ account }) => account === of),
  );
  return (after?.amount ?? 0n) - (before?.amount ?? 0n);
}

/** A chain on which a transaction can land for 150 blocks after its blockhash was given out. */
class ExpiringChain extends SvmChain {
  readonly #heights = new Map<string, bigint>();
  #blockhashes = 0;

  lastValidHeight(): bigint {
    return this.recentBlockhash().lastValidBlockHeight;
  }

  /** Returns a blockhash that nobody else has. */
  newBlockhash(): Uint8Array {
    const bytes = new Uint8Array(32);
    new DataView(bytes.buffer).setUint32(0, ++this.#blockhashes);
    this.#heights.set(encodeBase58(bytes), this.lastValidHeight());
    return bytes;
  }

  override async send(wire: Uint8Array): Promise<string> {
    const transaction = parseTransaction(wire);
    const last = this.#heights.get(transaction.message.blockhash);
    if (last !== undefined && this.blockHeight('confirmed') > last)
      return getTransactionSignature(transaction);
    return super.send(wire);
  }
}

const toText = (_: string, value: unknown) => (typeof value === 'bigint' ? String(value) : value);
