import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { assertProperty } from '../../../../../src/testing/random.ts';
import type { RouteLeg } from '../quote/route-answer.ts';
import { computeLeastWidth, type FlowBox, layOutRoute } from './flow-layout.ts';
import { buildRouteGraph, type RouteGraph } from './route-graph.ts';

describe('buildRouteGraph', () => {
  it('gives each token the column behind the last one that is swapped for it', () => {
    const legs = [leg('A', 'B', 60n, 6n), leg('A', 'C', 40n, 4n), leg('B', 'C', 6n, 6n)];
    const graph = build(legs, 'A', 'C');
    expect(graph.tokens.map(({ mint, column }) => `${mint}${column}`)).toEqual(['A0', 'B1', 'C2']);
    expect(graph.tokens.map(({ amount }) => amount)).toEqual([100n, 6n, 10n]);
    expect(graph.legs.map(({ flow }) => flow)).toEqual([0.6, 0.4, 0.6]);
    expect(graph.legs.map(({ share }) => share)).toEqual([600_000n, 400_000n, 1_000_000n]);
  });

  it.each([
    ['nothing', []],
    ['a circle', [leg('A', 'B'), leg('B', 'C'), leg('C', 'B'), leg('C', 'Z')]],
    ['a step from nowhere', [leg('A', 'Z'), leg('X', 'Z')]],
    ['a token that is kept', [leg('A', 'Z'), leg('A', 'X')]],
    ['a way that does not end at the output', [leg('A', 'B')]],
    ['an output that is spent', [leg('A', 'Z'), leg('Z', 'B')]],
    ['a step from a token to itself', [leg('A', 'A'), leg('A', 'Z')]],
  ])('has no graph for %s', (_what, legs) => {
    expect(buildRouteGraph(legs, 'A', 'Z')).toBeNull();
  });

  it('lets as much value out of a token as came in', () => {
    assertProperty(
      fc.property(ROUTES, (legs) => {
        const { tokens, legs: parts } = build(legs, '0', LAST);
        for (const { mint, flow } of tokens) {
          const leaving = parts.filter((part) => part.leg.inputMint === mint);
          if (mint === LAST) expect(flow).toBeCloseTo(1, 6);
          else expect(leaving.reduce((sum, part) => sum + part.flow, 0)).toBeCloseTo(flow, 6);
        }
        for (const part of parts) expect(part.flow >= 0 && part.flow <= 1 + 1e-9).toBe(true);
      }),
      { cases: 100, seed: 4420 },
    );
  });
});

describe('layOutRoute', () => {
  it('fills the width that there is, up to where bands would be long', () => {
    const graph = build([leg('A', 'Z')], 'A', 'Z');
    const least = computeLeastWidth(graph);
    expect(layOutRoute(graph, least).width).toBe(least);
    expect(layOutRoute(graph, least + 50).width).toBe(least + 50);
    expect(layOutRoute(graph, 5_000).width).toBeLessThan(1_000);
  });

  it('lays nothing upon anything else, leaves nothing outside, and computes only numbers', () => {
    assertProperty(
      fc.property(ROUTES, fc.integer({ min: 0, max: 3_000 }), (legs, width) => {
        const layout = layOutRoute(build(legs, '0', LAST), width);
        const boxes = [...layout.tokens, ...layout.legs].map(({ box }) => box);
        for (const [index, box] of boxes.entries()) {
          expect([box.x, box.y, box.width, box.height].every(Number.isFinite)).toBe(true);
          expect(box.x >= 0 && box.y >= -1e-9).toBe(true);
          expect(box.x + box.width <= layout.width + 1e-6).toBe(true);
          expect(box.y + box.height <= layout.height + 1e-6).toBe(true);
          for (const other of boxes.slice(index + 1)) expect(overlaps(box, other)).toBe(false);
        }
        const paths = layout.legs.flatMap(({ bands }) => bands);
        expect(paths.length).toBeGreaterThanOrEqual(2 * layout.legs.length);
        for (const path of paths) expect(path).not.toMatch(/NaN|Infinity|undefined/);
      }),
      { cases: 100, seed: 4421 },
    );
  });
});

const LAST = '5';

/** Routes over tokens that are numbered so that every step leads to a higher one, without steps that lead nowhere. */
const ROUTES = fc
  .array(
    fc.record({
      from: fc.integer({ min: 0, max: 4 }),
      over: fc.integer({ min: 1, max: 5 }),
      inAmount: fc.bigInt({ min: 0n, max: 2n ** 64n }),
      outAmount: fc.bigInt({ min: 0n, max: 2n ** 64n }),
    }),
    { minLength: 1, maxLength: 12 },
  )
  .map((steps) => {
    const legs = steps.map(({ from, over, inAmount, outAmount }) =>
      leg(`${from}`, `${Math.min(from + over, 5)}`, inAmount, outAmount),
    );
    const isReached = (mint: string): boolean =>
      mint === '0' || legs.some((each) => each.outputMint === mint && isReached(each.inputMint));
    const used = legs.filter(({ inputMint }) => isReached(inputMint));
    const ends = used.filter(
      ({ outputMint }) => outputMint !== LAST && !used.some(({ inputMint }) => inputMint === outputMint),
    );
    const closing = [...new Set(ends.map(({ outputMint }) => outputMint))].map((mint) => leg(mint, LAST));
    return used.length === 0 ? [leg('0', LAST)] : [...used, ...closing];
  });

function leg(inputMint: string, outputMint: string, inAmount = 1n, outAmount = 1n): RouteLeg {
  return { pool: 'P', venue: 'V', inputMint, outputMint, inAmount, outAmount, fee: null, bps: null };
}

function build(legs: readonly RouteLeg[], from: string, to: string): RouteGraph {
  const graph = buildRouteGraph(legs, from, to);
  if (graph === null) throw new Error('the steps are no route');
  return graph;
}

function overlaps(one: FlowBox, other: FlowBox): boolean {
  const apart =
    one.x + one.width <= other.x ||
    other.x + other.width <= one.x ||
    one.y + one.height <= other.y + 1e-6 ||
    other.y + other.height <= one.y + 1e-6;
  return !apart;
}
