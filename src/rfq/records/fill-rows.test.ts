import { afterEach, describe, expect, it } from 'vitest';
import { openTestStore, STORES, type TestStore } from '../../testing/store/test-store.ts';
import {
  beginFill,
  discardFill,
  endFill,
  findFillOfRequest,
  listFillsEndedSince,
  forgetOldFills,
  signFill,
  listUnfinishedFills,
} from './fill-rows.ts';

describe.each(STORES)('stored fills in %s', (kind) => {
  let opened: TestStore;
  afterEach(() => opened.cleanUp());

  it('survive a restart, one for each request', async () => {
    opened = await openTestStore(kind);
    expect(await beginFill(opened.store, FILL)).toBe(true);
    expect(await beginFill(opened.store, { ...FILL, swapUuid: 'another' })).toBe(false);
    const reopened = await opened.reopen();
    expect(await findFillOfRequest(reopened, 'request')).toMatchObject({
      ...FILL,
      signed: null,
      answer: null,
    });
    expect(await findFillOfRequest(reopened, 'another')).toBeNull();
  });

  it('are signed only while they are offered, and end once', async () => {
    opened = await openTestStore(kind);
    const { store } = opened;
    await beginFill(store, FILL);
    expect(await signFill(store, 'swap', SIGNED, STEP)).toBe(true);
    expect(await signFill(store, 'swap', SIGNED, STEP)).toBe(false);
    expect(await listUnfinishedFills(store)).toMatchObject([{ state: 'landing', signed: SIGNED }]);
    expect(await listUnfinishedFills(store, 'maker')).toHaveLength(1);
    expect(await listUnfinishedFills(store, 'another')).toEqual([]);
    const end = { state: 'confirmed', answer: '{"code":0}', endedAt: 5 };
    expect(await endFill(store, 'swap', { ...end, state: 'expired' }, 'offered')).toBe(false);
    expect(await endFill(store, 'swap', end)).toBe(true);
    expect(await endFill(store, 'swap', { state: 'failed', answer: '{"code":1}', endedAt: 6 })).toBe(false);
    expect(await findFillOfRequest(store, 'request')).toMatchObject({
      state: 'confirmed',
      answer: '{"code":0}',
    });
    expect(await listUnfinishedFills(store)).toEqual([]);
    expect(await listFillsEndedSince(store, 5)).toMatchObject([{ swapUuid: 'swap', state: 'confirmed' }]);
    expect(await listFillsEndedSince(store, 6)).toEqual([]);
  });

  it('are not signed after they were given up', async () => {
    opened = await openTestStore(kind);
    const { store } = opened;
    await beginFill(store, FILL);
    await endFill(store, 'swap', { state: 'expired', answer: '{}', endedAt: 5 });
    expect(await signFill(store, 'swap', SIGNED, STEP)).toBe(false);
  });

  it('are discarded only while they are offered, after which the request may have another', async () => {
    opened = await openTestStore(kind);
    const { store } = opened;
    await beginFill(store, FILL);
    expect(await discardFill(store, 'another', 'offered')).toBe(false);
    expect(await discardFill(store, 'swap', 'offered')).toBe(true);
    expect(await discardFill(store, 'swap', 'offered')).toBe(false);
    const reopened = await opened.reopen();
    expect(await listUnfinishedFills(reopened)).toEqual([]);
    expect(await beginFill(reopened, { ...FILL, swapUuid: 'second' })).toBe(true);
    await signFill(reopened, 'second', SIGNED, STEP);
    expect(await discardFill(reopened, 'second', 'offered')).toBe(false);
    expect(await listUnfinishedFills(reopened)).toMatchObject([{ swapUuid: 'second', state: 'landing' }]);
  });

  it('are deleted half a year after their end', async () => {
    opened = await openTestStore(kind);
    const { store } = opened;
    await beginFill(store, FILL);
    await beginFill(store, { ...FILL, swapUuid: 'open', requestId: 'other' });
    await endFill(store, 'swap', { state: 'expired', answer: '{}', endedAt: 1_000 });
    await forgetOldFills(store, 1_000 + 180 * 86_400_000);
    expect(await findFillOfRequest(store, 'request')).not.toBeNull();
    await forgetOldFills(store, 1_001 + 180 * 86_400_000);
    expect(await findFillOfRequest(store, 'request')).toBeNull();
    expect(await findFillOfRequest(store, 'other')).not.toBeNull();
  });
});

const FILL = {
  swapUuid: 'swap',
  requestId: 'request',
  makerId: 'maker',
  state: 'offered',
  order: '{}',
  offered: Uint8Array.of(1, 2, 3),
  offeredAt: 1_800_000_000_000,
};
const STEP = { from: 'offered', to: 'landing' };
const SIGNED = Uint8Array.of(4, 5);
