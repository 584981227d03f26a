import { describe, expect, it } from 'vitest';
import { HeldLamports } from './held-lamports.ts';

describe('HeldLamports', () => {
  it('counts what transactions under way hold, and gives each back once', () => {
    const held = new HeldLamports();
    const [first, second] = [held.hold(5n), held.hold(7n)];
    held.include(() => 100n);
    expect(held.total).toBe(112n);
    first();
    first();
    expect(held.total).toBe(107n);
    second();
    expect(held.total).toBe(100n);
  });
});
