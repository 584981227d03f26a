import type { Address } from '../../src/solana/address.ts';
import { readSentTransaction } from '../../src/solana/messages/transaction.ts';
import type { DepositRequest } from '../../src/waiting-orders/deposits/craft-deposit.ts';
import {
  isRecurringRequest,
  type NewOrderRequest,
  type RecurringOrderRequest,
} from '../../src/waiting-orders/deposits/order-request.ts';
import type { OrderEdit } from '../../src/waiting-orders/edits/order-edits.ts';
import type { OrderFamily } from '../../src/waiting-orders/order-plan.ts';
import { OrderRefused, type OrderRefusalKind } from '../../src/waiting-orders/order-refused.ts';
import type { WithdrawalConfirmation } from '../../src/waiting-orders/withdrawals/order-withdrawals.ts';
import type { TriggerClient } from '../e2e/trigger-client.ts';
import type { OrderService } from './trading-wallet.ts';

const REFUSALS: Readonly<Record<number, OrderRefusalKind>> = {
  400: 'invalid',
  403: 'not the owner',
  404: 'not found',
  409: 'exists',
};

/** `/trigger/v2` as a wallet that has signed in sees it. An answer that is neither a result nor a refusal is none. */
export class HttpOrders implements OrderService {
  readonly #client: TriggerClient;
  readonly #onRefusal: (reason: string) => void;

  constructor(client: TriggerClient, onRefusal: (reason: string) => void) {
    this.#client = client;
    this.#onRefusal = onRefusal;
  }

  async craft({ userAddress, inputMint, outputMint, amount, kind }: DepositRequest) {
    const type = kind === 'recurring' ? { orderType: 'dca' } : { orderType: 'price', orderSubType: kind };
    const body = { userAddress, inputMint, outputMint, amount: String(amount), ...type };
    const json = await this.#ask('POST', 'deposit/craft', body);
    const outputAccount = (json.outputTokenAccount ?? null) as Address | null;
    return { ...readHandedOut(json), account: json.inputTokenAccount as Address, outputAccount };
  }

  async create(order: NewOrderRequest) {
    if (isRecurringRequest(order)) return this.#createRounds(order);
    const { wallet: _, kind, condition, inputAmount, ...request } = order;
    const json = await this.#ask('POST', 'orders/price', {
      ...omitNulls(request),
      orderType: kind,
      inputAmount: String(inputAmount),
      ...omitNulls({ triggerCondition: condition }),
    });
    return { id: String(json.id) };
  }

  async #createRounds(order: RecurringOrderRequest) {
    const { wallet: _, kind, inputAmount, beginFillAt, earns: _earns, earnMint: _mint, ...request } = order;
    const json = await this.#ask('POST', 'orders/dca', {
      ...omitNulls(request),
      orderType: kind,
      inputAmount: String(inputAmount),
      ...(beginFillAt === null ? {} : { beginFillAt: new Date(beginFillAt).toISOString() }),
    });
    return { id: String(json.id) };
  }

  edit({ wallet: _, orderId, kind, ...changes }: OrderEdit): Promise<unknown> {
    return this.#ask('PATCH', `orders/price/${orderId}`, { ...omitNulls(changes), orderType: kind });
  }

  async cancel(_wallet: Address, orderId: string, family: OrderFamily) {
    return readHandedOut(await this.#ask('POST', `orders/${toPath(family)}/cancel/${orderId}`, {}));
  }

  confirm(confirmation: WithdrawalConfirmation): Promise<unknown> {
    const { orderId, family, cancelRequestId, signedTransaction } = confirmation;
    const body = { cancelRequestId, signedTransaction };
    return this.#ask('POST', `orders/${toPath(family)}/confirm-cancel/${orderId}`, body);
  }

  async #ask(method: 'POST' | 'PATCH', path: string, body: object) {
    const { status, json } = await this.#client.ask(path, { method, body: JSON.stringify(body) });
    if (status < 300) return json;
    const kind = REFUSALS[status];
    if (kind === undefined) throw new Error(`${path} answered ${status}: ${JSON.stringify(json)}`);
    // Without the sums and addresses in it.
    this.#onRefusal(String(json.error).replace(/\S*\d\S*/g, '…'));
    throw new OrderRefused(kind, String(json.error));
  }
}

function toPath(family: OrderFamily): string {
  return family === 'recurring' ? 'dca' : 'price';
}

/** Clients leave out what they do not want. */
function omitNulls(fields: object): object {
  return Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== null));
}

function readHandedOut(json: { readonly requestId: string; readonly transaction: string }) {
  const bytes = new Uint8Array(Buffer.from(json.transaction, 'base64'));
  return { requestId: json.requestId, messageBytes: readSentTransaction(bytes).transaction.messageBytes };
}
