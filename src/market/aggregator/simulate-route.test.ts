import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { assertProperty } from '../../testing/random.ts';
import { type PlannedStep, type SimulatedTerms, simulateRoute } from './simulate-route.ts';

describe('shares', () => {
  test('are floored, and the one that completes the whole takes the rest', () => {
    expect(inputs([step(3333, 0, 1), step(6667, 0, 1)])).toEqual([333_300n, 666_701n]);
    expect(inputs([step(3300, 0, 1), step(6700, 0, 1)])).toEqual([330_000n, 670_001n]);
  });

  test('below the whole leave the rest where it is', () => {
    expect(inputs([step(6000, 0, 1), step(3000, 0, 1)])).toEqual([600_000n, 300_000n]);
  });

  test('begin again once the whole is given out, of what arrives later', () => {
    const plan = [step(5000, 0, 1), step(10_000, 1, 2), step(5000, 0, 1), step(5000, 1, 2), step(100, 0, 2)];
    expect(inputs(plan)).toEqual([500_000n, 1_000_000n, 500_001n, 500_001n, 0n]);
  });

  test('of an intermediate are of what was delivered, whatever the venue left', () => {
    const leaves = (index: number, amount: bigint) => ({
      inAmount: index === 0 ? 7n : amount,
      outAmount: 9n,
    });
    const { pays } = simulateRoute([step(10_000, 0, 1), step(5000, 1, 2)], terms, leaves);
    expect(pays?.steps).toEqual([
      { inputAmount: 1_000_001n, spentAmount: 7n, outputAmount: 9n },
      { inputAmount: 4n, spentAmount: 4n, outputAmount: 9n },
    ]);
  });

  function inputs(plan: readonly PlannedStep[]): bigint[] {
    const { pays } = simulateRoute(plan, terms, double);
    if (pays === undefined) throw new Error('the plan is refused');
    return pays.steps.map((each) => each.inputAmount);
  }
});

describe('what is delivered', () => {
  test('adds up at an index', () => {
    expect(simulateRoute([step(5000, 0, 1), step(5000, 0, 1)], terms, double).pays?.delivered).toBe(
      2_000_002n,
    );
  });

  test('is that of the last step alone when the steps before end elsewhere', () => {
    expect(simulateRoute([step(5000, 0, 1), step(5000, 0, 2)], terms, double).pays?.delivered).toBe(
      1_000_002n,
    );
  });
});

describe('refusals', () => {
  test.each<[string, PlannedStep[], number, number | null]>([
    ['an empty plan', [], 6010, null],
    ['shares above the whole', [step(6000, 0, 1), step(4001, 0, 1)], 6010, 1],
    ['shares above what their type holds', [step(1, 0, 1), step(65_535, 0, 1)], 6002, 1],
    ['an input index above the number of steps', [step(1, 2, 1)], 6006, 0],
    ['an output index above the number of steps', [step(1, 0, 2)], 6007, 0],
    ['the source as output', [step(5000, 0, 1), step(10_000, 1, 0)], 2502, 1],
    ['input and output of one index', [step(10_000, 0, 1), step(10_000, 1, 1)], 2502, 1],
    ['delivery to what was spent of', [step(5000, 0, 1), step(1, 1, 2), step(5000, 0, 1)], 2501, 2],
  ])('%s', (_, plan, code, at) => {
    expect(simulateRoute(plan, terms, double)).toEqual({ refused: { code, step: at } });
  });

  test('the venue of the second step', () => {
    const refuses = (index: number, amount: bigint) => (index === 1 ? null : double(index, amount));
    const plan = [step(10_000, 0, 1), step(10_000, 1, 2)];
    expect(simulateRoute(plan, terms, refuses)).toEqual({ refused: { code: null, step: 1 } });
  });

  test('a sum that no token account can hold', () => {
    const large = () => ({ inAmount: 1n, outAmount: 1n << 63n });
    const plan = [step(5000, 0, 1), step(5000, 0, 1)];
    expect(simulateRoute(plan, terms, large)).toEqual({ refused: { code: 6002, step: 1 } });
  });
});

