import { describe, expect, it } from 'vitest';
import type { NamedPredictionPosition } from '../../../src/protocols/jupiter-prediction/instructions/prediction-instruction.ts';
import {
  createClaimPredictionPayout,
  createClaimPredictionPayoutAsKeeper,
  createClaimPredictionRefund,
  createCloseLostPredictionPosition,
} from '../../../src/protocols/jupiter-prediction/instructions/prediction-payout-instructions.ts';
import {
  derivePredictionPosition,
  derivePredictionResult,
  derivePredictionTokens,
  PREDICTION_PROGRAM,
  PREDICTION_VAULT,
} from '../../../src/protocols/jupiter-prediction/prediction-program.ts';
import {
  encodePredictionPosition,
  type PredictionPositionAccount,
} from '../../../src/protocols/jupiter-prediction/prediction-accounts.ts';
import { createPostPredictionResult } from '../../../src/protocols/jupiter-prediction/instructions/prediction-vault-instructions.ts';
import { readonlySigner } from '../../../src/solana/messages/instruction.ts';
import { DELAY, nameMarket, ONE, PredictionWorld, replaceAccount, START } from './world.ts';

/** Returns a world in which alice holds ten yes contracts of a market and bob ten no contracts. */
function createTraded(): {
  readonly world: PredictionWorld;
  readonly yes: NamedPredictionPosition;
  readonly no: NamedPredictionPosition;
} {
  const world = new PredictionWorld();
  const yes = world.buy(world.alice, 10n * ONE, 600_000n, { venueFee: 168_000n });
  const no = world.buy(world.bob, 10n * ONE, 400_000n, { venueFee: 168_000n, isYes: false });
  return { world, yes, no };
}

describe('create_market_result', () => {
  it('is final', () => {
    const { world } = createTraded();
    world.must(world.post(1));
    expect(world.readResult()).toMatchObject({ outcome: 1, settlementTime: START, claimsEnabled: true });
    for (const outcome of [0, 1, 2, 3] as const) expect(world.refusal(world.post(outcome))).toBe(6024);
  });

  it('enables claims later by the same result once more, and changes nothing else', () => {
    const { world, yes } = createTraded();
    world.must(world.post(1, { claimsEnabled: false }));
    expect(world.refusal(createClaimPredictionPayout(yes))).toBe(6060);
    expect(world.refusal(createCloseLostPredictionPosition({ ...yes, isYes: false }, world.keeper))).toBe(
      3012,
    );
    expect(world.refusal(world.post(0))).toBe(6024);
    expect(world.refusal(world.post(1, { claimsEnabled: false }))).toBe(6024);
    world.must(world.post(1, { settlementTime: START + 50n }));
    expect(world.readResult()).toMatchObject({ settlementTime: START, claimsEnabled: true });
    world.must(createClaimPredictionPayout(yes));
  });

  it('is for the keeper alone, and for outcomes, times and ids that there are', () => {
    const { world } = createTraded();
    const terms = {
      marketIdHash: world.market,
      outcome: 1,
      settlementTime: 0n,
      claimsEnabled: true,
    } as const;
    for (const thief of [world.alice, world.authority, world.cosigner, world.admin]) {
      expect(world.refusal(createPostPredictionResult(thief, terms))).toBe(6002);
    }
    const { data, ...post } = world.post(1);
    const unknown = Buffer.from(data);
    unknown[8 + 4 + 32] = 4;
    expect(world.refusal({ ...post, data: unknown })).toBe(6061);
    expect(world.refusal(world.post(1, { settlementTime: START + 30n * 86_400n + 1n }))).toBe(6020);
    expect(world.refusal(world.post(1, { marketIdHash: 'short' }))).toBe(6034);
    const other = derivePredictionResult(nameMarket(2)).address;
    expect(world.refusal(replaceAccount(world.post(1), 1, other))).toBe(2006);
  });
});

