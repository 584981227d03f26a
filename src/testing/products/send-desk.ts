import type { FastifyInstance } from 'fastify';
import { RequestRefused } from '../../common/request-refused.ts';
import { type Invites, openInvites } from '../../invites/opening/open-invites.ts';
import { send } from '../../products/send/index.ts';
import { decodeInvite, type InviteAccount } from '../../protocols/jupiter-send/invite-account.ts';
import { deriveInviteKey } from '../../protocols/jupiter-send/invite-key.ts';
import { deriveInvite, INVITE_PROGRAM } from '../../protocols/jupiter-send/invite-program.ts';
import type { Address } from '../../solana/address.ts';
import { createKeypairFromSeed, type Keypair } from '../../solana/keypair.ts';
import { parseTransaction, signTransaction } from '../../solana/messages/transaction.ts';
import { deriveAssociatedTokenAddress } from '../../solana/pda.ts';
import { isTokenProgram, SYSTEM_PROGRAM, TOKEN_PROGRAM } from '../../solana/program-addresses.ts';
import { readTokenAccountAmount } from '../../solana/programs/token/account.ts';
import { getJson, type JsonAnswer, openProductGateway, postJson } from '../product-gateway.ts';
import { openTestStore, type TestStore } from '../store/test-store.ts';
import { ManualTimers } from '../timers.ts';
import { TestWallets } from './signing-wallets.ts';

interface SendDeskParts {
  readonly wallets: TestWallets;
  readonly database: TestStore;
  readonly invites: Invites;
}

/** The product behind its front door, over the genesis market with the program of invites, and with the real record of them. */
export class SendDesk {
  readonly wallets: TestWallets;
  /** Why the program is refused; null if the network has it. */
  noProgram: string | null = null;
  readonly #parts: SendDeskParts;
  #gateway: FastifyInstance | null = null;
  #codes = 0;

  private constructor(parts: SendDeskParts) {
    this.#parts = parts;
    this.wallets = parts.wallets;
  }

  static async open(): Promise<SendDesk> {
    const wallets = await TestWallets.open();
    const { market } = wallets;
    market.network.loadShipped('invite');
    const database = await openTestStore('sqlite');
    const invites = openInvites({
      chain: market.chain,
      store: database.store,
      isOwnNetwork: true,
      historyDays: 0,
      timers: new ManualTimers(),
      createOutageLog: () => ({ onFailure: throwIt, onAnswer: () => undefined }),
      onDefect: (_, error) => throwIt(error),
    });
    const desk = new SendDesk({ wallets, database, invites });
    const product = await send.open({
      market,
      invites: {
        ...invites,
        requireProgram: async () => {
          if (desk.noProgram !== null) throw new RequestRefused(desk.noProgram);
        },
        lifetimeSeconds: 604_800n,
        drain: async () => undefined,
      },
    });
    desk.#gateway = await openProductGateway(product);
    return desk;
  }

  async close(): Promise<void> {
    await this.#gateway?.close();
    await this.#parts.invites.close();
    await this.#parts.database.cleanUp();
    this.wallets.close();
  }

  /** The front door. */
  get gateway(): FastifyInstance {
    if (this.#gateway === null) throw new Error('the desk is not open');
    return this.#gateway;
  }

  get sender(): Keypair {
    return this.wallets.wallet;
  }

  /** Returns the key pair of a code that nobody has used yet. */
  newKey(): Keypair {
    return deriveInviteKey(`code ${this.#codes++}`);
  }

  /** Returns a wallet that nobody has used yet. */
  newWallet(lamports = 0n): Keypair {
    const wallet = createKeypairFromSeed(new Uint8Array(32).fill(1 + this.#codes++));
    if (lamports > 0n) this.setLamports(wallet.address, lamports);
    return wallet;
  }

  setLamports(address: Address, lamports: bigint): void {
    const account = {
      owner: SYSTEM_PROGRAM,
      data: new Uint8Array(),
      lamports,
      executable: false,
      rentEpoch: 0n,
    };
    this.wallets.market.network.setAccount(address, account);
  }

  /** Sends a body to an endpoint. A text is sent as it is. */
  post(endpoint: string, body: unknown): Promise<JsonAnswer> {
    return postJson(this.gateway, `/send/v1/${endpoint}`, body);
  }

  get(path: string, query: Readonly<Record<string, string>> = {}): Promise<JsonAnswer> {
    return getJson(this.gateway, `/send/v1/${path}`, query);
  }

  /** Signs a transaction that was handed out, lands it, and returns its signature. */
  async land(tx: string, by: readonly Keypair[]): Promise<string> {
    const { messageBytes } = parseTransaction(new Uint8Array(Buffer.from(tx, 'base64')));
    const { chain } = this.wallets.market;
    const signature = await chain.send(signTransaction(messageBytes, by));
    const [status] = await chain.signatureStatuses([signature]);
    if (status?.error !== null) throw new Error(`the transaction failed: ${JSON.stringify(status?.error)}`);
    return signature;
  }

  /** Sends with a new code. Returns its key and the signature of the creation. */
  async create(
    body: object,
    key = this.newKey(),
  ): Promise<{ readonly key: Keypair; readonly signature: string }> {
    const { address: sender } = this.sender;
    const { status, json } = await this.post('craft-send', { inviteSigner: key.address, sender, ...body });
    if (status !== 200) throw new Error(JSON.stringify(json));
    return { key, signature: await this.land(json.tx, [this.sender, key]) };
  }

  /** Returns the invite of a key as the network has it; null if none is open. */
  invite(key: Keypair): InviteAccount | null {
    const account = this.wallets.market.network.account(deriveInvite(key.address).address);
    return account?.owner === INVITE_PROGRAM ? decodeInvite(account.data) : null;
  }

  /** Returns what the associated account of a wallet holds; null if there is none. */
  held(owner: Address, mint: Address, program = TOKEN_PROGRAM): bigint | null {
    const address = deriveAssociatedTokenAddress(owner, mint, program);
    const account = this.wallets.market.network.account(address);
    return account !== null && isTokenProgram(account.owner) ? readTokenAccountAmount(account.data) : null;
  }
}

function throwIt(error: unknown): never {
  throw error;
}
