import type { FastifyInstance } from 'fastify';
import { recurring } from '../../products/recurring/index.ts';
import type { RecurringServices } from '../../products/recurring/endpoints/services.ts';
import type {
  ProgramOrderPage,
  ProgramOrderQuery,
  ShownDcaOrder,
} from '../../program-orders/program-order.ts';
import { type DcaOrder, decodeDcaOrder } from '../../protocols/jupiter-dca/dca-order.ts';
import { DCA_PROGRAM } from '../../protocols/jupiter-dca/dca-program.ts';
import type { Address } from '../../solana/address.ts';
import type { Keypair } from '../../solana/keypair.ts';
import { getGenesisToken } from '../../solana/known-tokens.ts';
import { deriveAssociatedTokenAddress } from '../../solana/pda.ts';
import { TOKEN_PROGRAM, WRAPPED_SOL_MINT } from '../../solana/program-addresses.ts';
import { decodeTokenAccount } from '../../solana/programs/token/account.ts';
import { getJson, type JsonAnswer, openProductGateway, postJson } from '../product-gateway.ts';
import { TestWallets } from './signing-wallets.ts';
import { signRequest, type UnsignedRequest } from './unsigned-request.ts';

/** The product behind its front door, over the genesis market with the program of the orders. */
export class RecurringDesk {
  readonly wallets: TestWallets;
  readonly services: RecurringServices;
  /** What the lists answer, by whether open orders are asked for. */
  readonly listed: { active: readonly ShownDcaOrder[]; history: readonly ShownDcaOrder[]; total: number } = {
    active: [],
    history: [],
    total: 0,
  };
  readonly queries: ProgramOrderQuery[] = [];
  /** What the lists throw; null if they answer. */
  refusing: Error | null = null;
  readonly #gateway: FastifyInstance;

  private constructor(wallets: TestWallets, services: RecurringServices, gateway: FastifyInstance) {
    this.wallets = wallets;
    this.services = services;
    this.#gateway = gateway;
  }

  static async open(): Promise<RecurringDesk> {
    const wallets = await TestWallets.open();
    const { market, dependencies } = wallets;
    market.network.loadShipped('dca');
    let number = 0n;
    let desk: RecurringDesk | null = null;
    const services: RecurringServices = {
      lists: {
        listDcaOrders: async (query) => (desk as RecurringDesk).#list(query),
      },
      chain: market.chain,
      transactions: { ...dependencies, prices: market.prices, newOrderNumber: () => number++ },
    };
    const gateway = await openProductGateway(recurring.run({ services }));
    desk = new RecurringDesk(wallets, services, gateway);
    return desk;
  }

  async close(): Promise<void> {
    await this.#gateway.close();
    this.wallets.close();
  }

  get user(): Address {
    return this.wallets.wallet.address;
  }

  /** Sends a body to an endpoint. A text is sent as it is. */
  post(endpoint: string, body: unknown): Promise<JsonAnswer> {
    return postJson(this.#gateway, `/recurring/v1/${endpoint}`, body);
  }

  get(query: Readonly<Record<string, string>>): Promise<JsonAnswer> {
    return getJson(this.#gateway, '/recurring/v1/getRecurringOrders', query);
  }

  /** Signs a transaction that was handed out, and sends it to `execute`. */
  execute(handedOut: UnsignedRequest, by: Keypair = this.wallets.wallet): Promise<JsonAnswer> {
    return this.post('execute', signRequest(handedOut, [by]));
  }

  /**
   * Asks for the transaction of an order that buys SOL for 104.000001 USDC in two cycles.
   *
   * @param time - What its terms have in place of that.
   */
  async create(
    time: object = {},
    mints: { readonly inputMint?: Address; readonly outputMint?: Address } = {},
  ): Promise<UnsignedRequest> {
    const usual = {
      inAmount: 104_000_001,
      numberOfOrders: 2,
      interval: 86_400,
      minPrice: null,
      maxPrice: null,
      startAt: null,
    };
    const pair = { inputMint: getGenesisToken('USDC').mint, outputMint: WRAPPED_SOL_MINT, ...mints };
    const body = { user: this.user, ...pair, params: { time: { ...usual, ...time } } };
    return requireOk(await this.post('createOrder', body));
  }

  /** Opens an order like that of `create`, and returns its address. */
  async openOrder(...terms: Parameters<RecurringDesk['create']>): Promise<Address> {
    const { status, order } = requireOk(await this.execute(await this.create(...terms)));
    if (status !== 'Success') throw new Error(`the order was not opened: ${status}`);
    return order;
  }

  /** Cancels an order, and returns the answer of `execute`. */
  async cancel(order: Address): Promise<JsonAnswer> {
    const body = { order, user: this.user, recurringType: 'time' };
    return this.execute(requireOk(await this.post('cancelOrder', body)));
  }

  /** Returns the order as the network has it; null if there is none. */
  order(address: Address): DcaOrder | null {
    const account = this.wallets.market.network.account(address);
    return account?.owner === DCA_PROGRAM ? decodeDcaOrder(account.data) : null;
  }

  /** Returns what the associated account of a wallet holds; null if there is none. */
  held(owner: Address, mint: Address): bigint | null {
    const address = deriveAssociatedTokenAddress(owner, mint, TOKEN_PROGRAM);
    const account = this.wallets.market.network.account(address);
    return account?.owner === TOKEN_PROGRAM ? decodeTokenAccount(account.data).amount : null;
  }

  #list(query: ProgramOrderQuery): ProgramOrderPage<ShownDcaOrder> {
    this.queries.push(query);
    if (this.refusing !== null) throw this.refusing;
    return { orders: query.isOpen ? this.listed.active : this.listed.history, total: this.listed.total };
  }
}

function requireOk({ status, json }: JsonAnswer): JsonAnswer['json'] {
  if (status !== 200) throw new Error(`answered ${status}: ${JSON.stringify(json)}`);
  return json;
}
