import { SYSTEM_TIMERS } from '../../common/ports/timers.ts';
import type { Address } from '../../solana/address.ts';
import type { DepositRequest } from '../../waiting-orders/deposits/craft-deposit.ts';
import type { CraftedDeposit } from '../../waiting-orders/deposits/craft-deposit.ts';
import type { RecurringOrderRequest } from '../../waiting-orders/deposits/order-request.ts';
import { readLandedFill } from '../../waiting-orders/fills/landed-fill.ts';
import { signFill } from '../../waiting-orders/fills/sign-fill.ts';
import { type BeginContext, beginFill } from '../../waiting-orders/keeper/begin-fill.ts';
import { type FinishContext, finishFill } from '../../waiting-orders/keeper/finish-fill.ts';
import type { WaitingOrder } from '../../waiting-orders/waiting-order.ts';
import { FillMarket } from './fills.ts';
import { OrderDesk, signBase64, USDC } from './order-desk.ts';

/** Seconds between the rounds of test orders. */
export const INTERVAL_SECONDS = 3_600;

/** A desk whose orders earn, over real programs, and a keeper that fills their rounds one at a time. */
export class EarnDesk {
  readonly desk: OrderDesk;
  readonly #fills: FillMarket;
  /** Milliseconds by which the clock of the keeper's store is ahead. */
  #ahead = 0;

  private constructor(desk: OrderDesk) {
    this.desk = desk;
    this.#fills = new FillMarket(desk.market);
  }

  static async open(): Promise<EarnDesk> {
    return new EarnDesk(await OrderDesk.open('sqlite', 'with programs'));
  }

  /** The mint of the shares that USDC is lent out for. */
  get earnMint(): Address {
    const market = this.desk.dependencies.earn.find(USDC);
    if (market === null) throw new Error('USDC is not lent');
    return market.earnMint;
  }

  /** Crafts a deposit of 20 USDC for SOL that earns. */
  craft(changes: Partial<DepositRequest> = {}): Promise<CraftedDeposit> {
    const { desk, earnMint } = this;
    return desk.deposits.craft(desk.depositRequest({ kind: 'recurring', earnMint, ...changes }));
  }

  /** Returns the request for an order of two rounds over a crafted deposit, which begins now. */
  request(
    { requestId, messageBytes, mint, amount }: CraftedDeposit,
    changes: Partial<RecurringOrderRequest> = {},
  ): RecurringOrderRequest {
    const { wallet, outputMint } = this.desk.depositRequest();
    return {
      kind: 'time_based',
      wallet,
      userPubkey: wallet,
      depositRequestId: requestId,
      depositSignedTx: signBase64(messageBytes, this.desk.wallet),
      inputMint: mint,
      inputAmount: amount,
      outputMint,
      orderCount: 2,
      intervalSeconds: INTERVAL_SECONDS,
      beginFillAt: null,
      minPriceUsd: null,
      maxPriceUsd: null,
      triggerMint: null,
      earns: true,
      earnMint: this.earnMint,
      ...changes,
    };
  }

  /** Creates an order of two rounds that earns, and returns it open. The first round is due. */
  async openOrder(): Promise<WaitingOrder> {
    this.#ahead = 0;
    const { id } = await this.desk.deposits.create(this.request(await this.craft()));
    return this.desk.order(id);
  }

  /** Lets time pass for the keeper and for everything that is lent. */
  pass(seconds: number): void {
    const { network, chain } = this.desk.market;
    this.#ahead += seconds * 1_000;
    network.setUnixTime(chain.clock().unixTimestamp + BigInt(seconds));
  }

  /** Begins the round of an order that is due, and finishes it. Returns the order after that. */
  async fillRound({ id }: WaitingOrder): Promise<WaitingOrder> {
    const context = this.#createContext();
    const begun = await beginFill(context, await this.desk.order(id), 0);
    if (begun.kind === 'recorded') await finishFill(context, begun.order, begun.transaction);
    return this.desk.order(id);
  }

  #createContext(): BeginContext & FinishContext {
    const { desk } = this;
    const { planner, gasWallet } = this.#fills;
    const throwError = (_: string, error: unknown) => {
      throw error;
    };
    return {
      orders: this.#openOrders(),
      timers: SYSTEM_TIMERS,
      isClosed: () => false,
      onOutage: (error) => throwError('', error),
      onDefect: throwError,
      holder: 'earn desk',
      chain: desk.market.chain,
      earn: desk.dependencies.earn,
      describeFailure: desk.market.describeFailure,
      random: () => 0,
      findPrices: (order) => ({ leg: 'round', price: null, ...this.#fills.references(order) }),
      fills: {
        plan: (sale, prices) => planner.plan(sale, prices),
        spend: async (wallet, lamports) => ({ wallet, lamports, day: 0 }),
        giveBack: () => undefined,
        sign: (sale, plan) => signFill({ custody: desk.custody, gasWallet }, sale, plan),
      },
      readFill: (landed, sale) => {
        const outcome = readLandedFill(sale, landed);
        if (outcome.kind === 'failed') throw new Error(`the fill ${landed.signature} has not succeeded`);
        return outcome;
      },
    };
  }

  #openOrders(): OrderDesk['orders'] {
    const { orders } = this.desk;
    return new Proxy(orders, {
      get: (_, name) => {
        if (name === 'now') return async () => (await orders.now()) + this.#ahead;
        const member: unknown = Reflect.get(orders, name, orders);
        return typeof member === 'function' ? member.bind(orders) : member;
      },
    });
  }
}
