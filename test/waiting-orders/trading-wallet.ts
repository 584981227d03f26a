import type { Address } from '../../src/solana/address.ts';
import { type Keypair, signWith } from '../../src/solana/keypair.ts';
import { parseMessage } from '../../src/solana/messages/message.ts';
import { SIGNATURE_BYTES } from '../../src/solana/messages/signature.ts';
import { compileMessage } from '../../src/solana/messages/compile-message.ts';
import { encodeTransaction, signTransaction } from '../../src/solana/messages/transaction.ts';
import { deriveAssociatedTokenAddress } from '../../src/solana/pda.ts';
import { transferChecked } from '../../src/solana/programs/token/instructions.ts';
import type { Chain } from '../../src/chain/chain.ts';
import { TOKEN_PROGRAM } from '../../src/solana/program-addresses.ts';
import type { DepositRequest } from '../../src/waiting-orders/deposits/craft-deposit.ts';
import type { NewOrderRequest } from '../../src/waiting-orders/deposits/order-request.ts';
import type { OrderEdit } from '../../src/waiting-orders/edits/order-edits.ts';
import type { OrderFamily } from '../../src/waiting-orders/order-plan.ts';
import type { WithdrawalConfirmation } from '../../src/waiting-orders/withdrawals/order-withdrawals.ts';
import { OrderRefused } from '../../src/waiting-orders/order-refused.ts';
import { areRounds, getFamily, USDC, type WantedEdit, type WantedOrder } from './wanted-orders.ts';

/** What a wallet can ask for. A promise that rejects with `OrderRefused` is an answer; any other rejection is none. */
export interface OrderService {
  readonly craft: (request: DepositRequest) => Promise<CraftedAccounts>;
  readonly create: (request: NewOrderRequest) => Promise<{ readonly id: string }>;
  readonly edit: (edit: OrderEdit) => Promise<unknown>;
  readonly cancel: (wallet: Address, orderId: string, family: OrderFamily) => Promise<HandedOut>;
  readonly confirm: (confirmation: WithdrawalConfirmation) => Promise<unknown>;
}

/** A transaction that the wallet may sign. */
interface HandedOut {
  readonly requestId: string;
  readonly messageBytes: Uint8Array;
}

/** A deposit that the wallet may sign, with the accounts that it opens. */
interface CraftedAccounts extends HandedOut {
  readonly account: Address;
  readonly outputAccount: Address | null;
}

/** How a client reaches the service. */
export interface ServiceLink {
  /** Makes a request to some process. It fails when the process is killed meanwhile. */
  readonly request: <T>(work: (service: OrderService) => Promise<T>) => Promise<T>;
  /** Resolves when the next round begins. */
  readonly nextRound: () => Promise<void>;
  /** Whether the client sends a request a second time at once. */
  readonly isRepeating: () => boolean;
}

/** What a wallet has ever asked of one order. */
export interface OrderWishes {
  readonly wanted: WantedOrder;
  /** Changes that it has asked for. Each may have been made or refused. */
  readonly edits: WantedEdit[];
}

/** After so many attempts a wallet gives up. */
const MAX_ATTEMPTS = 400;

/** A wallet whose client repeats each request until it has an answer, as clients should. */
export class TradingWallet {
  readonly #keypair: Keypair;
  /** Its orders by their ids. */
  readonly orders = new Map<string, OrderWishes>();
  /** The accounts of all deposits that it ever signed. */
  readonly accounts: Address[] = [];

  constructor(keypair: Keypair) {
    this.#keypair = keypair;
  }

  get address(): Address {
    return this.#keypair.address;
  }

