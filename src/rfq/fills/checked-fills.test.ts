import { beforeEach, describe, expect, it } from 'vitest';
import { yieldToOtherWork } from '../../testing/waits.ts';
import { SOL, USDC } from '../../testing/genesis-market/makers.ts';
import { base64, MemoryRecords, silent, TestMakers } from '../../testing/rfq/makers.ts';
import { ManualTimers } from '../../testing/timers.ts';
import { ChainUnavailable } from '../../chain/chain.ts';
import {
  addSignatures,
  parseTransaction,
  getTransactionSignature,
} from '../../solana/messages/transaction.ts';
import { Reservations } from '../books/reservations.ts';
import type { CoSignResult, FillRefusal } from './prospects/co-signing.ts';
import { FillLog } from './fill-log.ts';
import type { FillRecord } from './fill-records.ts';
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
let chainTime: bigint;
let defects: unknown[];
const makers = openForEach(() => new TestMakers());
const timers = openForEach(() => new ManualTimers());
const records = openForEach(() => new MemoryRecords());
const reservations = openForEach(() => new Reservations(makers, () => timers.now()));
beforeEach(setUp);

describe('Settlement.coSign, while it records and checks a fill at once', () => {
  let checked: Step<FillRefusal | null>;
  const written = openForEach(() => step());
  beforeEach(setUpEach);

  it.each(['record', 'check'] as const)(
    'pushes the fill once both have succeeded, the %s first',
    async (first) => {
      void coSign(first, null, null);
      await expect.poll(() => makers.offered.length).toBe(1);
      expect(reserved()).toBe(TERMS.most);
      expect([...records.rows.values()]).toMatchObject([{ swapUuid: 'swap 0', state: 'offered' }]);
      expect(submit()).toBeNull();
    },
  );

  it.each(['record', 'check'] as const)(
    'removes the record if the check refuses, the %s first',
    async (first) => {
      expect(await coSign(first, null, WOULD_FAIL)).toEqual({ ...WOULD_FAIL, swapUuid: null });
      expect([makers.events, records.rows.size, reserved()]).toEqual([[], 0, 0n]);
    },
  );

  it.each(['record', 'check'] as const)(
    'does not push a fill that it could not record, the %s first',
    async (first) => {
      expect(await coSign(first, LOST, null)).toMatchObject({ refused: 'failed', swapUuid: 'swap 0' });
      expect([makers.events, reserved()]).toEqual([[], 0n]);
    },
  );

  it.each(['record', 'check'] as const)('has the fill ended if both fail, the %s first', async (first) => {
    // The write may have been made although it failed.
    expect(await coSign(first, LOST, WOULD_FAIL)).toEqual({ ...WOULD_FAIL, swapUuid: 'swap 0' });
    expect([makers.events, reserved()]).toEqual([[], 0n]);
  });

  it('rejects if the network does not answer, and leaves no record', async () => {
    expect(await coSign('record', null, AWAY)).toBe(AWAY);
    expect([makers.events, records.rows.size, reserved()]).toEqual([[], 0, 0n]);
  });

  it('has the fill ended if neither the network nor the database answers', async () => {
    expect(await coSign('check', LOST, AWAY)).toMatchObject({ refused: 'failed', swapUuid: 'swap 0' });
    expect([makers.events, reserved(), defects]).toEqual([[], 0n, []]);
  });

  it('has the fill ended if its record cannot be removed', async () => {
    records.discard = () => Promise.reject(LOST);
    expect(await coSign('record', null, WOULD_FAIL)).toEqual({ ...WOULD_FAIL, swapUuid: 'swap 0' });
    expect(await settlement.refused('swap 0', ANSWER)).toBe(true);
    expect([...records.rows.values()]).toMatchObject([{ state: 'expired' }]);
    expect([makers.events, reserved()]).toEqual([[], 0n]);
  });

  it('leaves the record to another process that has continued the fill', async () => {
    records.discard = async () => false;
    expect(await coSign('record', null, WOULD_FAIL)).toMatchObject({ refused: 'known', swapUuid: 'swap 0' });
  });

  it('continues from the record of another process, whatever the check says', async () => {
    const known = step<void>();
    records.begin = async () => {
      await known.promise;
      return false;
    };
    const answer = settlement.coSign(REQUEST, checkWith(Promise.resolve(WOULD_FAIL)));
    known.end(undefined);
    expect(await answer).toMatchObject({ refused: 'known', swapUuid: 'swap 0' });
  });

  it('removes the record if the inventory has gone to another fill meanwhile', async () => {
    const answer = settlement.coSign(REQUEST, checkWith(checked.promise));
    written.end(undefined);
    await yieldToOtherWork();
    expect(records.rows.size).toBe(1);
    makers.stream(MAKER, { base: SOL, quote: USDC }, [], [{ price: 1n, volume: TERMS.most - 1n }]);
    checked.end(null);
    expect(await answer).toMatchObject({ refused: 'rejected', swapUuid: null });
    expect([makers.events, records.rows.size, reserved()]).toEqual([[], 0, 0n]);
  });

  it('removes the record if the check took the time that is left for landing', async () => {
    const answer = settlement.coSign(REQUEST, checkWith(checked.promise));
    written.end(undefined);
    await yieldToOtherWork();
    chainTime = TERMS.expireAt;
    checked.end(null);
    expect(await answer).toMatchObject({ refused: 'expired', swapUuid: null });
    expect([makers.events, records.rows.size, reserved()]).toEqual([[], 0, 0n]);
  });

  it('records nothing if the inventory is gone from the beginning', async () => {
    makers.stream(MAKER, { base: SOL, quote: USDC }, [], []);
    const answer = settlement.coSign(REQUEST, checkWith(checked.promise));
    expect(await answer).toMatchObject({ refused: 'rejected', swapUuid: null });
    written.end(undefined);
    await yieldToOtherWork();
    expect(records.rows.size).toBe(0);
  });

  it('records a request that was refused before only after its check', async () => {
    written.end(undefined);
    const answer = settlement.coSign(REQUEST, checkWith(checked.promise), true);
    await yieldToOtherWork();
    expect(records.rows.size).toBe(0);
    checked.end(null);
    await expect.poll(() => makers.offered.length).toBe(1);
    expect(submit()).toBeNull();
    expect(await answer).toMatchObject({ swapUuid: 'swap 0' });
    const refused = settlement.coSign(
      { ...REQUEST, order: createFillOrder('other') },
      checkWith(Promise.resolve(WOULD_FAIL)),
      true,
    );
    expect(await refused).toEqual({ ...WOULD_FAIL, swapUuid: null });
    expect(records.rows.size).toBe(1);
  });

  async function setUpEach(): Promise<void> {
    checked = step();
    const begin = records.begin.bind(records);
    records.begin = async (record) => {
      await written.promise;
      return begin(record);
    };
  }

  /** Ends both steps in the given order. Between them, nothing may be pushed or reserved. */
  async function coSign(first: 'record' | 'check', record: Error | null, check: FillRefusal | Error | null) {
    const answer = settlement.coSign(REQUEST, checkWith(checked.promise));
    const settled = answer.then(
      (result) => result,
      (error: unknown) => error,
    );
    const ends = [() => written.end(record ?? undefined), () => checked.end(check)];
    for (const end of first === 'record' ? ends : ends.reverse()) {
      expect([makers.offered, settlement.pending(MAKER_ID), reserved()]).toEqual([[], [], 0n]);
      end();
      await yieldToOtherWork();
    }
    return settled;
  }
});

