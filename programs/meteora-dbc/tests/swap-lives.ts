import fc from 'fast-check';
import { launchCase } from './swap-cases.ts';
import { CREATOR, type Launch, PARTNER, REFERRALS, USER, USER_TOKENS, userParties } from './swap-fixture.ts';
import {
  claimDbcCreatorTradingFee,
  claimDbcTradingFee,
} from '../../../src/protocols/meteora-dbc/program/instructions-claim.ts';
import { swap2Dbc } from '../../../src/protocols/meteora-dbc/program/instructions-swap.ts';
import type { DbcVirtualPool } from '../../../src/protocols/meteora-dbc/program/layout-pool.ts';
import type { Instruction } from '../../../src/solana/messages/instruction.ts';
import { U64_MAX } from '../../../src/solana/units.ts';

/** One instruction; `share` of what it could be, in millionths. */
export type Step =
  | {
      readonly kind: 'swap';
      readonly isPurchase: boolean;
      readonly mode: number;
      readonly share: bigint;
      readonly hasReferral: boolean;
    }
  | { readonly kind: 'partner' | 'creator'; readonly share: bigint };

const MILLION = 1_000_000n;
const share = fc.oneof(fc.bigInt(0n, MILLION), fc.bigInt(0n, 20_000n), fc.bigInt(0n, 10n));
const step: fc.Arbitrary<Step> = fc.oneof(
  {
    weight: 8,
    arbitrary: fc.record({
      kind: fc.constant('swap' as const),
      isPurchase: fc.boolean(),
      mode: fc.constantFrom(0, 1, 1, 2, 2, 3),
      share,
      hasReferral: fc.constantFrom(false, false, true),
    }),
  },
  {
    weight: 1,
    arbitrary: fc.record({ kind: fc.constantFrom('partner' as const, 'creator' as const), share }),
  },
);

/** What happens to a pool. Between the steps some seconds pass, and twice as many slots. */
export const lives = fc.record({
  launch: launchCase,
  isToken2022: fc.boolean(),
  steps: fc.array(fc.record({ step, seconds: fc.oneof(fc.bigInt(0n, 20n), fc.bigInt(0n, 1_000n)) }), {
    minLength: 30,
    maxLength: 30,
  }),
});

/** The instruction that the step is, at the pool's present state. */
export function instructionOf(launch: Launch, pool: DbcVirtualPool, each: Step): Instruction {
  if (each.kind !== 'swap') return claimOf(launch, each);
  const { isPurchase, mode, hasReferral } = each;
  const isInQuote = isPurchase === (mode !== 2);
  const whole = isInQuote ? pool.quoteReserve + (pool.baseReserve >> 20n) + 1_000n : pool.baseReserve;
  // The referrer is paid in the token of the fee. With the other account the swap is refused.
  const referral = REFERRALS[isPurchase && (each.share & 1n) === 0n ? 0 : 1] ?? USER;
  return swap2Dbc(
    launch,
    userParties(isPurchase, {
      showsInstructions: true,
      ...(hasReferral ? { referralTokenAccount: referral } : {}),
    }),
    {
      amount0: (whole * each.share) / MILLION,
      amount1: mode === 2 ? U64_MAX : 0n,
      swapMode: mode,
    },
  );
}

function claimOf(launch: Launch, each: Exclude<Step, { kind: 'swap' }>): Instruction {
  const [tokenBaseAccount, tokenQuoteAccount] = USER_TOKENS;
  const accounts = { tokenBaseAccount, tokenQuoteAccount };
  const limit = each.share === 0n ? 5n : U64_MAX;
  const limits = { maxBaseAmount: limit, maxQuoteAmount: limit };
  return each.kind === 'partner'
    ? claimDbcTradingFee(launch, { claimer: PARTNER, ...accounts }, limits)
    : claimDbcCreatorTradingFee(launch, { claimer: CREATOR, ...accounts }, limits);
}
