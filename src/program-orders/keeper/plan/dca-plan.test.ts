import { describe, expect, it } from 'vitest';
import { computeDcaFee } from '../../../protocols/jupiter-dca/dca-schedule.ts';
import { getGenesisToken } from '../../../solana/known-tokens.ts';
import { WRAPPED_SOL_MINT } from '../../../solana/program-addresses.ts';
import { OrderMarket } from '../../../testing/program-orders/order-market.ts';

const [USDC, JUP] = [getGenesisToken('USDC').mint, getGenesisToken('JUP').mint];
const on = await OrderMarket.open();

describe('a cycle of a DCA order', () => {
  it.each([
    ['tokens for tokens', USDC, JUP, 50_000_000n],
    ['SOL for tokens', WRAPPED_SOL_MINT, USDC, 1_000_000_000n],
    ['tokens for SOL', USDC, WRAPPED_SOL_MINT, 50_000_000n],
  ])('trades %s, and pays the user at once', async (_, inputMint, outputMint, cycle) => {
    const order = on.openDca({
      inputMint,
      outputMint,
      inAmount: 3n * cycle,
      inAmountPerCycle: cycle,
      cycleFrequency: 60n,
    });
    const quoted = await on.quote(inputMint, outputMint, cycle);
    const isSol = outputMint === WRAPPED_SOL_MINT;
    const paid = () => (isSol ? on.fills.lamports(order.user) : on.tokensOf(order.user, outputMint));
    const before = { paid: paid(), gas: on.fills.lamports(on.keeper), fees: on.dcaFees(outputMint) };
    const planned = await on.planTask(order);
    const landed = await on.land(planned);
    expect(landed.error, landed.logs.join('\n')).toBeNull();
    expect(on.dcaFees(outputMint) - before.fees).toBe(computeDcaFee(quoted));
    expect(paid() - before.paid).toBe(quoted - computeDcaFee(quoted));
    expect(before.gas - on.fills.lamports(on.keeper)).toBe(planned.lamports);
    expect(on.dca(order)).toMatchObject({ inUsed: cycle, nextCycleAt: on.now() + 60n });
    expect(on.tokensOf(on.dcaKeeper.address, inputMint)).toBe(0n);
  });
});
