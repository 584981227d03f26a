import type { Chain } from '../../chain/chain.ts';
import type { Timers } from '../../common/ports/timers.ts';
import { submitAndConfirm } from '../../transactions/submit/submit-and-confirm.ts';
import { readOutcome } from '../../transactions/submit/submit-and-read.ts';
import type { Address } from '../../solana/address.ts';
import type { DescribeFailure } from '../../transactions/transaction-failure.ts';
import { applyOrderEvent } from '../machine.ts';
import type { WaitingOrderStore } from '../store/order-store.ts';
import type { EndedTransaction } from '../store/order-writer.ts';
import type { OrderTransaction, WaitingOrder } from '../waiting-order.ts';
import { readAgreedVaultAccount } from './vault-account.ts';

/** How a recorded transaction ended, by the chain. */
type TransactionLanding =
  /** It is confirmed, and succeeded. `signature` is the one on the chain: a wallet can sign a message several times. */
  | { readonly kind: 'success'; readonly signature: string }
  /** It is confirmed, and failed. */
  | { readonly kind: 'failed'; readonly signature: string; readonly reason: string }
  /** It is in no block, and can no longer land. */
  | { readonly kind: 'expired'; readonly reason: string }
  /** It may still land. `reason` is what the network said, if it said something. */
  | { readonly kind: 'unknown'; readonly reason: string };

export interface OrderLandingDependencies {
  readonly chain: Chain;
  readonly timers: Timers;
  readonly describeFailure: DescribeFailure;
}

/**
 * Sends a recorded transaction until it is confirmed or can no longer land, for at most two minutes. It may be called for one
 * transaction any number of times, by any number of processes: a transaction that is sent twice still lands once.
 *
 * @param mayBeOut - Whether it may have been sent before. Then no refusal of a node says that it cannot land.
 */
async function landTransaction(
  dependencies: OrderLandingDependencies,
  { wire, signature, lastValidBlockHeight }: OrderTransaction,
  mayBeOut: boolean,
): Promise<TransactionLanding> {
  const { chain, timers, describeFailure } = dependencies;
  // The wallet pays for deposits and withdrawals.
  const sent = { wire, signature, lastValidBlockHeight, isPaidByOthers: true };
  const outcome = await submitAndConfirm(chain, timers, sent, mayBeOut);
  switch (outcome.kind) {
    case 'landed': {
      const { signature: landed, status } = outcome;
      if (status.error === null) return { kind: 'success', signature: landed };
      const read = await readOutcome(dependencies, landed, status);
      const reason = read.kind === 'failed' ? read.failure.message : 'it failed on the chain';
      return { kind: 'failed', signature: landed, reason };
    }
    case 'expired':
      return { kind: 'expired', reason: 'its blockhash expired before it landed' };
    case 'rejected': {
      const reason = describeFailure(outcome.error, outcome.logs).message;
      return { kind: outcome.isFinal ? 'expired' : 'unknown', reason };
    }
    case 'unknown':
      return { kind: 'unknown', reason: 'the network did not report the outcome' };
  }
}

export interface SettlementDependencies extends OrderLandingDependencies {
  readonly orders: Pick<WaitingOrderStore, 'get' | 'now' | 'transactionsOf' | 'update'>;
  /** Called with an order whose state has changed, right after the change is stored. */
  readonly onChange: (order: WaitingOrder) => void;
}

/** A deposit or withdrawal, and the order, after it was settled or not. */
export interface OrderSettlement {
  readonly order: WaitingOrder;
  /** Its `outcome` is `pending` while it may still land. */
  readonly transaction: OrderTransaction;
  /** Why it did not succeed, as a part of a sentence; null if it did, or if that was found out before. */
  readonly reason: string | null;
}

/** How often a change is tried again that another writer forestalled. Keepers change an order at most a few times a second. */
const MAX_ATTEMPTS = 20;

/** The events by which an order leaves the state in which its deposit or withdrawal is on its way. */
const EVENTS = {
  deposit: { landed: 'deposit-landed', ended: 'deposit-ended' },
  withdrawal: { landed: 'withdrawal-landed', ended: 'withdrawal-ended' },
} as const;

/** Lands deposits and withdrawals that are recorded, and records how they ended. */
export class OrderSettlements {
  readonly #dependencies: SettlementDependencies;
  /** What this process lands now, by signature. */
  readonly #running = new Map<string, Promise<OrderSettlement>>();

