import type { Leases } from '../../common/ports/leases.ts';
import { Unavailable } from '../../common/unavailable.ts';
import { CONTRACT_STEP, MICRO_PER_CONTRACT } from '../../exchange/exchange.ts';
import { joinProgramErrorNames } from '../../market/program-errors.ts';
import { PREDICTION_ROUND_MS } from '../../predictions/keeper/prediction-keeper.ts';
import { createGiftBudget } from '../../predictions/keeper/gift-budget.ts';
import { PredictionAccountFollower } from '../../predictions/following/prediction-account-follower.ts';
import {
  openPredictionKeeper,
  type OpenedPredictionKeeper,
} from '../../predictions/opening/open-prediction-keeper.ts';
import type { PredictionMarket, PredictionResult } from '../../predictions/prediction.ts';
import { PROTOCOLS } from '../../protocols/index.ts';
import {
  decodePredictionOrder,
  decodePredictionPosition,
  decodePredictionResult,
  type PredictionPositionAccount,
  type PredictionResultAccount,
} from '../../protocols/jupiter-prediction/prediction-accounts.ts';
import { createNewPredictionOrder } from '../../protocols/jupiter-prediction/instructions/prediction-order-instructions.ts';
import { createClaimPredictionPayout } from '../../protocols/jupiter-prediction/instructions/prediction-payout-instructions.ts';
import {
  derivePredictionOrder,
  derivePredictionPosition,
  derivePredictionResult,
  derivePredictionTokens,
  JUPUSD_MINT,
  PREDICTION_PROGRAM,
  PREDICTION_VAULT,
  PREDICTION_VAULT_TOKEN_ACCOUNT,
} from '../../protocols/jupiter-prediction/prediction-program.ts';
import {
  decodePredictionVault,
  encodePredictionVault,
  type PredictionVaultAccount,
} from '../../protocols/jupiter-prediction/prediction-vault.ts';
import type { Address } from '../../solana/address.ts';
import { createKeypairFromSeed, type Keypair } from '../../solana/keypair.ts';
import { SYSTEM_PROGRAM, TOKEN_PROGRAM } from '../../solana/program-addresses.ts';
import { encodeMint } from '../../solana/programs/token/mint.ts';
import type { Store } from '../../store/index.ts';
import { createFailureDescriber } from '../../transactions/transaction-failure.ts';
import type { GasLimits } from '../../waiting-orders/fills/gas-budget.ts';
import { GasWallet } from '../../waiting-orders/fills/gas-wallet.ts';
import { CountedMetrics } from '../counted-metrics.ts';
import { SvmChain } from '../svm/chain.ts';
import { TestNetwork, type TestOutcome } from '../svm/network.ts';
import { ManualTimers } from '../timers.ts';
import { ordinaryTokenAccount } from '../token-account.ts';
import { InterruptedCalls } from '../waiting-orders/interrupted.ts';
import { HeldEvents } from './held-events.ts';
import { CREATED_AT, createTestEvent } from './test-events.ts';

/** What the house has in the vault, in micro USD. */
export const HOUSE_FUNDS = 1_000_000_000_000n;
const MAX_ROUNDS = 200;

/** What a test says of an order. The rest is derived. */
export interface RigOrder {
  readonly owner: Address;
  readonly market: PredictionMarket;
  readonly isYes?: boolean;
  readonly isBuy?: boolean;
  /** Micro-contracts. */
  readonly contracts?: bigint;
  /** Micro USD for one contract. */
  readonly price?: bigint;
  /** Micro USD. Default: enough for all contracts and the fee. */
  readonly deposit?: bigint;
  readonly isLimit?: boolean;
}

/** A keeper of its own process, with everything that it calls. */
export interface PredictionProcess {
  readonly keeper: OpenedPredictionKeeper;
  readonly calls: InterruptedCalls;
  readonly accounts: PredictionAccountFollower;
}

/** A chain on which tests read the accounts that a transaction wrote. */
class RigChain extends SvmChain {
  beforeSend: () => void = () => undefined;

  override send(transaction: Uint8Array): Promise<string> {
    this.beforeSend();
    return super.send(transaction);
  }
}

