import type { FastifyInstance } from 'fastify';
import { defineProduct } from '../../products/product.ts';
import { cancelLimitOrder, cancelLimitOrders } from '../../products/trigger/endpoints/v1/cancel-orders.ts';
import { createLimitOrder } from '../../products/trigger/endpoints/v1/create-order.ts';
import { executeLimitOrder } from '../../products/trigger/endpoints/v1/execute-order.ts';
import type { LimitOrderServices } from '../../products/trigger/endpoints/v1/services.ts';
import { listLimitOrders } from '../../products/trigger/endpoints/v1/list-orders.ts';
import type {
  ProgramOrderPage,
  ProgramOrderQuery,
  ShownLimitOrder,
} from '../../program-orders/program-order.ts';
import { decodeLimitOrder, type LimitOrder } from '../../protocols/jupiter-limit-order/layout.ts';
import { LIMIT_ORDER_PROGRAM } from '../../protocols/jupiter-limit-order/program.ts';
import type { Address } from '../../solana/address.ts';
import type { Keypair } from '../../solana/keypair.ts';
import { deriveAssociatedTokenAddress } from '../../solana/pda.ts';
import { TOKEN_PROGRAM } from '../../solana/program-addresses.ts';
import { decodeTokenAccount } from '../../solana/programs/token/account.ts';
import { getJson, type JsonAnswer, openProductGateway, postJson } from '../product-gateway.ts';
import { TestWallets } from './signing-wallets.ts';
import { signRequest, type UnsignedRequest } from './unsigned-request.ts';

/** The endpoints behind their front door, over the genesis market with the program of the orders. */
export class LimitOrderDesk {
  readonly wallets: TestWallets;
  /** What the lists answer, and what they were asked. */
  listed: ProgramOrderPage<ShownLimitOrder> = { orders: [], total: 0 };
  readonly queries: ProgramOrderQuery[] = [];
  /** What any amount of a token is worth, where a test says so. */
  readonly worth = new Map<Address, number>();
  /** What the endpoints work with. */
  readonly services: LimitOrderServices;
  #gateway: FastifyInstance | null = null;

  private constructor(wallets: TestWallets) {
    this.wallets = wallets;
    const { market, dependencies } = wallets;
    // The maker has orders with small numbers in the genesis.
    let uniqueId = 1_000n;
    this.services = {
      limitOrders: {
        lists: {
          listLimitOrders: async (query) => {
            this.queries.push(query);
            return this.listed;
          },
        },
        transactions: {
          ...dependencies,
          prices: {
            worthInDollars: (mint, atoms) =>
              this.worth.get(mint) ?? market.prices.worthInDollars(mint, atoms),
          },
          newOrderNumber: () => uniqueId++,
        },
      },
    };
  }

  static async open(): Promise<LimitOrderDesk> {
    const desk = new LimitOrderDesk(await TestWallets.open());
    const { services } = desk;
    desk.wallets.market.network.loadShipped('limit-order');
    const product = defineProduct({
      name: 'trigger',
      description: 'Orders of the program.',
      basePaths: ['/trigger'],
      endpoints: [createLimitOrder, cancelLimitOrder, cancelLimitOrders, executeLimitOrder, listLimitOrders],
      open: () => ({ services }),
    });
    desk.#gateway = await openProductGateway(product.run({ services }));
    return desk;
  }

  async close(): Promise<void> {
    await this.#gateway?.close();
    this.wallets.close();
  }

  get #open(): FastifyInstance {
    if (this.#gateway === null) throw new Error('the desk is not open');
    return this.#gateway;
  }

  get maker(): Address {
    return this.wallets.wallet.address;
  }

  /** Sends a body to an endpoint. A text is sent as it is. */
  post(endpoint: string, body: unknown): Promise<JsonAnswer> {
    return postJson(this.#open, `/trigger/v1/${endpoint}`, body);
  }

  list(query: Readonly<Record<string, string>>): Promise<JsonAnswer> {
    return getJson(this.#open, '/trigger/v1/getTriggerOrders', query);
  }

  /** Signs a transaction, and sends it to `execute`. */
  execute(request: UnsignedRequest, by: readonly Keypair[] = [this.wallets.wallet]): Promise<JsonAnswer> {
    return this.post('execute', signRequest(request, by));
  }

  /** Returns the order as the network has it; null if there is none. */
  order(address: Address): LimitOrder | null {
    const account = this.wallets.market.network.account(address);
    return account?.owner === LIMIT_ORDER_PROGRAM ? decodeLimitOrder(account.data) : null;
  }

  /** Returns what the associated account of a wallet holds; null if there is none. */
  held(owner: Address, mint: Address, program: Address = TOKEN_PROGRAM): bigint | null {
    const account = this.wallets.market.network.account(deriveAssociatedTokenAddress(owner, mint, program));
    return account?.owner === program ? decodeTokenAccount(account.data).amount : null;
  }
}
