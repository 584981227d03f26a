import type { FillExecution } from './fill-execution.ts';
import type { FillRecord } from './fill-records.ts';
import { parseTransaction, getTransactionSignature } from '../../solana/messages/transaction.ts';
import type { AttemptEnd } from '../../transactions/prepared/store.ts';
import type { SubmittableTransaction } from '../../transactions/submit/submit-and-confirm.ts';
import type { ExecutionResult } from '../../swaps/orders/execution-result.ts';
import type { TakerCommitments } from './prospects/taker-commitments.ts';
import { OrderFill } from './order-fill.ts';
import { SignedFills } from './prospects/signed-fills.ts';
import { readResult } from '../../swaps/orders/stored-result.ts';
import {
  type OrderStore,
  decodeOrder,
  encodeOrder,
  type StoredOrder,
} from '../../swaps/orders/stored-order.ts';
import type { SubmitDependencies } from '../../swaps/orders/submit-order.ts';

export interface MakerFillsOptions extends SubmitDependencies {
  /** Takes fills through last look to their end. */
  readonly execution: FillExecution;
  /** What takers have promised to makers of all kinds. */
  readonly commitments: TakerCommitments;
  /** Called when watching the takers' accounts failed; the fills themselves continue. */
  readonly onDefect: (where: string, error: unknown) => void;
}

/** Executes the orders that makers have to sign, and tracks what their takers have promised in the meantime. */
export class MakerFills {
  readonly #options: MakerFillsOptions;
  readonly #signedFills: SignedFills;

  constructor(options: MakerFillsOptions) {
    const { chain, timers, onDefect } = options;
    this.#options = options;
    this.#signedFills = new SignedFills(chain, timers, onDefect);
  }

  /** @returns the order of a fill that has a record, also from before a restart; null if there is none */
  async orderOf(requestId: string): Promise<StoredOrder | null> {
    const record = await this.#options.execution.find(requestId);
    return record === null ? null : decodeOrder(record.order);
  }

  /**
   * Has the maker sign what the taker has signed, and lands it. Inventory of the maker is only reserved, and the swap
   * only pushed to it, if the swap would succeed with its signature and the taker's account covers it in addition to the
   * taker's other open swaps. A taker that cannot pay therefore costs no more than one simulation.
   * @param order - An order with a maker.
   * @param transaction - As the taker has signed it.
   */
  async execute(
    order: StoredOrder,
    { wire, signature }: SubmittableTransaction,
  ): Promise<AttemptEnd<ExecutionResult>> {
    const { coSigner: terms, requestId } = order;
    if (terms === undefined) throw new Error(`the order ${requestId} has no maker`);
    const { execution, commitments, chain, timers, describeFailure, onSwapped } = this.#options;
    const request = { requestId, terms, order: encodeOrder(order), wire, signature };
    const dependencies = {
      chain,
      timers,
      describeFailure,
      onSwapped,
      commitments,
      signedFills: this.#signedFills,
    };
    const fill = new OrderFill(dependencies, order, request);
    try {
      const { final, answer } = await execution.execute(request, fill);
      return { final, answer: readResult(answer) };
    } finally {
      fill.close();
    }
  }

  /**
   * Settles the fills that a process left in flight when it ended, and sends their results to the makers.
   * @param orders - Makes sure that only one instance settles each.
   */
  async resume(orders: OrderStore<ExecutionResult>): Promise<void> {
    const { execution } = this.#options;
    const records = await execution.unfinished();
    await execution.replayResults(parseResultSignature);
    await Promise.all(records.map((record) => this.#resume(orders, record)));
  }

  async #resume(orders: OrderStore<ExecutionResult>, { order: text, offered, requestId }: FillRecord) {
    const order = decodeOrder(text);
    let isOurs = false;
    await orders.executeOnce(order, () => {
      isOurs = true;
      return this.execute(order, {
        wire: offered,
        signature: getTransactionSignature(parseTransaction(offered)),
        lastValidBlockHeight: order.lastValidBlockHeight,
      });
    });
    // Another instance has settled the fill. If the maker has reconnected to this instance, only this one can send it
    // the result.
    if (!isOurs) await this.#options.execution.replayResult(requestId, parseResultSignature);
  }
}

const parseResultSignature = (answer: string): string | null => readResult(answer).signature;
