import { NOW } from '../../../programs/meteora-dbc/tests/swap-cases.ts';
import {
  CREATOR,
  type LaunchCase,
  layOut,
  PARTNER,
  REFERRALS,
  USER,
  USER_TOKENS,
  userParties,
  writeLaunch,
  writeUser,
} from '../../../programs/meteora-dbc/tests/swap-fixture.ts';
import { namedAddress, token, writeWallet } from '../../../programs/raydium-cpmm/tests/fixture.ts';
import {
  claimDbcCreatorTradingFee,
  claimDbcTradingFee,
} from '../../../src/protocols/meteora-dbc/program/instructions-claim.ts';
import { swap2Dbc, swapDbc } from '../../../src/protocols/meteora-dbc/program/instructions-swap.ts';
import { DbcBaseFeeMode } from '../../../src/protocols/meteora-dbc/program/program.ts';
import {
  MEMO_PROGRAM,
  SYSTEM_PROGRAM,
  SYSVAR_INSTRUCTIONS,
  TOKEN_2022_PROGRAM,
  TOKEN_PROGRAM,
} from '../../../src/solana/program-addresses.ts';
import { U64_MAX } from '../../../src/solana/units.ts';
import type { ValidInstruction } from '../comparison.ts';
import type { Twin } from '../twin.ts';

const UNIT = 1_000_000n;
const START = 1n << 64n;

/** A pool in the middle of its curve, with fees of both tokens, and a rate limiter that is on. */
const CASE: LaunchCase = {
  config: {
    poolFees: {
      baseFee: {
        cliffFeeNumerator: 10_000_000n,
        firstFactor: 100,
        secondFactor: 600n,
        thirdFactor: UNIT,
        baseFeeMode: DbcBaseFeeMode.RATE_LIMITER,
      },
      dynamicFee: null,
    },
    sqrtStartPrice: START,
    migrationSqrtPrice: START * 4n,
    curve: [{ sqrtPrice: START * 4n, liquidity: (1_000n * UNIT) << 64n }],
    migrationQuoteThreshold: 3_000n * UNIT,
  },
  pool: {
    sqrtPrice: START * 2n,
    activationPoint: NOW,
    baseReserve: 500n * UNIT,
    quoteReserve: 1_000n * UNIT,
    partnerBaseFee: 70n,
    partnerQuoteFee: 80n,
    creatorBaseFee: 90n,
    creatorQuoteFee: 100n,
    protocolBaseFee: 10n,
    protocolQuoteFee: 20n,
  },
};

/** Swaps and claims as they should be, and accounts that do not belong into them. The pools of the first come first. */
export function* validSwapsAndClaims(networks: Twin): Iterable<ValidInstruction> {
  for (const isToken2022 of [false, true]) {
    const name = isToken2022 ? 'valid 2022' : 'valid';
    const launch = layOut(name, [token(`dbc ${name}`, [], isToken2022), token('dbc quote')]);
    const other = layOut(`${name} other`);
    networks.both((network) => {
      for (const wallet of [USER, PARTNER, CREATOR]) writeWallet(network, wallet);
      writeLaunch(network, other, CASE);
      writeLaunch(network, launch, CASE);
      writeUser(network, launch, [1_000n * UNIT, 1_000n * UNIT]);
    });
    const strangers = [
      ...[SYSTEM_PROGRAM, TOKEN_PROGRAM, TOKEN_2022_PROGRAM, MEMO_PROGRAM, SYSVAR_INSTRUCTIONS],
      ...[launch.pool, launch.config, launch.baseVault, launch.quoteVault, launch.baseMint, launch.quoteMint],
      ...[...USER_TOKENS, ...REFERRALS, USER, PARTNER, CREATOR],
      ...[
        other.pool,
        other.config,
        other.baseVault,
        other.quoteVault,
        other.baseMint,
        namedAddress('nothing'),
      ],
    ];
    const [tokenBaseAccount, tokenQuoteAccount] = USER_TOKENS;
    const receivers = { tokenBaseAccount, tokenQuoteAccount };
    const all = { maxBaseAmount: U64_MAX, maxQuoteAmount: U64_MAX };
    const shown = { showsInstructions: true };
    const exactOut = { amount0: UNIT, amount1: U64_MAX, swapMode: 2 };
    const withReferral = { ...shown, referralTokenAccount: REFERRALS[1] };
    const made: ValidInstruction[] = [
      [
        `swap ${name}`,
        swapDbc(launch, userParties(true, shown), { amountIn: UNIT, minimumAmountOut: 1n }),
        strangers,
      ],
      [`swap2 ${name}`, swap2Dbc(launch, userParties(true, withReferral), exactOut), strangers],
      [`sale ${name}`, swap2Dbc(launch, userParties(false, withReferral), exactOut), strangers],
      [
        `claim_trading_fee ${name}`,
        claimDbcTradingFee(launch, { claimer: PARTNER, ...receivers }, all),
        strangers,
      ],
      [
        `claim_creator_trading_fee ${name}`,
        claimDbcCreatorTradingFee(launch, { claimer: CREATOR, ...receivers }, all),
        strangers,
      ],
    ];
    for (const [, instruction] of made) {
      const { error, logs } = networks.publicBuild.simulate([instruction]);
      if (error !== null) throw new Error(logs.join('\n'));
    }
    yield* made;
  }
}
