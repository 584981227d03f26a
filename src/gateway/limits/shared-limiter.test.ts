import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { NO_METRICS } from '../../common/ports/metrics.ts';
import { createSharedLogs } from '../../store/shared/sliding-log.ts';
import type { Valkey } from '../../store/shared/valkey.ts';
import { openLine, openTestValkey, TEST_VALKEY_URL } from '../../testing/store/test-valkey.ts';
import { Unavailable } from '../../common/unavailable.ts';
import { createInProcessLimiter } from './rate-limiter.ts';
import { type OnLoss, createSharedLimiter } from './shared-limiter.ts';
import { openForEach } from '../../testing/opened.ts';

describe.runIf(TEST_VALKEY_URL !== null)('the limiter of several instances', () => {
  let namespace: string;
  let opened: Valkey[];
  const line = openForEach(openLine, 'close');
  beforeEach(setUp);
  afterEach(tearDown);

  it('admits exactly the limit in bursts through three instances', async () => {
    const limiters = [
      await limiterOf('fail-closed'),
      await limiterOf('fail-closed'),
      await limiterOf('fail-closed'),
    ];
    const limit = 200;
    const verdicts = await Promise.all(
      Array.from({ length: 600 }, (_, index) => limiters[index % 3]?.hit(ACME, 'main', limit, NOW)),
    );
    expect(verdicts.filter((verdict) => verdict?.admitted).length).toBe(limit);
    const counts = verdicts
      .map((verdict) => verdict?.current)
      .sort((one, other) => Number(one) - Number(other));
    // A refused request is reported with its own count, and takes no place.
    expect(counts).toEqual([
      ...Array.from({ length: 200 }, (_, index) => index + 1),
      ...Array(400).fill(201),
    ]);
    expect(await limiters[0]?.current(ACME, 'main', NOW)).toBe(200);
    expect((await limiters[1]?.hit(ACME, 'execute', limit, NOW))?.current).toBe(1);
    expect((await limiters[2]?.hit({ kind: 'client', id: 'acme' }, 'main', limit, NOW))?.current).toBe(1);
  });

  it('takes back what another limit refused', async () => {
    const limiter = await limiterOf('fail-closed');
    await limiter.hit(ACME, 'rule', 2, NOW);
    await limiter.hit(ACME, 'rule', 2, NOW);
    limiter.takeBack(ACME, 'rule');
    await expect.poll(() => limiter.current(ACME, 'rule', NOW)).toBe(1);
    expect(await limiter.hit(ACME, 'rule', 2, NOW)).toMatchObject({ admitted: true, current: 2 });
  });

  it('counts alone while Valkey cannot be reached, and together again afterwards', async () => {
    const limiter = await limiterOf('fail-open');
    await limiter.hit(ACME, 'main', 5, NOW);
    line.cut();
    await expect.poll(async () => (await opened[0]?.unhealthy()) ?? null).not.toBeNull();
    expect(await limiter.hit(ACME, 'main', 1, NOW)).toMatchObject({ admitted: true, current: 1 });
    expect(await limiter.hit(ACME, 'main', 1, NOW)).toMatchObject({ admitted: false, current: 2 });
    expect(await limiter.current(ACME, 'main', NOW)).toBeNull();
    await line.restore();
    await expect.poll(async () => opened[0]?.unhealthy()).toBeNull();
    expect(await limiter.current(ACME, 'main', NOW)).toBe(1);
  });

  it('refuses requests that it cannot count if it is set to fail-closed', async () => {
    const limiter = await limiterOf('fail-closed');
    line.cut();
    await expect(limiter.hit(ACME, 'main', 5, NOW)).rejects.toThrow(Unavailable);
    expect(await limiter.current(ACME, 'main', NOW)).toBeNull();
  });

  function setUp(): void {
    opened = [];
    namespace = '';
  }

  function tearDown(): void {
    for (const valkey of opened) valkey.close();
  }

  async function limiterOf(onLoss: OnLoss) {
    const test = await openTestValkey(line.url, namespace === '' ? undefined : namespace);
    namespace = test.namespace;
    opened.push(test.valkey);
    const logs = createSharedLogs(test.valkey);
    return createSharedLimiter({ logs, alone: createInProcessLimiter(), onLoss, metrics: NO_METRICS });
  }
});

const ACME = { kind: 'organisation', id: 'acme' } as const;
const NOW = 1_790_000_000_000;
