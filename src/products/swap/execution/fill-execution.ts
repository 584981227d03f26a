import { ChainUnavailable, type LandedTransaction, requireAvailable } from '../../../chain/chain.ts';
import type { CoSigned, FillRecord, FillTerms, Settlement } from '../../../rfq/index.ts';
import { parseTransaction, transactionSignature } from '../../../solana/messages/transaction.ts';
import type { ExecuteResponse } from './execute-schema.ts';
import {
  checkBeforeOffer,
  isBrokenByMaker,
  type NotOffered,
  type OfferedFill,
  type ProspectParts,
  FillProspects,
} from './fill-prospects.ts';
import { ifUnavailable } from '../../../transactions/submit-and-read.ts';
import { Code, failed, landedAnswer, type LandParts, landOrder } from './land-order.ts';
import {
  isConfirmed,
  type SubmittableTransaction,
  searchAgain,
  statusOf,
} from '../../../transactions/submit-and-confirm.ts';
import type { OpenFill, OpenFills } from './open-fills.ts';
import type { Execution } from '../../../transactions/prepared/store.ts';
import type { OrderStore, StoredOrder } from './stored-order.ts';
import { orderOf, orderText } from './order-text.ts';
import { Unavailable } from '../../../common/unavailable.ts';

export interface FillParts extends LandParts {
  readonly orders: OrderStore<ExecuteResponse>;
  readonly settlement: Settlement | null;
  readonly openFills: OpenFills;
  /** Told of a defect that does not keep the request from being answered. */
  readonly onDefect: (where: string, error: unknown) => void;
}

/** How often the end of a swap is looked for after whoever asked for it was told that it is not known. */
const LATER_MS = 5_000;
const LATER_ATTEMPTS = 240;

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

/** The order of a swap with a maker that was executed before a restart; null when there is none. */
export async function orderWithFill(
  { settlement }: Pick<FillParts, 'settlement'>,
  requestId: string,
): Promise<StoredOrder | null> {
  const record = (await settlement?.known(requestId)) ?? null;
  return record === null ? null : orderOf(record.order);
}

/**
 * Has the maker sign what the taker has signed, and lands it. Nothing of the maker is reserved and nothing is pushed to
 * it unless the swap would succeed with its signature and the taker's account covers it beside the taker's other open
 * swaps; a taker that cannot pay costs one simulation. A request that was under way before a restart goes on
 * where its record says that it stands.
 */
export async function executeFill(
  parts: FillParts,
  order: StoredOrder,
  transaction: SubmittableTransaction,
): Promise<Execution<ExecuteResponse>> {
  const { settlement } = parts;
  const { coSigner, requestId } = order;
  if (settlement === null || coSigner === undefined) {
    return { final: true, answer: failed(Code.SWAP_REJECTED, 'no makers are connected here') };
  }
  const settling = { ...parts, settlement };
  const known = settlement.hasSeen(requestId) ? await recordOf(settlement, requestId) : null;
  if (known === 'unanswered') return unrecorded(transaction.signature);
  if (known !== null) return goOn(settling, order, coSigner, known);
  // No maker is to sign what could not be sent.
  requireAvailable(parts.chain);
  const { signature } = transaction;
  const open: OpenFill | null =
    order.spends === undefined ? null : { spending: order.spends, signature, isSigned: false };
  const close = open === null ? () => {} : parts.openFills.open(open);
  try {
    return await offerFill(settling, { order, terms: coSigner, transaction, open });
  } finally {
    close();
  }
}

async function offerFill(
  settling: Settling & ProspectParts,
  swap: OfferedFill,
): Promise<Execution<ExecuteResponse>> {
  const { settlement } = settling;
  const { order, terms, transaction, open } = swap;
  const { requestId } = order;
  const { wire, signature } = transaction;
  const prospects = new FillProspects(settling, swap);
  let refused: NotOffered | null = null;
  let signed: CoSigned;
  try {
    refused = await checkBeforeOffer(settling, swap);
    signed =
      refused === null
        ? await settlement.coSign({ requestId, terms, order: orderText(order), wire, signature, prospects })
        : { refused: refused.refused, reason: refused.reason, swapUuid: null };
  } finally {
    prospects.close();
  }
  if (signed.refused === undefined) {
    if (open !== null) open.isSigned = true;
    return landSigned(settling, order, { ...transaction, wire: signed.wire }, signed.swapUuid);
  }
  // What is refused before anything of it was recorded may be under way since another process began it.
  const isOther = signed.refused === 'known' || signed.swapUuid === null;
  const before = isOther ? await recordOf(settlement, requestId) : null;
  if (before === 'unanswered') return unrecorded(signature);
  if (before !== null) return goOn(settling, order, terms, before);
  if (refused?.refused === 'rejected') {
    // Nothing was recorded or sent: the same request may be made again when the taker can pay.
    return { final: false, answer: failed(CODES.rejected, refused.reason, signature) };
  }
  return refuse(settling, order, terms, signature, signed);
}

