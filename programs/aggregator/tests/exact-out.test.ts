import { beforeEach, describe, expect, test } from 'vitest';
import * as v1 from '../../../src/market/aggregator/route-v1.ts';
import * as v2 from '../../../src/market/aggregator/route-v2.ts';
import type { RoutePlanStep, RoutePlanStepV1 } from '../../../src/market/aggregator/route-plan.ts';
import { deriveTickArrayAddresses } from '../../../src/protocols/whirlpool/program/tick-window.ts';
import type { Instruction } from '../../../src/solana/messages/instruction.ts';
import { removeAccount } from '../../whirlpool/tests/fixture.ts';
import { withTransferFee } from '../../raydium-cpmm/tests/fixture.ts';
import { ExactOutWorld, HELD, type Name } from './exact-out-world.ts';
import { eventsOf, returned } from './route-world.ts';

const FORMS = ['v1', 'shared v1', 'v2', 'shared v2'] as const;

beforeEach(setUp);

describe.each(FORMS)('a route for an exact output, %s', (form) => {
  test('delivers exactly that over one pool, and returns what it took', () => {
    const takes = inOf(world.takes('ab', 'a', WANTED));
    const outcome = world.send(routeOf(form, 'b', direct(form), { quoted: takes }));
    expect(outcome.error, outcome.logs.join('\n')).toBeNull();
    expect(world.balance('user', 'b') - HELD).toBe(WANTED);
    expect(HELD - world.balance('user', 'a')).toBe(takes);
    expect(returned(outcome)).toBe(takes);
    expect(eventsOf(outcome)).toMatchObject([
      form.endsWith('v1')
        ? { kind: 'swap', inputAmount: takes, outputAmount: WANTED }
        : { kind: 'swaps', swaps: [{ inputAmount: takes, outputAmount: WANTED }] },
    ]);
  });

  test('works the amounts of two hops out from the last to the first, and leaves nothing between them', () => {
    const between = inOf(world.takes('bc', 'b', WANTED));
    const takes = inOf(world.takes('ab', 'a', between));
    const steps = [...direct(form), world.step('bc', ['b', 'c'], [1, 2], { owner })];
    expect(world.send(routeOf(form, 'c', steps, { quoted: takes })).error).toBeNull();
    expect(world.balance('user', 'c') - HELD).toBe(WANTED);
    expect(HELD - world.balance('user', 'a')).toBe(takes);
    expect(world.balance(owner, 'b')).toBe(owner === 'user' ? HELD : 1000n);
  });

  test('delivers in shares of the output, the first step what the others leave', () => {
    const steps = [...direct(form, 33), world.step('ab2', ['a', 'b'], [0, 1], { percent: 67, owner })];
    const takes = inOf(world.takes('ab', 'a', 330_001n)) + inOf(world.takes('ab2', 'a', 670_000n));
    const outcome = world.send(routeOf(form, 'b', steps));
    expect(returned(outcome)).toBe(takes);
    expect(world.balance('user', 'b') - HELD).toBe(WANTED);
  });

  test('takes at most the quote and the slippage, rounded up', () => {
    const takes = inOf(world.takes('ab', 'a', WANTED));
    // takes − 101 and a ten-thousandth of it is above takes − 1 and below takes.
    const bound = { quoted: takes - 101n, slippageBps: 1 };
    expect((takes - 101n) * 10_001n).toBeGreaterThan((takes - 1n) * 10_000n);
    expect((takes - 101n) * 10_001n).toBeLessThan(takes * 10_000n);
    const low = world.send(routeOf(form, 'b', direct(form), { ...bound, quoted: takes - 102n }));
    expect(low.error?.custom).toBe(6001);
    expect(world.send(routeOf(form, 'b', direct(form), bound)).error).toBeNull();
  });

  test('fails if the steps deliver another amount', () => {
    expect(world.send(routeOf(form, 'b', direct(form, 50))).error?.custom).toBe(6017);
    expect(world.balance('user', 'a')).toBe(HELD);
  });

  test('takes a fee in the input mint in addition, as a share of the whole', () => {
    const takes = inOf(world.takes('ab', 'a', WANTED));
    const fee = (takes * 85n) / 9_915n;
    const terms = { quoted: takes + fee, fee: { bps: 85, of: 'a' } } as const;
    const low = world.send(routeOf(form, 'b', direct(form), { ...terms, quoted: takes + fee - 1n }));
    expect(low.error?.custom).toBe(6001);
    const outcome = world.send(routeOf(form, 'b', direct(form), terms));
    expect(returned(outcome)).toBe(takes + fee);
    expect(world.balance('stranger', 'a') - 1000n).toBe(fee);
    expect(HELD - world.balance('user', 'a')).toBe(takes + fee);
  });

  test('delivers a fee in the output mint in addition', () => {
    const fee = (WANTED * 85n) / 10_000n;
    const takes = inOf(world.takes('ab', 'a', WANTED + fee));
    const outcome = world.send(
      routeOf(form, 'b', direct(form), { quoted: takes, fee: { bps: 85, of: 'b' } }),
    );
    expect(returned(outcome)).toBe(takes);
    expect(world.balance('stranger', 'b') - 1000n).toBe(fee);
    expect(world.balance('user', 'b') - HELD).toBe(WANTED);
  });

  test('refuses a pool of which it works out no swap, and a step whose tick arrays were not created', () => {
    const [step] = direct(form);
    if (step === undefined) throw new Error('no step');
    const [, ...others] = step.step.accounts;
    const elsewhere = { ...step.step, accounts: [{ address: world.user, role: 0 as const }, ...others] };
    const unknown = world.send(routeOf(form, 'b', [{ ...step, step: elsewhere }]));
    expect(unknown.error?.custom).toBe(2501);
    const { address, tick, tickSpacing } = world.state('ab');
    const starts = [-3, -2, -1, 0, 1, 2, 3].map((array) => array * 88 * tickSpacing);
    expect(starts).toContain(Math.floor(tick / (88 * tickSpacing)) * 88 * tickSpacing);
    for (const array of deriveTickArrayAddresses(address, starts)) removeAccount(world.network, array);
    expect(world.send(routeOf(form, 'b', [step])).error?.kind).toBe('InvalidAccountData');
  });

  const owner = ownerOf(form);
});