describe('Settlement.resumeLastLook of a fill whose check the ended process may not have finished', () => {
  let checked: Step<FillRefusal | null>;
  let answer: Promise<CoSignResult>;

  beforeEach(async () => {
    const { swapUuid, requestId, makerId, order, offered } = RECORD;
    await records.begin({ swapUuid, requestId, makerId, order, offered, offeredAt: timers.now() });
    checked = step();
    const record = { ...RECORD, offeredAt: timers.now() };
    answer = settlement.resumeLastLook(record, TERMS, SIGNATURE, checkWith(checked.promise));
    await yieldToOtherWork();
  });

  it('pushes the fill only after its check', async () => {
    expect([pushedOnConnect(), reserved()]).toEqual([0, TERMS.most]);
    checked.end(null);
    await yieldToOtherWork();
    expect(makers.offered).toMatchObject([{ swapUuid: 'swap 0' }]);
    expect(submit()).toBeNull();
    expect(await answer).toMatchObject({ swapUuid: 'swap 0', wire: expect.any(Uint8Array) });
  });

  it('ends the fill if the check refuses, without counting it', async () => {
    checked.end(WOULD_FAIL);
    expect(await answer).toEqual({ ...WOULD_FAIL, swapUuid: 'swap 0' });
    expect([pushedOnConnect(), reserved()]).toEqual([0, 0n]);
    expect(await settlement.refused('swap 0', ANSWER)).toBe(true);
    expect(makers.events).toEqual([`failed: ${WOULD_FAIL.reason}; it is not counted against the maker`]);
  });

  it('does not push the fill if the network does not answer, and takes it from a maker that has it', async () => {
    checked.end(AWAY);
    await yieldToOtherWork();
    expect(pushedOnConnect()).toBe(0);
    expect(submit()).toBeNull();
    expect(await answer).toMatchObject({ swapUuid: 'swap 0', wire: expect.any(Uint8Array) });
    expect(defects).toEqual([]);
  });

  it('ends an unchecked fill with its time', async () => {
    checked.end(AWAY);
    await yieldToOtherWork();
    timers.advance(10_000);
    expect(await answer).toMatchObject({ refused: 'expired', swapUuid: 'swap 0' });
    expect([pushedOnConnect(), reserved()]).toEqual([0, 0n]);
  });

  it('does not push a fill whose check ends after its time', async () => {
    timers.advance(10_000);
    await answer;
    checked.end(null);
    await yieldToOtherWork();
    expect(pushedOnConnect()).toBe(0);
  });

  const RECORD: FillRecord = {
    swapUuid: 'swap 0',
    requestId: 'request',
    makerId: MAKER_ID,
    state: 'offered',
    order: createFillOrder('request'),
    offered: WIRE,
    signed: null,
    answer: null,
    offeredAt: 0,
  };

  const pushedOnConnect = () => {
    makers.connect(MAKER_ID, silent);
    return makers.offered.length;
  };
});