async function recordOf(
  settlement: Settlement,
  requestId: string,
): Promise<FillRecord | null | 'unanswered'> {
  try {
    return await settlement.known(requestId);
  } catch (error) {
    if (error instanceof Unavailable) return 'unanswered';
    throw error;
  }
}

/** Whether the swap is under way, or was made, stands in a database that does not answer. */
function unrecorded(signature: string): Execution<ExecuteResponse> {
  const message = 'what became of the swap cannot be looked up at the moment; ask again';
  return { final: false, answer: failed(Code.MAKER_UNKNOWN, message, signature) };
}

/** Settles what a process that is gone has left under way; resolves when everything has been looked at. */
export async function resumeFills(parts: FillParts): Promise<void> {
  const { settlement } = parts;
  if (settlement === null) return;
  const records = await settlement.unfinished();
  await settlement.tellLateEnds();
  await Promise.all(records.map((record) => resume({ ...parts, settlement }, record)));
}

async function resume(
  parts: FillParts & { readonly settlement: Settlement },
  record: FillRecord,
): Promise<void> {
  const order = orderOf(record.order);
  let isOurs = false;
  await parts.orders.executeOnce(order, () => {
    isOurs = true;
    return executeFill(parts, order, landableOf(order, record));
  });
  if (isOurs) return;
  // Another instance has settled it; if the maker came back to this one, only this one can tell it.
  const ended = await parts.settlement.known(record.requestId);
  if (ended !== null) parts.settlement.tellEnd(ended);
}

type Settling = LandParts & Pick<FillParts, 'onDefect'> & { readonly settlement: Settlement };

async function goOn(
  parts: Settling,
  order: StoredOrder,
  terms: FillTerms,
  record: FillRecord,
): Promise<Execution<ExecuteResponse>> {
  const { swapUuid, answer, signed } = record;
  const { settlement } = parts;
  const landable = landableOf(order, record);
  if (answer !== null) {
    const told = JSON.parse(answer) as ExecuteResponse;
    if (signed !== null) return { final: true, answer: told };
    const { landed, isOver } = await landedByMaker(parts, order, { signature: landable.signature, swapUuid });
    return landed ?? { final: isOver, answer: told };
  }
  if (signed !== null) {
    settlement.resume(record, terms, landable.signature);
    return landSigned(parts, order, landable, swapUuid);
  }
  if (await isLanded(parts, landable.signature)) {
    settlement.resume(record, terms, landable.signature);
    return landSigned(parts, order, landable, swapUuid);
  }
  const looked = await settlement.lookAgain(record, terms, landable.signature);
  return looked.refused === undefined
    ? landSigned(parts, order, { ...landable, wire: looked.wire }, swapUuid)
    : refuse(parts, order, terms, landable.signature, looked);
}

async function isLanded({ chain }: LandParts, signature: string): Promise<boolean> {
  return isConfirmed(await statusOf(chain, signature));
}

function landableOf(order: StoredOrder, { signed, offered }: FillRecord): SubmittableTransaction {
  return {
    wire: signed ?? offered,
    signature: transactionSignature(parseTransaction(offered)),
    lastValidBlockHeight: order.lastValidBlockHeight,
  };
}

async function landSigned(
  parts: Settling,
  order: StoredOrder,
  transaction: SubmittableTransaction,
  swapUuid: string,
): Promise<Execution<ExecuteResponse>> {
  const later = () =>
    landLater(parts, order, transaction, swapUuid).catch((error: unknown) => parts.onDefect('fills', error));
  try {
    const execution = await landFill(parts, order, transaction);
    if (execution.final) await recordLanding(parts, swapUuid, execution);
    else later();
    return { final: execution.final, answer: execution.answer };
  } catch (error) {
    if (error instanceof ChainUnavailable) later();
    throw error;
  }
}

interface FillLanding extends Execution<ExecuteResponse> {
  /** Whether it failed because the maker no longer held what it had signed for. */
  readonly isBroken: boolean;
}

