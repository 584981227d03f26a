import type { Chain } from '../../chain/chain.ts';
import { SYSTEM_TIMERS, type Timers } from '../../common/ports/timers.ts';
import { MasterKey } from '../../custody/keys/master-key.ts';
import { openCustody } from '../../custody/open-custody.ts';
import type { KeyCustody } from '../../custody/custody.ts';
import { OrderEarn } from '../../lend/earn/order-earn.ts';
import type { Address } from '../../solana/address.ts';
import type { Keypair } from '../../solana/keypair.ts';
import { compileMessage } from '../../solana/messages/compile-message.ts';
import type { Instruction } from '../../solana/messages/instruction.ts';
import { parseTransaction, signTransaction } from '../../solana/messages/transaction.ts';
import { deriveAssociatedTokenAddress } from '../../solana/pda.ts';
import { findTokenByMint } from '../../solana/known-tokens.ts';
import { TOKEN_PROGRAM, WRAPPED_SOL_MINT } from '../../solana/program-addresses.ts';
import type { Store } from '../../store/index.ts';
import type { CraftedDeposit, DepositRequest } from '../../waiting-orders/deposits/craft-deposit.ts';
import type { PriceOrderRequest } from '../../waiting-orders/deposits/order-request.ts';
import { EarnYields } from '../../waiting-orders/earning/earn-yield.ts';
import { OrderEdits } from '../../waiting-orders/edits/order-edits.ts';
import { getOrderFamily } from '../../waiting-orders/order-plan.ts';
import { type DepositDependencies, OrderDeposits } from '../../waiting-orders/deposits/order-deposits.ts';
import {
  OrderSettlements,
  type SettlementDependencies,
} from '../../waiting-orders/landing/order-settlements.ts';
import { WaitingOrderStore } from '../../waiting-orders/store/order-store.ts';
import type { WaitingOrder } from '../../waiting-orders/waiting-order.ts';
import {
  type CraftedWithdrawal,
  type LandedWithdrawal,
  OrderWithdrawals,
  type WithdrawalConfirmation,
  type WithdrawalDependencies,
} from '../../waiting-orders/withdrawals/order-withdrawals.ts';
import { type GenesisTestMarket, openTestMarket } from '../genesis-market/open.ts';
import { now } from '../waits.ts';
import { openTestStore, type STORES, type TestStore } from '../store/test-store.ts';

export const USDC = 'EPjFWdd5AufqSSqeM2qN1xzybapC8G4wEGGkZwyTDt1v' as Address;
export const JUP = 'JUPyiwrYJFskUPiHa7hkeR8VUtAeFoSYbKedZNsDvCN' as Address;
export const PYUSD = '2b1kV6DkPAnxd5ixfnxCpjxmKwqjjaYmCZfHsFu24GXo' as Address;
export const BERN = 'CKfatsPMUf8SkiURsDXs7eK6GWb4Jsd6UDbs7twMCWxo' as Address;
const DAY_MS = 86_400_000;

/** What of a desk a test can choose. */
export interface DeskOptions {
  /** Default: 1,000. */
  readonly maxOpen?: number;
  /** Default: none. */
  readonly allowedMints?: ReadonlySet<Address>;
  /** Default: those of the system. */
  readonly timers?: Timers;
  /** Returns what the desk uses in place of the chain of the market. */
  readonly replaceChain?: (chain: Chain) => Chain;
}

/** Deposits, orders and withdrawals over the genesis market in LiteSVM and a database of their own. */
export class OrderDesk {
  readonly market: GenesisTestMarket;
  readonly store: Store;
  readonly custody: KeyCustody;
  readonly orders: WaitingOrderStore;
  readonly settlements: OrderSettlements;
  readonly deposits: OrderDeposits;
  readonly withdrawals: OrderWithdrawals;
  readonly edits: OrderEdits;
  readonly yields: EarnYields;
  /** What `deposits` and `withdrawals` were opened with. */
  readonly dependencies: DepositDependencies & WithdrawalDependencies;
  /** The first demo wallet, which holds SOL and most tokens. */
  readonly wallet: Keypair;
  /** Another wallet that holds them. */
  readonly stranger: Keypair;
  /** Every change that was reported, the oldest first. */
  readonly reported: WaitingOrder[] = [];
  readonly #testStore: TestStore;

