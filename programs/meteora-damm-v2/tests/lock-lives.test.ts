import fc from 'fast-check';
import { expect, it } from 'vitest';
import { readChanges } from '../../../src/protocols/meteora-damm-v2/program/layout.ts';
import { splitDammLiquidity } from '../../../src/protocols/meteora-damm-v2/positions/locks.ts';
import { LOCKED_WITHOUT_END } from '../../../src/protocol/positions/element.ts';
import type { Instruction } from '../../../src/solana/messages/instruction.ts';
import { reportDifferences, sampleCases } from '../../../src/testing/random.ts';
import { TestNetwork } from '../../../src/testing/svm/network.ts';
import { yieldToOtherWork } from '../../../src/testing/waits.ts';
import { namedAddress } from '../../raydium-cpmm/tests/fixture.ts';
import {
  dataOf,
  expectEveryAtom,
  first,
  LEAST,
  LIQUIDITY,
  makePool,
  MOST,
  NOW,
  pool,
  readDammPosition,
  run,
  second,
  setTime,
} from './funded.ts';
import {
  addLiquidity,
  type LockTerms,
  lockInnerPosition,
  lockPosition,
  permanentLockPosition,
  refreshVesting,
  removeAllLiquidity,
  removeLiquidity,
} from './instructions.ts';

it('unlock what their schedules say and nothing else, in random lives of two positions', async () => {
  const differences: string[] = [];
  const lives = sampleCases(life, SUITE);
  let [accepted, refused, steps] = [0, 0, 0];
  for (const [index, each] of lives.entries()) {
    await yieldToOtherWork();
    const network = new TestNetwork(['meteora-damm-v2']);
    makePool(network);
    const models: [Model, Model] = [newModel(), newModel()];
    let now = NOW;
    for (const [at, step] of each.entries()) {
      now += step.passes;
      setTime(network, now);
      const side = step.position;
      const before = models[side];
      const { after, instruction } = act(before, step, now);
      const shown = showParts(network, side, now);
      if (shown !== show(expectedParts(before, now))) {
        differences.push(
          `life ${index}, step ${at}: shows ${shown}, not ${show(expectedParts(before, now))}`,
        );
        break;
      }
      steps++;
      const { error, logs } = network.send([instruction]);
      if (error === null) accepted++;
      else refused++;
      if ((error === null) !== (after !== null)) {
        differences.push(
          `life ${index}, step ${at}: ${show(step)} ended with ${show(error)}: ${logs.at(-2)}`,
        );
        break;
      }
      models[side] = after ?? before;
      const found = [first, second].map((position) => partsOf(network, position));
      if (show(found) !== show(models.map(partsOfModel))) {
        differences.push(`life ${index}, step ${at}: ${show(found)}, not ${show(models.map(partsOfModel))}`);
        break;
      }
    }
    checkWhole(network, models);
    // In the end everything that is not locked for ever can leave.
    setTime(network, now + 100_000n);
    for (const [side, position] of [first, second].entries()) {
      const model = models[side] as Model;
      run(network, refreshVesting(pool, position, [...model.accounts.keys()].map(vestingOf(side))));
      const { unlocked, vested } = readDammPosition(network, position);
      expect(vested).toBe(0n);
      if (unlocked > 0n) run(network, removeAllLiquidity(pool, position, LEAST));
    }
    const permanent = models[0].permanent + models[1].permanent;
    expect(readChanges(dataOf(network, pool.address)).liquidity).toBe(permanent);
    expectEveryAtom(network);
  }
  process.stdout.write(
    `meteora-damm-v2: ${steps} steps with locks, ${accepted} accepted, ${refused} refused\n`,
  );
  reportDifferences(differences.length, steps, 'the schedules');
  expect(differences.slice(0, 5)).toEqual([]);
  expect(Math.min(accepted, refused)).toBeGreaterThan(steps / 10);
});

const SUITE = { cases: 400, short: 40, seed: 20_261_128, against: 'the schedules' };
/** Liquidity is handled in parts of this size, so that steps often meet each other. */
const PART = LIQUIDITY / 16n;

