import { describe, expect, it } from 'vitest';
import { splitBase58 } from './split-base58.ts';

describe('splitBase58', () => {
  it('finds addresses and signatures between words', () => {
    const mint = 'So11111111111111111111111111111111111111112';
    const signature = '5'.repeat(88);
    expect(splitBase58(`5 atoms of ${mint}/${mint}; ${signature}`)).toEqual([
      '5 atoms of ',
      mint,
      '/',
      mint,
      '; ',
      signature,
    ]);
    expect(splitBase58('it did not sign within 10 s')).toEqual(['it did not sign within 10 s']);
    expect(splitBase58('')).toEqual([]);
  });
});
