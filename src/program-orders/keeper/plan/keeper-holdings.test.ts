import { expect, it } from 'vitest';
import { createCancelOrder } from '../../../protocols/jupiter-limit-order/instructions.ts';
import type { Address } from '../../../solana/address.ts';
import { getGenesisToken } from '../../../solana/known-tokens.ts';
import { TOKEN_PROGRAM, WRAPPED_SOL_MINT } from '../../../solana/program-addresses.ts';
import { closeAccount } from '../../../solana/programs/token/instructions.ts';
import {
  type OpenedDca,
  OrderMarket,
  type PlacedLimit,
} from '../../../testing/program-orders/order-market.ts';
import { startSuite } from '../../../testing/random.ts';

const MINTS = [getGenesisToken('USDC').mint, getGenesisToken('JUP').mint, WRAPPED_SOL_MINT] as const;

it('random orders, and what others do before they are filled, never cost the keeper tokens, nor more lamports than are charged', async () => {
  const { count, seeds } = startSuite({ cases: 400, seed: 20, short: 120 });
  for (const seed of seeds) await runOrders(seed, count);
});

async function runOrders(seed: number, count: number): Promise<void> {
  const draw = createDraw(seed);
  const on = await OrderMarket.open();
  const keepers = [on.keeper, on.dcaKeeper.address];
  for (const owner of keepers) {
    for (const mint of MINTS)
      on.fills.setTokens(on.fills.ata(owner, mint), { owner, mint, amount: 1_000_000n });
  }
  const holdings = () => keepers.flatMap((owner) => MINTS.map((mint) => on.tokensOf(owner, mint)));
  const counts = { planned: 0, filled: 0, failed: 0 };
  for (let index = 0; index < count; index++) {
    const order = await placeRandom(on, draw);
    const failures = draw(3);
    const plan = await on.plan(order, failures);
    if (plan.kind !== 'planned') continue;
    counts.planned++;
    const gasBefore = on.fills.lamports(on.keeper);
    const others = on.fills.lamports(on.dcaKeeper.address);
    await interfere(on, draw, order);
    const [held, gas] = [holdings(), on.fills.lamports(on.keeper)];
    expect(gas).toBe(gasBefore);
    const landed = await on.land(plan);
    counts[landed.error === null ? 'filled' : 'failed']++;
    for (const [place, amount] of holdings().entries()) {
      expect(amount, `${place} of ${JSON.stringify(order, toText)}`).toBeGreaterThanOrEqual(
        held[place] as bigint,
      );
    }
    expect(gas - on.fills.lamports(on.keeper)).toBeLessThanOrEqual(plan.lamports);
    expect(on.fills.lamports(on.dcaKeeper.address)).toBeGreaterThanOrEqual(others);
  }
  expect(counts.planned).toBeGreaterThan(count / 4);
  expect(counts.filled).toBeGreaterThan(count / 8);
  expect(counts.failed).toBeGreaterThan(count / 40);
}

const toText = (_: string, value: unknown) => (typeof value === 'bigint' ? String(value) : value);

/** Returns a random number from 0 on, and less than the bound. */
type Draw = (below: number) => number;

function createDraw(seed: number): Draw {
  let random = seed;
  return (below) => {
    random = (Math.imul(random, 1_103_515_245) + 12_345) >>> 0;
    return (random >>> 8) % below;
  };
}

async function placeRandom(on: OrderMarket, draw: Draw): Promise<PlacedLimit | OpenedDca> {
  const inputMint = MINTS[draw(MINTS.length)] as Address;
  const others = MINTS.filter((mint) => mint !== inputMint);
  const outputMint = others[draw(others.length)] as Address;
  const amount = on.fills.amountWorth(inputMint, 1 + draw(200));
  const opensOutput = draw(5) > 0;
  if (draw(3) === 0) {
    const terms = { inAmount: amount * BigInt(1 + draw(3)), inAmountPerCycle: amount, cycleFrequency: 60n };
    return on.openDca({ inputMint, outputMint, ...terms }, { opensOutput });
  }
  const fair = on.fills.references({ inputMint, outputMint });
  const worth = (Number(amount) / 10 ** on.fills.decimals(inputMint)) * (fair.referenceIn ?? 1);
  const output = (worth / (fair.referenceOut ?? 1)) * 10 ** on.fills.decimals(outputMint);
  const taking = BigInt(Math.max(1, Math.floor(output * (0.9 + draw(110) / 1_000))));
  const slippageBps = draw(2) === 0 ? null : draw(500);
  return on.placeLimit({ inputMint, outputMint, making: amount, taking, slippageBps }, { opensOutput });
}

/** Does what anybody could between the simulation of a fill and its block. */
async function interfere(on: OrderMarket, draw: Draw, order: PlacedLimit | OpenedDca): Promise<void> {
  const { network } = on.market;
  const maker = 'maker' in order ? order.maker : order.user;
  const output = on.fills.ata(maker, order.outputMint);
  switch (draw(8)) {
    case 0:
      if (network.account(output) === null) return;
      network.send([closeAccount(TOKEN_PROGRAM, { account: output, destination: maker, authority: maker })]);
      return;
    case 1: {
      if (!('maker' in order)) return;
      const placed = { ...on.limit(order), address: order.address };
      network.send([createCancelOrder(placed, maker, on.fills.ata(maker, order.inputMint))]);
      return;
    }
    case 2: {
      // Another one trades the same pair first.
      const { inputMint, outputMint } = order;
      const amount = on.fills.amountWorth(inputMint, 2_000);
      const deposited = on.fills.deposit({ inputMint, outputMint, amount });
      if (outputMint !== WRAPPED_SOL_MINT) on.fills.openAta(deposited.sale.wallet, outputMint);
      const gas = on.fills.lamports(on.keeper);
      await on.fills.land(
        deposited,
        await on.fills.planFill(deposited.sale, { referenceIn: 1, referenceOut: 1e12 }),
      );
      on.fills.setLamports(on.keeper, gas);
      return;
    }
    case 3:
      // The keeper's other fill comes first.
      await on.plan(order).then(async (plan) => {
        if (plan.kind !== 'planned') return;
        const gas = on.fills.lamports(on.keeper);
        await on.land(plan);
        on.fills.setLamports(on.keeper, gas);
      });
      return;
    default:
  }
}