/** A lock as the list of what unlocks when. */
interface Lock {
  readonly entries: readonly (readonly [at: bigint, liquidity: bigint])[];
  readonly released: bigint;
}

/** What a position should hold. */
interface Model {
  readonly free: bigint;
  readonly permanent: bigint;
  readonly inner: Lock | null;
  readonly accounts: ReadonlyMap<number, Lock>;
}

const parts = fc.bigInt(0n, 6n);
const terms = fc.record({
  delay: fc.constantFrom(null, 0n, 1n, 30n, 100n),
  frequency: fc.constantFrom(0n, 1n, 20n, 70n),
  cliff: parts,
  each: fc.bigInt(0n, 3n),
  periods: fc.integer({ min: 0, max: 4 }),
});
const step = fc.record({
  passes: fc.constantFrom(0n, 1n, 10n, 30n, 120n),
  position: fc.constantFrom<0 | 1>(0, 1),
  kind: fc.constantFrom('inner', 'account', 'account', 'permanent', 'refresh', 'add', 'remove', 'remove'),
  terms,
  account: fc.integer({ min: 0, max: 2 }),
  liquidity: parts,
});
type Step = typeof step extends fc.Arbitrary<infer T> ? T : never;
const life = fc.array(step, { minLength: 25, maxLength: 25 });

function newModel(): Model {
  return { free: LIQUIDITY, permanent: 0n, inner: null, accounts: new Map() };
}

/** What the step should do; null where it should be refused. */
function act(model: Model, step: Step, now: bigint): { after: Model | null; instruction: Instruction } {
  const position = step.position === 0 ? first : second;
  const amount = step.liquidity * PART;
  const refreshed = refreshInner(model, now);
  const lockTerms = termsOf(step, now);
  const lock = lockOf(lockTerms, now);
  const total = lock === null ? 0n : sum(lock);
  switch (step.kind) {
    case 'inner': {
      const fits = lock !== null && refreshed.inner === null && total <= refreshed.free;
      const after = fits ? { ...refreshed, free: refreshed.free - total, inner: lock } : null;
      return { after, instruction: lockInnerPosition(pool, position, lockTerms) };
    }
    case 'account': {
      const { account } = step;
      const fits = lock !== null && !model.accounts.has(account) && total <= refreshed.free;
      const accounts = fits ? new Map(refreshed.accounts).set(account, lock) : refreshed.accounts;
      const after = fits ? { ...refreshed, free: refreshed.free - total, accounts } : null;
      const vesting = vestingOf(step.position)(account);
      return { after, instruction: lockPosition(pool, position, { ...lockTerms, vesting }) };
    }
    case 'permanent': {
      const after =
        amount > refreshed.free
          ? null
          : { ...refreshed, free: refreshed.free - amount, permanent: refreshed.permanent + amount };
      return { after, instruction: permanentLockPosition(pool, position, amount) };
    }
    case 'refresh': {
      const exists = model.accounts.has(step.account);
      const instruction = refreshVesting(
        pool,
        position,
        step.liquidity % 2n === 0n ? [] : [vestingOf(step.position)(step.account)],
      );
      if (step.liquidity % 2n === 0n) return { after: refreshed, instruction };
      return { after: exists ? refreshAccount(refreshed, step.account, now) : null, instruction };
    }
    case 'add': {
      const after = amount === 0n ? null : { ...model, free: model.free + amount };
      return { after, instruction: addLiquidity(pool, position, amount, MOST) };
    }
    default: {
      const fits = amount > 0n && amount <= refreshed.free;
      const after = fits ? { ...refreshed, free: refreshed.free - amount } : null;
      return { after, instruction: removeLiquidity(pool, position, amount, LEAST) };
    }
  }
}

function termsOf({ terms }: Step, now: bigint): LockTerms {
  return {
    cliffPoint: terms.delay === null ? null : now + terms.delay,
    periodFrequency: terms.frequency,
    cliffLiquidity: terms.cliff * PART,
    liquidityPerPeriod: terms.each * PART,
    periods: terms.periods,
  };
}

