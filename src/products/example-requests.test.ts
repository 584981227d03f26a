import { describe, expect, it } from 'vitest';
import { findFirstExample, collectFormValues } from './example-requests.ts';

describe('findFirstExample', () => {
  it('fills in the demo wallet', () => {
    const query = { amount: '1', colour: 'red', taker: 'w' };
    expect(findFirstExample(products, 'w')).toEqual({ title: 'a gift', path: '/gift', query });
  });

  it('skips examples that need a wallet where there is none', () => {
    expect(findFirstExample(products, null)).toEqual(PLAIN);
  });

  it('returns null when no product has an example that works', () => {
    expect(findFirstExample([{}, { examples: [SIGNED] }], null)).toBeNull();
  });
});

describe('collectFormValues', () => {
  it('takes each parameter from the first example that has it', () => {
    expect(collectFormValues(products, 'w')).toEqual({ amount: '1', colour: 'red', taker: 'w', mint: 'x' });
    expect(collectFormValues(products, null)).toEqual({ amount: '2', mint: 'x' });
  });
});

const SIGNED = {
  title: 'a gift',
  path: '/gift',
  query: { amount: '1', colour: 'red' },
  walletParameter: 'taker',
};
const PLAIN = { title: 'a price', path: '/price', query: { amount: '2', mint: 'x' } };
const products = [{}, { examples: [SIGNED] }, { examples: [PLAIN] }];