  private constructor(market: GenesisTestMarket, testStore: TestStore, store: Store, custody: KeyCustody) {
    this.market = market;
    this.#testStore = testStore;
    this.store = store;
    this.custody = custody;
    const [wallet, stranger] = market.genesis.keys.demoWallets;
    this.wallet = wallet as Keypair;
    this.stranger = stranger as Keypair;
    this.orders = new WaitingOrderStore({ store, network: market.chain.genesisHash, historyDays: 0 });
    this.dependencies = this.#createDependencies({});
    this.settlements = this.dependencies.settlements;
    this.deposits = new OrderDeposits(this.dependencies);
    this.withdrawals = new OrderWithdrawals(this.dependencies);
    this.edits = new OrderEdits(this.dependencies);
    const { chain, earn } = this.dependencies;
    const dollarsPerAtom = (mint: Address) => market.prices.deepDollarsPerAtom(mint);
    this.yields = new EarnYields({ chain, earn, dollarsPerAtom, now: SYSTEM_TIMERS.now });
  }

  #createDependencies(options: DeskOptions): DepositDependencies & WithdrawalDependencies {
    const { prices, describeFailure } = this.market;
    const { orders, custody } = this;
    const { maxOpen = 1_000, allowedMints = new Set<Address>(), timers = SYSTEM_TIMERS } = options;
    const chain = options.replaceChain?.(this.market.chain) ?? this.market.chain;
    const onChange = (order: WaitingOrder) => void this.reported.push(order);
    return {
      chain,
      describeFailure,
      custody,
      orders,
      settlements: new OrderSettlements({ chain, timers, describeFailure, orders, onChange }),
      holder: 'desk',
      worthInDollars: (mint, atoms) => prices.worthInDollars(mint, atoms),
      hasPrice: (mint) => prices.deepDollarsPerAtom(mint) !== null,
      priceOf: (mint) => {
        const perAtom = prices.deepDollarsPerAtom(mint);
        return perAtom === null ? null : perAtom * 10 ** (findTokenByMint(mint)?.decimals ?? 0);
      },
      earn: new OrderEarn(this.market.pools, () => this.market.chain.clock()),
      limits: { maxOpen, allowedMints },
      onCreated: onChange,
      onChange,
    };
  }

  /** @param programs - Deposits and withdrawals need none of them, unless they earn. */
  static async open(
    kind: (typeof STORES)[number] = 'sqlite',
    programs: Parameters<typeof openTestMarket>[0] = 'without programs',
  ): Promise<OrderDesk> {
    const testStore = await openTestStore(kind);
    const { store } = testStore;
    const { custody } = await openCustody({
      store,
      masters: { current: new MasterKey(new Uint8Array(32).fill(7)), previous: null },
      now,
      every: () => () => undefined,
      onDefect: (error) => {
        throw error;
      },
    });
    const desk = new OrderDesk(await openTestMarket(programs), testStore, store, custody);
    for (const { address } of [desk.wallet, desk.stranger]) await custody.createVault(address);
    return desk;
  }

  /** What settlements over the same database and network are opened with. */
  get settling(): SettlementDependencies {
    const { chain, describeFailure, orders, onChange } = this.dependencies;
    return { chain, timers: SYSTEM_TIMERS, describeFailure, orders, onChange };
  }

  /** Returns what another process would have, over the same database and network. */
  openAgain(
    options: DeskOptions = {},
    replaced: Partial<DepositDependencies & WithdrawalDependencies> = {},
  ): { readonly deposits: OrderDeposits; readonly withdrawals: OrderWithdrawals } {
    const dependencies = { ...this.#createDependencies(options), ...replaced };
    return { deposits: new OrderDeposits(dependencies), withdrawals: new OrderWithdrawals(dependencies) };
  }

  /** Returns a request for a deposit of 20 USDC for SOL. */
  depositRequest(changes: Partial<DepositRequest> = {}): DepositRequest {
    const { address: wallet } = this.wallet;
    const amount = 20_000_000n;
    return {
      wallet,
      userAddress: wallet,
      inputMint: USDC,
      outputMint: WRAPPED_SOL_MINT,
      amount,
      kind: 'single',
      earnMint: null,
      ...changes,
    };
  }

  /** Returns the request for an order over a crafted deposit, to buy when the output costs less than half a dollar. */
  orderRequest(
    { requestId, messageBytes, mint, amount }: CraftedDeposit,
    changes: Partial<PriceOrderRequest> = {},
  ): PriceOrderRequest {
    const { address: wallet } = this.wallet;
    return {
      kind: 'single',
      wallet,
      userPubkey: wallet,
      depositRequestId: requestId,
      depositSignedTx: signBase64(messageBytes, this.wallet),
      inputMint: mint,
      inputAmount: amount,
      outputMint: WRAPPED_SOL_MINT,
      triggerMint: WRAPPED_SOL_MINT,
      condition: 'below',
      triggerPriceUsd: 0.5,
      trailingBps: null,
      slippageBps: null,
      tpPriceUsd: null,
      tpSlippageBps: null,
      slPriceUsd: null,
      slSlippageBps: null,
      expiresAt: now() + DAY_MS,
      ...changes,
    };
  }

  /** Creates an order with 20 USDC for SOL, and returns it open. */
  async openOrder(changes: Partial<DepositRequest> = {}): Promise<WaitingOrder> {
    const crafted = await this.deposits.craft(this.depositRequest(changes));
    const outputMint = changes.outputMint ?? WRAPPED_SOL_MINT;
    const triggerMint = outputMint === USDC ? crafted.mint : outputMint;
    const { id } = await this.deposits.create(this.orderRequest(crafted, { outputMint, triggerMint }));
    return this.order(id);
  }

  /** Returns the confirmation of a withdrawal that the wallet has signed. */
  confirmation(
    { id, requestId, messageBytes, order }: CraftedWithdrawal,
    changes: Partial<WithdrawalConfirmation> = {},
  ): WithdrawalConfirmation {
    const signedTransaction = signBase64(messageBytes, this.wallet);
    const { address: wallet } = this.wallet;
    const family = getOrderFamily(order.plan);
    return { wallet, orderId: id, family, cancelRequestId: requestId, signedTransaction, ...changes };
  }

  /** Cancels an order and takes its money back. */
  async withdraw(id: string): Promise<LandedWithdrawal> {
    const { plan } = await this.order(id);
    const crafted = await this.withdrawals.cancel(this.wallet.address, id, getOrderFamily(plan));
    return this.withdrawals.confirm(this.confirmation(crafted));
  }

  async order(id: string): Promise<WaitingOrder> {
    const order = await this.orders.get(id);
    if (order === null) throw new Error(`there is no order ${id}`);
    return order;
  }

  /** Returns the atoms in the wallet's associated account. */
  tokens(mint: Address, owner: Address = this.wallet.address, program = TOKEN_PROGRAM): bigint {
    const account = deriveAssociatedTokenAddress(owner, mint, program);
    return this.market.network.account(account) === null ? 0n : this.market.network.tokenBalance(account);
  }

  lamports(address: Address): bigint {
    return this.market.network.account(address)?.lamports ?? 0n;
  }

  /** Lands a transaction of the instructions, which the wallet pays for. */
  async land(payer: Keypair, instructions: readonly Instruction[]): Promise<void> {
    const { chain } = this.market;
    const { bytes: blockhash } = chain.recentBlockhash();
    const message = compileMessage({ feePayer: payer.address, blockhash, instructions });
    const signature = await chain.send(signTransaction(message, [payer]));
    const landed = await chain.transaction(signature);
    if (landed?.error !== null) throw new Error(`it failed: ${landed?.logs.join('\n')}`);
  }

  async close(): Promise<void> {
    await this.#testStore.cleanUp();
  }
}

/** Signs a message with a wallet, and leaves the places of other signatures empty. */
export function signBase64(messageBytes: Uint8Array, wallet: Keypair): string {
  return Buffer.from(signTransaction(messageBytes, [wallet])).toString('base64');
}

/** Returns the message of a transaction in base64. */
export function readMessage(base64: string) {
  return parseTransaction(Buffer.from(base64, 'base64'));
}
