import fc from 'fast-check';
import { beforeAll, describe, expect, it } from 'vitest';
import { assertProperty, countCases } from '../../../testing/random.ts';
import type { GenesisTestMarket } from '../../../testing/genesis-market/open.ts';
import {
  LARGEST,
  openRichSwap,
  PLENTY,
  type RichSwap,
  measureTransaction,
  createSwapSizes,
} from '../../../testing/genesis-market/rich.ts';
import type { TestSwap } from '../../../testing/genesis-market/swap.ts';
import { VENUES } from '../../../protocols/venues.ts';
import { splStakePool } from '../../../protocols/spl-stake-pool/venue.ts';
import { type Address, address } from '../../../solana/address.ts';
import { setComputeUnitLimit } from '../../../solana/programs/compute-budget.ts';
import type { Instruction } from '../../../solana/messages/instruction.ts';
import { WRAPPED_SOL_MINT } from '../../../solana/program-addresses.ts';
import { type BuiltSwap, buildSwap } from '../../../swaps/build/build.ts';
import { parseBuildRequest } from '../endpoints/build.ts';
import { SwapRefused } from '../../../swaps/refusals.ts';
import type { Query } from '../../parameters/parameter.ts';

let swap: TestSwap;
let market: GenesisTestMarket;
let whale: Address;
let payer: Address;
let stranger: Address;
let ata: RichSwap['ata'];
beforeAll(setUp);

describe('buildSwap', () => {
  it('fits a transaction, respects maxAccounts, and succeeds, for any combination of options', async () => {
    const seen = { built: 0, refused: 0, wide: 0 };
    const property = fc.asyncProperty(wishes(), async (wish) => {
      fc.pre(wish.inputMint !== wish.outputMint);
      const query = queryOf(wish);
      const built = await build(query);
      if (typeof built === 'string') {
        seen.refused++;
        const needs = /the smallest that was found needs (\d+)/.exec(built)?.[1];
        // A bound that is stated as sufficient is, and it never exceeds the maximum.
        if (needs !== undefined) expect(await build({ ...query, maxAccounts: needs })).toBeTypeOf('object');
        return;
      }
      seen.built++;
      if (built.route.legs.length > 4) seen.wide++;
      const lookupTables = built.lookupTables ?? {};
      const feePayer = wish.sponsored ? payer : whale;
      const { wire, accounts } = market.network.encode(together(built), { feePayer, lookupTables });
      expect(wire.length).toBeLessThanOrEqual(LARGEST);
      expect(accounts.length).toBeLessThanOrEqual(64);
      expect(accountsOfPools(built)).toBeLessThanOrEqual(Number(query.maxAccounts ?? 64));
      const { error, logs } = market.network.simulate(together(built), { feePayer, lookupTables });
      expect(error, logs.join('\n')).toBeNull();
    });
    const suite = { cases: 180, short: 90, seed: SEED };
    await assertProperty(property, suite);
    expect(seen.built).toBeGreaterThan((5 / 9) * countCases(suite));
    expect(seen.refused).toBeGreaterThan(countCases(suite) / 9);
    expect(seen.wide).toBeGreaterThan(countCases(suite) / 9);
  });

  function queryOf({ inputMint, outputMint, amount, fee, elsewhere, native, sponsored, query }: Wish): Query {
    const destination =
      native && outputMint === WRAPPED_SOL_MINT
        ? { nativeDestinationAccount: stranger }
        : { destinationTokenAccount: ata(stranger, outputMint) };
    const feeMint = fee === 'fee of the input' ? inputMint : outputMint;
    return {
      inputMint,
      outputMint,
      amount,
      taker: whale,
      ...query,
      ...(elsewhere ? destination : {}),
      ...(fee === 'no fee' ? {} : { platformFeeBps: '85', feeAccount: ata(payer, feeMint) }),
      ...(sponsored ? { payer } : {}),
    };
  }

  /** Accounts after those of the aggregator's instruction itself, without the programs of the venues. */
  function accountsOfPools({ swap, route }: BuiltSwap): number {
    const programs = new Set(route.legs.map(({ handle: { venue } }) => venue.program));
    const first = swap.accounts.findIndex(({ address }) => programs.has(address));
    const named = swap.accounts.slice(first).map(({ address }) => address);
    return new Set(named.filter((address) => !programs.has(address))).size;
  }
});

