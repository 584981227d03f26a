import { describe, expect, it } from 'vitest';
import type { Account } from '../../chain/accounts.ts';
import { openTestMarket } from '../../testing/genesis-market/open.ts';
import { type Address, address } from '../../solana/address.ts';
import { TOKEN_2022_PROGRAM, WRAPPED_SOL_MINT } from '../../solana/program-addresses.ts';
import { ExtensionType } from '../../solana/programs/token/extensions.ts';
import { encodeMint } from '../../solana/programs/token/mint.ts';
import { SwapRefused } from '../refusals.ts';
import { computeTokenAccountRent, convertLamportsToOutput } from './route-costs.ts';

describe('convertLamportsToOutput', () => {
  it('is the lamports themselves where the output is SOL', () => {
    expect(cost(USDC, WRAPPED_SOL_MINT)).toBe(10_000n);
  });

  it('is by the rate of the swap where the input is SOL, rounded up', () => {
    expect(cost(WRAPPED_SOL_MINT, USDC)).toBe(18_001n);
  });

  it('is the share of the output that the lamports are worth of the input', () => {
    // 0.002 dollars of 5 dollars.
    expect(cost(USDC, JUP)).toBe(3_601n);
    expect(cost(USDC, JUP, [JUP])).toBe(3_601n);
  });

  it('is by the price of the output where no deep pool prices the input', () => {
    // 0.002 dollars of 4.5000005 dollars, so 4,000 atoms of 9,000,001.
    expect(cost(USDC, JUP, [USDC])).toBe(4_000n);
  });

  it('is nothing where nothing is priced', () => {
    expect(cost(USDC, JUP, [USDC, JUP])).toBe(0n);
    expect(cost(USDC, JUP, [WRAPPED_SOL_MINT])).toBe(0n);
  });

  it('does not grow because the pools that price the input could not pay for all of it', async () => {
    const { prices } = await openTestMarket('without programs');
    const costOf = (inAmount: bigint) =>
      convertLamportsToOutput(
        prices,
        { inputMint: JUP, outputMint: USDC, inAmount, outAmount: inAmount / 2n },
        1_000_000n,
      );
    const small = costOf(1_000_000_000n);
    expect(small).toBeGreaterThan(100_000n);
    expect(costOf(1_000_000_000_000_000_000n) - small).toBeLessThanOrEqual(1_000n);
  });
});

describe('computeTokenAccountRent', () => {
  it('is that of an account with the extensions that the mint has now', () => {
    const pausable = { type: ExtensionType.PAUSABLE, data: new Uint8Array(33) };
    // 170 bytes, and 174 with the extension of a mint that can be paused.
    expect(rentOf(createMint([]))).toBe(2_074_080n);
    expect(rentOf(createMint([pausable]))).toBe(2_101_920n);
  });

  it('refuses a mint that does not exist', () => {
    expect(() => rentOf(null)).toThrow(SwapRefused);
  });

  const createMint = (extensions: Parameters<typeof encodeMint>[0]['extensions']): Account => ({
    lamports: 1n,
    owner: TOKEN_2022_PROGRAM,
    data: encodeMint({ mintAuthority: null, supply: 0n, decimals: 6, freezeAuthority: null, extensions }),
    executable: false,
    rentEpoch: 0n,
  });
  const rentOf = (account: Account | null) => computeTokenAccountRent({ account: () => account }, JUP);
});

const USDC = address('EPjFWdd5AufqSSqeM2qN1xzybapC8G4wEGGkZwyTDt1v');
const JUP = address('JUPyiwrYJFskUPiHa7hkeR8VUtAeFoSYbKedZNsDvCN');

/** Dollars of one atom. */
const PRICES: Readonly<Record<string, number>> = { [WRAPPED_SOL_MINT]: 200e-9, [USDC]: 1e-6, [JUP]: 0.5e-6 };

function cost(inputMint: Address, outputMint: Address, without: readonly Address[] = []): bigint {
  const deepDollarsPerAtom = (mint: Address) => (without.includes(mint) ? null : (PRICES[mint] ?? 0));
  const swap = { inputMint, outputMint, inAmount: 5_000_000n, outAmount: 9_000_001n };
  return convertLamportsToOutput({ deepDollarsPerAtom }, swap, 10_000n);
}