  /** Returns the id of the order; null if it was refused. */
  async makeOrder(link: ServiceLink, wanted: WantedOrder): Promise<string | null> {
    const wallet = this.address;
    const { inputMint, outputMint, inputAmount: amount } = wanted;
    const kind: DepositRequest['kind'] = areRounds(wanted) ? 'recurring' : wanted.kind;
    const earnMint = areRounds(wanted) ? wanted.earnMint : null;
    const deposit = { wallet, userAddress: wallet, inputMint, outputMint, amount, kind, earnMint };
    const crafted = await this.#insist(link, (service) => service.craft(deposit));
    if (crafted === null) return null;
    this.accounts.push(crafted.account);
    if (crafted.outputAccount !== null) this.accounts.push(crafted.outputAccount);
    const request: NewOrderRequest = {
      ...wanted,
      wallet,
      userPubkey: wallet,
      depositRequestId: crafted.requestId,
      depositSignedTx: this.#sign(crafted.messageBytes),
    };
    const created = await this.#insist(link, (service) => service.create(request));
    if (created === null) return null;
    if (!this.orders.has(created.id)) this.orders.set(created.id, { wanted, edits: [] });
    return created.id;
  }

  /** Changes an order, unless it cannot be changed any more. Returns whether it was. */
  async editOrder(link: ServiceLink, orderId: string, edit: WantedEdit): Promise<boolean> {
    this.orders.get(orderId)?.edits.push(edit);
    const request = { ...edit, wallet: this.address, orderId };
    return (await this.#insist(link, (service) => service.edit(request))) !== null;
  }

  /** Cancels an order, unless it is filled or cannot be cancelled for another reason. */
  async cancelOrder(link: ServiceLink, orderId: string): Promise<void> {
    const wallet = this.address;
    const wishes = this.orders.get(orderId);
    const family = wishes === undefined ? 'price' : getFamily(wishes.wanted);
    for (let attempt = 0; attempt < 5; attempt++) {
      const crafted = await this.#insist(link, (service) => service.cancel(wallet, orderId, family));
      if (crafted === null) return;
      const confirmation = {
        wallet,
        orderId,
        family,
        cancelRequestId: crafted.requestId,
        signedTransaction: this.#sign(crafted.messageBytes),
      };
      const landed = await this.#insist(link, (service) => service.confirm(confirmation));
      if (landed !== null) return;
    }
  }

  /** Sends an atom to the account of an order for USDC, which may be gone. */
  async giveTokens(chain: Pick<Chain, 'recentBlockhash' | 'send'>, account: Address): Promise<void> {
    const source = deriveAssociatedTokenAddress(this.address, USDC, TOKEN_PROGRAM);
    const gift = {
      source,
      mint: USDC,
      destination: account,
      authority: this.address,
      amount: 1n,
      decimals: 6,
    };
    const message = compileMessage({
      feePayer: this.address,
      blockhash: chain.recentBlockhash().bytes,
      instructions: [transferChecked(TOKEN_PROGRAM, gift)],
    });
    await chain.send(signTransaction(message, [this.#keypair]), { skipPreflight: true });
  }

  /** Repeats a request until it is answered. Returns null if the answer is a refusal. */
  async #insist<T>(link: ServiceLink, work: (service: OrderService) => Promise<T>): Promise<T | null> {
    for (let attempt = 0; attempt < MAX_ATTEMPTS; attempt++) {
      const requests = Array.from({ length: link.isRepeating() ? 2 : 1 }, () => link.request(work));
      const answers = await Promise.allSettled(requests);
      for (const answer of answers) if (answer.status === 'fulfilled') return answer.value;
      for (const answer of answers) {
        if (answer.status === 'rejected' && answer.reason instanceof OrderRefused) return null;
      }
      await link.nextRound();
    }
    throw new Error(`${this.address} has no answer after ${MAX_ATTEMPTS} requests`);
  }

  /** Signs for the wallet alone. Base64. */
  #sign(messageBytes: Uint8Array): string {
    const { signers } = parseMessage(messageBytes);
    const others = Array.from({ length: signers - 1 }, () => new Uint8Array(SIGNATURE_BYTES));
    const signatures = [signWith(this.#keypair, messageBytes), ...others];
    return Buffer.from(encodeTransaction(signatures, messageBytes)).toString('base64');
  }
}