describe('claim_payout', () => {
  it('pays the winner once, and the loser nothing', () => {
    const { world, yes, no } = createTraded();
    world.must(world.post(0));
    expect(world.refusal(createClaimPredictionPayout(yes))).toBe(6061);
    const before = world.balance(world.bob);
    world.must(createClaimPredictionPayout(no));
    expect(world.refusal(createClaimPredictionPayout(no))).toBe(6057);
    expect(world.balance(world.bob) - before).toBe(10n * ONE);
    expect(world.readVault().currentContracts).toBe(10n * ONE);
    // Nor are there new orders of a position that was paid.
    const terms = world.terms({ isYes: false });
    expect(world.refusal(world.creation(world.bob, terms))).toBe(6057);
  });

  it('pays half of each contract on a split, rounded down', () => {
    const { world, yes } = createTraded();
    const odd = world.buy(world.bob, 1_000_001n, 500_000n);
    world.must(world.post(2));
    const [claimed] = world.must(createClaimPredictionPayout(odd));
    expect(claimed).toMatchObject({ payout: 500_000n, payoutPerContract: 500_000n, outcome: 2 });
    const [other] = world.must(createClaimPredictionPayout(yes));
    expect(other).toMatchObject({ payout: 5n * ONE, realizedPnl: 5n * ONE - 6_168_000n });
  });

  it('refunds the cost without the fees', () => {
    const { world, yes, no } = createTraded();
    world.must(world.post(3));
    const [claimed] = world.must(createClaimPredictionPayout(yes));
    expect(claimed).toMatchObject({
      payout: 6n * ONE,
      payoutPerContract: 0n,
      realizedPnl: -168_000n,
      outcome: 3,
    });
    world.must(createClaimPredictionRefund(no, world.keeper));
    expect(world.balance(world.bob)).toBe(1_000n * ONE - 168_000n);
    expect(world.refusal(createClaimPredictionRefund(no, world.keeper))).toBe(6057);
    expect(world.refusal(createClaimPredictionPayout(no))).toBe(6057);
  });

  it('waits for the settlement time', () => {
    const { world, yes } = createTraded();
    world.must(world.post(1, { settlementTime: START + 60n }));
    world.network.setUnixTime(START + 59n);
    expect(world.refusal(createClaimPredictionPayout(yes))).toBe(6059);
    world.network.setUnixTime(START + 60n);
    world.must(createClaimPredictionPayout(yes));
  });

  it('is refused before there is a result, and with that of another market', () => {
    const { world, yes } = createTraded();
    expect(world.refusal(createClaimPredictionPayout(yes))).toBe(3012);
    const other = nameMarket(2);
    world.must(world.post(1, { marketIdHash: other }));
    const claim = replaceAccount(createClaimPredictionPayout(yes), 3, derivePredictionResult(other).address);
    expect(world.refusal(claim)).toBe(6061);
  });

  it('is refused to anybody but the owner, and into anybody else’s account', () => {
    const { world, yes } = createTraded();
    world.must(world.post(1));
    const claim = createClaimPredictionPayout(yes);
    const accounts = claim.accounts.map((meta, at) => (at === 0 ? readonlySigner(world.bob) : meta));
    expect(world.refusal({ ...claim, accounts })).toBe(6046);
    expect(world.refusal(createClaimPredictionPayout(yes, derivePredictionTokens(world.bob)))).toBe(6037);
    const unsigned = claim.accounts.map((meta, at) => (at === 0 ? { ...meta, role: 0 as const } : meta));
    expect(world.refusal({ ...claim, accounts: unsigned })).toBe(3010);
  });

  it('is refused while withdrawals are disabled, and when the vault cannot pay', () => {
    const { world, yes } = createTraded();
    world.must(world.post(1));
    world.setVault({ withdrawalsDisabled: true, currentContracts: 20n * ONE });
    for (const claim of [
      createClaimPredictionPayout(yes),
      createClaimPredictionPayoutAsKeeper(yes, world.keeper),
    ]) {
      world.network.setUnixTime(START + DELAY);
      expect(world.refusal(claim)).toBe(6007);
    }
    world.setVault({ currentContracts: 20n * ONE });
    world.give(PREDICTION_VAULT.address, 10n * ONE - 1n);
    expect(world.refusal(createClaimPredictionPayout(yes))).toBe(6058);
    expect(world.readPosition(yes)).toMatchObject({ contracts: 10n * ONE, isClaimed: false });
  });

  it('is refused for a position that was opened after the settlement time', () => {
    const { world, yes } = createTraded();
    world.must(world.post(1));
    const position = world.readPosition(yes);
    if (position === null) throw new Error('no position');
    const late: PredictionPositionAccount = { ...position, openedAt: START + 1n };
    const { address } = derivePredictionPosition(yes.marketIdHash, yes.owner, true);
    world.network.setData(address, PREDICTION_PROGRAM, encodePredictionPosition(late));
    expect(world.refusal(createClaimPredictionPayout(yes))).toBe(6062);
  });

  it('is refused for a position without contracts', () => {
    const { world } = createTraded();
    const empty = world.order(world.alice, { isYes: false });
    world.must(world.close(empty), world.post(0));
    expect(world.refusal(createClaimPredictionPayout(empty))).toBe(6043);
  });
});

