import { describe, expect, it } from 'vitest';
import { ManualTimers } from '../../testing/timers.ts';
import { address } from '../../solana/address.ts';
import { createSharedExecutionStore } from '../../store/shared/execution-store.ts';
import { openLine, openTestValkey, TEST_VALKEY_URL } from '../../testing/store/test-valkey.ts';
import {
  MemoryTakerLeases,
  SHARED_TAKER_LEASES,
  SharedTakerLeases,
  type TakerLeases,
} from './taker-leases.ts';
import { Unavailable } from '../../common/unavailable.ts';
import { openForEach } from '../../testing/opened.ts';

const kinds: [string, () => Promise<Opened>][] = [
  [
    'in memory',
    async () => {
      const leases = new MemoryTakerLeases(new ManualTimers());
      return { here: leases, there: leases, close: async () => {} };
    },
  ],
];
if (TEST_VALKEY_URL !== null) {
  kinds.push([
    'in Valkey, of two instances',
    async () => {
      const first = await openTestValkey();
      const second = await openTestValkey(undefined, first.namespace);
      const over = ({ valkey }: typeof first) =>
        new SharedTakerLeases(createSharedExecutionStore(valkey, SHARED_TAKER_LEASES));
      const close = async () => {
        first.valkey.close();
        second.valkey.close();
      };
      return { here: over(first), there: over(second), close };
    },
  ]);
}

describe.each(kinds)('the leases of sponsored takers %s', (_kind, open) => {
  const opened = openForEach(() => open(), 'close');

  it('are given to one order of a taker at a time, of all that ask at once', async () => {
    const { here, there } = opened;
    const asked = [here.acquire(ONE, 'a'), there.acquire(ONE, 'b'), here.acquire(ONE, 'c')];
    expect((await Promise.all(asked)).filter((acquired) => acquired)).toHaveLength(1);
    expect(await there.acquire(TWO, 'd')).toBe(true);
  });

  it('stay with an order that another instance continues, and only that order releases them', async () => {
    const { here, there } = opened;
    expect(await here.acquire(ONE, 'a')).toBe(true);
    expect(await there.acquire(ONE, 'a')).toBe(true);
    await there.release(ONE, 'b');
    expect(await there.acquire(ONE, 'b')).toBe(false);
    await there.release(ONE, 'a');
    expect(await here.acquire(ONE, 'b')).toBe(true);
    expect(await here.acquire(ONE, 'a')).toBe(false);
  });
});

it('leases in memory expire when the transaction can no longer land', async () => {
  const timers = new ManualTimers();
  const leases = new MemoryTakerLeases(timers);
  await leases.acquire(ONE, 'a');
  timers.advance(SHARED_TAKER_LEASES.leaseMs - 1);
  expect(await leases.acquire(ONE, 'b')).toBe(false);
  timers.advance(1);
  expect(await leases.acquire(ONE, 'b')).toBe(true);
});

it('leases in memory expire in time even if the clock was put back', async () => {
  const timers = new ManualTimers();
  const leases = new MemoryTakerLeases(timers);
  await leases.acquire(ONE, 'a');
  timers.advance(-2 * 3_600_000);
  await leases.acquire(TWO, 'a');
  expect(await leases.acquire(ONE, 'b')).toBe(false);
  timers.advance(SHARED_TAKER_LEASES.leaseMs);
  expect(await leases.acquire(TWO, 'b')).toBe(true);
  expect(await leases.acquire(ONE, 'b')).toBe(true);
});

describe.runIf(TEST_VALKEY_URL !== null)('leases in Valkey', () => {
  const line = openForEach(openLine, 'close');

  it('are given to no order while Valkey is lost', async () => {
    const { valkey } = await openTestValkey(line.url);
    const leases = new SharedTakerLeases(createSharedExecutionStore(valkey, SHARED_TAKER_LEASES));
    expect(await leases.acquire(ONE, 'a')).toBe(true);
    line.cut();
    await expect(leases.acquire(TWO, 'b')).rejects.toThrow(Unavailable);
    await leases.release(ONE, 'a');
    valkey.close();
  });
});

const ONE = address('GGztQqQ6pCPaJQnNpXBgELr5cs3WwDakRbh1iEMzjgSJ');
const TWO = address('JUPyiwrYJFskUPiHa7hkeR8VUtAeFoSYbKedZNsDvCN');

/** Two instances' leases; in memory there is one instance. */
interface Opened {
  readonly here: TakerLeases;
  readonly there: TakerLeases;
  readonly close: () => Promise<void>;
}
