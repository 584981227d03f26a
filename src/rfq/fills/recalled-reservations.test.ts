import { beforeEach, expect, it } from 'vitest';
import { yieldToOtherWork } from '../../testing/waits.ts';
import { SOL, USDC } from '../../testing/genesis-market/makers.ts';
import { MemoryRecords, silent, TestMakers } from '../../testing/rfq/makers.ts';
import { ManualTimers } from '../../testing/timers.ts';
import { parseTransaction, getTransactionSignature } from '../../solana/messages/transaction.ts';
import { Reservations } from '../books/reservations.ts';
import type { FillRefusal } from './prospects/co-signing.ts';
import { FillLog } from './fill-log.ts';
import { recallReservations } from './recalled-reservations.ts';
import { Settlement } from './settlement.ts';
import {
  checkWith,
  MAKER,
  MAKER_ID,
  createTakerSignedFill,
  TERMS,
  ANSWER,
  createFillOrder,
} from '../../testing/genesis-market/signed-fill.ts';
import { openForEach } from '../../testing/opened.ts';

let settlement: Settlement;
let defects: unknown[];
let endCheck: (refusal: FillRefusal | null) => void;
const makers = openForEach(() => new TestMakers());
const timers = openForEach(() => new ManualTimers());
const records = openForEach(() => new MemoryRecords());
/** Of the instance that executes the order. */
const own = openForEach(() => new Reservations(makers, () => timers.now()));
/** Of the instance that the maker connects to. */
const recalling = openForEach(() => new Reservations(makers, () => timers.now()));
const closing = openForEach(() => new AbortController());
beforeEach(setUp);

it('releases what is recalled of a fill that its check refuses, so that a taker without tokens blocks no inventory', async () => {
  const answer = begin();
  await yieldToOtherWork();
  await recall(recalling);
  expect(reservedBy(recalling)).toBe(TERMS.most);
  endCheck(WOULD_FAIL);
  expect(await answer).toMatchObject({ refused: 'rejected', swapUuid: null });
  timers.advance(1_000);
  await expect.poll(() => reservedBy(recalling)).toBe(0n);
  expect([timers.waiting, defects]).toEqual([0, []]);
});

it('keeps what is recalled of a fill until it can no longer land, if the maker signs it', async () => {
  void begin();
  endCheck(null);
  await expect.poll(() => makers.offered.length).toBe(1);
  await recall(recalling);
  timers.advance(1_000);
  await yieldToOtherWork();
  await records.sign('swap 0', WIRE);
  timers.advance(1_000);
  await yieldToOtherWork();
  expect(reservedBy(recalling)).toBe(TERMS.most);
  await records.end('swap 0', { state: 'confirmed', answer: ANSWER });
  timers.advance(9_000);
  await yieldToOtherWork();
  expect(reservedBy(recalling)).toBe(TERMS.most);
});

it('releases what is recalled of a fill that is given up', async () => {
  void begin();
  endCheck(null);
  await expect.poll(() => makers.offered.length).toBe(1);
  await recall(recalling);
  await records.end('swap 0', { state: 'expired', answer: ANSWER });
  timers.advance(1_000);
  await expect.poll(() => reservedBy(recalling)).toBe(0n);
});

it('keeps the claim while the records cannot be read', async () => {
  void begin();
  await yieldToOtherWork();
  await recall(recalling);
  const lost = new Error('the database is away');
  records.byRequest = () => Promise.reject(lost);
  timers.advance(1_000);
  await expect.poll(() => defects).toEqual([lost]);
  expect(reservedBy(recalling)).toBe(TERMS.most);
});

it('reads no records any more once they are closed', async () => {
  void begin();
  await yieldToOtherWork();
  await recall(recalling);
  closing.abort();
  records.byRequest = () => Promise.reject(new Error('the database is closed'));
  timers.advance(1_000);
  await yieldToOtherWork();
  expect(defects).toEqual([]);
});

it('does not count a fill of the same instance twice, whose maker reconnects during the check', async () => {
  void begin();
  await yieldToOtherWork();
  await recall(own);
  endCheck(null);
  await expect.poll(() => makers.offered.length).toBe(1);
  expect(reservedBy(own)).toBe(TERMS.most);
});

const WIRE = createTakerSignedFill(0);
const SIGNATURE = getTransactionSignature(parseTransaction(WIRE));
const REQUEST = { order: createFillOrder('request'), wire: WIRE, signature: SIGNATURE };
const WOULD_FAIL: FillRefusal = { refused: 'rejected', reason: 'the swap would fail now' };

function setUp(): void {
  defects = [];
  let uuids = 0;
  const onDefect = (error: unknown) => defects.push(error);
  settlement = new Settlement({
    link: makers,
    scoring: makers,
    reservations: own,
    timers,
    log: new FillLog({ records, onDefect }),
    newUuid: () => `swap ${uuids++}`,
    chainTime: () => 0n,
    onDefect,
    noteLastLook: () => {},
  });
  makers.lastLook = settlement;
  makers.stream(MAKER, { base: SOL, quote: USDC }, [], [{ price: 1n, volume: TERMS.most }]);
  makers.connect(MAKER_ID, silent);
}

/** Begins a fill of the whole book, whose check lasts until `endCheck` is called. */
function begin() {
  const refusal = new Promise<FillRefusal | null>((resolve) => {
    endCheck = resolve;
  });
  return settlement.coSign(REQUEST, checkWith(refusal));
}

function recall(reservations: Reservations): Promise<void> {
  const onDefect = (error: unknown) => defects.push(error);
  return recallReservations(MAKER_ID, {
    records,
    reservations,
    chainTime: 0n,
    timers,
    closing: closing.signal,
    onDefect,
  });
}

const reservedBy = (reservations: Reservations) => reservations.reserved(MAKER_ID, SOL.mint);
