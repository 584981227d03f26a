import { describe, expect, it } from 'vitest';
import { firstExample, formValues } from './example-requests.ts';
import { PRODUCTS } from '../products.ts';

const SIGNED = {
  title: 'a gift',
  path: '/gift',
  query: { amount: '1', colour: 'red' },
  walletParameter: 'taker',
};
const PLAIN = { title: 'a price', path: '/price', query: { amount: '2', mint: 'x' } };
const products = [{}, { examples: [SIGNED] }, { examples: [PLAIN] }];

describe('firstExample', () => {
  it('fills in the demo wallet', () => {
    const query = { amount: '1', colour: 'red', taker: 'w' };
    expect(firstExample(products, 'w')).toEqual({ title: 'a gift', path: '/gift', query });
  });

  it('skips examples that need a wallet where there is none', () => {
    expect(firstExample(products, null)).toEqual(PLAIN);
  });

  it('returns null when no product has an example that works', () => {
    expect(firstExample([{}, { examples: [SIGNED] }], null)).toBeNull();
  });

  it('is a swap for the demo wallet, and a quote without one', () => {
    const query = {
      inputMint: 'So11111111111111111111111111111111111111112',
      outputMint: 'EPjFWdd5AufqSSqeM2qN1xzybapC8G4wEGGkZwyTDt1v',
      amount: '100000000',
    };
    expect(firstExample(PRODUCTS, 'w')).toMatchObject({
      path: '/swap/v2/build',
      query: { ...query, taker: 'w' },
    });
    expect(firstExample(PRODUCTS, null)).toMatchObject({ path: '/swap/v2/order', query });
  });
});

describe('formValues', () => {
  it('takes each parameter from the first example that has it', () => {
    expect(formValues(products, 'w')).toEqual({ amount: '1', colour: 'red', taker: 'w', mint: 'x' });
    expect(formValues(products, null)).toEqual({ amount: '2', mint: 'x' });
  });
});
