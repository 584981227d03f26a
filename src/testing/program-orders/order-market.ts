import type { LandedTransaction } from '../../chain/landed-transactions.ts';
import { venueLabels } from '../../protocol/venue/venue.ts';
import { createOpenDca, type DcaTerms } from '../../protocols/jupiter-dca/dca-instructions.ts';
import { DCA_ORDER_SIZE, type DcaOrder, decodeDcaOrder } from '../../protocols/jupiter-dca/dca-order.ts';
import {
  DCA_FEE_AUTHORITY,
  DCA_PROGRAM,
  deriveDcaOrderAddress,
} from '../../protocols/jupiter-dca/dca-program.ts';
import {
  createInitializeOrder,
  type NewLimitOrder,
} from '../../protocols/jupiter-limit-order/instructions.ts';
import {
  decodeLimitOrder,
  LIMIT_ORDER_SIZE,
  type LimitOrder,
} from '../../protocols/jupiter-limit-order/layout.ts';
import {
  deriveLimitOrder,
  LIMIT_ORDER_FEE,
  LIMIT_ORDER_PROGRAM,
} from '../../protocols/jupiter-limit-order/program.ts';
import { VENUES } from '../../protocols/venues.ts';
import type { Address } from '../../solana/address.ts';
import type { Keypair } from '../../solana/keypair.ts';
import type { Instruction } from '../../solana/messages/instruction.ts';
import {
  getTransactionSignature,
  parseTransaction,
  signTransaction,
} from '../../solana/messages/transaction.ts';
import { WRAPPED_SOL_MINT } from '../../solana/program-addresses.ts';
import type { KnownOrder } from '../../program-orders/keeper/plan/order-planner.ts';
import { ProgramOrderPlanner } from '../../program-orders/keeper/plan/order-planner.ts';
import type { ProgramOrderPlan, PlannedTask } from '../../program-orders/keeper/plan/order-plan.ts';
import type { OrderPlanDependencies } from '../../program-orders/keeper/plan/plan-dependencies.ts';
import type { ReferenceQuote } from '../../waiting-orders/fills/fill-planner.ts';
import { FillMarket } from '../waiting-orders/fills.ts';
import type { GenesisTestMarket } from '../genesis-market/open.ts';
import { openTestMarket } from '../genesis-market/open.ts';

/** Atoms that no route pays. */
const UNREACHED = 1n << 62n;

export interface PlacedLimit {
  readonly address: Address;
  readonly maker: Address;
  readonly inputMint: Address;
  readonly outputMint: Address;
  readonly making: bigint;
  readonly taking: bigint;
}

export interface OpenedDca {
  readonly address: Address;
  readonly user: Address;
  readonly inputMint: Address;
  readonly outputMint: Address;
}

/** Orders of the two programs over the genesis market, and the planner of a keeper. */
export class OrderMarket {
  readonly fills: FillMarket;
  readonly dcaKeeper: Keypair;
  readonly dependencies: OrderPlanDependencies;
  readonly planner: ProgramOrderPlanner;
  /** By default, those of the deep pools. */
  references: ((inputMint: Address, outputMint: Address) => ReferenceQuote) | null = null;
  #serial = 0n;

  constructor(market: GenesisTestMarket, options: Partial<OrderPlanDependencies> = {}) {
    this.fills = new FillMarket(market);
    this.dcaKeeper = market.genesis.keys.dcaKeeper;
    this.dependencies = {
      market,
      venueLabels: venueLabels(VENUES),
      gasWallet: this.fills.gasWallet,
      dcaKeeper: this.dcaKeeper,
      limits: { floorBps: 500, maxFloorBps: 2_500 },
      findReferences: (inputMint, outputMint) =>
        this.references?.(inputMint, outputMint) ?? this.fills.references({ inputMint, outputMint }),
      ...options,
    };
    this.planner = new ProgramOrderPlanner(this.dependencies);
    this.#removeGenesisOrders();
  }

  static async open(options: Partial<OrderPlanDependencies> = {}): Promise<OrderMarket> {
    return new OrderMarket(await openTestMarket(), options);
  }

