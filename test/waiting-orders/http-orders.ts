import type { Address } from '../../src/solana/address.ts';
import { readSentTransaction } from '../../src/solana/messages/transaction.ts';
import type { DepositRequest } from '../../src/waiting-orders/deposits/craft-deposit.ts';
import type { PriceOrderRequest } from '../../src/waiting-orders/deposits/order-checks.ts';
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

  async craft({ userAddress, inputMint, outputMint, amount }: DepositRequest) {
    const json = await this.#post('deposit/craft', {
      userAddress,
      inputMint,
      outputMint,
      amount: String(amount),
      orderType: 'price',
      orderSubType: 'single',
    });
    return { ...readHandedOut(json), account: json.inputTokenAccount as Address };
  }

  async create({ wallet: _, condition, inputAmount, ...request }: PriceOrderRequest) {
    const json = await this.#post('orders/price', {
      ...request,
      orderType: 'single',
      inputAmount: String(inputAmount),
      triggerCondition: condition,
    });
    return { id: String(json.id) };
  }

  async cancel(_wallet: Address, orderId: string) {
    return readHandedOut(await this.#post(`orders/price/cancel/${orderId}`, {}));
  }

  confirm({ orderId, cancelRequestId, signedTransaction }: WithdrawalConfirmation): Promise<unknown> {
    const body = { cancelRequestId, signedTransaction };
    return this.#post(`orders/price/confirm-cancel/${orderId}`, body);
  }

  async #post(path: string, body: object) {
    const { status, json } = await this.#client.ask(path, { method: 'POST', body: JSON.stringify(body) });
    if (status < 300) return json;
    const kind = REFUSALS[status];
    if (kind === undefined) throw new Error(`${path} answered ${status}: ${JSON.stringify(json)}`);
    // Without the sums and addresses in it.
    this.#onRefusal(String(json.error).replace(/\S*\d\S*/g, '…'));
    throw new OrderRefused(kind, String(json.error));
  }
}

function readHandedOut(json: { readonly requestId: string; readonly transaction: string }) {
  const bytes = new Uint8Array(Buffer.from(json.transaction, 'base64'));
  return { requestId: json.requestId, messageBytes: readSentTransaction(bytes).transaction.messageBytes };
}
