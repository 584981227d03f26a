import { type FillAnswer, toRefusedResult } from '../fill-outcomes.ts';
import type { WebhookFillRecords } from '../fill-records.ts';
import type { Webhooks } from '../../webhooks/webhooks.ts';
import { parseTransaction } from '../../../solana/messages/transaction.ts';
import { Code, type ExecutionResult, createSwapFailure } from '../../../swaps/orders/execution-result.ts';
import { checkBeforeOffer } from '../prospects/fill-prospects.ts';
import type { TakerCommitment, TakerCommitments } from '../prospects/taker-commitments.ts';
import type { OrderStore, StoredOrder, WebhookOrder } from '../../../swaps/orders/stored-order.ts';
import type { SubmissionDependencies } from '../../../transactions/submit/submit-and-read.ts';
import { findExcuse, getLastHeight } from './webhook-blame.ts';
import { SETTLING_SECONDS } from '../../liquidity/fill-times.ts';
import { WebhookSettlement } from './webhook-settlement.ts';

export interface WebhookFillsOptions extends SubmissionDependencies {
  readonly webhooks: Webhooks;
  readonly records: WebhookFillRecords;
  /** What takers have promised to makers of all kinds. */
  readonly commitments: TakerCommitments;
  /** Called when something failed that no request waits for. */
  readonly onDefect: (where: string, error: unknown) => void;
}

/** Executes the orders that makers land themselves, and reports what the chain says. */
export class WebhookFills {
  readonly #options: WebhookFillsOptions;
  /** The swaps that this process has sent or watches, by request id. */
  readonly #settlements = new Map<string, WebhookSettlement>();

  constructor(options: WebhookFillsOptions) {
    this.#options = options;
  }

  /** Returns the order of a swap that has a record, also from before a restart; null if there is none. */
  async orderOf(requestId: string): Promise<StoredOrder | null> {
    return (await this.#options.records.byRequest(requestId))?.order ?? null;
  }

  /**
   * Sends the maker the swap that the taker has signed, once, and waits for what the chain says.
   * @param offered - The transaction with the taker's signature and without the maker's.
   */
  async execute(order: WebhookOrder, offered: Uint8Array): Promise<FillAnswer> {
    const { records } = this.#options;
    const record = await records.byRequest(order.requestId);
    if (record === null) return this.#begin(order, offered);
    if (record.answer !== null) return { final: true, answer: record.answer };
    if (Buffer.compare(record.offered, offered) !== 0) {
      const message =
        'the maker has the order with another message, which may still land; send that one again';
      return { final: false, answer: createSwapFailure(Code.MAKER_UNKNOWN, message) };
    }
    return this.#settlementOf(order, record.offered, false).answered();
  }

  /** Watches the swaps that a process left in flight when it ended. */
  async resume(orders: OrderStore<ExecutionResult>): Promise<void> {
    const unfinished = await this.#options.records.unfinished();
    await Promise.all(
      unfinished.map(({ order, offered }) =>
        orders.executeOnce(order, () => this.#settlementOf(order, offered, false).answered()),
      ),
    );
  }

  async #begin(order: WebhookOrder, offered: Uint8Array): Promise<FillAnswer> {
    const { chain, records, commitments, timers, webhooks } = this.#options;
    const { requestId, spends, webhookFill, inputMint, outputMint } = order;
    const { makerId, terms } = webhookFill;
    const { maker } = terms;
    const reason = webhooks.findRefusal({ makerId, maker }, { tokenIn: inputMint, tokenOut: outputMint });
    // Nothing was sent, and the operator may allow it again.
    if (reason !== null)
      return { final: false, answer: toRefusedResult({ refused: 'rejected', reason }, null) };
    const { message: signed } = parseTransaction(offered);
    const lastValidBlockHeight = getLastHeight(chain, order, signed);
    const until = terms.expireAt - SETTLING_SECONDS;
    const { unixTimestamp } = chain.clock();
    if (unixTimestamp > until) {
      const message = `the order had to be executed by ${until}, and the network's clock shows ${unixTimestamp}; the rest of its time is the maker's`;
      return { final: true, answer: createSwapFailure(Code.QUOTE_EXPIRED, message) };
    }
    const commitment: TakerCommitment | null =
      spends === undefined ? null : { spending: spends, signature: null, isSigned: false };
    const stopCounting = commitment === null ? () => {} : commitments.add(commitment);
    let isBegun = false;
    try {
      const swap = { order: { ...order, lastValidBlockHeight }, terms, wire: offered, commitment };
      const refused = await checkBeforeOffer(this.#options, swap);
      if (refused !== null) return { final: false, answer: toRefusedResult(refused, null) };
      isBegun = await records.begin({
        requestId,
        makerId,
        order,
        offered,
        excuse: findExcuse(chain, order, signed),
        offeredAt: timers.now(),
      });
    } finally {
      if (!isBegun) stopCounting();
    }
    if (!isBegun) return this.execute(order, offered);
    const settlement = this.#settlementOf(order, offered, true);
    void settlement.ended().finally(stopCounting);
    return settlement.answered();
  }

  /** @param isNew - Whether the maker has not been sent the swap yet. */
  #settlementOf(order: WebhookOrder, offered: Uint8Array, isNew: boolean): WebhookSettlement {
    const { requestId } = order;
    const known = this.#settlements.get(requestId);
    if (known !== undefined) return known;
    const settlement = new WebhookSettlement(this.#options, order, offered);
    this.#settlements.set(requestId, settlement);
    settlement
      .run(isNew)
      .catch((error: unknown) => this.#options.onDefect(`the swap ${requestId} with a webhook maker`, error))
      .finally(() => this.#settlements.delete(requestId));
    return settlement;
  }
}
