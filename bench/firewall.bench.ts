import {
  compileRules,
  evaluate,
  type FirewallRequest,
  type RuleSet,
} from '../src/platform/firewall/evaluate.ts';
import { parseIp } from '../src/platform/firewall/ip-address.ts';
import { fiftyRules } from './firewall-rules.ts';
import { quantileOf } from './latency.ts';
import type { Row } from './row.ts';

export const title = 'Firewall';

const WARM_UP = 20_000;
const EVALUATIONS = 20_000;
const ROUNDS = 5;

/** Requests that differ in everything that rules test. */
function requests(): readonly FirewallRequest[] {
  return Array.from({ length: 1_000 }, (_, index) => ({
    path: ['/swap/v2/build', '/price/v3', '/tokens/v2/search', '/nowhere'][index % 4] ?? '/',
    method: index % 3 === 0 ? 'POST' : 'GET',
    key: ['web', 'ci', 'other'][index % 3] ?? '',
    country: ['CH', 'US', 'ZA', null][index % 4] ?? null,
    ip: parseIp(index % 2 === 0 ? `${10 + (index % 200)}.${index % 256}.3.4` : `2001:db8:${index}::1`),
    headers: new Map([[`x-app-${index % 3}`, [index % 5 === 0 ? 'ios' : 'web']]]),
  }));
}

export async function run(): Promise<readonly Row[]> {
  const begin = performance.now();
  const rules = compileRules(fiftyRules());
  const compiling = performance.now() - begin;
  if (rules === null) throw new Error('no rule is enabled');
  const given = requests();
  evaluateAll(rules, given, WARM_UP);
  // The fastest of several rounds counts, which other load on the machine disturbed least.
  const rounds = Array.from({ length: ROUNDS }, () => evaluateAll(rules, given, EVALUATIONS));
  rounds.sort((one, other) => one.p99 - other.p99);
  const { p50, p99, matches } = rounds[0] ?? { p50: Number.NaN, p99: Number.NaN, matches: 0 };
  return [
    {
      what: '50 rules of every kind, 3 groups each, one evaluation: p50 / p99',
      measured: `${p50.toFixed(1)} µs / ${p99.toFixed(1)} µs`,
      against: `${matches.toFixed(1)} rules match`,
      atLeast: 'at most 20 µs',
      ok: p99 <= 20,
    },
    { what: 'compiling them, when one changes', measured: `${compiling.toFixed(1)} ms` },
  ];
}

/** Returns microseconds, and how many rules match on average. */
function evaluateAll(rules: RuleSet, given: readonly FirewallRequest[], evaluations: number) {
  const times: number[] = [];
  let matches = 0;
  for (let index = 0; index < evaluations; index++) {
    const request = given[index % given.length] as FirewallRequest;
    const start = performance.now();
    matches += evaluate(rules, request).matched.length;
    times.push((performance.now() - start) * 1_000);
  }
  times.sort((one, other) => one - other);
  return { p50: quantileOf(times, 0.5), p99: quantileOf(times, 0.99), matches: matches / evaluations };
}