describe('the terms, on a route that delivers 1,994,998', () => {
  test.each([
    [2_005_023n, 50, true],
    [2_005_024n, 50, false],
    [1_994_998n, 0, true],
    [1_994_999n, 0, false],
    [(1n << 64n) - 1n, 10_000, true],
  ])('a quote of %d with %d bps of slippage passes: %s', (quotedOutAmount, slippageBps, passes) => {
    const result = run({ quotedOutAmount, slippageBps });
    expect(result.refused?.code).toBe(passes ? undefined : 6001);
  });

  test.each([
    [1n, 1, undefined],
    [7n, 9000, undefined],
    [10_000n, 9999, 6001],
    [3n, 5000, 6001],
  ])('a threshold below one atom asks for nothing: %d with %d bps', (quotedOutAmount, slippageBps, code) => {
    const nothing = (_: number, amount: bigint) => ({ inAmount: amount, outAmount: 0n });
    const result = simulateRoute(plan, { inAmount: 1n, quotedOutAmount, slippageBps }, nothing);
    expect(result.refused?.code).toBe(code);
  });

  test('slippage above 10000 is refused, unless nothing was quoted', () => {
    expect(run({ quotedOutAmount: 1n, slippageBps: 10_001 }).refused?.code).toBe(6002);
    expect(run({ slippageBps: 10_001 }).pays?.net).toBe(1_994_998n);
  });

  test.each([
    [1_975_049n, undefined],
    [1_975_050n, 6001],
  ])('a fee of 1%% in the output counts against a quote of %d', (quotedOutAmount, code) => {
    const result = run({ quotedOutAmount, platformFee: { bps: 100, side: 'output' } });
    expect(result.refused?.code).toBe(code);
    if (result.pays !== undefined) expect(result.pays.platformFee).toBe(19_949n);
  });

  test('a fee of 1% in the input lowers what the steps run on', () => {
    const { pays } = run({
      quotedOutAmount: 1_975_000n,
      slippageBps: 50,
      platformFee: { bps: 100, side: 'input' },
    });
    expect(pays).toMatchObject({ delivered: 1_975_048n, platformFee: 10_000n, net: 1_975_048n });
    expect(pays?.steps[0]?.inputAmount).toBe(990_000n);
  });

  test.each<'input' | 'output'>(['input', 'output'])('a fee above the whole %s is refused', (side) => {
    expect(run({ platformFee: { bps: 10_001, side } }).refused?.code).toBe(6002);
  });

  test.each([
    [1, 199n],
    [100, 19_752n],
    [499, 94_818n],
    [500, 94_998n],
    [65_535, 94_998n],
  ])('positive slippage of %d bps takes %d', (positiveSlippageBps, taken) => {
    const { pays } = run({ quotedOutAmount: 1_900_000n, positiveSlippageBps });
    expect(pays).toMatchObject({ positiveSlippage: taken, net: 1_994_998n - taken });
  });

  test('positive slippage takes nothing where nothing exceeds the quote', () => {
    const { pays } = run({ quotedOutAmount: 2_000_000n, slippageBps: 100, positiveSlippageBps: 500 });
    expect(pays?.positiveSlippage).toBe(0n);
  });

  const plan = [step(10_000, 0, 1)];
  const pays = (_: number, amount: bigint) => ({
    inAmount: amount,
    outAmount: (amount * 1_994_998n) / 1_000_000n,
  });
  const run = (change: Partial<SimulatedTerms>) =>
    simulateRoute(plan, { inAmount: 1_000_000n, quotedOutAmount: 0n, slippageBps: 0, ...change }, pays);
});

test('no atom is made or lost: what index 0 gave out is at most the input less its fee', () => {
  const anIndex = fc.integer({ min: 0, max: 4 });
  const aStep = fc.record({
    bps: fc.integer({ min: 0, max: 10_000 }),
    inputIndex: anIndex,
    outputIndex: anIndex,
  });
  assertProperty(
    fc.property(
      fc.array(aStep, { minLength: 1, maxLength: 5 }),
      fc.bigInt({ min: 0n, max: 1n << 62n }),
      fc.integer({ min: 0, max: 10_000 }),
      fc.constantFrom<'input' | 'output'>('input', 'output'),
      (plan, inAmount, bps, side) => {
        const same = (_: number, amount: bigint) => ({ inAmount: amount, outAmount: amount });
        const { pays } = simulateRoute(plan, { ...terms, inAmount, platformFee: { bps, side } }, same);
        fc.pre(pays !== undefined);
        const given = plan.reduce(
          (sum, each, index) => (each.inputIndex === 0 ? sum + (pays.steps[index]?.inputAmount ?? 0n) : sum),
          0n,
        );
        expect(given + (side === 'input' ? pays.platformFee : 0n)).toBeLessThanOrEqual(inAmount);
        expect(pays.net + (side === 'output' ? pays.platformFee : 0n)).toBe(pays.delivered);
        expect(pays.delivered).toBeLessThanOrEqual(inAmount);
      },
    ),
    { cases: 2000, seed: 20263 },
  );
});

const double = (_: number, amount: bigint) => ({ inAmount: amount, outAmount: amount * 2n });
const step = (bps: number, inputIndex: number, outputIndex: number): PlannedStep => ({
  bps,
  inputIndex,
  outputIndex,
});
const terms: SimulatedTerms = { inAmount: 1_000_001n, quotedOutAmount: 0n, slippageBps: 0 };