describe('claim_payout2', () => {
  it('pays the owner by the keeper once the delay has passed', () => {
    const { world, yes } = createTraded();
    world.must(world.post(1, { settlementTime: START + 10n }));
    const claim = createClaimPredictionPayoutAsKeeper(yes, world.keeper);
    world.network.setUnixTime(START + 10n + DELAY - 1n);
    expect(world.refusal(claim)).toBe(6059);
    world.network.setUnixTime(START + 10n + DELAY);
    expect(world.refusal(createClaimPredictionPayoutAsKeeper(yes, world.stranger))).toBe(6002);
    const thief = derivePredictionTokens(world.bob);
    expect(world.refusal(createClaimPredictionPayoutAsKeeper(yes, world.keeper, thief))).toBe(6037);
    const before = world.balance(world.alice);
    world.must(claim);
    expect(world.balance(world.alice) - before).toBe(10n * ONE);
    expect(world.refusal(createClaimPredictionPayout(yes))).toBe(6057);
  });

  it('is not for refunds', () => {
    const { world, yes } = createTraded();
    world.must(world.post(3));
    world.network.setUnixTime(START + DELAY);
    expect(world.refusal(createClaimPredictionPayoutAsKeeper(yes, world.keeper))).toBe(6061);
  });
});

describe('claim_refund', () => {
  it('gives back at once what a cancelled market owes, and is neither for wins nor for strangers', () => {
    for (const [outcome, payout] of [
      [2, 5n * ONE],
      [3, 6n * ONE],
    ] as const) {
      const { world, yes } = createTraded();
      world.must(world.post(outcome));
      expect(world.refusal(createClaimPredictionRefund(yes, world.alice))).toBe(6002);
      const before = world.balance(world.alice);
      world.must(createClaimPredictionRefund(yes, world.keeper));
      expect(world.balance(world.alice) - before).toBe(payout);
    }
    const { world, yes } = createTraded();
    world.must(world.post(1));
    expect(world.refusal(createClaimPredictionRefund(yes, world.keeper))).toBe(6061);
  });
});

describe('close_lost_position', () => {
  it('is for the keeper, once, and for lost positions alone', () => {
    const { world, yes, no } = createTraded();
    world.must(world.post(1));
    expect(world.refusal(createCloseLostPredictionPosition(no, world.bob))).toBe(6002);
    expect(world.refusal(createCloseLostPredictionPosition(yes, world.keeper))).toBe(6061);
    world.must(createCloseLostPredictionPosition(no, world.keeper));
    expect(world.refusal(createCloseLostPredictionPosition(no, world.keeper))).toBe(6043);
    expect(world.refusal(createClaimPredictionPayout(no))).toBe(6043);
    for (const outcome of [2, 3] as const) {
      const cancelled = createTraded();
      cancelled.world.must(cancelled.world.post(outcome));
      const close = createCloseLostPredictionPosition(cancelled.no, cancelled.world.keeper);
      expect(cancelled.world.refusal(close)).toBe(6061);
    }
  });
});
