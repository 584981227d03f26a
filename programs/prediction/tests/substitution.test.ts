import { describe, expect, it } from 'vitest';
import {
  createClaimPredictionPayout,
  createClaimPredictionPayoutAsKeeper,
  createClaimPredictionRefund,
  createCloseLostPredictionPosition,
  createClosePredictionPosition,
} from '../../../src/protocols/jupiter-prediction/instructions/prediction-payout-instructions.ts';
import {
  derivePredictionPosition,
  derivePredictionResult,
  derivePredictionTokens,
  PREDICTION_VAULT_TOKEN_ACCOUNT,
} from '../../../src/protocols/jupiter-prediction/prediction-program.ts';
import {
  createDisablePredictionDeposits,
  createSetPredictionVaultConfig,
  createWithdrawFromPredictionVault,
} from '../../../src/protocols/jupiter-prediction/instructions/prediction-vault-instructions.ts';
import type { Address } from '../../../src/solana/address.ts';
import type { Instruction } from '../../../src/solana/messages/instruction.ts';
import { substituteAccounts } from '../../../src/testing/svm/substitution.ts';
import { DELAY, nameMarket, nameOrderTokens, ONE, PredictionWorld, START } from './world.ts';

/** An instruction in a world where it succeeds, and what stands for its accounts. */
interface Case {
  readonly world: PredictionWorld;
  readonly instruction: Instruction;
  readonly others: readonly Address[];
}

/** The places in which whoever signs the whole message chooses: who pays, and among accounts of one owner. */
const CASES: readonly (readonly [string, readonly number[], () => Case])[] = [
  ['create_order', [0], () => createCase((world) => world.creation(world.alice, world.terms()))],
  [
    'create_order of a sale',
    [0, 6],
    () => createCase((world) => world.creation(world.alice, world.terms({ isBuy: false }))),
  ],
  ['cancel_order', [], () => createCase((world) => world.cancel(world.order(world.alice)))],
  ['close_order', [], () => createCase((world) => world.close(world.order(world.alice)))],
  ['fill_buy_order', [], () => createCase((world) => world.fill(world.order(world.alice), ONE, 500_000n))],
  [
    'fill_sell_order',
    [],
    () => createCase((world) => world.fill(world.order(world.alice, { isBuy: false }), ONE, 500_000n)),
  ],
  ['claim_payout', [], () => createCase((world) => createClaimPredictionPayout(post(world, 1)))],
  [
    'claim_payout2',
    [],
    () =>
      createCase((world) => {
        const position = post(world, 1);
        world.network.setUnixTime(START + DELAY);
        return createClaimPredictionPayoutAsKeeper(position, world.keeper);
      }),
  ],
  [
    'claim_refund',
    [],
    () => createCase((world) => createClaimPredictionRefund(post(world, 3), world.keeper)),
  ],
  [
    'close_lost_position',
    // Every position that is lost is one that the keeper may name.
    [2],
    () => createCase((world) => createCloseLostPredictionPosition(post(world, 0), world.keeper)),
  ],
  [
    'close_position',
    [],
    () =>
      createCase((world) => {
        const order = world.order(world.alice, { marketIdHash: nameMarket(3) });
        world.must(world.close(order));
        return createClosePredictionPosition(order, world.alice, world.keeper);
      }),
  ],
  ['create_market_result', [], () => createCase((world) => world.post(1))],
  [
    'set_vault_config',
    [],
    () =>
      createCase((world) =>
        createSetPredictionVaultConfig(world.admin, { ...world.readVault(), positionMaxOrders: 9 }),
      ),
  ],
  // The keeper stops deposits as the admin does.
  ['disable_deposits', [0], () => createCase((world) => createDisablePredictionDeposits(world.admin))],
  [
    'withdraw',
    [2],
    () =>
      createCase((world) => {
        const destination = derivePredictionTokens(world.stranger);
        return createWithdrawFromPredictionVault(world.admin, { amount: ONE, destination });
      }),
  ],
];

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
    for (const [place, { address, role }] of instruction.accounts.entries()) {
      for (const bit of [1, 2]) {
        if (
          (role & bit) === 0 ||
          instruction.accounts.some((meta, at) => at !== place && meta.address === address)
        ) {
          continue;
        }
        if (UNCHANGED.has(`${name} ${place} ${bit}`)) continue;
        const accounts = instruction.accounts.map((meta, at) =>
          at === place ? { ...meta, role: (meta.role & ~bit) as typeof meta.role } : meta,
        );
        expect(world.refusal({ ...instruction, accounts }), `account ${place}`).toBeDefined();
      }
    }
  });
});

/** Accounts that public lists call writable, and that nothing is written to. */
const UNCHANGED: ReadonlySet<string> = new Set([
  'create_order of a sale 6 1',
  ...['fill_buy_order', 'fill_sell_order'].flatMap((name) => [0, 1, 2].map((place) => `${name} ${place} 1`)),
  'close_order 1 1',
  'close_position 0 1',
  'set_vault_config 0 1',
  'disable_deposits 0 1',
  'withdraw 0 1',
]);

/** Returns a case in a world with positions of two owners in two markets. */
function createCase(build: (world: PredictionWorld) => Instruction): Case {
  const world = new PredictionWorld();
  world.buy(world.alice, 10n * ONE, 500_000n);
  world.buy(world.bob, 10n * ONE, 500_000n);
  world.buy(world.bob, 10n * ONE, 500_000n, { isYes: false, marketIdHash: nameMarket(2) });
  const order = world.order(world.bob);
  const second = world.order(world.alice, { isYes: false });
  world.must(world.post(1, { marketIdHash: nameMarket(2) }));
  world.give(world.stranger, 50n * ONE);
  const others = [
    ...[world.alice, world.bob, world.stranger, world.keeper, world.cosigner, world.authority, world.admin],
    ...[world.alice, world.bob, world.stranger].map((owner) => derivePredictionTokens(owner)),
    order.address,
    nameOrderTokens(order),
    second.address,
    nameOrderTokens(second),
    derivePredictionPosition(world.market, world.bob, true).address,
    derivePredictionPosition(nameMarket(2), world.bob, false).address,
    derivePredictionResult(nameMarket(2)).address,
    PREDICTION_VAULT_TOKEN_ACCOUNT,
  ];
  return { world, instruction: build(world), others };
}

function post(world: PredictionWorld, outcome: 0 | 1 | 3) {
  world.must(world.post(outcome));
  return { owner: world.alice, marketIdHash: world.market, isYes: true };
}
