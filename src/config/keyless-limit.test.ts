import { expect, it } from 'vitest';
import { toConfig } from './config.ts';
import { loadSettings } from './load.ts';
import { KEYLESS_LIMITS } from '../platform/plans/plans.ts';

it('callers without a key have the usual limit, and a generous one on the machine of a sandbox', () => {
  const { settings } = loadSettings({ flags: new Map(), file: null, environment: {}, cwd: '/nonexistent' });
  const limits = (change: object) => {
    const { keylessLimit, keylessLocalLimit } = toConfig({ ...settings, ...change }, '/');
    return [keylessLimit, keylessLocalLimit];
  };
  expect(limits({})).toEqual([KEYLESS_LIMITS.main, 3_000]);
  expect(limits({ production: true })).toEqual([KEYLESS_LIMITS.main, KEYLESS_LIMITS.main]);
  expect(limits({ 'rpc-url': 'http://127.0.0.1:1' })).toEqual([KEYLESS_LIMITS.main, KEYLESS_LIMITS.main]);
  expect(limits({ production: true, 'keyless-limit': 0 })).toEqual([0, 0]);
});
