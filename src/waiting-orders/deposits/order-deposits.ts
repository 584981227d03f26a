import { decodeFromChain, requireAvailable } from '../../chain/chain.ts';
import type { KeyCustody } from '../../custody/custody.ts';
import { encodeSignature } from '../../solana/messages/signature.ts';
import { decodeMint } from '../../solana/programs/token/mint.ts';
import {
  computeTransferFee,
  findTransferFeeConfig,
  getTransferFeeAt,
} from '../../solana/programs/token/transfer-fee.ts';
import { createOrderId, isOrderId } from '../order-id.ts';
import type { OrderSettlements } from '../landing/order-settlements.ts';
import { joinSignatures, readWalletSignature } from '../landing/signed-message.ts';
import { LEASE_MS, startOrder } from '../machine.ts';
import { getOrderFamily, type OrderPlan } from '../order-plan.ts';
import { OrderRefused } from '../order-refused.ts';
import type { OrderCraft } from '../store/order-craft.ts';
import type { WaitingOrderStore } from '../store/order-store.ts';
import { NEVER, type OrderTransaction, type WaitingOrder } from '../waiting-order.ts';
import {
  type DepositCraftDependencies,
  craftDeposit,
  type CraftedDeposit,
  type DepositRequest,
  getMostOpen,
  requireOpenPlace,
} from './craft-deposit.ts';
import { decodeDepositTerms, type DepositTerms } from './deposit-craft.ts';
import { checkEarningCraft } from './earn-checks.ts';
import { checkAgainstDeposit, isSameOrder, requireOwnWallet } from './order-checks.ts';
import { isRecurringRequest, type NewOrderRequest } from './order-request.ts';
import { checkEnd, checkPricePlan, type PriceKnowledge } from './price-checks.ts';
import { checkRecurringPlan } from './recurring-checks.ts';

export interface DepositDependencies extends DepositCraftDependencies, PriceKnowledge {
  readonly custody: KeyCustody;
  readonly orders: WaitingOrderStore;
  readonly settlements: OrderSettlements;
  /** Names this process in leases. */
  readonly holder: string;
  /** Called with an order that was recorded. */
  readonly onCreated: (order: WaitingOrder) => void;
}

/** An order that was created, by this request or an earlier one. */
export interface CreatedOrder {
  readonly id: string;
  /** The signature of the deposit. */
  readonly signature: string;
  /** Whether the deposit is confirmed. Otherwise it may still land. */
  readonly isConfirmed: boolean;
  /** What the client should know; null if there is nothing. */
  readonly message: string | null;
}

/** Crafts deposits, and creates orders with them. */
export class OrderDeposits {
  readonly #dependencies: DepositDependencies;

  constructor(dependencies: DepositDependencies) {
    this.#dependencies = dependencies;
  }

  /**
   * Builds the transaction that pays the input of an order into the wallet's vault, and stores it under a new id.
   *
   * @throws OrderRefused with a sentence for the client
   * @throws ChainUnavailable when the network does not answer
   */
  craft(request: DepositRequest): Promise<CraftedDeposit> {
    return craftDeposit(this.#dependencies, request);
  }

  /**
   * Creates an order: signs its deposit, records both, and lands the deposit. Nothing is signed before everything was checked.
   * A request that was answered before is answered again in the same way, also after a crash in between.
   *
   * @throws OrderRefused with a sentence for the client
   * @throws Unavailable when the database, the keys or the network do not answer
   */
  async create(request: NewOrderRequest): Promise<CreatedOrder> {
    const { orders, limits } = this.#dependencies;
    requireOwnWallet(request.wallet, request.userPubkey);
    if (!isOrderId(request.depositRequestId)) throw createNotFound();
    const known = await orders.findByDepositRequest(request.depositRequestId);
    if (known !== null) return this.#repeat(known, request);
    const prepared = await this.#prepare(request);
    const { depositRequestId } = request;
    const most = getMostOpen(limits, getOrderFamily(prepared.order.plan));
    const created = await orders.create(prepared.order, prepared.deposit, depositRequestId, most);
    if (created) {
      this.#dependencies.onCreated(prepared.order);
      return this.#land(prepared.deposit, false, null);
    }
    const other = await orders.findByDepositRequest(request.depositRequestId);
    if (other === null) throw createNotFound();
    return this.#repeat(other, request);
  }

  /** Checks everything, and signs. Nothing is stored. */
  async #prepare(
    request: NewOrderRequest,
  ): Promise<{ readonly order: WaitingOrder; readonly deposit: OrderTransaction }> {
    const { chain, custody, orders, limits, holder } = this.#dependencies;
    const { wallet, depositRequestId } = request;
    const craft = await this.#getCraft(request);
    const terms = decodeDepositTerms(craft.terms);
    const createdAt = await orders.now();
    checkAgainstDeposit(request, terms);
    const credited = await this.#computeCredited(terms);
    const checked = this.#checkPlan(request, terms, { credited, now: createdAt });
    const { messageBytes, lastValidBlockHeight } = craft;
    const signature = readWalletSignature(request.depositSignedTx, { messageBytes, wallet }, 'deposit');
    requireAvailable(chain);
    if (chain.blockHeight('confirmed') > lastValidBlockHeight) {
      throw new OrderRefused('invalid', 'The deposit transaction has expired. Please craft a new deposit.');
    }
    await requireOpenPlace(orders, limits, wallet, getOrderFamily(checked.plan));
    const { vault, account, inputMint: mint, outputMint, amount, outputAccount, earnMint } = terms;
    const ours = await custody.sign({
      kind: 'deposit',
      subject: depositRequestId,
      messageBytes,
      wallet,
      account,
      mint,
      amount,
      outputMint,
      outputAccount,
      earnMint: earnMint ?? undefined,
    });
    const id = createOrderId(createdAt);
    const order = startOrder(
      {
        id,
        depositRequestId,
        wallet,
        vault,
        account,
        inputMint: mint,
        outputMint,
        ...checked,
        inputAmount: credited,
        createdAt,
      },
      { holder, leaseUntil: createdAt + LEASE_MS },
    );
    const deposit: OrderTransaction = {
      orderId: id,
      number: 1,
      kind: 'deposit',
      signature: encodeSignature(signature),
      wire: joinSignatures(messageBytes, signature, ours),
      lastValidBlockHeight,
      outcome: 'pending',
      inputAmount: amount,
      held: null,
      outputAmount: null,
      triggeredPrice: null,
      leg: null,
      round: null,
      createdAt,
      endedAt: null,
    };
    return { order, deposit };
  }