/** The lock that the terms make; null where they are invalid. */
function lockOf(terms: LockTerms, now: bigint): Lock | null {
  const start = terms.cliffPoint ?? now;
  const steps = BigInt(terms.periods);
  if (steps > 0n && (terms.periodFrequency === 0n || terms.liquidityPerPeriod === 0n)) return null;
  if (start === now && steps === 0n) return null;
  const entries: [bigint, bigint][] = [[start, terms.cliffLiquidity]];
  for (let index = 1n; index <= steps; index++) {
    entries.push([start + index * terms.periodFrequency, terms.liquidityPerPeriod]);
  }
  const lock = { entries, released: 0n };
  return sum(lock) === 0n ? null : lock;
}

function sum({ entries }: Lock): bigint {
  return entries.reduce((total, [, liquidity]) => total + liquidity, 0n);
}

function dueOf({ entries, released }: Lock, now: bigint): bigint {
  return entries.reduce((total, [at, liquidity]) => (at <= now ? total + liquidity : total), 0n) - released;
}

/** The lock after a release; null when it is done. */
function releasedLock(lock: Lock, now: bigint): Lock | null {
  const released = lock.released + dueOf(lock, now);
  return released === sum(lock) ? null : { ...lock, released };
}

function refreshInner(model: Model, now: bigint): Model {
  const { inner } = model;
  if (inner === null) return model;
  return { ...model, free: model.free + dueOf(inner, now), inner: releasedLock(inner, now) };
}

function refreshAccount(model: Model, account: number, now: bigint): Model {
  const lock = model.accounts.get(account);
  if (lock === undefined) return model;
  const accounts = new Map(model.accounts);
  const rest = releasedLock(lock, now);
  if (rest === null) accounts.delete(account);
  else accounts.set(account, rest);
  return { ...model, free: model.free + dueOf(lock, now), accounts };
}

function partsOfModel({ free, permanent, inner, accounts }: Model): readonly bigint[] {
  const locks = [...accounts.values(), ...(inner === null ? [] : [inner])];
  return [free, locks.reduce((total, lock) => total + sum(lock) - lock.released, 0n), permanent];
}

function partsOf(network: TestNetwork, position: typeof first): readonly bigint[] {
  const { unlocked, vested, permanentlyLocked } = readDammPosition(network, position);
  return [unlocked, vested, permanentlyLocked];
}

/** The parts as the portfolio shows them: what is due by the schedule in the position is unlocked already. */
function showParts(network: TestNetwork, side: 0 | 1, now: bigint): string {
  const position = readDammPosition(network, side === 0 ? first : second);
  const shown = splitDammLiquidity(position, 1, { slot: 1000n, unixTimestamp: now });
  const { unlocked, vested, permanentlyLocked } = shown;
  return show([unlocked, vested, permanentlyLocked, vested === 0n ? null : shown.vestedUntil]);
}

/** The end of what vests is known if all of it is by the schedule in the position. */
function expectedParts(model: Model, now: bigint): readonly unknown[] {
  const refreshed = refreshInner(model, now);
  const parts = partsOfModel(refreshed);
  const end = refreshed.inner?.entries.at(-1)?.[0] ?? 0n;
  const isKnown = refreshed.inner !== null && refreshed.accounts.size === 0;
  return [...parts, parts[1] === 0n ? null : isKnown ? Number(end) * 1_000 : LOCKED_WITHOUT_END];
}

/** The pool's liquidity is that of its positions, and it counts what is locked for ever. */
function checkWhole(network: TestNetwork, models: readonly [Model, Model]): void {
  const data = Buffer.from(dataOf(network, pool.address));
  const whole = models.flatMap(partsOfModel).reduce((total, part) => total + part, 0n);
  expect(readChanges(data).liquidity).toBe(whole);
  const permanent = (data.readBigUInt64LE(560) << 64n) | data.readBigUInt64LE(552);
  expect(permanent).toBe(models[0].permanent + models[1].permanent);
}

const vestingOf = (side: number) => (account: number) => namedAddress(`damm vesting ${side} ${account}`);

function show(value: unknown): string {
  return JSON.stringify(value, (_, each) => (typeof each === 'bigint' ? `${each}` : each));
}
