import { type LandedTransaction, requireAvailable } from '../../../chain/chain.ts';
import type {
  FillExecution,
  FillRecord,
  FillRequest,
  FillSubmission,
  Found,
  SignedClaim,
  Submitted,
} from '../../../rfq/index.ts';
import { parseTransaction, transactionSignature } from '../../../solana/messages/transaction.ts';
import {
  isConfirmed,
  type SubmittableTransaction,
  searchAgain,
  statusOf,
} from '../../../transactions/submit-and-confirm.ts';
import type { Execution } from '../../../transactions/prepared/store.ts';
import type { ExecuteResponse } from './execute-schema.ts';
import { checkBeforeOffer, FillProspects, isBrokenByMaker, shortfallOf } from './fill-prospects.ts';
import { Code, failed, landedAnswer, type LandParts, landOrder } from './land-order.ts';
import type { OpenFill, OpenFills } from './open-fills.ts';
import type { SignedFills, WatchedFill } from './signed-fills.ts';
import type { OrderStore, StoredOrder } from './stored-order.ts';
import { orderOf, orderText } from './order-text.ts';

export interface FillParts extends LandParts {
  readonly orders: OrderStore<ExecuteResponse>;
  /** Executes swaps with makers; null where there are none. */
  readonly fills: FillExecution | null;
  readonly openFills: OpenFills;
  readonly signedFills: SignedFills;
}

const CODES = {
  expired: Code.QUOTE_EXPIRED,
  rejected: Code.SWAP_REJECTED,
  failed: Code.MAKER_UNKNOWN,
  known: Code.MAKER_UNKNOWN,
} as const;

/** Swaps with makers have codes of their own for how landing ends. */
const LANDING_CODES: ReadonlyMap<number, number> = new Map([
  [Code.FAILED_TO_LAND, Code.MAKER_FAILED_TO_LAND],
  [Code.UNKNOWN, Code.MAKER_UNKNOWN],
  [Code.INVALID_TRANSACTION, Code.MAKER_INVALID_TRANSACTION],
]);

/** @returns the order of a swap with a maker that was executed before a restart; null when there is none */
export async function orderWithFill(
  { fills }: Pick<FillParts, 'fills'>,
  requestId: string,
): Promise<StoredOrder | null> {
  const record = (await fills?.find(requestId)) ?? null;
  return record === null ? null : orderOf(record.order);
}

/**
 * Has the maker sign what the taker has signed, and lands it. Nothing of the maker is reserved and nothing is pushed to
 * it unless the swap would succeed with its signature and the taker's account covers it beside the taker's other open
 * swaps. A taker that cannot pay costs one simulation.
 */
export async function executeFill(
  parts: FillParts,
  order: StoredOrder,
  transaction: SubmittableTransaction,
): Promise<Execution<ExecuteResponse>> {
  const { fills } = parts;
  const { coSigner: terms, requestId } = order;
  if (fills === null || terms === undefined) {
    return { final: true, answer: failed(Code.SWAP_REJECTED, 'no makers are connected here') };
  }
  const { wire, signature } = transaction;
  const request = { requestId, terms, order: orderText(order), wire, signature };
  const submission = new OrderFill(parts, order, request);
  try {
    const { final, answer } = await fills.execute(request, submission);
    return { final, answer: JSON.parse(answer) as ExecuteResponse };
  } finally {
    submission.close();
  }
}

/** Settles what a process that is gone has left under way; resolves when everything has been looked at. */
export async function resumeFills(parts: FillParts): Promise<void> {
  const { fills } = parts;
  if (fills === null) return;
  const records = await fills.unfinished();
  await fills.replayResults();
  await Promise.all(records.map((record) => resume(parts, fills, record)));
}

async function resume(parts: FillParts, fills: FillExecution, record: FillRecord): Promise<void> {
  const order = orderOf(record.order);
  let isOurs = false;
  await parts.orders.executeOnce(order, () => {
    isOurs = true;
    return executeFill(parts, order, {
      wire: record.offered,
      signature: transactionSignature(parseTransaction(record.offered)),
      lastValidBlockHeight: order.lastValidBlockHeight,
    });
  });
  // Another instance has settled it; if the maker came back to this one, only this one can tell it.
  if (!isOurs) await fills.replayResult(record.requestId);
}

/** The transaction of an order with a fill. */
class OrderFill implements FillSubmission {
  readonly #parts: FillParts;
  readonly #order: StoredOrder;
  readonly #request: FillRequest;
  #open: OpenFill | null = null;
  #close: () => void = () => {};
  #watched: WatchedFill | null = null;
  #claim: SignedClaim | null = null;

