import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { MICRO_PER_CONTRACT } from '../../exchange/exchange.ts';
import type { PredictionMarket } from '../../predictions/prediction.ts';
import type { Address } from '../../solana/address.ts';
import { maximum } from '../../solana/units.ts';
import { PredictionRig } from '../../testing/predictions/prediction-rig.ts';
import { HOUSE_FUNDS } from '../../testing/predictions/prediction-world.ts';
import { assertProperty } from '../../testing/random.ts';
import { openTestStore } from '../../testing/store/test-store.ts';
import { computeHouseWorstLoss } from '../../exchange/house.ts';

// Random trading from end to end: the keeper, the exchange and the program.

const FUNDS = 1_000_000_000n;
const DAY = 86_400n;

type Step =
  | {
      readonly kind: 'order';
      readonly owner: number;
      readonly market: number;
      readonly isYes: boolean;
      readonly isBuy: boolean;
      readonly isLimit: boolean;
      /** Tenths of a cent. */
      readonly price: number;
      /** Hundredths of a contract. */
      readonly lots: number;
    }
  | { readonly kind: 'rounds'; readonly count: number }
  | { readonly kind: 'restart' }
  | { readonly kind: 'lost' };

const order = fc.record({
  kind: fc.constant('order' as const),
  owner: fc.nat({ max: 3 }),
  market: fc.nat({ max: 1 }),
  isYes: fc.boolean(),
  isBuy: fc.boolean(),
  isLimit: fc.boolean(),
  price: fc.oneof(fc.integer({ min: 450, max: 550 }), fc.integer({ min: 100, max: 990 })),
  lots: fc.integer({ min: 1_000, max: 6_000 }),
});
const step: fc.Arbitrary<Step> = fc.oneof(
  { weight: 12, arbitrary: order },
  { weight: 4, arbitrary: fc.record({ kind: fc.constant('rounds' as const), count: fc.nat({ max: 3 }) }) },
  { weight: 1, arbitrary: fc.constant({ kind: 'restart' as const }) },
  { weight: 1, arbitrary: fc.constant({ kind: 'lost' as const }) },
);
const ending = fc.constantFrom('yes', 'no', 'cancelled');

describe('random trading', () => {
  it('leaves the vault with what every outcome needs, pays everybody once, and leaves nothing over', async () => {
    const property = fc.asyncProperty(
      fc.array(step, { minLength: 20, maxLength: 60 }),
      fc.tuple(ending, ending),
      async (steps, endings) => {
        const fresh = await openTestStore('sqlite');
        const rig = new PredictionRig(fresh.store);
        try {
          await trade(rig, steps, endings);
        } finally {
          await rig.closeAll();
          await fresh.cleanUp();
        }
      },
    );
    await assertProperty(property, { cases: 60, short: 8, seed: 4_211 });
  });
});

async function trade(rig: PredictionRig, steps: readonly Step[], endings: readonly string[]): Promise<void> {
  const house = { startCents: 50, levelContracts: 20n * MICRO_PER_CONTRACT };
  const markets = [rig.market({ house }), rig.market({ house })];
  const owners = [0, 1, 2, 3].map(() => rig.trader(FUNDS));
  let process = await rig.start();
  for (const each of steps) {
    if (each.kind === 'order') placeIfAllowed(rig, each, owners, markets);
    else if (each.kind === 'rounds') await rig.pass(each.count);
    else if (each.kind === 'lost') rig.chain.losing += 1;
    else {
      rig.kill(process);
      process = await rig.start();
    }
    checkCovered(rig, owners, markets);
  }
  rig.chain.losing = 0;
  // What was lost is sent again once its blockhash has expired.
  await passLong(rig, 4);
  for (const [index, market] of markets.entries()) {
    const result = endings[index];
    if (result === 'yes' || result === 'no') rig.decide(market, result);
    else rig.events.change(market.marketId, { status: 'cancelled' });
  }
  await passLong(rig, 12);
  for (const market of markets) expect(rig.result(market)).not.toBeNull();
  rig.passSeconds(DAY);
  await passLong(rig, 8);
  let all = rig.vaultTokens - HOUSE_FUNDS;
  for (const owner of owners) {
    all += rig.tokens(owner) - FUNDS;
    for (const market of markets)
      for (const isYes of [true, false]) {
        expect(rig.held(owner, market, isYes)).toBe(0n);
        expect(rig.position(owner, market, isYes)?.openOrders ?? 0).toBe(0);
      }
  }
  // No order holds anything any more, so nothing has come about and nothing is gone.
  expect(all).toBe(0n);
  const risk = 2n * computeHouseWorstLoss(house, 0n);
  expect(rig.vaultTokens).toBeGreaterThanOrEqual(HOUSE_FUNDS - risk);
  rig.passSeconds(7n * DAY);
  await passLong(rig, 4);
  for (const owner of owners) for (const market of markets) expect(rig.position(owner, market)).toBeNull();
  expect(rig.defects).toEqual([]);
}

/** The program refuses orders that are too small, and sales of what is not held. */
function placeIfAllowed(
  rig: PredictionRig,
  { owner, market, isYes, isBuy, isLimit, price, lots }: Extract<Step, { kind: 'order' }>,
  owners: readonly Address[],
  markets: readonly PredictionMarket[],
): void {
  const [wallet, traded] = [owners[owner], markets[market]];
  if (wallet === undefined || traded === undefined) throw new Error('there is no such wallet or market');
  const wanted = BigInt(lots) * 10_000n;
  const held = rig.held(wallet, traded, isYes);
  const contracts = isBuy ? wanted : held < wanted ? held : wanted;
  if (contracts === 0n) return;
  rig.order({
    owner: wallet,
    market: traded,
    isYes,
    isBuy,
    isLimit,
    price: BigInt(price) * 1_000n,
    contracts,
  });
}

/** Lets time pass on the chain and at the keeper, until also what is tried again late was tried. */
async function passLong(rig: PredictionRig, times: number): Promise<void> {
  for (let time = 0; time < times; time++) {
    rig.chain.pass(200n);
    rig.timers.advance(60_000);
    await rig.pass(4);
  }
}

/** The vault pays the worst outcome of every market, and the house has lost no more than its bound. */
function checkCovered(
  rig: PredictionRig,
  owners: readonly Address[],
  markets: readonly PredictionMarket[],
): void {
  let owed = 0n;
  let risk = 0n;
  for (const market of markets) {
    const [yes, no] = [true, false].map((isYes) =>
      owners.reduce((sum, owner) => sum + rig.held(owner, market, isYes), 0n),
    ) as [bigint, bigint];
    owed += maximum(yes, no);
    risk += computeHouseWorstLoss(market.house, yes - no);
  }
  expect(rig.vaultTokens).toBeGreaterThanOrEqual(owed + risk);
}
