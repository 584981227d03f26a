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
import { deriveAssociatedTokenAddress } from '../../solana/pda.ts';
import { TOKEN_PROGRAM } from '../../solana/program-addresses.ts';
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
