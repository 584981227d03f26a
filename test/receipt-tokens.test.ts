import { describe, expect, it } from 'vitest';
import { PLANNED_EARN_TOKENS } from '../src/protocols/jupiter-lend/genesis/plan.ts';
import { RECEIPT_TOKENS } from '../src/protocols/jupiter-lend/genesis/receipt-tokens.ts';
import { SwapRefused } from '../src/swaps/refusals.ts';
import { type Address, address } from '../src/solana/address.ts';
import { WRAPPED_SOL_MINT } from '../src/solana/program-addresses.ts';
import { decodeMint } from '../src/solana/programs/token/mint.ts';
import { deriveMetadataAddress } from '../src/solana/programs/token-metadata/program.ts';
import { BuildClient } from '../src/testing/genesis-market/builds.ts';
import { openTestSwap } from '../src/testing/genesis-market/swap.ts';

describe('a swap into receipt tokens and out of them', () => {
  it('deposits and withdraws as the vendor’s own command line does: by orders alone, and all shares at the end', async () => {
    const before = held(JLUSDC);
    const deposit = await swap.order({ inputMint: USDC, outputMint: JLUSDC, amount: '1000000000' });
    expect(labels(deposit)).toEqual(['Jupiter Lend']);
    expect(await swap.execute(deposit)).toMatchObject({
      status: 'Success',
      totalOutputAmount: deposit.outAmount,
    });
    expect(held(JLUSDC) - before).toBe(BigInt(deposit.outAmount));
    pass(30n * 86_400n);
    const [shares, dollars] = [held(JLUSDC), held(USDC)];
    const withdrawal = await swap.order({ inputMint: JLUSDC, outputMint: USDC, amount: shares.toString() });
    expect(await swap.execute(withdrawal)).toMatchObject({ status: 'Success' });
    expect(held(JLUSDC)).toBe(0n);
    expect(held(USDC) - dollars).toBe(BigInt(withdrawal.outAmount));
    // Each share was worth more than a dollar when it was bought, and has earned interest since.
    expect(BigInt(withdrawal.outAmount)).toBeGreaterThan(shares);
  });

  it('goes over a second pool from a token that is not lent for it', async () => {
    const order = await swap.order({ inputMint: WRAPPED_SOL_MINT, outputMint: JLUSDC, amount: '1000000000' });
    expect(labels(order).at(-1)).toBe('Jupiter Lend');
    expect(order.routePlan.length).toBeGreaterThan(1);
    const before = held(JLUSDC);
    expect(await swap.execute(order)).toMatchObject({
      status: 'Success',
      totalOutputAmount: order.outAmount,
    });
    expect(held(JLUSDC) - before).toBe(BigInt(order.outAmount));
  });

  it('has values in US dollars on both sides', async () => {
    const order = await swap.order({ inputMint: USDC, outputMint: JLUSDC, amount: '500000000' });
    expect(order.inUsdValue).toBeCloseTo(500, 0);
    expect(Math.abs((order.outUsdValue ?? 0) - 500)).toBeLessThan(1);
  });

  it('lands a minute after it was quoted although the price of a share has grown', async () => {
    const order = await swap.order({
      inputMint: USDC,
      outputMint: JLUSDC,
      amount: '1000000000',
      slippageBps: '1',
    });
    pass(60n);
    const before = held(JLUSDC);
    expect(await swap.execute(order)).toMatchObject({ status: 'Success' });
    const got = held(JLUSDC) - before;
    expect(got).toBeLessThanOrEqual(BigInt(order.outAmount));
    expect(got).toBeGreaterThan((BigInt(order.outAmount) * 999_999n) / 1_000_000n);
  });

  it('is refused where more is to leave than the withdrawal limit lets out', async () => {
    const query = { inputMint: JLUSDC, outputMint: USDC, amount: '30000000000000' };
    await expect(swap.order(query)).rejects.toBeInstanceOf(SwapRefused);
  });

  it('is built as instructions, both ways', async () => {
    const client = new BuildClient(swap.market);
    for (const [inputMint, outputMint] of [
      [USDC, JLUSDC],
      [JLUSDC, USDC],
      [WRAPPED_SOL_MINT, JLUSDC],
    ] as const) {
      const built = await client.build({ inputMint, outputMint, amount: '250000000' });
      expect(labels(built)).toContain('Jupiter Lend');
      const before = held(outputMint);
      const outcome = client.execute(built, swap.wallet.address);
      expect(outcome.error, outcome.logs.join('\n')).toBeNull();
      expect(held(outputMint) - before).toBe(BigInt(built.outAmount));
    }
  });
});

describe('the receipt tokens of the genesis', () => {
  it('are listed under the names that the lending program gave them, and have prices', () => {
    const { market } = swap;
    expect(RECEIPT_TOKENS).toHaveLength(PLANNED_EARN_TOKENS.length);
    for (const { mint, symbol, name, decimals } of RECEIPT_TOKENS) {
      const metadata = market.network.account(deriveMetadataAddress(mint));
      const text = metadata === null ? '' : Buffer.from(metadata.data).toString('latin1');
      expect(text).toContain(`${symbol}\0`);
      expect(text).toContain(name);
      expect(decodeMint(market.network.account(mint)?.data ?? new Uint8Array(0)).decimals).toBe(decimals);
      const [deposited] = market.pools.counterparts(mint).keys();
      const share =
        (market.prices.dollarsPerAtom(mint) ?? 0) / (market.prices.dollarsPerAtom(deposited ?? mint) ?? 1);
      expect(share, symbol).toBeGreaterThanOrEqual(0.999);
      expect(share, symbol).toBeLessThan(1.1);
    }
    expect(RECEIPT_TOKENS.find(({ mint }) => mint === JLUSDC)?.symbol).toBe('jlUSDC');
  });
});

const USDC = address('EPjFWdd5AufqSSqeM2qN1xzybapC8G4wEGGkZwyTDt1v');
const JLUSDC = address('9BEcn9aPEmhSPbPQeFGjidRiEKki46fVQDyPpSQXPA2D');

const swap = await openTestSwap();

const held = (mint: Address) => swap.holding(swap.wallet.address, mint);
const labels = ({
  routePlan,
}: {
  readonly routePlan: readonly { readonly swapInfo: { readonly label?: unknown } }[];
}) => routePlan.map(({ swapInfo }) => swapInfo.label);

function pass(seconds: bigint): void {
  const { network, chain } = swap.market;
  network.setUnixTime(chain.clock().unixTimestamp + seconds);
}
