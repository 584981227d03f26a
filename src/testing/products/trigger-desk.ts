import type { FastifyInstance } from 'fastify';
import { OrderHistory } from '../../waiting-orders/store/order-history.ts';
import type { Address } from '../../solana/address.ts';
import { parseTransaction } from '../../solana/messages/transaction.ts';
import { WRAPPED_SOL_MINT } from '../../solana/program-addresses.ts';
import { OrderDesk, signBase64, USDC } from '../waiting-orders/order-desk.ts';
import { authorizeWallet, createTestSignIn, openTriggerGateway } from './trigger-gateway.ts';

// biome-ignore lint/suspicious/noExplicitAny: tests read bodies of every shape, and a wrong shape fails them.
type Json = any;
type Answer = readonly [status: number, body: Json];

const FAR = 4_102_444_800_000;
/** The fields of an order that is not reached, by its kind. The market price of SOL is between 1 and 1,000 US dollars. */
const PRICES: Readonly<Record<string, object>> = {
  single: { triggerCondition: 'below', triggerPriceUsd: 0.5 },
  oco: { tpPriceUsd: 1_000_000, slPriceUsd: 0.5 },
  otoco: { triggerCondition: 'below', triggerPriceUsd: 0.5, tpPriceUsd: 1_000_000, slPriceUsd: 0.25 },
};

/** The endpoints of orders over HTTP, with the deposits, orders and withdrawals of an `OrderDesk`. */
export class TriggerDesk {
  readonly desk: OrderDesk;
  readonly #app: FastifyInstance;

  private constructor(desk: OrderDesk, app: FastifyInstance) {
    this.desk = desk;
    this.#app = app;
  }

  static async open(): Promise<TriggerDesk> {
    const desk = await OrderDesk.open();
    const { deposits, edits, withdrawals, yields, custody, store, market } = desk;
    const app = await openTriggerGateway({
      signIn: createTestSignIn(store),
      vaults: custody,
      deposits,
      edits,
      withdrawals,
      history: new OrderHistory(store, market.chain.genesisHash, desk.orders.rows),
      yields,
    });
    return new TriggerDesk(desk, app);
  }

  get wallet(): Address {
    return this.desk.wallet.address;
  }

  /** Sends a request as the wallet of the desk, or another one. */
  async ask(
    method: 'GET' | 'POST' | 'PATCH',
    path: string,
    body?: object,
    as: Address = this.wallet,
  ): Promise<Answer> {
    const answer = await this.#app.inject({
      method,
      url: `/trigger/v2${path}`,
      headers: { authorization: await authorizeWallet(as) },
      ...(body === undefined ? {} : { payload: body }),
    });
    return [answer.statusCode, answer.json()];
  }

  /** Asks for the deposit of 24 USDC for SOL. */
  craft(changes: object = {}): Promise<Answer> {
    return this.ask('POST', '/deposit/craft', {
      inputMint: USDC,
      outputMint: WRAPPED_SOL_MINT,
      userAddress: this.wallet,
      amount: '24000000',
      orderType: 'price',
      orderSubType: 'single',
      ...changes,
    });
  }

  /** Crafts the deposit of a price order, and creates the order. */
  async createPrice(kind: string, changes: object = {}, deposit: object = {}): Promise<Answer> {
    const [, crafted] = await this.craft({ orderSubType: kind, ...deposit });
    return this.orderPrice(kind, crafted, changes);
  }

  /** Creates a price order with a deposit that was crafted. */
  orderPrice(kind: string, crafted: Json, changes: object = {}): Promise<Answer> {
    const terms = { orderType: kind, triggerMint: WRAPPED_SOL_MINT, expiresAt: FAR, ...PRICES[kind] };
    return this.ask('POST', '/orders/price', { ...this.#toFunded(crafted), ...terms, ...changes });
  }

  /** Crafts the deposit of an order in two rounds, and creates the order. */
  async createRounds(changes: object = {}, deposit: object = {}): Promise<Answer> {
    const [, crafted] = await this.craft({ orderType: 'dca', orderSubType: undefined, ...deposit });
    const schedule = { orderCount: 2, intervalSeconds: 3_600 };
    return this.ask('POST', '/orders/dca', { ...this.#toFunded(crafted), ...schedule, ...changes });
  }

  #toFunded({ requestId, transaction, mint, amount }: Json) {
    return {
      depositRequestId: requestId,
      depositSignedTx: this.sign(transaction),
      userPubkey: this.wallet,
      inputMint: mint,
      inputAmount: amount,
      outputMint: mint === USDC ? WRAPPED_SOL_MINT : USDC,
    };
  }

  /** Signs a transaction with the wallet of the desk. */
  sign(base64: string): string {
    return signBase64(parseTransaction(Buffer.from(base64, 'base64')).messageBytes, this.desk.wallet);
  }

  async close(): Promise<void> {
    await this.#app.close();
    await this.desk.close();
  }
}
