import { describe, expect, it } from 'vitest';
import { getGenesisToken } from '../../../solana/known-tokens.ts';
import { WRAPPED_SOL_MINT } from '../../../solana/program-addresses.ts';
import { OrderMarket } from '../../../testing/program-orders/order-market.ts';

const [USDC, JUP] = [getGenesisToken('USDC').mint, getGenesisToken('JUP').mint];
const on = await OrderMarket.open();

describe('a fill of a limit order', () => {
  it.each([
    ['tokens for tokens', USDC, JUP, 50_000_000n],
    ['SOL for tokens', WRAPPED_SOL_MINT, USDC, 1_000_000_000n],
    ['tokens for SOL', USDC, WRAPPED_SOL_MINT, 50_000_000n],
  ])('sells %s at exactly the price', async (_, inputMint, outputMint, making) => {
    const quoted = await on.quote(inputMint, outputMint, making);
    const taking = (quoted * 99n) / 100n;
    const order = on.placeLimit({ inputMint, outputMint, making, taking });
    const [lamports, tokens] = [on.fills.lamports(order.maker), on.tokensOf(on.keeper, outputMint)];
    const [gas, fees] = [on.fills.lamports(on.keeper), on.limitFees(outputMint)];
    const planned = await on.planTask(order);
    const landed = await on.land(planned);
    expect(landed.error, landed.logs.join('\n')).toBeNull();
    const fee = (taking + 999n) / 1_000n;
    expect(on.isOpen(order)).toBe(false);
    expect(on.limitFees(outputMint) - fees).toBe(fee);
    const spent = gas - on.fills.lamports(on.keeper);
    if (outputMint === WRAPPED_SOL_MINT) {
      // The rents of the order and of its reserve go back to the maker.
      expect(on.fills.lamports(order.maker) - lamports).toBe(taking - fee + 3_480_000n + 2_039_280n);
      expect(spent).toBe(planned.lamports - (quoted - taking));
    } else {
      expect(on.tokensOf(order.maker, outputMint)).toBe(taking - fee);
      expect(on.tokensOf(on.keeper, outputMint) - tokens).toBe(quoted - taking);
      expect(spent).toBe(planned.lamports);
    }
    expect(on.tokensOf(on.keeper, inputMint)).toBe(
      inputMint === JUP ? tokens : on.tokensOf(on.keeper, inputMint),
    );
  });
});