  constructor(dependencies: SettlementDependencies) {
    this.#dependencies = dependencies;
  }

  /**
   * Sends a pending deposit or withdrawal until it is confirmed or can no longer land, for at most two minutes, and records
   * the end together with the state of its order. Calls for one transaction share one attempt.
   *
   * @param mayBeOut - Whether it may have been sent before: always, but by the one that has just recorded it.
   * @throws Unavailable when the database does not answer
   */
  settle(transaction: OrderTransaction, mayBeOut: boolean): Promise<OrderSettlement> {
    const running = this.#running.get(transaction.signature);
    if (running !== undefined) return running;
    const settled = this.#settle(transaction, mayBeOut).finally(() =>
      this.#running.delete(transaction.signature),
    );
    this.#running.set(transaction.signature, settled);
    return settled;
  }

  async #settle(transaction: OrderTransaction, mayBeOut: boolean): Promise<OrderSettlement> {
    const landing = await this.#doubt(
      transaction,
      await landTransaction(this.#dependencies, transaction, mayBeOut),
    );
    for (let attempt = 0; attempt < MAX_ATTEMPTS; attempt++) {
      const settlement = await this.#record(transaction, landing);
      if (settlement !== null) return settlement;
    }
    throw new Error(
      `the order ${transaction.orderId} changes all the time, so its ${transaction.kind} is not settled`,
    );
  }

  /**
   * A node can deny a transaction that has landed. A deposit that is given up then would leave its money in the vault, and an order
   * whose withdrawal is given up could never be withdrawn again. So the order's account has the last word: only the deposit can create
   * it, and while an order is withdrawn, only the withdrawal can take it from the vault.
   */
  async #doubt(
    { kind, orderId, signature }: OrderTransaction,
    landing: TransactionLanding,
  ): Promise<TransactionLanding> {
    if (kind === 'fill' || landing.kind !== 'expired') return landing;
    const order = await this.#dependencies.orders.get(orderId);
    if (order === null) return landing;
    const found = await readAgreedVaultAccount(this.#dependencies, findHoldingAccount(order), order.vault);
    if (found.kind === 'unknown') return { kind: 'unknown', reason: landing.reason };
    return found.kind === (kind === 'deposit' ? 'held' : 'gone') ? { kind: 'success', signature } : landing;
  }

  /** Returns null if another writer has changed the order in the meantime. */
  async #record(recorded: OrderTransaction, landing: TransactionLanding): Promise<OrderSettlement | null> {
    const { orders, onChange } = this.#dependencies;
    const { orderId, number } = recorded;
    const order = await orders.get(orderId);
    const transaction = (await orders.transactionsOf(orderId)).find((each) => each.number === number);
    if (order === null || transaction === undefined) {
      throw new Error(`transaction ${number} of the order ${orderId} was landed and is not stored`);
    }
    const reason = landing.kind === 'success' ? null : landing.reason;
    if (transaction.outcome !== 'pending') {
      return { order, transaction, reason: transaction.outcome === 'success' ? null : reason };
    }
    if (landing.kind === 'unknown') return { order, transaction, reason };
    if (transaction.kind === 'fill')
      throw new Error(`transaction ${number} of the order ${orderId} is a fill`);
    const at = await orders.now();
    const events = EVENTS[transaction.kind];
    const kind = landing.kind === 'success' ? events.landed : events.ended;
    const changed = applyOrderEvent(order, { kind, at });
    if (!changed.ok) throw new Error(`the order ${orderId} is not settled: ${changed.error.message}`);
    const signature = landing.kind === 'expired' ? transaction.signature : landing.signature;
    const ended: EndedTransaction = { number, outcome: landing.kind, signature, endedAt: at };
    if (!(await orders.update(changed.value, order.revision, { ended }))) return null;
    onChange(changed.value);
    return { order: changed.value, transaction: { ...transaction, ...ended }, reason };
  }
}

/** Returns the account in which money of an order lies that is being withdrawn, or arrives with its deposit. */
function findHoldingAccount({ account, remaining, plan }: WaitingOrder): Address {
  return plan.kind === 'otoco' && remaining === 0n ? plan.outputAccount : account;
}
