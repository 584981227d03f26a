import type { RouteLeg } from '../quote/route-answer.ts';

/** A token of a route: where it stands, and how much of the swap's value passes through it. */
export interface FlowToken {
  readonly mint: string;
  /** The number of swaps on the longest way from the input. */
  readonly column: number;
  /** Share of the swap's value, from 0 to 1. */
  readonly flow: number;
  /** What all steps pay of it, or for the input what they take. */
  readonly amount: bigint;
}

/** A step of a route with the share of the swap's value that passes through it. */
export interface FlowLeg {
  readonly index: number;
  readonly leg: RouteLeg;
  readonly flow: number;
  /** Share of its input token, in millionths. */
  readonly share: bigint;
}

/** A route as a graph without cycles. */
export interface RouteGraph {
  /** In the order in which the value passes through them. */
  readonly tokens: readonly FlowToken[];
  /** In the order of the plan. */
  readonly legs: readonly FlowLeg[];
}

const MILLION = 1_000_000n;

/**
 * Builds the graph of a route. The shares are those of the amounts: what goes into a token comes out of it again, down to the
 * output.
 *
 * @returns null if the steps are no route from the input to the output: the steps then can only be listed
 */
export function buildRouteGraph(
  legs: readonly RouteLeg[],
  inputMint: string,
  outputMint: string,
): RouteGraph | null {
  const columns = rankTokens(legs, inputMint);
  if (columns === null || !columns.has(outputMint)) return null;
  const order = [...columns.keys()].sort((one, other) => (columns.get(one) ?? 0) - (columns.get(other) ?? 0));
  const flows = new Map<string, number>([[inputMint, 1]]);
  const parts: FlowLeg[] = [];
  for (const mint of order) {
    const spending = [...legs.entries()].filter(([, leg]) => leg.inputMint === mint);
    if (spending.length === 0) continue;
    if (mint === outputMint) return null;
    const total = spending.reduce((sum, [, leg]) => sum + leg.inAmount, 0n);
    for (const [index, leg] of spending) {
      // Steps of a route that moves nothing share the value evenly, so that they are drawn.
      const share = total === 0n ? MILLION / BigInt(spending.length) : (leg.inAmount * MILLION) / total;
      const part = total === 0n ? 1 / spending.length : Number(leg.inAmount) / Number(total);
      const flow = (flows.get(mint) ?? 0) * part;
      parts.push({ index, leg, flow, share });
      flows.set(leg.outputMint, (flows.get(leg.outputMint) ?? 0) + flow);
    }
  }
  const isDeadEnd = (mint: string) => mint !== outputMint && !legs.some((leg) => leg.inputMint === mint);
  if (order.some(isDeadEnd)) return null;
  return {
    tokens: order.map((mint) => ({
      mint,
      column: columns.get(mint) ?? 0,
      flow: flows.get(mint) ?? 0,
      amount: sumOfToken(legs, mint, inputMint),
    })),
    legs: parts.sort((one, other) => one.index - other.index),
  };
}

/**
 * Finds the column of each token: one behind the last token that is swapped for it.
 *
 * @returns null for steps in a circle, or that begin at no token of the route
 */
function rankTokens(legs: readonly RouteLeg[], inputMint: string): Map<string, number> | null {
  if (legs.length === 0) return null;
  const columns = new Map<string, number>([[inputMint, 0]]);
  // Without a circle the longest way has at most as many steps as the route.
  for (let round = 0; round <= legs.length; round++) {
    const behind = legs.filter((leg) => {
      const from = columns.get(leg.inputMint);
      return from !== undefined && (columns.get(leg.outputMint) ?? -1) <= from;
    });
    if (behind.length === 0) return legs.every((leg) => columns.has(leg.inputMint)) ? columns : null;
    for (const leg of behind) columns.set(leg.outputMint, (columns.get(leg.inputMint) ?? 0) + 1);
  }
  return null;
}

function sumOfToken(legs: readonly RouteLeg[], mint: string, inputMint: string): bigint {
  const key = mint === inputMint ? 'inputMint' : 'outputMint';
  const amount = mint === inputMint ? 'inAmount' : 'outAmount';
  return legs.reduce((sum, leg) => (leg[key] === mint ? sum + leg[amount] : sum), 0n);
}
