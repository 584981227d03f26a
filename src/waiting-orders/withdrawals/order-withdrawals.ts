import { randomInt, randomUUID } from 'node:crypto';
import { type Chain, ChainUnavailable, decodeFromChain, requireAvailable } from '../../chain/chain.ts';
import type { KeyCustody } from '../../custody/custody.ts';
import type { Address } from '../../solana/address.ts';
import { encodeSignature } from '../../solana/messages/signature.ts';
import { parseTransaction } from '../../solana/messages/transaction.ts';
import { deriveAssociatedTokenAddress } from '../../solana/pda.ts';
import { isPaidOutOnClosing } from '../../solana/program-addresses.ts';
import { readTokenAccountAmount } from '../../solana/programs/token/account.ts';
import {
  buildTransaction,
  readAccounts,
  type TransactionBuild,
  type TransactionPlan,
} from '../../transactions/build/build-transaction.ts';
import { describeLackingFunds } from '../../transactions/build/costs.ts';
import { SERIALS } from '../../transactions/build/transaction-message.ts';
import type { DescribeFailure } from '../../transactions/transaction-failure.ts';
import { getEarnMint } from '../earning/earn-mint.ts';
import type { EarnProgram } from '../earning/earn-program.ts';
import { toInputAtoms } from '../earning/earn-sale.ts';
import { planEarnWithdrawal } from '../earning/earn-withdrawal.ts';
import { type OrderMint, readOrderMint } from '../landing/order-mint.ts';
import { isOrderId } from '../order-id.ts';
import type { OrderSettlements } from '../landing/order-settlements.ts';
import { joinSignatures, readWalletSignature } from '../landing/signed-message.ts';
import { applyOrderEvent, LEASE_MS } from '../machine.ts';
import { getOrderFamily, type OrderFamily } from '../order-plan.ts';
import { OrderRefused } from '../order-refused.ts';
import type { OrderCraft } from '../store/order-craft.ts';
import type { WaitingOrderStore } from '../store/order-store.ts';
import type { OrderState, OrderTransaction, WaitingOrder } from '../waiting-order.ts';
import { canTake, findMainBalance, isVaults, listOrderTokens } from './order-accounts.ts';
import {
  planWithdrawal,
  type WithdrawalParties,
  type WithdrawalWay,
  type WithdrawnAccount,
} from './withdrawal-message.ts';
import {
  createBusy,
  createNotCancellable,
  createNotCancelling,
  createUnknownWithdrawal,
  createUnsettled,
} from './withdrawal-refusals.ts';

export interface WithdrawalDependencies {
  readonly chain: Chain;
  readonly describeFailure: DescribeFailure;
  readonly custody: Pick<KeyCustody, 'coSigner' | 'sign'>;
  readonly orders: WaitingOrderStore;
  readonly earn: EarnProgram;
  readonly settlements: OrderSettlements;
  /** Names this process in leases. */
  readonly holder: string;
  /** Called with an order whose state has changed, right after the change is stored. */
  readonly onChange: (order: WaitingOrder) => void;
}

/** A withdrawal that the wallet may sign. */
export interface CraftedWithdrawal {
  readonly id: string;
  readonly requestId: string;
  readonly messageBytes: Uint8Array;
  /** As it stands after it was cancelled. */
  readonly order: WaitingOrder;
}

/** A withdrawal, as a client confirms it. */
export interface WithdrawalConfirmation {
  /** The wallet that has signed in. */
  readonly wallet: Address;
  readonly orderId: string;
  readonly family: OrderFamily;
  readonly cancelRequestId: string;
  /** Base64. */
  readonly signedTransaction: string;
}

/** A withdrawal that is confirmed. */
export interface LandedWithdrawal {
  /** The id of the order. */
  readonly id: string;
  readonly signature: string;
}