async function landFill(
  parts: Settling,
  order: StoredOrder,
  transaction: SubmittableTransaction,
): Promise<FillLanding> {
  let isBroken = false;
  const onFailed = (_: StoredOrder, landed: LandedTransaction) => {
    isBroken = isBrokenByMaker(order, landed);
  };
  const { final, answer } = await landOrder({ ...parts, onFailed }, order, transaction);
  const code = LANDING_CODES.get(answer.code) ?? answer.code;
  // It goes on being sent: what one node refuses for now, another may take.
  const isOpen = !final && code === Code.MAKER_INVALID_TRANSACTION;
  return { final, answer: { ...answer, code: isOpen ? Code.MAKER_UNKNOWN : code }, isBroken };
}

/** Nobody may ask again, and the maker's inventory is reserved until the end is known. */
async function landLater(
  parts: Settling,
  order: StoredOrder,
  transaction: SubmittableTransaction,
  swapUuid: string,
): Promise<void> {
  for (let attempt = 0; attempt < LATER_ATTEMPTS; attempt++) {
    await new Promise<void>((resolve) => parts.timers.after(LATER_MS, resolve));
    const execution = await landFill(parts, order, transaction).catch(ifUnavailable);
    if (execution?.final !== true) continue;
    await recordLanding(parts, swapUuid, execution);
    return;
  }
}

function recordLanding(
  { settlement }: Settling,
  swapUuid: string,
  { answer, isBroken }: Pick<FillLanding, 'answer' | 'isBroken'>,
): Promise<void> {
  return settlement.landed(swapUuid, answer.status === 'Success', JSON.stringify(answer), isBroken);
}

async function refuse(
  parts: Settling,
  order: StoredOrder,
  terms: FillTerms,
  signature: string,
  { refused, reason, swapUuid }: Extract<CoSigned, { refused: unknown }>,
): Promise<Execution<ExecuteResponse>> {
  const refusal = failed(CODES[refused], reason, signature);
  if (swapUuid === null) return { final: true, answer: refusal };
  const swap = { order, terms, signature, swapUuid, refusal };
  const settled = await settleRefusal(parts, swap);
  if (settled !== null) return settled;
  refuseLater(parts, swap).catch((error: unknown) => parts.onDefect('fills', error));
  return { final: false, answer: refusal };
}

interface RefusedSwap {
  readonly order: StoredOrder;
  readonly terms: FillTerms;
  readonly signature: string;
  readonly swapUuid: string;
  readonly refusal: ExecuteResponse;
}

/** Null when the refusal cannot be recorded now, so that it is not known whether the swap was signed after all. */
async function settleRefusal(
  parts: Settling,
  { order, terms, signature, swapUuid, refusal }: RefusedSwap,
): Promise<Execution<ExecuteResponse> | null> {
  const { landed, isOver } = await landedByMaker(parts, order, { signature, swapUuid });
  if (landed !== null) return landed;
  const isRefused = await parts.settlement.refused(swapUuid, JSON.stringify(refusal));
  if (isRefused === null) return null;
  if (!isRefused) {
    // The record knows more: another process has settled it, or the write of the signature was not lost after all.
    const record = await recordOf(parts.settlement, order.requestId);
    if (record === 'unanswered') return null;
    const isFurther = record !== null && (record.answer !== null || record.signed !== null);
    if (isFurther) return goOn(parts, order, terms, record);
  }
  return { final: isOver, answer: refusal };
}

/** Nobody may ask again, and the maker waits to be told. Ends after 20 minutes; a restart goes on with the record. */
async function refuseLater(parts: Settling, swap: RefusedSwap): Promise<void> {
  for (let attempt = 0; attempt < LATER_ATTEMPTS; attempt++) {
    await new Promise<void>((resolve) => parts.timers.after(LATER_MS, resolve));
    const settled = await settleRefusal(parts, swap).catch(ifUnavailable);
    if (settled !== null) return;
  }
}

/**
 * A maker that has the swap may land it by itself, before it is refused or later: what the chain says goes before what
 * was agreed, and a refusal is not final before the chain cannot say anything else.
 */
async function landedByMaker(
  parts: Settling,
  order: StoredOrder,
  { signature, swapUuid }: { readonly signature: string; readonly swapUuid: string },
): Promise<{ readonly landed: Execution<ExecuteResponse> | null; readonly isOver: boolean }> {
  const { chain, timers } = parts;
  const { lastValidBlockHeight } = order;
  const isPast = chain.blockHeight('finalized') > lastValidBlockHeight;
  const status = isPast
    ? await searchAgain(chain, timers, { signature, lastValidBlockHeight })
    : await statusOf(chain, signature);
  if (!isConfirmed(status)) return { landed: null, isOver: status === 'denied' };
  const answer = await landedAnswer(parts, order, signature, { kind: 'landed', status });
  await recordLanding(parts, swapUuid, { answer, isBroken: false });
  return { landed: { final: true, answer }, isOver: true };
}
