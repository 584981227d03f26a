import { describe, expect, it } from 'vitest';
import { choosePace } from './pace.ts';

describe('choosePace', () => {
  const embedded = { network: { kind: 'embedded', genesis: 'G' }, production: false } as const;

  it('asks a sandbox as often as the page wants', () => {
    expect(choosePace(embedded, 2_000)).toBe(2_000);
  });

  it.each([
    ['in production', { ...embedded, production: true }],
    ['over an outside RPC', { network: { kind: 'rpc' }, production: false } as const],
    ['before the instance is known', undefined],
  ])('asks at most twice a minute %s', (_, instance) => {
    expect(choosePace(instance, 2_000)).toBe(30_000);
    expect(choosePace(instance, 60_000)).toBe(60_000);
    expect(choosePace(instance, 2_000, 15_000)).toBe(15_000);
  });
});