/** Keepers over the real program, a real exchange in a database, events that the test keeps, and a clock that it moves. */
export class PredictionRig {
  readonly network = new TestNetwork(['prediction', 'lighthouse'], 'predictions');
  readonly chain: RigChain;
  readonly events = new HeldEvents();
  readonly timers = new ManualTimers();
  readonly metrics = new CountedMetrics();
  readonly keys = {
    authority: newKey(1),
    keeper: newKey(2),
    cosigner: newKey(3),
  };
  readonly outages: unknown[] = [];
  readonly defects: unknown[] = [];
  limits: GasLimits = { perWallet: 100_000_000n, inAll: 10_000_000_000n };
  orderLifetime = 86_400n;
  readonly #store: Store;
  readonly #processes: PredictionProcess[] = [];
  readonly #wallets: GasWallet[] = [];
  #orders = 0;
  #events = 0;

  constructor(store: Store) {
    this.#store = store;
    this.network.setUnixTime(BigInt(CREATED_AT));
    this.chain = new RigChain(this.network);
    this.setVault({});
    this.network.setData(
      JUPUSD_MINT,
      TOKEN_PROGRAM,
      encodeMint({
        mintAuthority: null,
        supply: 1n << 62n,
        decimals: 6,
        freezeAuthority: null,
        extensions: [],
      }),
    );
    this.setTokens(PREDICTION_VAULT.address, HOUSE_FUNDS);
    this.setLamports(this.keys.keeper.address, 100_000_000_000n);
    this.setLamports(this.keys.cosigner.address, 1_000_000_000n);
  }

  setVault(changes: Partial<PredictionVaultAccount>): void {
    const { authority, keeper, cosigner } = this.keys;
    const vault = encodePredictionVault({
      settlementMint: JUPUSD_MINT,
      currentContracts: 0n,
      globalMaxContracts: 1_000_000_000_000_000n,
      positionMaxContracts: 100_000_000_000_000n,
      positionMaxOrders: 64,
      protocolFeeBps: 0,
      settlementDelaySeconds: 86_400n,
      depositsDisabled: false,
      withdrawalsDisabled: false,
      tradingDisabled: false,
      bump: PREDICTION_VAULT.bump,
      admin: keeper.address,
      authority: authority.address,
      keeper: keeper.address,
      cosigner: cosigner.address,
      ...changes,
    });
    this.network.setData(PREDICTION_VAULT.address, PREDICTION_PROGRAM, vault);
  }

  setTokens(owner: Address, amount: bigint): void {
    const data = ordinaryTokenAccount({ mint: JUPUSD_MINT, owner, amount });
    this.network.setData(derivePredictionTokens(owner), TOKEN_PROGRAM, data);
  }

  setLamports(address: Address, lamports: bigint): void {
    this.network.setAccount(address, {
      lamports,
      owner: SYSTEM_PROGRAM,
      data: new Uint8Array(0),
      executable: false,
      rentEpoch: 0n,
    });
  }