const WIRE = createTakerSignedFill(0);
const SIGNATURE = getTransactionSignature(parseTransaction(WIRE));
const REQUEST = { order: createFillOrder('request'), wire: WIRE, signature: SIGNATURE };
const WOULD_FAIL: FillRefusal = { refused: 'rejected', reason: 'the swap would fail now' };
const AWAY = new ChainUnavailable('the node does not answer');
const LOST = new Error('the database is away');

function setUp(): void {
  chainTime = 0n;
  defects = [];
  let uuids = 0;
  const onDefect = (error: unknown) => defects.push(error);
  settlement = new Settlement({
    link: makers,
    scoring: makers,
    reservations,
    timers,
    log: new FillLog({ records, onDefect: () => {} }),
    newUuid: () => `swap ${uuids++}`,
    chainTime: () => chainTime,
    onDefect,
    noteLastLook: () => {},
  });
  makers.lastLook = settlement;
  makers.stream(MAKER, { base: SOL, quote: USDC }, [], [{ price: 1n, volume: 10n }]);
  makers.connect(MAKER_ID, silent);
}

const reserved = () => reservations.reserved(MAKER_ID, SOL.mint);
const submit = () =>
  makers.submit(MAKER_ID, 'swap 0', base64(addSignatures(parseTransaction(WIRE), [MAKER])));

/** A step that ends when the test says so. */
interface Step<T> {
  readonly promise: Promise<T>;
  readonly end: (outcome: T | Error) => void;
}

function step<T>(): Step<T> {
  let end: Step<T>['end'] = () => {};
  const promise = new Promise<T>((resolve, reject) => {
    end = (outcome) => (outcome instanceof Error ? reject(outcome) : resolve(outcome));
  });
  promise.catch(() => {});
  return { promise, end };
}
