import { expect, it } from 'vitest';
import { findFirstExample } from '../products/example-requests.ts';
import { PRODUCTS } from './products.ts';

it('the first example of the products is a swap for the demo wallet, and a quote without one', () => {
  const query = {
    inputMint: 'So11111111111111111111111111111111111111112',
    outputMint: 'EPjFWdd5AufqSSqeM2qN1xzybapC8G4wEGGkZwyTDt1v',
    amount: '100000000',
  };
  expect(findFirstExample(PRODUCTS, 'w')).toMatchObject({
    path: '/swap/v2/build',
    query: { ...query, taker: 'w' },
  });
  expect(findFirstExample(PRODUCTS, null)).toMatchObject({ path: '/swap/v2/order', query });
});
