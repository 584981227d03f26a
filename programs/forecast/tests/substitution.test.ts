import { describe, expect, it } from 'vitest';
import {
  deriveForecastRound,
  deriveForecastSide,
  deriveForecastUsdc,
  deriveForecastVault,
  deriveOutcomeMint,
  deriveOutcomeTokens,
  FORECAST_RESERVE,
} from '../../../src/protocols/bisonfi-forecast/forecast-program.ts';
import {
  createSetForecastSchedules,
  createWithdrawForecastReserve,
} from '../../../src/protocols/bisonfi-forecast/instructions/forecast-config-instructions.ts';
import { createForecastSwap } from '../../../src/protocols/bisonfi-forecast/instructions/forecast-token-instructions.ts';
import { type Address, address } from '../../../src/solana/address.ts';
import type { Instruction } from '../../../src/solana/messages/instruction.ts';
import { TOKEN_2022_PROGRAM } from '../../../src/solana/program-addresses.ts';
import { createAssociatedTokenIdempotent } from '../../../src/solana/programs/associated-token.ts';
import { substituteAccounts } from '../../../src/testing/svm/substitution.ts';
import { ForecastWorld, ONE, OPEN_PRICE, SCHEDULE, START } from './world.ts';

describe('the instructions', () => {
  describe.each(CASES)('%s', (name, free, create) => {
    it('is refused with another account in any place, or does the same', () => {
      const { world, instruction, others } = create();
      const found = substituteAccounts(world.network, [instruction], others);
      expect(found.surprises.filter(({ index }) => !free.includes(index))).toEqual([]);
      expect(found.refused).toBeGreaterThan(3);
    });

    it('is refused with accounts or data cut off', () => {
      const { world, instruction } = create();
      for (let count = 0; count < instruction.accounts.length; count++) {
        const cut = { ...instruction, accounts: instruction.accounts.slice(0, count) };
        expect(world.refusal(cut), `${count} accounts`).toBe(3005);
      }
      for (let length = 0; length < instruction.data.length; length++) {
        const cut = { ...instruction, data: instruction.data.subarray(0, length) };
        expect(world.refusal(cut), `${length} bytes`).toBe(length < 8 ? 101 : 102);
      }
    });

    it('is refused when an account that it writes is read-only, or one that signs does not', () => {
      const { world, instruction } = create();
      for (const [place, { role }] of instruction.accounts.entries()) {
        for (const bit of [1, 2]) {
          if ((role & bit) === 0 || UNCHANGED.has(`${name} ${place} ${bit}`)) continue;
          const accounts = instruction.accounts.map((meta, at) =>
            at === place ? { ...meta, role: (meta.role & ~bit) as typeof meta.role } : meta,
          );
          expect(world.refusal({ ...instruction, accounts }), `account ${place}`).toBeDefined();
        }
      }
    });
  });
});

/** Accounts that are writable for the cases in which something is written to them. */
const UNCHANGED: ReadonlySet<string> = new Set([
  'pay_out by the operator 0 1',
  'pay_out by the owner 0 1',
  'pay_out of a lost side 0 1',
  'pay_out of a lost side 5 1',
  'pay_out of a lost side 6 1',
  'close_round 7 1',
]);