  /** Tests count the orders that they place. */
  #removeGenesisOrders(): void {
    const { genesis, network } = this.market;
    for (const { address, account } of genesis.accounts) {
      const { owner, data } = account;
      const isLimit = owner === LIMIT_ORDER_PROGRAM && data.length === LIMIT_ORDER_SIZE;
      const isDca = owner === DCA_PROGRAM && data.length === DCA_ORDER_SIZE;
      if (isLimit || isDca) network.setAccount(address, { ...account, lamports: 0n });
    }
  }

  get market(): GenesisTestMarket {
    return this.fills.market;
  }

  get keeper(): Address {
    return this.fills.gasWallet.address;
  }

  now(): bigint {
    return this.market.chain.clock().unixTimestamp;
  }

  /** What the best route of the market pays for an amount now, in atoms. */
  async quote(inputMint: Address, outputMint: Address, amount: bigint): Promise<bigint> {
    const { sale } = this.fills.deposit({ inputMint, outputMint, amount });
    if (outputMint !== WRAPPED_SOL_MINT) this.fills.openAta(sale.wallet, outputMint);
    const fill = await this.fills.planFill(sale, { referenceIn: 1, referenceOut: 1e12 });
    return fill.quotedOut;
  }

  /** What the keeper's best route pays now for a limit order of so much, in atoms: others may fit a transaction of its own. */
  quoteLimit(
    inputMint: Address,
    outputMint: Address,
    making: bigint,
    opensOutput?: boolean,
  ): Promise<bigint> {
    const order = this.placeLimit({ inputMint, outputMint, making, taking: UNREACHED }, { opensOutput });
    return this.#readQuote(order);
  }

  /** What the keeper's best route pays now for a cycle of so much, in atoms. */
  quoteDca(inputMint: Address, outputMint: Address, inAmount: bigint): Promise<bigint> {
    const terms = { inAmount, inAmountPerCycle: inAmount, cycleFrequency: 60n, minOutAmount: UNREACHED };
    return this.#readQuote(this.openDca({ inputMint, outputMint, ...terms }));
  }

  async #readQuote(order: PlacedLimit | OpenedDca): Promise<bigint> {
    const plan = await this.plan(order);
    const quoted =
      plan.kind === 'waits' ? /the best route pays (\d+) atoms/.exec(plan.detail)?.[1] : undefined;
    if (quoted === undefined) throw new Error(`there is no quote: ${plan.kind}`);
    return BigInt(quoted);
  }

  /** Places a limit order. By default, its maker has an account for the output unless that is SOL. */
  placeLimit(
    terms: Pick<NewLimitOrder, 'making' | 'taking'> & {
      readonly inputMint: Address;
      readonly outputMint: Address;
    } & Partial<Pick<NewLimitOrder, 'expiredAt' | 'feeBps' | 'slippageBps' | 'referral'>>,
    {
      opensOutput = terms.outputMint !== WRAPPED_SOL_MINT,
      maker = this.fills.newKey(1_000_000_000n).address,
    } = {},
  ): PlacedLimit {
    const { fills } = this;
    const { inputMint, outputMint, making, taking } = terms;
    const held = fills.tokens(fills.ata(maker, inputMint));
    fills.setTokens(fills.ata(maker, inputMint), { owner: maker, mint: inputMint, amount: held + making });
    if (opensOutput) fills.openAta(maker, outputMint);
    const uniqueId = this.#serial++;
    const { address } = deriveLimitOrder(maker, uniqueId);
    this.must(
      createInitializeOrder({
        payer: maker,
        maker,
        input: { mint: inputMint, tokenProgram: fills.programOf(inputMint) },
        output: { mint: outputMint, tokenProgram: fills.programOf(outputMint) },
        referral: null,
        uniqueId,
        expiredAt: null,
        feeBps: null,
        slippageBps: null,
        ...terms,
      }),
    );
    return { address, maker, inputMint, outputMint, making, taking };
  }

  /** Opens a DCA order of a user who has an account for the output unless that is SOL. */
  openDca(
    terms: DcaTerms & { readonly inputMint: Address; readonly outputMint: Address },
    { opensOutput = terms.outputMint !== WRAPPED_SOL_MINT } = {},
  ): OpenedDca {
    const { fills } = this;
    const { inputMint, outputMint } = terms;
    const user = fills.newKey(1_000_000_000n).address;
    fills.setTokens(fills.ata(user, inputMint), { owner: user, mint: inputMint, amount: terms.inAmount });
    if (opensOutput) fills.openAta(user, outputMint);
    const opening = { user, idx: this.#serial++, ...terms };
    this.must(createOpenDca(opening));
    return { address: deriveDcaOrderAddress(opening).address, user, inputMint, outputMint };
  }

  /** Sells so many percent of the worth of the market's best route until the price of the output has moved by as much. */
  async move(inputMint: Address, outputMint: Address, percent: bigint): Promise<void> {
    const unit = this.fills.amountWorth(inputMint, 50);
    const before = await this.quote(inputMint, outputMint, unit);
    for (let size = unit * 100n; ; size *= 2n) {
      const deposited = this.fills.deposit({ inputMint, outputMint, amount: size });
      if (outputMint !== WRAPPED_SOL_MINT) this.fills.openAta(deposited.sale.wallet, outputMint);
      const fill = await this.fills.planFill(deposited.sale, { referenceIn: 1, referenceOut: 1e12 });
      const { error } = await this.fills.land(deposited, fill);
      if (error !== null) throw new Error('the market cannot be moved');
      const now = await this.quote(inputMint, outputMint, unit);
      if (now * 100n <= before * (100n - percent)) return;
    }
  }

  /** Sends instructions that have to succeed. */
  must(...instructions: readonly Instruction[]): void {
    const { error, logs } = this.market.network.send(instructions);
    if (error !== null) throw new Error(`${error.custom ?? error.kind}: ${logs.join('\n')}`);
  }

  limit({ address }: Pick<PlacedLimit, 'address'>): LimitOrder {
    return decodeLimitOrder(this.fills.read(address).data);
  }

  dca({ address }: Pick<OpenedDca, 'address'>): DcaOrder {
    return decodeDcaOrder(this.fills.read(address).data);
  }

  isOpen({ address }: Pick<PlacedLimit, 'address'>): boolean {
    return this.market.network.account(address) !== null;
  }

  /** The order as the keeper knows it. */
  know(order: PlacedLimit | OpenedDca, failures = 0): KnownOrder {
    const { address } = order;
    return 'maker' in order
      ? { program: 'limit-order', address, order: this.limit(order), failures }
      : { program: 'dca', address, order: this.dca(order), failures };
  }

  plan(order: PlacedLimit | OpenedDca, failures = 0): Promise<ProgramOrderPlan> {
    return this.planner.plan(this.know(order, failures));
  }

  /** @throws Error if the order has to wait */
  async planTask(order: PlacedLimit | OpenedDca, failures = 0): Promise<PlannedTask> {
    const plan = await this.plan(order, failures);
    if (plan.kind === 'planned') return plan;
    throw new Error(plan.kind === 'waits' ? `the order waits for ${plan.reason}: ${plan.detail}` : plan.kind);
  }

  /** Signs a transaction with the real keys, and lands it. It may fail on chain. */
  async land({ messageBytes, signers }: PlannedTask): Promise<LandedTransaction> {
    const wire = signTransaction(messageBytes, signers);
    await this.market.chain.send(wire);
    const landed = await this.market.chain.transaction(getTransactionSignature(parseTransaction(wire)));
    if (landed === null) throw new Error('it did not land');
    return landed;
  }

  tokensOf(owner: Address, mint: Address): bigint {
    return this.fills.tokens(this.fills.ata(owner, mint));
  }

  limitFees(mint: Address): bigint {
    return this.tokensOf(LIMIT_ORDER_FEE, mint);
  }

  dcaFees(mint: Address): bigint {
    return this.tokensOf(DCA_FEE_AUTHORITY.address, mint);
  }
}
