import { afterEach, describe, expect, it } from 'vitest';
import { createInProcessLimiter } from '../../limits/rate-limiter.ts';
import { closeGateways, createSampleGateway } from '../../../testing/gateway/sample-gateway.ts';
import { NO_CHANGED_LIMITS } from '../../../platform/plans/plan-limits.ts';
import { createKeylessLimits } from './caller.ts';

afterEach(closeGateways);

describe('createKeylessLimits', () => {
  it('are those of this machine for loopback addresses only', () => {
    const limits = createKeylessLimits({ main: 30, local: 3_000 });
    for (const ip of ['127.0.0.1', '127.9.9.9', '::1', '::ffff:127.0.0.1'])
      expect(limits(ip)?.main, ip).toBe(3_000);
    for (const ip of ['10.0.0.1', '128.0.0.1', '::', '2001:db8::1', '1270.0.0.1', '', '::ffff:10.0.0.1']) {
      expect(limits(ip)?.main, ip).toBe(30);
    }
    let changed = NO_CHANGED_LIMITS;
    const changing = createKeylessLimits({ main: 30, local: 3_000 }, () => changed);
    changed = new Map([['keyless', { main: 0, execute: 1, submit: 1 }]]);
    expect([changing('10.0.0.1'), changing('::1')]).toEqual([null, null]);
    changed = NO_CHANGED_LIMITS;
    expect(changing('10.0.0.1')?.main).toBe(30);
    expect(createKeylessLimits({ main: 0, local: 5 })('10.0.0.1')).toBeNull();
    expect(createKeylessLimits({ main: 5, local: 0 })('127.0.0.1')).toBeNull();
  });
});

describe('a gateway', () => {
  it('counts callers on this machine by their own limit', async () => {
    const app = await open(1, 3);
    const statuses = async (remoteAddress: string) => {
      const seen: number[] = [];
      for (let count = 0; count < 4; count++)
        seen.push((await app.inject({ url: '/sample/a?limit=1', remoteAddress })).statusCode);
      return seen;
    };
    expect(await statuses('127.0.0.1')).toEqual([200, 200, 200, 429]);
    expect(await statuses('10.0.0.1')).toEqual([200, 429, 429, 429]);
  });

  it('requires a key where the limit is 0, except for what is free', async () => {
    const app = await open(0, 0);
    const refused = await app.inject('/sample/a?limit=1');
    expect(refused.statusCode).toBe(401);
    expect(refused.json()).toMatchObject({ code: 401, message: 'Unauthorized' });
    for (const url of ['/healthz', '/docs', '/openapi.json'])
      expect((await app.inject(url)).statusCode, url).toBe(200);
  });

  const open = (main: number, local: number) =>
    createSampleGateway({
      pipeline: {
        findKey: () => null,
        keyless: createKeylessLimits({ main, local }),
        limiter: createInProcessLimiter(),
        countryOf: () => null,
        now: () => 1_000_000,
      },
    });
});