/** Returns a case in a world with holders of both sides, a second feed and, where it is not told otherwise, a second round. */
function createCase(build: (world: ForecastWorld) => Instruction, hasLonger = true): Case {
  const world = new ForecastWorld();
  world.open();
  world.must(
    world.buy(world.alice, 'up', 3n * ONE),
    world.buy(world.bob, 'up', 5n * ONE),
    world.buy(world.bob, 'down', 4n * ONE),
  );
  world.give(world.stranger, 50n * ONE);
  world.give(world.operator, 0n);
  const feed = address('8sVEMnj8pjbTyYYpbpi4KoRjRjvsPVuGbcWNf2iQQ1hW');
  const longer = deriveForecastRound({ ...SCHEDULE, seconds: 900, openTime: START }).address;
  if (hasLonger) openLonger(world, longer);
  const sides = ['up', 'down'] as const;
  const traders = [world.alice, world.bob, world.stranger];
  const instruction = build(world);
  world.post({ feedId: new Uint8Array(32).fill(8) }, feed);
  const others = [
    ...traders,
    world.operator,
    feed,
    FORECAST_RESERVE,
    world.round,
    deriveForecastVault(world.round),
    longer,
    deriveForecastVault(longer),
    ...traders.map((owner) => deriveForecastUsdc(owner)),
    ...[world.round, longer].flatMap((round) =>
      sides.flatMap((side) => {
        const mint = deriveOutcomeMint(round, side).address;
        const accounts = [world.alice, world.bob].map((owner) => deriveOutcomeTokens(owner, mint));
        return [deriveForecastSide(round, side).address, mint, ...accounts];
      }),
    ),
  ];
  return { world, instruction, others: others.filter((each) => world.exists(each)) };
}

/** Opens the round of 15 minutes, of which each trader buys both sides. */
function openLonger(world: ForecastWorld, round: Address): void {
  world.must(world.opening({ index: 1 }));
  for (const authority of [world.alice, world.bob]) {
    for (const side of ['up', 'down'] as const) {
      const mint = deriveOutcomeMint(round, side).address;
      const setup = { payer: world.network.payer, owner: authority, mint, tokenProgram: TOKEN_2022_PROGRAM };
      const terms = { isBuy: true, amountIn: 2n * ONE, minOut: 0n };
      world.must(
        createAssociatedTokenIdempotent(setup),
        createForecastSwap({ authority, round, side, feed: world.feed }, terms),
      );
    }
  }
}

function close(world: ForecastWorld): ForecastWorld {
  world.publish(300n, OPEN_PRICE + 1n);
  return world;
}

function settle(world: ForecastWorld): ForecastWorld {
  close(world).must(world.settle());
  return world;
}

/** An instruction in a world where it succeeds, and what stands for its accounts. */
interface Case {
  readonly world: ForecastWorld;
  readonly instruction: Instruction;
  readonly others: readonly Address[];
}

/** The places in which whoever signs the whole message chooses: who pays, and which account receives. */
const CASES: readonly (readonly [string, readonly number[], () => Case])[] = [
  ['open_round', [], () => createCase((world) => world.opening({ index: 1 }), false)],
  // The tokens may arrive anywhere.
  ['swap of a purchase', [7], () => createCase((world) => world.buy(world.alice, 'up', ONE))],
  // And so may the USDC.
  ['swap of a sale', [6], () => createCase((world) => world.sell(world.alice, 'up', ONE))],
  ['settle', [], () => createCase((world) => close(world).settle())],
  [
    'void',
    // Every round that is left without a result is one that anybody may end.
    [],
    () =>
      createCase((world) => {
        world.clock(900n);
        return world.void();
      }),
  ],
  ['pay_out by the operator', [], () => createCase((world) => settle(world).payout(world.alice, 'up'))],
  [
    'pay_out by the owner',
    // The owner's own account that is not the associated one.
    [5],
    () => createCase((world) => settle(world).payout(world.alice, 'up', world.alice)),
  ],
  ['pay_out of a lost side', [5], () => createCase((world) => settle(world).payout(world.bob, 'down'))],
  [
    'close_round',
    [],
    () =>
      createCase((world) => {
        settle(world);
        world.must(
          world.payout(world.alice, 'up'),
          world.payout(world.bob, 'up'),
          world.payout(world.bob, 'down'),
        );
        return world.close();
      }),
  ],
  ['set_schedules', [], () => createCase((world) => createSetForecastSchedules(world.operator, [SCHEDULE]))],
  [
    'withdraw',
    // The operator pays whom it likes.
    [4],
    () =>
      createCase((world) =>
        createWithdrawForecastReserve(world.operator, {
          amount: ONE,
          destination: deriveForecastUsdc(world.operator),
        }),
      ),
  ],
];