  /** Checks the plan of an order, and when it ends. */
  #checkPlan(
    request: NewOrderRequest,
    { outputAccount, earnMint }: DepositTerms,
    { credited, now }: { readonly credited: bigint; readonly now: number },
  ): { readonly plan: OrderPlan; readonly expiresAt: number } {
    const knowledge = { ...this.#dependencies, now };
    if (isRecurringRequest(request)) {
      const plan = checkRecurringPlan(request, credited, knowledge);
      checkEarningCraft(plan.earnMint, earnMint);
      return { plan, expiresAt: NEVER };
    }
    const plan = checkPricePlan(request, knowledge, outputAccount);
    return { plan, expiresAt: checkEnd(request.expiresAt, now) };
  }

  async #getCraft({ wallet, depositRequestId }: NewOrderRequest): Promise<OrderCraft> {
    const craft = await this.#dependencies.orders.getCraft(depositRequestId);
    if (craft === null || craft.kind !== 'deposit') throw createNotFound();
    if (craft.wallet === wallet) return craft;
    throw new OrderRefused('not the owner', 'Forbidden: the deposit was crafted for a different wallet');
  }

  /** Returns the atoms that arrive in the vault. */
  async #computeCredited({ inputMint, amount }: DepositTerms): Promise<bigint> {
    const { chain, limits } = this.#dependencies;
    // No other mint can have a transfer fee.
    if (!limits.allowedMints.has(inputMint)) return amount;
    const [read] = await chain.getAccounts([inputMint]);
    const data = read?.account?.data;
    const config =
      data === undefined
        ? null
        : findTransferFeeConfig(decodeFromChain(inputMint, () => decodeMint(data)).extensions);
    return config === null
      ? amount
      : amount - computeTransferFee(getTransferFeeAt(config, chain.clock().epoch), amount);
  }

  async #repeat(order: WaitingOrder, request: NewOrderRequest): Promise<CreatedOrder> {
    const { orders } = this.#dependencies;
    if (order.wallet !== request.wallet) {
      throw new OrderRefused('not the owner', 'Forbidden: the order belongs to a different wallet');
    }
    const deposit = (await orders.transactionsOf(order.id)).find(({ kind }) => kind === 'deposit');
    if (deposit === undefined) throw new Error(`the order ${order.id} has no deposit`);
    if (!isSameOrder(request, order, deposit)) {
      throw new OrderRefused(
        'invalid',
        `Duplicate deposit: depositRequestId ${order.depositRequestId} was used for the order ${order.id}, which is another one`,
      );
    }
    return this.#land(deposit, true, `The order was created before, and is ${order.state}`);
  }

  async #land(recorded: OrderTransaction, mayBeOut: boolean, message: string | null): Promise<CreatedOrder> {
    const settled =
      recorded.outcome === 'pending'
        ? await this.#dependencies.settlements.settle(recorded, mayBeOut)
        : { transaction: recorded, reason: null };
    const { transaction, reason } = settled;
    const { orderId: id, signature, outcome } = transaction;
    switch (outcome) {
      case 'success':
        return { id, signature, isConfirmed: true, message };
      case 'pending':
        return {
          id,
          signature,
          isConfirmed: false,
          message: `The deposit is not confirmed yet: ${reason}. Send the same request again to learn how it ends`,
        };
      case 'failed':
      case 'expired': {
        const why = reason ?? (outcome === 'failed' ? 'it failed on the chain' : 'it did not land in time');
        throw new OrderRefused('invalid', `Failed to execute deposit: ${why}. Please craft a new deposit.`);
      }
    }
  }
}

function createNotFound(): OrderRefused {
  return new OrderRefused(
    'invalid',
    'Deposit transaction not found in cache. Please craft a new deposit first.',
  );
}
