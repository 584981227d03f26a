import type { FastifyInstance } from 'fastify';
import { createGateway } from '../../gateway/gateway.ts';
import { createLogger } from '../../gateway/http/log/log.ts';
import { createInProcessLimiter } from '../../gateway/limits/rate-limiter.ts';
import { recurring } from '../../products/recurring/index.ts';
import type { RecurringServices } from '../../products/recurring/endpoints/services.ts';
import type {
  ProgramOrderPage,
  ProgramOrderQuery,
  ShownDcaOrder,
} from '../../program-orders/program-order.ts';
import { type DcaOrder, decodeDcaOrder } from '../../protocols/jupiter-dca/dca-order.ts';
import { DCA_PROGRAM } from '../../protocols/jupiter-dca/dca-program.ts';
import { SYSTEM_TIMERS } from '../../common/ports/timers.ts';
import type { Address } from '../../solana/address.ts';
import type { Keypair } from '../../solana/keypair.ts';
import { parseTransaction, signTransaction } from '../../solana/messages/transaction.ts';
import { deriveAssociatedTokenAddress } from '../../solana/pda.ts';
import { TOKEN_PROGRAM } from '../../solana/program-addresses.ts';
import { decodeTokenAccount } from '../../solana/programs/token/account.ts';
import { DEFAULT_BOUNDS } from '../server-bounds.ts';
import { TestWallets } from './signing-wallets.ts';

const UNLIMITED = { admitted: true, current: 1, limit: 1_000_000, freesAt: 0 };

/** An answer as a client reads it. Its fields are those of the endpoint. */
// biome-ignore lint/suspicious/noExplicitAny: tests read the answers of all endpoints
type Json = any;

export interface RecurringAnswer {
  readonly status: number;
  readonly json: Json;
}

/** A transaction that was handed out, as a client gets it. */
export interface HandedOut {
  readonly requestId: string;
  readonly transaction: string;
}

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
    const gateway = await createGateway({
      bounds: DEFAULT_BOUNDS,
      logger: createLogger('silent', { write: () => {} }),
      pipeline: {
        findKey: () => null,
        limiter: { ...createInProcessLimiter(), hit: () => UNLIMITED },
        countryOf: () => null,
        now: SYSTEM_TIMERS.now,
      },
      trustedProxies: [],
      readiness: [],
      examples: { values: {}, wallet: null },
      products: [recurring.run({ services })],
    });
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
  async post(endpoint: string, body: unknown): Promise<RecurringAnswer> {
    const { statusCode, payload } = await this.#gateway.inject({
      method: 'POST',
      url: `/recurring/v1/${endpoint}`,
      headers: { 'content-type': 'application/json' },
      payload: typeof body === 'string' ? body : JSON.stringify(body),
    });
    return { status: statusCode, json: JSON.parse(payload) };
  }

  async get(query: Readonly<Record<string, string>>): Promise<RecurringAnswer> {
    const url = `/recurring/v1/getRecurringOrders?${new URLSearchParams(query)}`;
    const { statusCode, payload } = await this.#gateway.inject({ method: 'GET', url });
    return { status: statusCode, json: JSON.parse(payload) };
  }

  /** Signs a transaction that was handed out, and sends it to `execute`. */
  execute(handedOut: HandedOut, by: Keypair = this.wallets.wallet): Promise<RecurringAnswer> {
    return this.post('execute', signHandedOut(handedOut, by));
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

/** Signs a transaction that was handed out. */
export function signHandedOut({ requestId, transaction }: HandedOut, by: Keypair) {
  const { messageBytes } = parseTransaction(new Uint8Array(Buffer.from(transaction, 'base64')));
  const signedTransaction = Buffer.from(signTransaction(messageBytes, [by])).toString('base64');
  return { requestId, signedTransaction };
}
