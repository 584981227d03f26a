import { describe, expect, it } from 'vitest';
import { toHeldTokens } from './held-token-list.ts';

describe('toHeldTokens', () => {
  it('reads the accounts of an answer', () => {
    expect(toHeldTokens({ value: [hold('12500000', 6)] })).toEqual([
      { account: ADDRESS, mint: ADDRESS, amount: '12500000', decimals: 6 },
    ]);
  });

  it('leaves out what is no amount, no decimals or no address', () => {
    const value = [
      ...[hold('12.5', 6), hold('many', 6), hold('1', 0.5), hold('1', 1e9), hold('1', 6, '<b>')],
      ...[null, 'x', { pubkey: ADDRESS, account: { data: ['', 'base64'] } }],
    ];
    expect(toHeldTokens({ value })).toEqual([]);
  });

  it.each([null, [], { value: 'many' }])('refuses %j', (answer) => {
    expect(() => toHeldTokens(answer)).toThrow('in a form that this page cannot read');
  });
});

const ADDRESS = 'So11111111111111111111111111111111111111112';

function hold(amount: string, decimals: number, mint = ADDRESS) {
  const info = { mint, tokenAmount: { amount, decimals } };
  return { pubkey: ADDRESS, account: { data: { parsed: { info } } } };
}