  constructor(parts: FillParts, order: StoredOrder, request: FillRequest) {
    this.#parts = parts;
    this.#order = order;
    this.#request = request;
  }

  async check(): ReturnType<FillSubmission['check']> {
    const { chain, timers, openFills } = this.#parts;
    const { terms, wire, signature } = this.#request;
    // No maker is to sign what could not be sent.
    requireAvailable(chain);
    const { spends, lastValidBlockHeight } = this.#order;
    if (spends !== undefined) {
      this.#open = { spending: spends, signature, isSigned: false };
      this.#close = openFills.open(this.#open);
      // From before the account is looked at, so that no change is missed.
      this.#watched = this.#parts.signedFills.watch(spends, signature);
    }
    const transaction = { wire, signature, lastValidBlockHeight };
    const swap = { order: this.#order, terms, transaction, open: this.#open };
    const judging = { chain, timers, openFills };
    const prospects = new FillProspects(judging, swap);
    let refused: Awaited<ReturnType<typeof checkBeforeOffer>> = null;
    let isChecked = false;
    try {
      refused = await checkBeforeOffer(judging, swap);
      isChecked = refused === null;
    } finally {
      if (!isChecked) prospects.close();
    }
    return refused ?? prospects;
  }

  watchSigned(claim: SignedClaim): () => void {
    const { spends } = this.#order;
    this.#claim = claim;
    if (spends === undefined) return () => {};
    const watched = this.#watched ?? this.#parts.signedFills.watch(spends, this.#request.signature);
    this.#watched = null;
    watched.signed(claim);
    return () => watched.close();
  }

  async submit(wire: Uint8Array, signature: string): Promise<Submitted> {
    if (this.#open !== null) this.#open.isSigned = true;
    let broken: LandedTransaction | null = null;
    const onFailed = (order: StoredOrder, landed: LandedTransaction) => {
      broken = isBrokenByMaker(order, landed) ? landed : null;
    };
    const { lastValidBlockHeight } = this.#order;
    const transaction = { wire, signature, lastValidBlockHeight };
    const { final, answer } = await landOrder({ ...this.#parts, onFailed }, this.#order, transaction);
    const code = LANDING_CODES.get(answer.code) ?? answer.code;
    if (final) {
      const isBroken = broken !== null && !(await this.#isExcused(broken));
      return { landing: landingOf(answer, isBroken), answer: JSON.stringify({ ...answer, code }) };
    }
    // It goes on being sent: what one node refuses for now, another may take.
    const isOpen = code === Code.MAKER_INVALID_TRANSACTION;
    const told = { ...answer, code: isOpen ? Code.MAKER_UNKNOWN : code };
    return { landing: 'unknown', answer: JSON.stringify(told) };
  }

  async find(signature: string): Promise<Found> {
    const { chain, timers } = this.#parts;
    const { lastValidBlockHeight } = this.#order;
    const isPast = chain.blockHeight('finalized') > lastValidBlockHeight;
    const status = isPast
      ? await searchAgain(chain, timers, { signature, lastValidBlockHeight })
      : await statusOf(chain, signature);
    if (!isConfirmed(status)) return { landing: null, isOver: status === 'denied' };
    const answer = await landedAnswer(this.#parts, this.#order, signature, { kind: 'landed', status });
    return { landing: landingOf(answer, false), answer: JSON.stringify(answer) };
  }

  async isOnChain(signature: string): Promise<boolean> {
    return isConfirmed(await statusOf(this.#parts.chain, signature));
  }

  refusal({ refused, reason }: Parameters<FillSubmission['refusal']>[0], signature: string): string {
    return JSON.stringify(failed(CODES[refused], reason, signature));
  }

  /** The taker's account is no longer spoken for by this swap; one that the maker has signed is watched until its end. */
  close(): void {
    this.#close();
    this.#watched?.close();
  }

  /**
   * Whether what the maker lacked went to swaps that were not counted in full while their takers could not pay, and that
   * landed after all: its inventory was promised twice, which is not its fault.
   */
  async #isExcused(landed: LandedTransaction): Promise<boolean> {
    const shortfall = shortfallOf(this.#order, landed);
    if (shortfall === 0n || this.#claim?.wasOverbooked() !== true) return false;
    return (await this.#parts.signedFills.landedAfterAll(this.#claim, landed.slot)) >= shortfall;
  }
}

function landingOf({ status }: ExecuteResponse, isBroken: boolean): Found['landing'] & string {
  if (status === 'Success') return 'landed';
  return isBroken ? 'broken' : 'lost';
}