  /** Creates a market, whose house begins at 50 cents and offers 100 contracts at each. */
  market(changes: Partial<PredictionMarket> = {}): PredictionMarket {
    const event = createTestEvent(++this.#events);
    const [first] = event.markets;
    if (first === undefined) throw new Error('the event has no market');
    const house = { startCents: 50, levelContracts: 100n * MICRO_PER_CONTRACT };
    const market = { ...first, openAt: CREATED_AT, feeBps: 700, house, ...changes };
    this.events.put({ ...event, markets: [market] });
    return market;
  }

  /** Creates a wallet with tokens. */
  trader(tokens = 1_000_000_000n): Address {
    const owner = this.network.newWallet();
    this.setTokens(owner, tokens);
    return owner;
  }

  /** Has an order land, and tells everybody of it. Returns its address. */
  order(terms: RigOrder): Address {
    const { owner, market } = terms;
    const { isYes = true, isBuy = true, isLimit = false, contracts = 10n * MICRO_PER_CONTRACT } = terms;
    const price = terms.price ?? (isBuy ? 990_000n : 10_000n);
    const externalOrderId = String(++this.#orders).padStart(32, '0');
    const worth = (contracts * price) / MICRO_PER_CONTRACT;
    const depositAmount = isBuy ? (terms.deposit ?? worth + worth / 10n + CONTRACT_STEP) : 0n;
    this.must(
      this.network.send([
        createNewPredictionOrder(
          { owner, payer: owner, authority: this.keys.authority.address },
          {
            externalOrderId,
            marketIdHash: market.marketIdHash,
            isYes,
            isBuy,
            contracts,
            limitPrice: price,
            depositAmount,
            isLimit,
            integrator: null,
          },
        ),
      ]),
    );
    const { address } = derivePredictionOrder(owner, externalOrderId);
    const position = derivePredictionPosition(market.marketIdHash, owner, isYes).address;
    this.chain.publish([address, position, derivePredictionTokens(owner)]);
    return address;
  }

  must({ error, logs }: TestOutcome): void {
    if (error !== null) throw new Error(`${error.custom ?? error.kind}: ${logs.join('\n')}`);
  }

  readOrder(address: Address) {
    const account = this.network.account(address);
    return account === null ? null : decodePredictionOrder(account.data);
  }

  /** Whether an order is still on the chain. */
  isOpen(address: Address): boolean {
    return this.readOrder(address) !== null;
  }

  position(owner: Address, market: PredictionMarket, isYes = true): PredictionPositionAccount | null {
    const { address } = derivePredictionPosition(market.marketIdHash, owner, isYes);
    const account = this.network.account(address);
    return account === null ? null : decodePredictionPosition(account.data);
  }

  /** The contracts of a position, in micro-contracts. */
  held(owner: Address, market: PredictionMarket, isYes = true): bigint {
    return this.position(owner, market, isYes)?.contracts ?? 0n;
  }

  tokens(owner: Address): bigint {
    const account = derivePredictionTokens(owner);
    return this.network.account(account) === null ? 0n : this.network.tokenBalance(account);
  }

  /** Decides a market, as an administrator does. */
  decide({ marketId }: PredictionMarket, result: PredictionResult): void {
    const resolvedAt = Number(this.now());
    this.events.change(marketId, { status: 'closed', result, resolvedAt });
  }

  /** The result of a market that is on the chain; null if there is none. */
  result({ marketIdHash }: PredictionMarket): PredictionResultAccount | null {
    const account = this.network.account(derivePredictionResult(marketIdHash).address);
    return account === null ? null : decodePredictionResult(account.data);
  }

  /** The owner of a won position claims. */
  claim(owner: Address, { marketIdHash }: PredictionMarket, isYes = true): void {
    this.must(this.network.send([createClaimPredictionPayout({ owner, marketIdHash, isYes })]));
    this.chain.publish([derivePredictionPosition(marketIdHash, owner, isYes).address]);
  }

  lamports(address: Address): bigint {
    return this.network.account(address)?.lamports ?? 0n;
  }

  /** The rent that a position's account holds. */
  rentOf(owner: Address, market: PredictionMarket, isYes = true): bigint {
    return this.lamports(derivePredictionPosition(market.marketIdHash, owner, isYes).address);
  }

  /** How many transactions with fills have succeeded. */
  fills(): number {
    return this.metrics.countsOf('sluice_predictions_transactions_total')['fill success'] ?? 0;
  }

  /** The keeper of the first process. */
  get keeper(): OpenedPredictionKeeper {
    const [process] = this.#processes;
    if (process === undefined) throw new Error('no keeper was started');
    return process.keeper;
  }

  get firstMarket(): PredictionMarket {
    const [market] = this.events.listEvents()[0]?.markets ?? [];
    if (market === undefined) throw new Error('there is no market');
    return market;
  }

  /** Changes the vault's limits. */
  changeVault(changes: Partial<PredictionVaultAccount>): void {
    const account = this.network.account(PREDICTION_VAULT.address);
    const vault = account === null ? null : decodePredictionVault(account.data);
    if (account === null || vault === null) throw new Error('there is no vault');
    const data = Buffer.from(account.data);
    const encoded = encodePredictionVault({ ...vault, ...changes });
    // The program keeps more behind what is encoded here.
    data.set(encoded.subarray(0, 215));
    this.network.setAccount(PREDICTION_VAULT.address, { ...account, data });
    this.chain.publish([PREDICTION_VAULT.address]);
  }

  get vaultTokens(): bigint {
    return this.network.tokenBalance(PREDICTION_VAULT_TOKEN_ACCOUNT);
  }

  now(): bigint {
    return this.chain.clock().unixTimestamp;
  }

  passSeconds(seconds: bigint): void {
    this.network.setUnixTime(this.now() + seconds);
  }

  /** Starts a keeper that has seen nothing of the others. */
  async start({
    calls = new InterruptedCalls(),
    leases = null,
    store = this.#store,
  }: {
    readonly calls?: InterruptedCalls;
    readonly leases?: Leases | null;
    readonly store?: Store;
  } = {}): Promise<PredictionProcess> {
    const chain = calls.wrap(this.chain);
    const onFailure = (error: unknown) => {
      (error instanceof Unavailable ? this.outages : this.defects).push(error);
    };
    const outage = { onFailure, onAnswer: () => undefined };
    const onDefect = (_: string, error: unknown) => this.defects.push(error);
    const { limits, timers, metrics, events, keys } = this;
    const accounts = await PredictionAccountFollower.open({ chain: this.chain, timers, outage, onDefect });
    const wallet = await GasWallet.open(keys.keeper, { limits, store, chain: this.chain });
    this.#wallets.push(wallet);
    const opening = openPredictionKeeper({
      chain,
      store: calls.wrap(store),
      describeFailure: createFailureDescriber(joinProgramErrorNames(PROTOCOLS)),
      events,
      accounts,
      unread: () => accounts.unhealthy(),
      wallet: {
        keypair: wallet.keypair,
        budget: calls.wrap(wallet.budget),
        isEmpty: () => wallet.isEmpty(),
      },
      giftBudget: calls.wrap(createGiftBudget(keys.keeper.address, limits, store)),
      cosigner: keys.cosigner,
      leases,
      timers,
      metrics,
      orderLifetimeSeconds: this.orderLifetime,
      outage,
      onDefect,
    });
    for (let quiet = 0; quiet < 30; quiet++) await new Promise(setImmediate);
    // A process that is killed while it opens never opens.
    timers.advance(5_000);
    const process = { keeper: await opening, calls, accounts };
    this.#processes.push(process);
    await this.quiet();
    return process;
  }

  /** Waits until no call of a keeper is under way. */
  async quiet(): Promise<void> {
    for (let quiet = 0; quiet < 12; quiet++) {
      await new Promise(setImmediate);
      if (this.#processes.some(({ calls }) => calls.pending > 0)) quiet = -1;
    }
  }

  /** Lets rounds pass, by the clock of the keepers. */
  async pass(rounds = 1): Promise<void> {
    for (let round = 0; round < rounds; round++) {
      this.timers.advance(PREDICTION_ROUND_MS);
      await this.quiet();
    }
  }

  /** Lets rounds pass until something is so. */
  async runUntil(isDone: () => boolean): Promise<void> {
    for (let round = 0; round < MAX_ROUNDS && !isDone(); round++) await this.pass();
    if (!isDone()) throw new Error(`it did not happen: ${this.outages} ${this.defects}`);
  }

  /** Lets rounds pass until these orders are closed. */
  runUntilClosed(...orders: readonly Address[]): Promise<void> {
    return this.runUntil(() => orders.every((order) => !this.isOpen(order)));
  }

  /** Ends a process as if it was killed. */
  kill({ calls, keeper, accounts }: PredictionProcess): void {
    calls.kill();
    void keeper.close();
    void accounts.close();
  }

  async closeAll(): Promise<void> {
    for (const { keeper, accounts } of this.#processes.splice(0)) {
      void keeper.close();
      void accounts.close();
    }
    for (let turn = 0; turn < 12; turn++) await new Promise(setImmediate);
    this.timers.advance(10_000);
    for (let turn = 0; turn < 12; turn++) await new Promise(setImmediate);
    for (const wallet of this.#wallets.splice(0)) wallet.close();
  }
}

function newKey(number: number): Keypair {
  return createKeypairFromSeed(new Uint8Array(32).fill(number));
}
