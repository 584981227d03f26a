import fc from 'fast-check';
import {
  layOut,
  type Pool,
  swapParties,
  token,
  withTransferFee,
  writePool,
  writePoolFeeReceiver,
} from '../../../programs/raydium-cpmm/tests/fixture.ts';
import {
  collectFundFee,
  collectProtocolFee,
  updatePoolStatus,
} from '../../../programs/raydium-cpmm/tests/instructions.ts';
import {
  deposit,
  initialize,
  swapBaseInput,
  swapBaseOutput,
  withdraw,
} from '../../../src/protocols/raydium-cpmm/program/instructions.ts';
import { decodePool } from '../../../src/protocols/raydium-cpmm/program/layout.ts';
import { RAYDIUM_CPMM_ADMIN } from '../../../src/protocols/raydium-cpmm/program/program.ts';
import type { Instruction } from '../../../src/solana/messages/instruction.ts';
import { U64_MAX } from '../../../src/solana/units.ts';
import type { Comparison } from '../comparison.ts';
import { NO_ACCOUNT, type Twin } from '../twin.ts';
import { allowancesFor } from './public-build.ts';

/** One instruction; `share` of what it could be, in millionths. */
export type Step =
  | { readonly kind: 'swap in' | 'swap out'; readonly inputSide: 0 | 1; readonly share: bigint }
  | { readonly kind: 'deposit' | 'withdraw'; readonly share: bigint; readonly limit: bigint }
  | { readonly kind: 'collect protocol' | 'collect fund'; readonly most: bigint }
  | { readonly kind: 'status'; readonly status: number };

const MILLION = 1_000_000n;
const share = fc.oneof(fc.bigInt(0n, MILLION), fc.bigInt(0n, 1000n), fc.bigInt(0n, 10n));
const side = fc.constantFrom<0 | 1>(0, 1);
const step: fc.Arbitrary<Step> = fc.oneof(
  {
    weight: 10,
    arbitrary: fc.record({ kind: fc.constantFrom('swap in', 'swap out'), inputSide: side, share }),
  },
  {
    weight: 6,
    arbitrary: fc.record({
      kind: fc.constantFrom('deposit', 'withdraw'),
      share,
      limit: fc.constantFrom(0n, 1n, 1_000_000n, U64_MAX),
    }),
  },
  {
    weight: 2,
    arbitrary: fc.record({
      kind: fc.constantFrom('collect protocol', 'collect fund'),
      most: fc.constantFrom(0n, 100n, U64_MAX),
    }),
  },
  {
    weight: 1,
    arbitrary: fc.record({ kind: fc.constant('status'), status: fc.constantFrom(0, 0, 1, 2, 4, 7) }),
  },
) as fc.Arbitrary<Step>;

const fee = fc.record({
  basisPoints: fc.integer({ min: 0, max: 1000 }),
  maximumFee: fc.constantFrom(0n, 5000n, U64_MAX),
});
/** What happens to a pool from its creation on. */
export const lives = fc.record({
  fees: fc.tuple(fc.option(fee), fc.option(fee)),
  amounts: fc.tuple(fc.bigInt(0n, 1n << 20n), fc.bigInt(0n, 1n << 50n)),
  rates: fc.record({
    tradeFeeRate: fc.constantFrom(0n, 2500n, 40_000n),
    protocolFeeRate: fc.bigInt(0n, 500_000n),
    fundFeeRate: fc.bigInt(0n, 500_000n),
    createPoolFee: fc.constantFrom(0n, 150_000_000n),
    disableCreatePool: fc.constantFrom(false, false, false, false, true),
    creatorFeeRate: fc.constant(0n),
  }),
  steps: fc.array(step, { minLength: 30, maxLength: 30 }),
});
export type Life = typeof lives extends fc.Arbitrary<infer T> ? T : never;

/** Creates a pool with `initialize` in both networks; what cannot be created that way is written instead. */
export function createPool(comparison: Comparison, index: number, life: Life): Pool {
  const { networks } = comparison;
  const extensions = life.fees.map((each) => (each === null ? [] : [withTransferFee(each)]));
  const tokens = [token(`life ${index} a`, extensions[0]), token(`life ${index} b`, extensions[1])] as const;
  const pool = layOut(tokens);
  networks.both((network) => {
    writePool(network, { tokens, config: life.rates });
    writePoolFeeReceiver(network);
    const made = [
      pool.addresses.address,
      pool.addresses.observation,
      pool.addresses.lpMint,
      pool.user.lpToken,
    ];
    for (const address of [...made, ...pool.addresses.vaults]) network.setAccount(address, NO_ACCOUNT);
  });
  const start = { amounts: life.amounts, openTime: 0n };
  const creation = initialize(pool.addresses, pool.user, start);
  const different = networks.difference(creation, allowancesFor(pool));
  comparison.addPreparation(different, `creation of pool ${index}`);
  if (networks.standIn.account(pool.addresses.address) === null) {
    networks.both((network) => writePool(network, { tokens, config: life.rates }));
  }
  return pool;
}

/** The instruction that the step is, at the pool's present state. */
export function instructionOf(networks: Twin, pool: Pool, step: Step): Instruction {
  const { addresses, user } = pool;
  const network = networks.standIn;
  const reserve = (side: 0 | 1): bigint => network.tokenBalance(addresses.vaults[side]);
  switch (step.kind) {
    case 'swap in': {
      const amount = (reserve(step.inputSide) * step.share) / MILLION;
      return swapBaseInput(
        addresses,
        addresses.mints[step.inputSide],
        swapParties(pool, step.inputSide),
        amount,
        0n,
      );
    }
    case 'swap out': {
      const amount = (reserve(step.inputSide === 0 ? 1 : 0) * step.share) / MILLION;
      const parties = swapParties(pool, step.inputSide);
      return swapBaseOutput(addresses, addresses.mints[step.inputSide], parties, U64_MAX, amount);
    }
    case 'deposit':
    case 'withdraw': {
      const state = network.account(addresses.address);
      const supply = state === null ? 0n : decodePool(state.data).lpSupply;
      const build = step.kind === 'deposit' ? deposit : withdraw;
      const limit = step.kind === 'deposit' ? U64_MAX - step.limit : step.limit;
      return build(addresses, user, (supply * step.share) / MILLION, [limit, limit]);
    }
    case 'collect protocol':
    case 'collect fund': {
      const collect = step.kind === 'collect protocol' ? collectProtocolFee : collectFundFee;
      return collect(addresses, RAYDIUM_CPMM_ADMIN, user.tokens, [step.most, step.most]);
    }
    case 'status':
      return updatePoolStatus(addresses.address, step.status);
  }
}