describe('buildSwap for a wallet without accounts', () => {
  it('finds routes that succeed, however many accounts they create and whatever their pools call', async () => {
    const seen = { run: 0, wide: 0, staked: 0 };
    const version = fc.constantFrom('V1', 'V2');
    const property = fc.asyncProperty(
      fc.record(createSwapSizes(swap)),
      version,
      async (size, instructionVersion) => {
        fc.pre(size.outputMint !== WRAPPED_SOL_MINT);
        const taker = market.network.newWallet(PLENTY);
        const query = { ...size, inputMint: WRAPPED_SOL_MINT, taker };
        const built = await build({ ...query, instructionVersion });
        if (typeof built === 'string') return;
        const lookupTables = built.lookupTables ?? {};
        const { error, logs } = market.network.simulate(together(built), { feePayer: taker, lookupTables });
        expect(error, logs.slice(-3).join('\n')).toBeNull();
        seen.run++;
        if (built.route.legs.length > 4) seen.wide++;
        if (built.route.legs.some(({ handle }) => handle.venue.label === splStakePool.label)) seen.staked++;
      },
    );
    // Over a stake pool, whose step makes three times as many calls as others, in a split that creates many accounts.
    const size = { inputMint: WRAPPED_SOL_MINT, outputMint: USDT, amount: '5000000000000000' };
    const suite = { cases: 110, short: 55, seed: SEED, examples: [[size, 'V1']] };
    await assertProperty(property, suite);
    expect(Math.min(seen.wide, seen.staked)).toBeGreaterThan((2 / 11) * countCases(suite));
  });
});

describe('orderSwap', () => {
  it('fits a transaction that succeeds, for any combination of options', async () => {
    const options = fc.record(
      {
        payer: fc.constant(payer),
        receiver: fc.constant(stranger),
        jitoTipLamports: fc.constant('1000000'),
        priorityFeeLamports: fc.constant('20000'),
        referralAccount: fc.constant(payer),
      },
      { requiredKeys: [] },
    );
    const seen = { ordered: 0, wide: 0 };
    const property = fc.asyncProperty(fc.record(createSwapSizes(swap)), options, async (size, given) => {
      fc.pre(size.inputMint !== size.outputMint);
      const referralFee = given.referralAccount === undefined ? {} : { referralFee: '85' };
      // The fee cannot be taken from an output of Token-2022 that another wallet receives.
      fc.pre(given.receiver === undefined || !('referralFee' in referralFee));
      const order = await swap.order({ taker: whale, ...size, ...given, ...referralFee });
      expect(order.errorMessage).toBeUndefined();
      const { bytes, accounts } = measureTransaction(order.transaction ?? '');
      expect(bytes).toBeLessThanOrEqual(LARGEST);
      expect(accounts).toBeLessThanOrEqual(64);
      seen.ordered++;
      if (order.routePlan.length > 4) seen.wide++;
    });
    const suite = { cases: 80, short: 40, seed: SEED };
    await assertProperty(property, suite);
    expect(seen.wide).toBeGreaterThan(countCases(suite) / 4);
  });
});

const SEED = 20_261_121;
const LABELS = VENUES.map(({ label }) => label);
const USDT = address('Es9vMFrzaCERmJfrF4H2FYD4KCoNkY11McCe8BenwNYB');

async function setUp(): Promise<void> {
  ({ swap, whale, payer, stranger, ata } = await openRichSwap());
  market = swap.market;
}

type Fees = 'no fee' | 'fee of the input' | 'fee of the output';

interface Wish {
  readonly inputMint: Address;
  readonly outputMint: Address;
  readonly amount: string;
  readonly fee: Fees;
  readonly elsewhere: boolean;
  readonly native: boolean;
  readonly sponsored: boolean;
  readonly query: Query;
}

const wishes = () => {
  return fc.record({
    ...createSwapSizes(swap),
    fee: fc.constantFrom<Fees>('no fee', 'no fee', 'fee of the input', 'fee of the output'),
    elsewhere: fc.boolean(),
    native: fc.boolean(),
    sponsored: fc.boolean(),
    query: fc.record(
      {
        maxAccounts: fc.integer({ min: 8, max: 64 }).map(String),
        tipAmount: fc.constantFrom('0', '1000000'),
        wrapAndUnwrapSol: fc.constantFrom('true', 'true', 'false'),
        instructionVersion: fc.constantFrom('V1', 'V2'),
        mode: fc.constantFrom('fast', undefined, undefined, undefined),
      },
      { requiredKeys: [] },
    ),
  });
};

/** Returns what was built, or the sentence of the refusal. */
async function build(query: Query): Promise<BuiltSwap | string> {
  try {
    return await buildSwap(market, parseBuildRequest(query, LABELS));
  } catch (error) {
    if (error instanceof SwapRefused) return error.message;
    throw error;
  }
}

/** Assembles the transaction as the caller does, with a compute-unit limit. */
function together(built: BuiltSwap): readonly Instruction[] {
  const { computeBudget, setup, swap, cleanup, others, tip } = built;
  return [
    ...[setComputeUnitLimit(1_400_000), ...computeBudget, ...setup, swap],
    ...[cleanup, ...others, tip].filter((each) => each !== null),
  ];
}
