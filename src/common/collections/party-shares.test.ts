import { describe, expect, it } from 'vitest';
import type { Party } from '../party.ts';
import { PartyShares } from './party-shares.ts';

const organisation = (id: string): Party => ({ kind: 'organisation', id });
const client = (index: number): Party => ({ kind: 'client', id: `203.0.113.${index}` });

/** Takes as many places as there are, and returns how many. */
function fill(shares: PartyShares, ...parties: readonly Party[]): number {
  let taken = 0;
  for (let before = -1; taken > before; ) {
    before = taken;
    for (const party of parties) if (shares.take(party) !== null) taken++;
  }
  return taken;
}

describe('PartyShares', () => {
  it('gives one organisation four fifths, and something to the next', () => {
    const shares = new PartyShares(100);
    expect(fill(shares, organisation('acme'))).toBe(80);
    expect(fill(shares, organisation('other'))).toBe(16);
    expect(shares.isFull).toBe(false);
  });

  it('gives all callers without a key together a half, and one address half of that', () => {
    const shares = new PartyShares(100);
    expect(fill(shares, client(0))).toBe(25);
    expect(fill(shares, ...Array.from({ length: 100 }, (_, index) => client(index)))).toBe(25);
    expect(fill(shares, organisation('acme'))).toBe(40);
  });

  it('counts what is given back as free', () => {
    const shares = new PartyShares(1);
    const giveBack = shares.take('own');
    expect(shares.take(organisation('acme'))).toBeNull();
    giveBack?.();
    expect([shares.held, shares.take(client(1)) === null]).toEqual([0, false]);
  });
});
