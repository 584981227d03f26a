import { describe, expect, it } from 'vitest';
import { getGenesisToken } from '../../solana/known-tokens.ts';
import { WRAPPED_SOL_MINT } from '../../solana/program-addresses.ts';
import { FillMarket } from '../../testing/waiting-orders/fills.ts';

const USDC = getGenesisToken('USDC').mint;
const fills = await FillMarket.open();

describe('FillPlanner.plan', () => {
  it.each([
    ['tokens for SOL', USDC, WRAPPED_SOL_MINT],
    ['SOL for tokens', WRAPPED_SOL_MINT, USDC],
  ])('sells %s to the atom, straight to the wallet', async (_, inputMint, outputMint) => {
    const deposited = fills.deposit({ inputMint, outputMint, amount: 100_000_000n });
    const { order } = deposited;
    const fill = await fills.planFill(order);
    const gas = fills.lamports(fills.gasWallet.address);
    const landed = await fills.land(deposited, fill);
    expect(landed.error).toBeNull();
    expect(gas - fills.lamports(fills.gasWallet.address)).toBe(
      fill.lamports + fill.rentPaid - fill.rentReturned,
    );
    expect(fills.received(order)).toBe(fill.quotedOut);
    expect([fills.lamports(order.account), fills.lamports(order.vault)]).toEqual([0n, 0n]);
  });
});