describe('positive slippage of an exact output', () => {
  test.each(['v2', 'shared v2'] as const)('is taken of what stays below the quote (%s)', (form) => {
    const takes = inOf(world.takes('ab', 'a', WANTED));
    const quoted = takes + 500_000n;
    const most = ((quoted + 500_000n) * 100n) / 10_100n;
    const outcome = world.send(routeOf(form, 'b', direct(form), { quoted, positiveBps: 100 }));
    expect(returned(outcome)).toBe(takes + most);
    expect(world.balance('stranger', 'a') - 1000n).toBe(most);
  });
});

describe('a token with a transfer fee', () => {
  test('is delivered exactly by a step from the source, and not worked out between two steps', () => {
    charged.pool('ab', ['a', 'b']);
    charged.pool('bc', ['b', 'c']);
    const takes = inOf(charged.takes('ab', 'a', WANTED));
    const first = charged.step('ab', ['a', 'b'], [0, 1]);
    expect(returned(charged.send(routeOf('v1', 'b', [first], { quoted: takes }, charged)))).toBe(takes);
    expect(charged.balance('user', 'b') - HELD).toBe(WANTED);
    charged.hold('user', 'b', 0n);
    const steps = [charged.step('ab', ['a', 'b'], [0, 1]), charged.step('bc', ['b', 'c'], [1, 2])];
    expect(charged.send(routeOf('v1', 'c', steps, {}, charged)).error?.custom).toBe(1);
  });

  const charged = new ExactOutWorld({ b: [withTransferFee({ basisPoints: 100, maximumFee: 1n << 40n })] });
});

type Form = (typeof FORMS)[number];
type Steps = readonly (RoutePlanStep & RoutePlanStepV1)[];

const WANTED = 1_000_001n;
const world = new ExactOutWorld();

function setUp(): void {
  world.reset();
  world.pool('ab', ['a', 'b']);
  world.pool('ab2', ['a', 'b'], { tickSpacing: 8, feeRate: 500 });
  world.pool('bc', ['b', 'c']);
}

interface Terms {
  readonly quoted?: bigint;
  readonly slippageBps?: number;
  readonly fee?: { readonly bps: number; readonly of: Name };
  readonly positiveBps?: number;
}

function routeOf(form: Form, to: Name, steps: Steps, terms: Terms = {}, on = world): Instruction {
  const { quoted = 10_000_000n, slippageBps = 0, fee, positiveBps = 0 } = terms;
  const feeAccount = fee === undefined ? undefined : on.account('stranger', fee.of);
  const all = {
    steps,
    outAmount: WANTED,
    quotedInAmount: quoted,
    slippageBps,
    platformFeeBps: fee?.bps ?? 0,
    ...(feeAccount === undefined ? {} : { platformFeeAccount: feeAccount }),
    ...(fee === undefined || feeAccount === undefined
      ? {}
      : { platformFee: { bps: fee.bps, account: feeAccount } }),
    positiveSlippage: { bps: positiveBps, account: on.account('stranger', 'a') },
  };
  if (form === 'v1') return v1.exactOutRoute(all, on.accounts('a', to));
  if (form === 'v2') return v2.exactOutRouteV2(all, on.accounts('a', to));
  if (form === 'shared v1') return v1.sharedAccountsExactOutRoute(all, on.sharedAccounts('a', to));
  return v2.sharedAccountsExactOutRouteV2(all, on.sharedAccounts('a', to));
}

const ownerOf = (form: Form) => (form.startsWith('shared') ? 'program' : 'user');
const direct = (form: Form, percent = 100): Steps => [
  world.step('ab', ['a', 'b'], [0, 1], { percent, owner: ownerOf(form) }),
];
const inOf = (amount: bigint | null): bigint => {
  if (amount === null) throw new Error('the pool does not deliver that much');
  return amount;
};
