import { describe, expect, it } from 'vitest';
import { getGenesisToken } from '../../solana/known-tokens.ts';
import { getHouseFeeBps } from './house-fee.ts';
import { chooseFeeMint } from './platform-fee.ts';

describe('getHouseFeeBps', () => {
  it.each([
    ['SOL', 'JUP', 0],
    ['USDC', 'JUP', 0],
    ['PYUSD', 'JLP', 0],
    ['SOL', 'JupSOL', 0],
    ['JUP', 'SOL', 10],
    ['JupSOL', 'USDC', 5],
    ['BONK', 'JUP', 10],
    ['JitoSOL', 'mSOL', 0],
    ['INF', 'JupSOL', 0],
    ['USDC', 'USDT', 0],
    ['PYUSD', 'USDC', 0],
    ['SOL', 'USDC', 2],
    ['USDT', 'SOL', 2],
    ['JitoSOL', 'USDC', 5],
    ['USDT', 'mSOL', 5],
    ['SOL', 'JitoSOL', 10],
    ['SOL', 'BONK', 10],
    ['USDC', 'cbBTC', 10],
    ['WIF', 'BONK', 10],
  ])('is, for %s to %s, %i basis points', (paid, received, rate) => {
    expect(getHouseFeeBps(pairOf(paid, received), old)).toBe(rate);
  });

  it.each([
    ['SOL', 'BONK', 50],
    ['BONK', 'USDC', 50],
    ['BONK', 'JUP', 50],
    ['SOL', 'USDC', 2],
    ['SOL', 'JLP', 0],
  ])('is higher for young tokens that are not listed: for %s to %s, %i', (paid, received, rate) => {
    expect(getHouseFeeBps(pairOf(paid, received), young)).toBe(rate);
  });
});

describe('chooseFeeMint', () => {
  it.each([
    ['BONK', 'SOL', 'SOL'],
    ['SOL', 'USDC', 'SOL'],
    ['JitoSOL', 'USDC', 'USDC'],
    ['cbBTC', 'mSOL', 'mSOL'],
    ['WETH', 'BONK', 'WETH'],
    ['BONK', 'WIF', 'WIF'],
  ])('is, for %s and %s, %s', (paid, received, collected) => {
    const { inputMint, outputMint } = pairOf(paid, received);
    expect(chooseFeeMint(inputMint, outputMint)).toBe(getGenesisToken(collected).mint);
  });
});

const pairOf = (paid: string, received: string) => ({
  inputMint: getGenesisToken(paid).mint,
  outputMint: getGenesisToken(received).mint,
});
const old = () => false;
const young = () => true;
