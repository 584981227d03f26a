import { expect, it } from 'vitest';
import type { DbcVirtualPool } from '../../../src/protocols/meteora-dbc/program/layout-pool.ts';
import { sampleCases } from '../../../src/testing/random.ts';
import { TestNetwork } from '../../../src/testing/svm/network.ts';
import { yieldToOtherWork } from '../../../src/testing/waits.ts';
import { token } from '../../raydium-cpmm/tests/fixture.ts';
import { setClock } from './fixture.ts';
import { NOW, SLOT } from './swap-cases.ts';
import {
  type Launch,
  layOut,
  readPool,
  REFERRALS,
  USER_TOKENS,
  writeLaunch,
  writeUser,
} from './swap-fixture.ts';
import { instructionOf, lives, type Step } from './swap-lives.ts';

const SUITE = { cases: 400, short: 60, seed: 20_261_130 };

it('every atom belongs to the curve, to somebody’s fees, or to somebody’s account, whatever is traded', async () => {
  const network = new TestNetwork(['meteora-dbc']);
  let [executed, completed] = [0, 0];
  for (const [index, life] of sampleCases(lives, SUITE).entries()) {
    if (index % 10 === 0) await yieldToOtherWork();
    const tokens = [token(`dbc life ${index}`, [], life.isToken2022), token('dbc quote')] as const;
    const launch = layOut(`life ${index}`, tokens);
    setClock(network, { slot: SLOT, time: NOW });
    writeLaunch(network, launch, life.launch);
    writeUser(network, launch, [1n << 62n, 1n << 62n]);
    const totals = sumAll(network, launch);
    let [time, before] = [NOW, readPool(network, launch.pool)];
    for (const { step: each, seconds } of life.steps) {
      time += seconds;
      setClock(network, { slot: SLOT + (time - NOW) * 2n, time });
      const balances = balancesOf(network);
      const { error } = network.send([instructionOf(launch, before, each)]);
      const after = readPool(network, launch.pool);
      const context = JSON.stringify({ index, each, error }, (_, value) =>
        typeof value === 'bigint' ? `${value}` : value,
      );
      expect(sumAll(network, launch), context).toEqual(totals);
      expect(ownedOf(after), context).toEqual(vaultsOf(network, launch));
      if (error === null) {
        executed++;
        checkStep(each, { before, after, balances, now: balancesOf(network) }, context);
      } else {
        expect(after, context).toEqual(before);
      }
      if (before.finishCurveTimestamp === 0n && after.finishCurveTimestamp > 0n) completed++;
      before = after;
    }
  }
  process.stdout.write(`meteora-dbc: ${executed} steps of lives executed, ${completed} curves completed\n`);
  expect(executed).toBeGreaterThan(SUITE.short * 10);
  expect(completed).toBeGreaterThan(SUITE.short / 10);
});

interface Change {
  readonly before: DbcVirtualPool;
  readonly after: DbcVirtualPool;
  readonly balances: Balances;
  readonly now: Balances;
}

interface Balances {
  readonly user: readonly bigint[];
  readonly referrals: readonly bigint[];
}

/** A step only moves what it is about, in the direction that it says. */
function checkStep(each: Step, { before, after, balances, now }: Change, context: string): void {
  if (each.kind !== 'swap') {
    expect(after.sqrtPrice, context).toBe(before.sqrtPrice);
    expect([after.baseReserve, after.quoteReserve], context).toEqual([
      before.baseReserve,
      before.quoteReserve,
    ]);
    expect(now.referrals, context).toEqual(balances.referrals);
    return;
  }
  expect(before.finishCurveTimestamp, context).toBe(0n);
  const [bought, spent] = each.isPurchase ? [0, 1] : [1, 0];
  expect((now.user[bought] ?? 0n) >= (balances.user[bought] ?? 0n), context).toBe(true);
  expect((now.user[spent] ?? 0n) <= (balances.user[spent] ?? 0n), context).toBe(true);
  const rises = each.isPurchase ? after.sqrtPrice >= before.sqrtPrice : after.sqrtPrice <= before.sqrtPrice;
  expect(rises, context).toBe(true);
  if (!each.hasReferral) expect(now.referrals, context).toEqual(balances.referrals);
}

function balancesOf(network: TestNetwork): Balances {
  return {
    user: USER_TOKENS.map((account) => network.tokenBalance(account)),
    referrals: REFERRALS.map((account) => network.tokenBalance(account)),
  };
}

/** What is in the vaults and in the accounts of user and referrer together. */
function sumAll(network: TestNetwork, launch: Launch): readonly bigint[] {
  const vaults = vaultsOf(network, launch);
  const { user, referrals } = balancesOf(network);
  return [0, 1].map((side) => (vaults[side] ?? 0n) + (user[side] ?? 0n) + (referrals[side] ?? 0n));
}

function vaultsOf(network: TestNetwork, { baseVault, quoteVault }: Launch): readonly bigint[] {
  return [baseVault, quoteVault].map((vault) => network.tokenBalance(vault));
}

/** What the vaults must hold by the pool's own account. */
function ownedOf(pool: DbcVirtualPool): readonly bigint[] {
  return [
    pool.baseReserve + pool.protocolBaseFee + pool.partnerBaseFee + pool.creatorBaseFee,
    pool.quoteReserve + pool.protocolQuoteFee + pool.partnerQuoteFee + pool.creatorQuoteFee,
  ];
}
