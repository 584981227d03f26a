import { OldestFirst } from '../../common/collections/oldest-first.ts';
import type { LastLookAnswer } from '../../swaps/ledger/ledger-records.ts';
import type { EndedFill, OrderLedger } from '../../swaps/ledger/order-ledger.ts';
import type { ExecutionResult } from '../../swaps/orders/execution-result.ts';
import type { CoSignedOrder, StoredOrder, WebhookOrder } from '../../swaps/orders/stored-order.ts';
import type { FillRecords, WebhookFillRecords } from '../fills/fill-records.ts';

/** Notes fills in the ledger, which people and makers read. No decision about a fill depends on it. */
export type FillNotes = Pick<OrderLedger, 'offered' | 'answered' | 'filled'>;

/** More than the fills that wait for their makers or for the chain. The end of another one is not noted. */
const MAX_OPEN = 4_096;

/** The value of atoms of a mint in US dollars; null if it is unknown. */
type DollarsPerAtom = (mint: WebhookOrder['inputMint']) => number | null;

/**
 * Notes each change of the records of fills over streams that was written. A fill is noted once its maker has signed it, or
 * its end is recorded, because a record alone does not prove that the maker was offered it.
 */
export function noteFills(records: FillRecords, notes: FillNotes): FillRecords {
  const open = new OpenFills<CoSignedOrder>();
  const remember = ({
    swapUuid,
    makerId,
    order,
    offeredAt,
  }: Omit<OpenFill<CoSignedOrder>, 'id'> & { swapUuid: string }) =>
    open.add({ id: swapUuid, makerId, order, offeredAt });
  return {
    begin: async (fill) => {
      const isBegun = await records.begin(fill);
      if (isBegun) remember(fill);
      return isBegun;
    },
    discard: async (swapUuid) => {
      const isDiscarded = await records.discard(swapUuid);
      if (isDiscarded) open.delete(swapUuid);
      return isDiscarded;
    },
    sign: async (swapUuid, signed) => {
      const fill = open.get(swapUuid);
      if (fill !== undefined) noteAnswer(notes, fill, 'signed');
      return records.sign(swapUuid, signed);
    },
    end: async (swapUuid, end) => {
      const isEnded = await records.end(swapUuid, end);
      const fill = open.get(swapUuid);
      if (isEnded && fill !== undefined) noteEnd(notes, fill, end);
      if (isEnded) open.delete(swapUuid);
      return isEnded;
    },
    byRequest: async (requestId) => {
      const found = await records.byRequest(requestId);
      if (found !== null && found.answer === null) remember(found);
      return found;
    },
    unfinished: async (makerId) => {
      const found = await records.unfinished(makerId);
      for (const fill of found) remember(fill);
      return found;
    },
    endedSince: (since) => records.endedSince(since),
  };
}

/** Notes each change of the records of fills by webhook that was written. */
export function noteWebhookFills(
  records: WebhookFillRecords,
  notes: FillNotes,
  dollarsPerAtom: DollarsPerAtom,
): WebhookFillRecords {
  const open = new OpenFills<WebhookOrder>();
  const remember = ({
    requestId,
    makerId,
    order,
    offeredAt,
  }: Omit<OpenFill<WebhookOrder>, 'id'> & { requestId: string }) =>
    open.add({ id: requestId, makerId, order, offeredAt });
  return {
    begin: async (fill) => {
      const isBegun = await records.begin(fill);
      if (isBegun) remember(fill);
      return isBegun;
    },
    note: (requestId, state, excuse) => {
      const fill = open.get(requestId);
      if (fill !== undefined) noteAnswer(notes, fill, state);
      return records.note(requestId, state, excuse);
    },
    end: async (requestId, end) => {
      const isEnded = await records.end(requestId, end);
      const fill = open.get(requestId);
      if (isEnded && fill !== undefined) {
        const state = toWebhookEnd(end.answer);
        const volume = state === 'confirmed' ? { volume: computeVolume(fill.order, dollarsPerAtom) } : {};
        noteEnd(notes, fill, { state, answer: end.answer, ...volume });
      }
      if (isEnded) open.delete(requestId);
      return isEnded;
    },
    byRequest: async (requestId) => {
      const found = await records.byRequest(requestId);
      if (found !== null && found.answer === null) remember(found);
      return found;
    },
    unfinished: async () => {
      const found = await records.unfinished();
      for (const fill of found) remember(fill);
      return found;
    },
  };
}

interface OpenFill<Order> {
  /** The id that its record has. */
  readonly id: string;
  readonly makerId: string;
  readonly order: Order;
  readonly offeredAt: number;
}

/** The fills whose records have no end, the newest of them. */
class OpenFills<Order> {
  readonly #fills = new OldestFirst<string, OpenFill<Order>>();

  add(fill: OpenFill<Order>): void {
    this.#fills.set(fill.id, fill);
    const oldest = this.#fills.size > MAX_OPEN ? this.#fills.oldest() : null;
    if (oldest !== null) this.#fills.delete(oldest[0]);
  }

  get(id: string): OpenFill<Order> | undefined {
    return this.#fills.get(id);
  }

  delete(id: string): void {
    this.#fills.delete(id);
  }
}

function noteAnswer(
  notes: FillNotes,
  { makerId, order, offeredAt }: OpenFill<StoredOrder>,
  answer: LastLookAnswer,
): void {
  notes.offered(order, makerId, offeredAt);
  notes.answered(order.requestId, makerId, answer);
}

function noteEnd(
  notes: FillNotes,
  { makerId, order, offeredAt }: OpenFill<StoredOrder>,
  end: EndedFill,
): void {
  notes.offered(order, makerId, offeredAt);
  notes.filled(order, makerId, end);
}

/** A swap that failed on chain has a slot; another one never landed. */
function toWebhookEnd(answer: ExecutionResult): 'confirmed' | 'failed' | 'expired' {
  if (answer.kind === 'succeeded') return 'confirmed';
  return answer.slot === null ? 'expired' : 'failed';
}

/** The maker keeps the fee, which is subtracted from what it pays out, or added to what it is paid. */
function computeVolume({ inputMint, outputMint, webhookFill }: WebhookOrder, dollarsPerAtom: DollarsPerAtom) {
  const { inAmount, outAmount } = webhookFill;
  const price = dollarsPerAtom(inputMint) ?? Number.NaN;
  const microDollars = Math.round(price * Number(inAmount) * 1e6);
  return {
    paid: { mint: outputMint, atoms: outAmount },
    received: { mint: inputMint, atoms: inAmount },
    microDollars: Number.isFinite(microDollars) ? BigInt(microDollars) : null,
  };
}