/** The states in which a withdrawal can be confirmed, or was. */
const CANCELLING: readonly OrderState[] = ['ready_to_cancel', 'withdrawing', 'cancelled'];
/** How often a change is tried again that another writer forestalled. */
const MAX_ATTEMPTS = 20;
/** For how long the same confirmation can be repeated. */
const KEEP_MS = 60 * 60_000;
/** Withdrawals of an order that may fail before its account is handed over instead of closed. */
const MAX_FAILED_CLOSINGS = 1;

/** Gives the money of orders back to their wallets. */
export class OrderWithdrawals {
  readonly #dependencies: WithdrawalDependencies;

  constructor(dependencies: WithdrawalDependencies) {
    this.#dependencies = dependencies;
  }

  /**
   * Stops an order from being filled, and builds the transaction that gives its money back. Called again, it builds another one.
   *
   * @throws OrderRefused with a sentence for the client
   * @throws Unavailable when the database or the network does not answer
   */
  async cancel(wallet: Address, orderId: string, family: OrderFamily): Promise<CraftedWithdrawal> {
    const order = await this.#markForCancel(wallet, orderId, family);
    requireAvailable(this.#dependencies.chain);
    return this.#craft(order);
  }

  /**
   * Signs the withdrawal that the wallet has signed, records and lands it. The same confirmation again has the same answer.
   *
   * Returns the id of the order, and the signature of the withdrawal, which is confirmed.
   * @throws OrderRefused with a sentence for the client
   * @throws Unavailable when the database, the keys or the network do not answer, or while the withdrawal may still land
   */
  async confirm(confirmation: WithdrawalConfirmation): Promise<LandedWithdrawal> {
    const { wallet, orderId, family, cancelRequestId } = confirmation;
    const { orders, settlements } = this.#dependencies;
    for (let attempt = 0; attempt < MAX_ATTEMPTS; attempt++) {
      const order = await this.#requireOrder(wallet, orderId, family);
      if (!CANCELLING.includes(order.state)) {
        throw createNotCancelling(order);
      }
      const craft = isOrderId(cancelRequestId) ? await orders.getCraft(cancelRequestId) : null;
      if (craft === null || craft.orderId !== orderId) throw createUnknownWithdrawal();
      const withdrawals = (await orders.transactionsOf(orderId)).filter(({ kind }) => kind === 'withdrawal');
      const recorded = withdrawals.find(({ wire }) => carries(wire, craft));
      if (recorded !== undefined) return this.#land(recorded, true);
      // One that was confirmed under another id has paid everything out, or may do so.
      const other = withdrawals.find(({ outcome }) => outcome === 'success' || outcome === 'pending');
      if (other?.outcome === 'success') return { id: orderId, signature: other.signature };
      if (other !== undefined) {
        const { transaction } = await settlements.settle(other, true);
        if (transaction.outcome === 'pending')
          throw createUnsettled('another withdrawal of the order is on its way');
        continue;
      }
      const withdrawal = await this.#sign(order, craft, confirmation);
      if (await this.#record(order, withdrawal)) return this.#land(withdrawal, false);
    }
    throw createBusy(orderId);
  }

  async #requireOrder(wallet: Address, orderId: string, family: OrderFamily): Promise<WaitingOrder> {
    const found = isOrderId(orderId) ? await this.#dependencies.orders.get(orderId) : null;
    const order = found !== null && getOrderFamily(found.plan) === family ? found : null;
    if (family === 'recurring' && order?.wallet !== wallet) {
      throw new OrderRefused('not found', 'DCA order not found or you do not own it');
    }
    if (order === null) throw new OrderRefused('not found', 'Order not found');
    if (order.wallet === wallet) return order;
    throw new OrderRefused('not the owner', 'Forbidden: the order belongs to a different wallet');
  }

  async #markForCancel(wallet: Address, orderId: string, family: OrderFamily): Promise<WaitingOrder> {
    const { orders, onChange } = this.#dependencies;
    for (let attempt = 0; attempt < MAX_ATTEMPTS; attempt++) {
      const order = await this.#requireOrder(wallet, orderId, family);
      // One that is on its way may fail, so another one may be signed meanwhile.
      if (order.state === 'withdrawing') return order;
      const changed = applyOrderEvent(order, { kind: 'cancel-asked', at: await orders.now() });
      if (!changed.ok) throw createNotCancellable(order);
      if (await orders.update(changed.value, order.revision)) {
        onChange(changed.value);
        return changed.value;
      }
    }
    throw createBusy(orderId);
  }

