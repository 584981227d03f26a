import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { Address } from '../../solana/address.ts';
import { maximum } from '../../solana/units.ts';
import { ForecastRig } from '../../testing/forecasts/forecast-rig.ts';
import { WORLD_PRICE, WORLD_RESERVE, WORLD_START } from '../../testing/forecasts/forecast-world.ts';
import { assertProperty } from '../../testing/random.ts';
import { openTestStore } from '../../testing/store/test-store.ts';

// Rounds under random trades, prices, jumps of the clock, gifts of tokens, crashes and losses, over the real program.

describe('random rounds', () => {
  it('lose no dollar, owe nothing that they do not hold, and leave nothing over', async () => {
    const property = fc.asyncProperty(fc.array(step, { minLength: 10, maxLength: 40 }), async (steps) => {
      const fresh = await openTestStore('sqlite');
      const rig = new ForecastRig(fresh.store);
      try {
        await live(rig, steps);
      } finally {
        await rig.closeAll();
        await fresh.cleanUp();
      }
    });
    await assertProperty(property, { cases: 60, short: 4, seed: 43_020 });
  });
});

async function live(rig: ForecastRig, steps: readonly RandomStep[]): Promise<void> {
  const lamports = rig.network.account(rig.operator.address)?.lamports ?? 0n;
  const owners = [rig.trader(FUNDS), rig.trader(FUNDS), rig.trader(FUNDS)];
  let process = await rig.start();
  await rig.pass(2);
  for (const each of steps) {
    if (each.kind === 'trade') tradeIfAllowed(rig, owners[each.owner] as Address, each);
    else if (each.kind === 'gift')
      give(rig, owners[each.from] as Address, owners[each.to] as Address, each.side);
    else if (each.kind === 'price') rig.publish(WORLD_PRICE + (WORLD_PRICE * BigInt(each.ppm)) / 1_000_000n);
    else if (each.kind === 'pass') await rig.run(each.seconds);
    else if (each.kind === 'jump') await rig.jump(Math.max(WORLD_START, rig.now() + each.seconds));
    else if (each.kind === 'lost') rig.chain.losing += 1;
    else {
      rig.kill(process);
      process = await rig.start();
    }
    await check(rig, owners);
  }
  rig.chain.losing = 0;
  rig.chain.pass(200n);
  // All rounds get their results, are paid and are closed, except the newest ones.
  for (const seconds of [900, 700, 700, DAY + 700, 700]) {
    await rig.jump(rig.now() + seconds);
    await rig.passLong();
    await check(rig, owners);
  }
  const left = process.forecasts.rounds.list();
  for (const { closeAt } of left) expect(closeAt).toBeGreaterThan(rig.now() - 1_500);
  const kept = BigInt(left.length) * 20_000_000n;
  const spent = lamports - (rig.network.account(rig.operator.address)?.lamports ?? 0n);
  expect(spent).toBeLessThan(MOST_SPENT + kept);
  expect(rig.defects).toEqual([]);
}

/** Every dollar is with the house or a trader, and each vault pays the worst result of its round. */
async function check(rig: ForecastRig, owners: readonly Address[]): Promise<void> {
  const held = owners.reduce((sum, each) => sum + rig.usdc(each), 0n);
  expect((await rig.sumHouse()) + held).toBe(WORLD_RESERVE + BigInt(owners.length) * FUNDS);
  for (const { address } of rig.forecasts.rounds.list()) {
    const round = rig.readRound(address);
    if (round === null) continue;
    const { status, upOutstanding: up, downOutstanding: down } = round;
    const owed = {
      open: maximum(up, down),
      up,
      down,
      // Each account is paid its own half, rounded down.
      void: up / 2n + down / 2n,
    }[status];
    expect(rig.vaultOf(address)).toBeGreaterThanOrEqual(owed);
  }
}

/** The program refuses much of what is random. */
function tradeIfAllowed(
  rig: ForecastRig,
  trader: Address,
  { seconds, side: outcome, isBuy, amount }: Extract<RandomStep, { kind: 'trade' }>,
): void {
  const round = rig.roundAt(rig.now() - (rig.now() % seconds), seconds);
  if (rig.statusOf(round) !== 'open') return;
  if (isBuy) rig.tryToBuy(trader, round, outcome, BigInt(amount) * 10_000n);
  else rig.tryToSell(trader, round, outcome, BigInt(amount % 101));
}

/** Sends all tokens of one side of the current round to somebody else. */
function give(rig: ForecastRig, from: Address, to: Address, outcome: 'up' | 'down'): void {
  const round = rig.roundAt(rig.now() - (rig.now() % 300));
  if (from !== to && rig.statusOf(round) === 'open') rig.transferTokens(from, to, round, outcome);
}

const USD = 1_000_000n;
const FUNDS = 1_000n * USD;
const DAY = 86_400;
/** A transaction of the operator has one signature. It opens three accounts of USDC at most. */
const MOST_SPENT = 100_000_000n;

type RandomStep =
  | {
      readonly kind: 'trade';
      readonly owner: number;
      readonly seconds: 300 | 900;
      readonly side: 'up' | 'down';
      readonly isBuy: boolean;
      /** Cents, or hundredths of what is held. */
      readonly amount: number;
    }
  | { readonly kind: 'gift'; readonly from: number; readonly to: number; readonly side: 'up' | 'down' }
  | { readonly kind: 'price'; readonly ppm: number }
  | { readonly kind: 'pass' | 'jump'; readonly seconds: number }
  | { readonly kind: 'restart' | 'lost' };

const side = fc.constantFrom('up' as const, 'down' as const);
const owner = fc.nat({ max: 2 });
const trade = fc.record({
  kind: fc.constant('trade' as const),
  owner,
  seconds: fc.constantFrom(300 as const, 900 as const),
  side,
  isBuy: fc.boolean(),
  amount: fc.integer({ min: 1, max: 20_000 }),
});
const step: fc.Arbitrary<RandomStep> = fc.oneof(
  { weight: 10, arbitrary: trade },
  { weight: 2, arbitrary: fc.record({ kind: fc.constant('gift' as const), from: owner, to: owner, side }) },
  {
    weight: 3,
    arbitrary: fc.record({
      kind: fc.constant('price' as const),
      ppm: fc.integer({ min: -3_000, max: 3_000 }),
    }),
  },
  {
    weight: 6,
    arbitrary: fc.record({ kind: fc.constant('pass' as const), seconds: fc.integer({ min: 1, max: 60 }) }),
  },
  {
    weight: 1,
    arbitrary: fc.record({
      kind: fc.constant('jump' as const),
      seconds: fc.integer({ min: -400, max: 2_000 }),
    }),
  },
  { weight: 1, arbitrary: fc.record({ kind: fc.constantFrom('restart' as const, 'lost' as const) }) },
);
