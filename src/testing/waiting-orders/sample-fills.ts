import type { Address } from '../../solana/address.ts';
import { bps } from '../../solana/units.ts';
import type { PlannedFill } from '../../waiting-orders/fills/fill-plan.ts';
import { FillPlanner } from '../../waiting-orders/fills/fill-planner.ts';
import type { DepositedOrder, FillMarket } from './fills.ts';

/** A fill as the planner makes it, with the order and the keys that it belongs to. */
export interface SampleFill extends DepositedOrder {
  /** The venues of its route, and what is special about it. */
  readonly name: string;
  readonly fill: PlannedFill;
}

/**
 * Plans a fill over each pair of mints that a venue trades, whole where the wallet has no account of the output yet, and in
 * part where it has one and the floor is out of reach of the whole; and fills with a fee on either side.
 */
export async function planSampleFills(fills: FillMarket): Promise<readonly SampleFill[]> {
  const samples: SampleFill[] = [];
  const seen = new Set<string>();
  for (const inputMint of fills.mints()) {
    for (const outputMint of fills.mints()) {
      if (inputMint === outputMint) continue;
      for (const label of listLabels(fills, inputMint, outputMint)) {
        // Two pairs of each venue and kind of output are as good as all.
        const kind = `${label}, ${fills.programOf(outputMint)}, ${fills.programOf(inputMint)}`;
        if (seen.has(`${kind} again`)) continue;
        seen.add(seen.has(kind) ? `${kind} again` : kind);
        samples.push(...(await planOver(fills, label, { inputMint, outputMint })));
      }
    }
  }
  return samples;
}

/** The labels of the venues that trade the pair directly. */
function listLabels({ market }: FillMarket, inputMint: Address, outputMint: Address): ReadonlySet<string> {
  return new Set(market.pools.between(inputMint, outputMint).map(({ venue }) => venue.label));
}

async function planOver(
  fills: FillMarket,
  label: string,
  pair: { readonly inputMint: Address; readonly outputMint: Address },
): Promise<readonly SampleFill[]> {
  const samples: SampleFill[] = [];
  for (const [kind, feeBps, isOpen] of [
    ['new account', 0, false],
    ['existing account', 0, true],
    ['fee', 85, true],
  ] as const) {
    const deposited = fills.deposit({ ...pair, amount: fills.amountWorth(pair.inputMint, 20_000) });
    const { sale } = deposited;
    if (isOpen) fills.openAta(sale.wallet, pair.outputMint);
    if (feeBps > 0) fills.openAta(fills.gasWallet.address, pair.inputMint);
    const planner = new FillPlanner({
      ...fills.dependencies,
      feeBps: bps(feeBps),
      venues: { kind: 'only', labels: new Set([label]) },
    });
    // Receipts have no price, and large amounts move it. What the floor is does not matter here.
    const fill = await planner.plan(sale, { referenceIn: 1, referenceOut: 1e12 });
    if (fill.kind === 'waits') continue;
    samples.push({ ...deposited, name: `${label}, ${kind}`, fill });
    const part = await planner.plan(sale, fills.missed(sale, fill));
    if (part.kind === 'fill') samples.push({ ...deposited, name: `${label}, ${kind}, part`, fill: part });
  }
  return samples;
}
