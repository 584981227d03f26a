import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { refusedAs } from '../../testing/platform/refused.ts';
import { toResult } from '../../common/refusal.ts';
import { INCLUDED_CREDITS } from './credits.ts';
import { KEYLESS_LIMITS, PLAN_NAMES, PLANS, parsePlanName } from './plans.ts';

describe('docs/platform.md', () => {
  it('states the limits and the credits of every plan', () => {
    const number = (value: number) => value.toLocaleString('en-US');
    const planRow = (name: (typeof PLAN_NAMES)[number]) => {
      const { main, execute, submit } = PLANS[name];
      const credits = INCLUDED_CREDITS[name];
      return `| \`${name}\` | ${number(main)} | ${number(execute)} | ${number(submit)} | ${credits === null ? 'unlimited' : number(credits)} |`;
    };
    const keyless = `| keyless | ${number(KEYLESS_LIMITS.main)} | ${number(KEYLESS_LIMITS.execute)} | ${number(KEYLESS_LIMITS.submit)} | not counted |`;
    expect(rows.slice(1, 2 + PLAN_NAMES.length)).toEqual([keyless, ...PLAN_NAMES.map(planRow)]);
  });

  const page = readFileSync(new URL('../../../docs/platform.md', import.meta.url), 'utf8');
  const rows = (page.split('\n## Plans\n')[1] ?? '').split('\n').filter((line) => line.startsWith('| '));
});

describe('the bucket of transactions that clients made', () => {
  it('admits what is published, a second: 20 without a key, 50 with the free plan, and 100 with any other', () => {
    const each = [KEYLESS_LIMITS, ...PLAN_NAMES.map((name) => PLANS[name])];
    expect(each.map(({ submit }) => submit / 60)).toEqual([20, 50, 100, 100, 100]);
  });
});

describe('parsePlanName', () => {
  it('refuses a name that is not a plan, and lists the plans', async () => {
    expect(await toResult(async () => parsePlanName('gold'))).toEqual(
      refusedAs('invalid-value', 'plan must be one of free, developer, launch, pro, got "gold"'),
    );
  });
});