  async #build(plan: TransactionPlan): Promise<TransactionBuild> {
    return buildTransaction(this.#dependencies, plan, await readAccounts(this.#dependencies.chain, plan));
  }

  /**
   * Builds the withdrawal that redeems the shares of an order. Returns null if there are none, or they cannot be redeemed now, as when
   * everything is lent out: then the wallet gets the shares themselves. It does so too if redeeming them has failed before.
   */
  async #buildRedemption(
    order: WaitingOrder,
    parties: WithdrawalParties,
    [held]: readonly WithdrawnAccount[],
  ): Promise<TransactionBuild | null> {
    const { chain, earn } = this.#dependencies;
    if (getEarnMint(order.plan) === null || held === undefined || held.way !== 'close') return null;
    const [read] = await chain.getAccounts([order.inputMint]);
    const input = readOrderMint(order.inputMint, read?.account ?? null);
    if (input === null || (await this.#chooseWay(order, input)) !== 'close') return null;
    const { account } = held;
    const build = await this.#build(
      planEarnWithdrawal(earn, { ...parties, account, input }, randomInt(SERIALS)),
    );
    return build.kind === 'refused' ? null : build;
  }

  async #craft(order: WaitingOrder): Promise<CraftedWithdrawal> {
    const { custody, orders, earn } = this.#dependencies;
    const { id, wallet, vault } = order;
    const withdrawn = await this.#readAccounts(order);
    const parties = { wallet, vault, coSigner: await custody.coSigner() };
    const redeemed = await this.#buildRedemption(order, parties, withdrawn);
    const build = redeemed ?? (await this.#build(planWithdrawal(parties, withdrawn, randomInt(SERIALS))));
    if (build.kind === 'lacking') throw new OrderRefused('invalid', describeLackingFunds(build.lack));
    if (build.kind === 'refused') {
      throw new OrderRefused('invalid', `The withdrawal would fail: ${build.failure.message}`);
    }
    const { messageBytes, lastValidBlockHeight } = build;
    const balance = toInputAtoms(earn, order, findMainBalance(order, withdrawn));
    const requestId = randomUUID();
    const createdAt = await orders.now();
    await orders.putCraft({
      requestId,
      kind: 'withdrawal',
      wallet,
      orderId: id,
      messageBytes,
      lastValidBlockHeight,
      terms: JSON.stringify({ balance: String(balance) }),
      createdAt,
      deleteAt: createdAt + KEEP_MS,
    });
    return { id, requestId, messageBytes, order };
  }

  /** Reads what lies in the accounts of an order. One that holds nothing of it may be closed already. */
  async #readAccounts(order: WaitingOrder): Promise<readonly WithdrawnAccount[]> {
    const tokens = listOrderTokens(order);
    const read = await this.#dependencies.chain.getAccounts(
      tokens.flatMap(({ account, mint }) => [account, mint]),
    );
    const withdrawn: WithdrawnAccount[] = [];
    for (const [index, { account, mint: address, isHolding }] of tokens.entries()) {
      const found = read[2 * index]?.account ?? null;
      // Anybody can send lamports to the address of an account that is closed, which makes no token account of it. And a fill
      // may have made the wallet its owner instead of closing it.
      const held =
        found !== null && decodeFromChain(account, () => isVaults(found, order.vault)) ? found : null;
      const mint = readOrderMint(address, read[2 * index + 1]?.account ?? null);
      if (held === null && !isHolding) continue;
      if (held === null || mint === null) {
        if (order.state === 'withdrawing') throw createNotCancellable(order);
        throw new ChainUnavailable(
          `the network does not show the account ${account} of the order ${order.id}`,
        );
      }
      const balance = decodeFromChain(account, () => readTokenAccountAmount(held.data));
      withdrawn.push({ account, mint, balance, way: await this.#chooseWay(order, mint) });
    }
    return withdrawn;
  }

  async #chooseWay({ id, wallet }: WaitingOrder, { mint, tokenProgram }: OrderMint): Promise<WithdrawalWay> {
    // Closing an account of wrapped SOL pays everything out, whatever is in it.
    if (isPaidOutOnClosing(mint)) return 'close';
    const { chain, orders } = this.#dependencies;
    const address = deriveAssociatedTokenAddress(wallet, mint, tokenProgram);
    const [own] = await chain.getAccounts([address]);
    const account = own?.account ?? null;
    if (account !== null && !decodeFromChain(address, () => canTake(account, wallet)))
      return 'hand-over-whole';
    const past = await orders.transactionsOf(id);
    const failed = past.filter(({ kind, outcome }) => kind === 'withdrawal' && outcome === 'failed');
    // Somebody may send tokens to the account each time.
    return failed.length > MAX_FAILED_CLOSINGS ? 'hand-over' : 'close';
  }

  async #sign(
    order: WaitingOrder,
    { messageBytes, lastValidBlockHeight, terms }: OrderCraft,
    { signedTransaction }: WithdrawalConfirmation,
  ): Promise<OrderTransaction> {
    const { chain, custody, orders } = this.#dependencies;
    const { id, wallet } = order;
    const accounts = listOrderTokens(order).map(({ account, mint, lentMint }) => ({
      account,
      mint,
      lentMint,
    }));
    const signature = readWalletSignature(signedTransaction, { messageBytes, wallet }, 'withdrawal');
    requireAvailable(chain);
    if (chain.blockHeight('confirmed') > lastValidBlockHeight) {
      throw new OrderRefused(
        'invalid',
        'The withdrawal transaction has expired. Please initiate cancel again.',
      );
    }
    const ours = await custody.sign({ kind: 'withdrawal', subject: id, messageBytes, wallet, accounts });
    return {
      orderId: id,
      number: order.transactions + 1,
      kind: 'withdrawal',
      signature: encodeSignature(signature),
      wire: joinSignatures(messageBytes, signature, ours),
      lastValidBlockHeight,
      outcome: 'pending',
      inputAmount: BigInt(JSON.parse(terms).balance),
      held: null,
      outputAmount: null,
      triggeredPrice: null,
      leg: null,
      round: null,
      createdAt: await orders.now(),
      endedAt: null,
    };
  }

  /** Returns whether it is stored, so that it may be sent. Nothing is if another writer has changed the order. */
  async #record(order: WaitingOrder, withdrawal: OrderTransaction): Promise<boolean> {
    const { orders, holder, onChange } = this.#dependencies;
    const at = withdrawal.createdAt;
    const lease = { holder, leaseUntil: at + LEASE_MS };
    const changed = applyOrderEvent(order, { kind: 'withdrawal-recorded', at, ...lease });
    if (!changed.ok) return false;
    if (!(await orders.update(changed.value, order.revision, withdrawal))) return false;
    onChange(changed.value);
    return true;
  }

  async #land(recorded: OrderTransaction, mayBeOut: boolean): Promise<LandedWithdrawal> {
    const { transaction, reason } =
      recorded.outcome === 'pending'
        ? await this.#dependencies.settlements.settle(recorded, mayBeOut)
        : { transaction: recorded, reason: null };
    const { orderId: id, outcome, signature } = transaction;
    if (outcome === 'success') return { id, signature };
    if (outcome === 'pending') throw createUnsettled(reason ?? 'the network did not report the outcome');
    const why = reason ?? (outcome === 'failed' ? 'it failed on the chain' : 'it did not land in time');
    throw new OrderRefused('invalid', `Failed to execute withdrawal: ${why}. Please initiate cancel again.`);
  }
}

/** Whether a transaction carries the message of a craft. A wallet can sign one message in several ways. */
function carries(wire: Uint8Array, { messageBytes }: OrderCraft): boolean {
  return Buffer.compare(parseTransaction(wire).messageBytes, messageBytes) === 0;
}
