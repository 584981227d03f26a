import fc from 'fast-check';
import { beforeAll, describe, expect, it } from 'vitest';
import type { TestMarket } from '../../test/genesis-market/open.ts';
import { openTestSwap, type TestSwap } from '../../test/genesis-market/swap.ts';
import { VENUES } from '../market/venues/index.ts';
import { splStakePool } from '../market/venues/spl-stake-pool/index.ts';
import { type Address, address } from '../solana/address.ts';
import { createAssociatedTokenIdempotent } from '../solana/associated-token.ts';
import { setComputeUnitLimit } from '../solana/compute-budget.ts';
import type { Instruction } from '../solana/instruction.ts';
import { associatedTokenAddress } from '../solana/pda.ts';
import { TOKEN_PROGRAM, WRAPPED_SOL_MINT } from '../solana/programs.ts';
import { parseTransaction } from '../solana/transaction.ts';
import { type BuiltSwap, buildSwap } from './build.ts';
import { parseBuildRequest } from './build-request.ts';
import { SwapRefused } from './errors.ts';
import type { Query } from './query.ts';
import { quoteSwap } from './v1/quote.ts';
import { parseQuoteRequest } from './v1/quote-request.ts';
import type { QuoteResponse } from './v1/schema.ts';
import { swapTransaction } from './v1/swap.ts';
import { parseSwapRequest } from './v1/swap-request.ts';

const SEED = 20_261_121;
const LABELS = VENUES.map(({ label }) => label);
const LARGEST = 1_232;
const USDT = address('Es9vMFrzaCERmJfrF4H2FYD4KCoNkY11McCe8BenwNYB');
/** Of every token that has a balance in the first demo wallet: more than all pools together. */
const PLENTY = 1n << 60n;

let swap: TestSwap;
let market: TestMarket;
/** Holds so much of every token that any amount can be simulated. */
let whale: Address;
let payer: Address;
let stranger: Address;

beforeAll(async () => {
  swap = await openTestSwap();
  market = swap.market;
  const { network, genesis } = market;
  whale = network.newWallet(PLENTY);
  [payer, stranger] = [network.newWallet(), network.newWallet()];
  for (const { mint } of genesis.tokens) {
    for (const owner of [whale, stranger, payer]) open(owner, mint);
    enrich(ata(whale, mint));
  }
});

function programOf(mint: Address): Address {
  return market.network.account(mint)?.owner ?? TOKEN_PROGRAM;
}

function ata(owner: Address, mint: Address): Address {
  return associatedTokenAddress(owner, mint, programOf(mint));
}

function open(owner: Address, mint: Address): void {
  const create = createAssociatedTokenIdempotent({ payer, owner, mint, tokenProgram: programOf(mint) });
  expect(market.network.send([create], { feePayer: payer }).error).toBeNull();
}

