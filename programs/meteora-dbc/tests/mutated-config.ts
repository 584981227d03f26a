import fc from 'fast-check';
import type { DbcConfigParameters } from '../../../src/protocols/meteora-dbc/program/config-parameters.ts';
import { U64_MAX } from '../../../src/solana/units.ts';
import { configCase } from './cases.ts';

/** Parameters of which one field was replaced, with the name of the field. */
export interface ConfigCase {
  readonly field: string;
  readonly parameters: DbcConfigParameters;
}

/** A tree of numbers, as parameters are one. */
type Tree = { readonly [name: string]: unknown };

/** Replaces one number of the parameters by one that it should mostly not be. */
export const configMutation: fc.Arbitrary<ConfigCase> = fc
  .record({ parameters: configCase, at: fc.nat(), value: fc.nat() })
  .map(({ parameters, at, value }) => {
    const paths = numbersOf(parameters as unknown as Tree);
    const path = paths[at % paths.length] ?? [];
    const changed = replaceAt(parameters, path, (before) => replacement(path.at(-1) ?? '', before, value));
    return { field: path.join('.'), parameters: changed as DbcConfigParameters };
  });

/** The bits of the fields that do not have a byte. */
const WIDTHS: Readonly<Record<string, number>> = {
  firstFactor: 16,
  binStep: 16,
  filterPeriod: 16,
  decayPeriod: 16,
  reductionFactor: 16,
  maxVolatilityAccumulator: 32,
  variableFeeControl: 32,
  bpsPerPeriod: 16,
  numberOfPeriods: 16,
  numberOfPeriod: 16,
  cliffDurationFromMigrationTime: 32,
  frequency: 32,
  poolFeeBps: 16,
  compoundingFeeBps: 16,
  sqrtPriceStepBps: 16,
  schedulerExpirationDuration: 32,
};

function replacement(name: string, before: unknown, value: number): unknown {
  if (typeof before === 'bigint') {
    const values = [
      0n,
      1n,
      before + 1n,
      before === 0n ? 0n : before - 1n,
      U64_MAX,
      BigInt(value),
      before * 2n,
    ];
    const chosen = values[value % values.length] ?? 0n;
    return chosen > U64_MAX && before <= U64_MAX ? U64_MAX : chosen;
  }
  const largest = 2 ** (WIDTHS[name] ?? 8) - 1;
  const was = Number(before);
  const values = [0, 1, 2, 3, was + 1, was - 1, largest, value % (largest + 1), was * 2];
  const chosen = values[value % values.length] ?? 0;
  return Math.max(0, Math.min(largest, chosen));
}

/** Lists the paths of all numbers. */
function numbersOf(tree: Tree, path: readonly string[] = []): (readonly string[])[] {
  return Object.entries(tree).flatMap(([name, value]) => {
    if (typeof value === 'number' || typeof value === 'bigint') return [[...path, name]];
    return typeof value === 'object' && value !== null ? numbersOf(value as Tree, [...path, name]) : [];
  });
}

function replaceAt(tree: unknown, path: readonly string[], change: (before: unknown) => unknown): unknown {
  const [name, ...rest] = path;
  if (name === undefined) return change(tree);
  if (Array.isArray(tree))
    return tree.map((each, i) => (String(i) === name ? replaceAt(each, rest, change) : each));
  return { ...(tree as Tree), [name]: replaceAt((tree as Tree)[name], rest, change) };
}
