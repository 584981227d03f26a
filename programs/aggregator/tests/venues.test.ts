import { describe, expect, test } from 'vitest';
import { AGGREGATOR_PROGRAM } from '../../../src/protocol/venue/aggregator-program.ts';
import { AccountsType, Swap } from '../../../src/protocol/venue/aggregator-step.ts';
import { type AccountMeta, readonly } from '../../../src/solana/messages/instruction.ts';
import { RouteWorld } from './route-world.ts';
import { blankAccount, given, nameAccounts, routeOf } from './step-calls.ts';
import { STEP_KINDS, type StepKind } from './step-kinds.ts';
import { openForEach } from '../../../src/testing/opened.ts';

const world = openForEach(() => new RouteWorld());

const cases = STEP_KINDS.map((kind) => [kind.name, kind] as const);

describe.each(cases)('%s', (_, kind) => {
  test('calls its venue with its accounts in order, with their rights, and its data', () => {
    const accounts = nameAccounts(world, kind);
    const metas = given(world, accounts);
    const { outcome, call, rights } = run(
      kind,
      metas,
      kind.closed ? [...CLOSED, readonly(blankAccount(world))] : [],
    );
    expect(outcome.error).toBeNull();

    const own = accounts.length - (kind.tail ?? 0);
    const order = kind.call ?? accounts.map((_each, place) => place);
    const named = new Map(accounts.map((each) => [each.address, each.name]));
    const expected = order.map((place) => accounts[place]?.name);
    expect(call?.accounts.map((each) => named.get(each))).toEqual(expected);
    const asGiven = (place: number) => {
      const bits = metas[place]?.role ?? 0;
      // An optional account of the step is never a signer of the call.
      return `${bits & 1 ? 'W' : ''}${bits & 2 && place >= own ? 'S' : ''}`;
    };
    expect(rights).toEqual(order.map((place) => accounts[place]?.rights ?? asGiven(place)));
    expect(Buffer.from(call?.data ?? []).toString('hex')).toBe(kind.data);
  });

  test('is refused when an account is missing', () => {
    const accounts = given(world, nameAccounts(world, { ...kind, tail: 0 })).slice(0, -1);
    const { outcome } = run(kind, accounts);
    expect(outcome.error?.custom).toBe(6008);
  });

  test('is refused when its input or output is no token account', () => {
    for (const side of ['IN', 'OUT']) {
      const accounts = nameAccounts(world, kind).map((each) =>
        each.name === side ? { ...each, address: world.stranger } : each,
      );
      expect(run(kind, given(world, accounts), CLOSED).outcome.error?.custom).toBe(6025);
    }
  });
});

describe('lists of any length', () => {
  test('need no end when they are the last, and may be empty', () => {
    if (clmm === undefined) throw new Error('no such kind');
    expect(run(clmm, given(world, nameAccounts(world, clmm))).call?.accounts).toHaveLength(12);
    expect(
      run(clmm, given(world, nameAccounts(world, { ...clmm, tail: 0 })), CLOSED).call?.accounts,
    ).toHaveLength(10);
  });

  const clmm = STEP_KINDS.find((kind) => kind.name === 'RaydiumClmm');
});

test('MeteoraDlmm takes no more than three bin arrays', () => {
  const dlmm = STEP_KINDS.find((kind) => kind.name === 'MeteoraDlmm');
  if (dlmm === undefined) throw new Error('no such kind');
  const accounts = given(world, nameAccounts(world, { ...dlmm, tail: 4 }));
  expect(run(dlmm, accounts, CLOSED).outcome.error?.kind).toBe('InvalidArgument');
});

describe('slices', () => {
  test.each([
    [AccountsType.TRANSFER_HOOK_A, 'InvalidAccountData'],
    [AccountsType.TRANSFER_HOOK_B, 'InvalidAccountData'],
    [AccountsType.TRANSFER_HOOK_REWARD, 'InvalidInstructionData'],
    [AccountsType.TRANSFER_HOOK_INPUT, 'InvalidInstructionData'],
    [AccountsType.TRANSFER_HOOK_INTERMEDIATE, 'InvalidInstructionData'],
    [AccountsType.TRANSFER_HOOK_OUTPUT, 'InvalidInstructionData'],
    [AccountsType.SUPPLEMENTAL_TICK_ARRAYS_ONE, 'InvalidInstructionData'],
    [AccountsType.SUPPLEMENTAL_TICK_ARRAYS_TWO, 'InvalidInstructionData'],
    [200, 'InvalidInstructionData'],
  ])('of type %d are refused with %s', (accountsType, error) => {
    if (whirlpool === undefined || dlmm === undefined) throw new Error('no such kind');
    const first = { ...whirlpool, swap: step(accountsType) };
    expect(run(first, given(world, nameAccounts(world, first))).outcome.error?.kind).toBe(error);
    const second = { ...dlmm, swap: Swap.meteoraDlmmSwapV2([{ accountsType, length: 0 }]) };
    expect(run(second, given(world, nameAccounts(world, second)), CLOSED).outcome.error?.kind).toBe(error);
  });

  test('that name more accounts than there are', () => {
    if (whirlpool === undefined) throw new Error('no such kind');
    const slices = [{ accountsType: AccountsType.SUPPLEMENTAL_TICK_ARRAYS, length: 3 }];
    const kind = { ...whirlpool, swap: Swap.whirlpoolSwapV2(true, slices), tail: 2 };
    expect(run(kind, given(world, nameAccounts(world, kind))).outcome.error?.custom).toBe(6008);
  });

  const step = (accountsType: number) => Swap.whirlpoolSwapV2(true, [{ accountsType, length: 0 }]);
  const whirlpool = STEP_KINDS.find((kind) => kind.name === 'WhirlpoolSwapV2 a to b');
  const dlmm = STEP_KINDS.find((kind) => kind.name === 'MeteoraDlmmSwapV2');
});

/** Runs a step of this kind and returns the call that its venue received. */
function run(kind: StepKind, accounts: readonly AccountMeta[], end: readonly AccountMeta[] = []) {
  const outcome = world.send(routeOf(world, kind, [...accounts, ...end]));
  const call = outcome.inner.flat().find((each) => each.program === kind.venue);
  const [rights = new Uint8Array(0)] = (outcome.logs.find((line) => line.startsWith('Program data: ')) ?? '')
    .slice('Program data: '.length)
    .split(' ')
    .map((field) => Buffer.from(field, 'base64'));
  return { outcome, call, rights: [...rights].map((bits) => `${bits & 1 ? 'W' : ''}${bits & 2 ? 'S' : ''}`) };
}

const CLOSED = [readonly(AGGREGATOR_PROGRAM)];
