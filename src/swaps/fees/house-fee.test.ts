import { describe, expect, it } from 'vitest';
import type { Pools } from '../../market/pools/pools.ts';
import { toAddress } from '../../solana/address.ts';
import { TOKEN_PROGRAM, WRAPPED_SOL_MINT } from '../../solana/program-addresses.ts';
import type { TokenAccountMints } from '../../transactions/token-account-mints.ts';
import { getGenesisToken } from '../../solana/known-tokens.ts';
import { findHouseFee, getHouseFeeBps } from './house-fee.ts';
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

describe('findHouseFee', () => {
  it('is that of a young token until a day after its first pool opened', async () => {
    expect(await rateOf({ opened: 1n })).toBe(50);
    expect(await rateOf({ opened: DAY })).toBe(10);
    expect(await rateOf({ opened: null })).toBe(10);
  });

  it('counts the age of a launched token from its curve, also if its pool is a new one', async () => {
    expect(await rateOf({ opened: 1n, launched: DAY - 1n })).toBe(50);
    expect(await rateOf({ opened: 1n, launched: DAY })).toBe(10);
    expect(await rateOf({ opened: 1n, launched: null })).toBe(10);
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

const NOW = 1_800_000_000n;
const DAY = 86_400n;
const [HOUSE, TOKEN] = [toAddress(new Uint8Array(32).fill(1)), toAddress(new Uint8Array(32).fill(2))];

/** How many seconds ago the only pool of a token opened, and its curve if it was launched. Null: that is not known. */
interface TokenAges {
  readonly opened: bigint | null;
  readonly launched?: bigint | null;
}

/** The rate of the house for the token against SOL. */
async function rateOf({ opened, launched }: TokenAges): Promise<number | undefined> {
  const before = (age: bigint | null) => (age === null ? null : NOW - age);
  const handle = { venue: { openedAt: () => before(opened) }, pool: {} };
  const pools = {
    counterparts: () => new Map([[WRAPPED_SOL_MINT, [handle]]]),
    account: () => ({ owner: TOKEN_PROGRAM }),
  };
  const market = {
    chain: { clock: () => ({ slot: 1n, epoch: 0n, unixTimestamp: NOW }) },
    pools: pools as unknown as Pools,
    tokenAccountMints: { of: async () => WRAPPED_SOL_MINT } as unknown as TokenAccountMints,
  };
  const launch = launched === undefined ? null : { launchedAt: before(launched) };
  const order = { inputMint: WRAPPED_SOL_MINT, outputMint: TOKEN, taker: null, receiver: null };
  return (await findHouseFee(market, { wallet: HOUSE, findLaunch: () => launch }, order))?.bps;
}

const pairOf = (paid: string, received: string) => ({
  inputMint: getGenesisToken(paid).mint,
  outputMint: getGenesisToken(received).mint,
});
const old = () => false;
const young = () => true;