function enrich(account: Address): void {
  const found = market.network.account(account);
  if (found === null) throw new Error(`no token account ${account}`);
  const data = new Uint8Array(found.data);
  new DataView(data.buffer).setBigUint64(64, PLENTY, true);
  // Wrapped SOL is held as lamports.
  market.network.setAccount(account, { ...found, data, lamports: found.lamports + PLENTY });
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

function queryOf({ inputMint, outputMint, amount, fee, elsewhere, native, sponsored, query }: Wish): Query {
  const destination =
    native && outputMint === WRAPPED_SOL_MINT
      ? { nativeDestinationAccount: stranger }
      : { destinationTokenAccount: ata(stranger, outputMint) };
  const feeMint = fee === 'fee of the input' ? inputMint : outputMint;
  return {
    ...{ inputMint, outputMint, amount, taker: whale },
    ...query,
    ...(elsewhere ? destination : {}),
    ...(fee === 'no fee' ? {} : { platformFeeBps: '85', feeAccount: ata(payer, feeMint) }),
    ...(sponsored ? { payer } : {}),
  };
}

/** Two tokens and an amount, often larger than any single pool. */
const sizes = () => {
  const mint = fc.constantFrom(WRAPPED_SOL_MINT, ...market.genesis.tokens.map((token) => token.mint));
  const amount = fc.tuple(fc.integer({ min: 1, max: 9 }), fc.integer({ min: 8, max: 15 }));
  return {
    ...{ inputMint: mint, outputMint: mint },
    amount: amount.map(([digit, zeros]) => `${digit}${'0'.repeat(zeros)}`),
  };
};

const wishes = () => {
  return fc.record({
    ...sizes(),
    fee: fc.constantFrom<Fees>('no fee', 'no fee', 'fee of the input', 'fee of the output'),
    ...{ elsewhere: fc.boolean(), native: fc.boolean(), sponsored: fc.boolean() },
    query: fc.record(
      {
        maxAccounts: fc.integer({ min: 14, max: 64 }).map(String),
        tipAmount: fc.constantFrom('0', '1000000'),
        wrapAndUnwrapSol: fc.constantFrom('true', 'true', 'false'),
        instructionVersion: fc.constantFrom('V1', 'V2'),
        mode: fc.constantFrom('fast', undefined, undefined, undefined),
      },
      { requiredKeys: [] },
    ),
  });
};

/** What was built; the sentence where it is refused. */
async function build(query: Query): Promise<BuiltSwap | string> {
  try {
    return await buildSwap(market.parts, parseBuildRequest(query, LABELS));
  } catch (error) {
    if (error instanceof SwapRefused) return error.message;
    throw error;
  }
}

/** As the caller puts it together, with a compute limit of its own. */
function together(built: BuiltSwap): readonly Instruction[] {
  const {
    computeBudgetInstructions,
    setupInstructions,
    swapInstruction,
    cleanupInstruction,
    tipInstruction,
  } = built;
  return [
    ...[setComputeUnitLimit(1_400_000), ...computeBudgetInstructions, ...setupInstructions, swapInstruction],
    ...[cleanupInstruction, tipInstruction].filter((each) => each !== null),
  ];
}

describe('what /build answers', () => {
  it('fits a transaction, keeps to maxAccounts, and runs, whatever is asked for together', async () => {
    const seen = { built: 0, refused: 0, wide: 0 };
    const property = fc.asyncProperty(wishes(), async (wish) => {
      fc.pre(wish.inputMint !== wish.outputMint);
      const query = queryOf(wish);
      const built = await build(query);
      if (typeof built === 'string') {
        seen.refused++;
        const needs = /the smallest that was found needs (\d+)/.exec(built)?.[1];
        // What is said to be enough is, and never more than what there can be.
        if (needs !== undefined) expect(await build({ ...query, maxAccounts: needs })).toBeTypeOf('object');
        return;
      }
      seen.built++;
      if (built.routePlan.length > 4) seen.wide++;
      const lookupTables = (built.addressesByLookupTableAddress ?? {}) as Record<Address, Address[]>;
      const feePayer = wish.sponsored ? payer : whale;
      const { wire, accounts } = market.network.encode(together(built), { feePayer, lookupTables });
      expect(wire.length).toBeLessThanOrEqual(LARGEST);
      expect(accounts.length).toBeLessThanOrEqual(Number(query.maxAccounts ?? 64));
      const { error, logs } = market.network.simulate(together(built), { feePayer, lookupTables });
      expect(error, logs.join('\n')).toBeNull();
    });
    await fc.assert(property, { seed: SEED, numRuns: 180 });
    expect(seen.built).toBeGreaterThan(100);
    expect(seen.refused).toBeGreaterThan(20);
    expect(seen.wide).toBeGreaterThan(20);
  });
});

describe('a wallet that has opened no account yet', () => {
  it('is given routes that run, however many accounts they open and whatever their pools call', async () => {
    const seen = { run: 0, wide: 0, staked: 0 };
    const version = fc.constantFrom('V1', 'V2');
    const property = fc.asyncProperty(fc.record(sizes()), version, async (size, instructionVersion) => {
      fc.pre(size.outputMint !== WRAPPED_SOL_MINT);
      const taker = market.network.newWallet(PLENTY);
      const query = { ...size, inputMint: WRAPPED_SOL_MINT, taker };
      const built = await build({ ...query, instructionVersion });
      if (typeof built === 'string') return;
      const lookupTables = (built.addressesByLookupTableAddress ?? {}) as Record<Address, Address[]>;
      const { error, logs } = market.network.simulate(together(built), { feePayer: taker, lookupTables });
      expect(error, logs.slice(-3).join('\n')).toBeNull();
      seen.run++;
      if (built.routePlan.length > 4) seen.wide++;
      if (built.routePlan.some(({ swapInfo }) => swapInfo.label === splStakePool.label)) seen.staked++;
    });
    // Over a stake pool, whose step calls three times as much as others, in a split that opens many accounts.
    const size = { inputMint: WRAPPED_SOL_MINT, outputMint: USDT, amount: '5000000000000000' };
    await fc.assert(property, { seed: SEED, numRuns: 110, examples: [[size, 'V1']] });
    expect(Math.min(seen.wide, seen.staked)).toBeGreaterThan(20);
  });
});

/** Bytes and accounts of a transaction that is answered. */
function sizeOf(base64: string): { readonly bytes: number; readonly accounts: number } {
  const wire = Buffer.from(base64, 'base64');
  const { staticAccounts, lookups } = parseTransaction(wire).message;
  const lookedUp = lookups.reduce(
    (sum, { writable, readonly }) => sum + writable.length + readonly.length,
    0,
  );
  return { bytes: wire.length, accounts: staticAccounts.length + lookedUp };
}

describe('what /order answers', () => {
  it('fits a transaction that runs, whatever is asked for together', async () => {
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
    const property = fc.asyncProperty(fc.record(sizes()), options, async (size, given) => {
      fc.pre(size.inputMint !== size.outputMint);
      const referralFee = given.referralAccount === undefined ? {} : { referralFee: '85' };
      // The fee of an output of Token-2022 cannot be taken where somebody else receives it.
      fc.pre(given.receiver === undefined || !('referralFee' in referralFee));
      const order = await swap.order({ taker: whale, ...size, ...given, ...referralFee });
      expect(order.errorMessage).toBeUndefined();
      const { bytes, accounts } = sizeOf(order.transaction ?? '');
      expect(bytes).toBeLessThanOrEqual(LARGEST);
      expect(accounts).toBeLessThanOrEqual(64);
      seen.ordered++;
      if (order.routePlan.length > 4) seen.wide++;
    });
    await fc.assert(property, { seed: SEED, numRuns: 80 });
    expect(seen.wide).toBeGreaterThan(20);
  });
});

/** Of a transaction that is not signed yet; null when it runs. */
async function failureOf(base64: string): Promise<unknown> {
  const { error } = await market.chain.simulate(Buffer.from(base64, 'base64'), { verifySignatures: false });
  return error;
}

describe('what the older flow answers', () => {
  it('fits a transaction within the accounts of its quote whatever the second call adds, or of one for four fewer', async () => {
    const options = fc.record(
      {
        payer: fc.constant(payer),
        trackingAccount: fc.constant(stranger),
        prioritizationFeeLamports: fc.constant({ jitoTipLamports: 1_000_000 }),
        skipUserAccountsRpcCalls: fc.boolean(),
      },
      { requiredKeys: [] },
    );
    const asked = fc.record({
      maxAccounts: fc.integer({ min: 40, max: 64 }),
      instructionVersion: fc.constantFrom('V1', 'V2'),
      swapMode: fc.constantFrom('ExactIn', 'ExactIn', 'ExactOut'),
      platformFeeBps: fc.constantFrom('0', '85'),
    });
    const kinds = fc.tuple(fc.boolean(), fc.boolean());
    const seen = { held: 0, again: 0, wide: 0 };
    const property = fc.asyncProperty(
      ...([fc.record(sizes()), asked, options, kinds] as const),
      async (size, { maxAccounts, ...query }, given, [elsewhere, native]) => {
        const { inputMint, outputMint } = size;
        fc.pre(inputMint !== outputMint);
        const fee = query.platformFeeBps !== '0';
        const feeMint = query.swapMode === 'ExactOut' ? inputMint : outputMint;
        fc.pre(!fee || programOf(feeMint) === TOKEN_PROGRAM);
        const destination =
          native && outputMint === WRAPPED_SOL_MINT
            ? { nativeDestinationAccount: stranger }
            : { destinationTokenAccount: ata(stranger, outputMint) };
        const fields = {
          ...given,
          ...(fee ? { feeAccount: ata(payer, feeMint) } : {}),
          ...(elsewhere ? destination : {}),
        };
        const accountsOf = async (quoteResponse: QuoteResponse): Promise<number> => {
          const body = parseSwapRequest({ userPublicKey: whale, quoteResponse, ...fields });
          const { swapTransaction: wire } = await swapTransaction(market.parts, body);
          expect(sizeOf(wire).bytes).toBeLessThanOrEqual(LARGEST);
          expect(await failureOf(wire)).toBeNull();
          return sizeOf(wire).accounts;
        };
        const quote = quoted({ ...size, ...query, maxAccounts: String(maxAccounts) });
        if (quote === null) return;
        if (quote.routePlan.length > 4) seen.wide++;
        const accounts = await accountsOf(quote).catch((error: unknown) => {
          if (error instanceof SwapRefused) return Number.POSITIVE_INFINITY;
          throw error;
        });
        if (accounts <= maxAccounts) {
          seen.held++;
          return;
        }
        const narrower = quoted({ ...size, ...query, maxAccounts: String(maxAccounts - 4) });
        if (narrower === null) throw new Error('four accounts fewer have no route');
        expect(await accountsOf(narrower)).toBeLessThanOrEqual(maxAccounts);
        seen.again++;
      },
    );
    await fc.assert(property, { seed: SEED, numRuns: 250 });
    expect(seen.held).toBeGreaterThan(10 * seen.again);
    expect(Math.min(seen.again, seen.wide)).toBeGreaterThan(0);
  });

  it('runs through shared accounts, or is refused where it cannot', async () => {
    const seen = { run: 0, refused: 0 };
    const version = fc.constantFrom('V1', 'V2');
    const property = fc.asyncProperty(fc.record(sizes()), version, async (size, instructionVersion) => {
      const { inputMint, outputMint } = size;
      fc.pre(inputMint !== outputMint);
      fc.pre([inputMint, outputMint].every((each) => programOf(each) === TOKEN_PROGRAM));
      const quote = quoted({ ...size, instructionVersion });
      if (quote === null) return;
      const userPublicKey = inputMint === WRAPPED_SOL_MINT ? market.network.newWallet(PLENTY) : whale;
      const body = { userPublicKey, quoteResponse: quote, useSharedAccounts: true };
      const answer = await swapTransaction(market.parts, parseSwapRequest(body)).catch((error: unknown) => {
        if (error instanceof SwapRefused) return error.message;
        throw error;
      });
      if (typeof answer === 'string') {
        expect(answer).toMatch(/^the swap (through shared accounts runs \d\d instructions|does not fit)/);
        seen.refused++;
        return;
      }
      expect(await failureOf(answer.swapTransaction)).toBeNull();
      seen.run++;
    });
    await fc.assert(property, { seed: SEED, numRuns: 130 });
    expect(seen.run).toBeGreaterThan(60);
    expect(seen.refused).toBeGreaterThan(0);
  });

  it('names no more accounts than asked where the second call adds nothing, however few those are', async () => {
    const seen = { quoted: 0, refused: 0 };
    const most = fc.integer({ min: 14, max: 40 }).map(String);
    const property = fc.asyncProperty(fc.record(sizes()), most, async (size, maxAccounts) => {
      fc.pre(size.inputMint !== size.outputMint);
      const quote = quoted({ ...size, maxAccounts });
      if (quote === null) {
        seen.refused++;
        return;
      }
      const body = parseSwapRequest({ userPublicKey: market.network.newAddress(), quoteResponse: quote });
      expect(
        sizeOf((await swapTransaction(market.parts, body)).swapTransaction).accounts,
      ).toBeLessThanOrEqual(Number(maxAccounts));
      seen.quoted++;
    });
    await fc.assert(property, { seed: SEED, numRuns: 110 });
    expect(Math.min(seen.quoted, seen.refused)).toBeGreaterThan(20);
  });
});

/** Null where it is refused. */
function quoted(query: Query): QuoteResponse | null {
  try {
    return quoteSwap(swap.parts, parseQuoteRequest(query, LABELS));
  } catch (error) {
    if (error instanceof SwapRefused) return null;
    throw error;
  }
}
