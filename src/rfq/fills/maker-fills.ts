import { parseTransaction, getTransactionSignature } from '../../solana/messages/transaction.ts';
import type { ExecutionResult } from '../../swaps/orders/execution-result.ts';
import type { CoSignedOrder, OrderStore, StoredOrder } from '../../swaps/orders/stored-order.ts';
import type { SubmittableTransaction } from '../../transactions/submit/submit-and-confirm.ts';
import type { FillExecution } from './fill-execution.ts';
import type { FillAnswer } from './fill-outcomes.ts';
import type { FillRecord } from './fill-records.ts';
import { FillSubmission, type FillSubmissionDependencies } from './fill-submission.ts';
import { SignedFills } from './prospects/signed-fills.ts';

export interface MakerFillsOptions extends Omit<FillSubmissionDependencies, 'signedFills'> {
  /** Takes fills through last look to their end. */
  readonly execution: FillExecution;
  /** Called when watching the takers' accounts failed; the fills themselves continue. */
  readonly onDefect: (where: string, error: unknown) => void;
}

/** Executes the orders that makers have to sign, and tracks what their takers have promised in the meantime. */
export class MakerFills {
  readonly #execution: FillExecution;
  readonly #dependencies: FillSubmissionDependencies;

  constructor({ execution, onDefect, ...options }: MakerFillsOptions) {
    const { chain, timers } = options;
    this.#execution = execution;
    this.#dependencies = { ...options, signedFills: new SignedFills(chain, timers, onDefect) };
  }

  /** Returns the order of a fill that has a record, also from before a restart; null if there is none. */
  async orderOf(requestId: string): Promise<StoredOrder | null> {
    return (await this.#execution.find(requestId))?.order ?? null;
  }

  /**
   * Has the maker sign what the taker has signed, and lands it. Inventory of the maker is only reserved, and the swap
   * only pushed to it, if the swap would succeed with its signature and the taker's account covers it in addition to the
   * taker's other open swaps. A taker that cannot pay therefore costs no more than one simulation.
   * @param transaction - As the taker has signed it.
   */
  async execute(
    order: CoSignedOrder,
    { wire, signature }: Pick<SubmittableTransaction, 'wire' | 'signature'>,
  ): Promise<FillAnswer> {
    const request = { order, wire, signature };
    const submission = new FillSubmission(this.#dependencies, request);
    try {
      return await this.#execution.execute(request, submission);
    } finally {
      submission.close();
    }
  }

  /**
   * Settles the fills that a process left in flight when it ended, and sends their results to the makers.
   * @param orders - Makes sure that only one instance settles each.
   */
  async resume(orders: OrderStore<ExecutionResult>): Promise<void> {
    const records = await this.#execution.unfinished();
    await this.#execution.replayResults();
    await Promise.all(records.map((record) => this.#resume(orders, record)));
  }

  async #resume(orders: OrderStore<ExecutionResult>, { order, offered, requestId }: FillRecord) {
    let isOurs = false;
    await orders.executeOnce(order, () => {
      isOurs = true;
      const signature = getTransactionSignature(parseTransaction(offered));
      return this.execute(order, { wire: offered, signature });
    });
    // Another instance has settled the fill. If the maker has reconnected to this instance, only this one can send it
    // the result.
    if (!isOurs) await this.#execution.replayResult(requestId);
  }
}
