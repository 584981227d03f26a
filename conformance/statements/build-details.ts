import * as kit from '@solana/kit';
import { type Answer, difference, firstOf, unless } from '../answer.ts';
import type { Statement } from '../statement.ts';
import type { World } from '../world.ts';
import { ATA_PROGRAM, associatedAccount, BONK, SOL, SYSTEM_PROGRAM, USDC, USDT } from './mints.ts';
import { assembleBuild, decodeTransaction } from './transactions.ts';

const PATH = '/swap/v2/build';

/** `changes` replace or add parameters of a build of 0.1 SOL to USDC. */
function build(world: World, changes: Readonly<Record<string, string>> = {}): Promise<Answer> {
  const query = { inputMint: SOL, outputMint: USDC, amount: '100000000', taker: world.wallet.address };
  return world.ask(`${PATH}?${new URLSearchParams({ ...query, ...changes })}`);
}

/** Creates statements that every build with these changes is answered with `status`. */
function answeredWith(status: 200 | 400) {
  return (id: string, says: string, ...queries: readonly Readonly<Record<string, string>>[]): Statement => ({
    id: `build/${id}`,
    says,
    check: async (world) => {
      const answers = await Promise.all(queries.map((query) => build(world, query)));
      return firstOf(...answers.map((answer) => difference(answer, { status })));
    },
  });
}

const refuses = answeredWith(400);
const accepts = answeredWith(200);

interface Step {
  readonly bps: number;
  readonly percent: number;
  readonly swapInfo: { readonly inputMint: string; readonly outputMint: string; readonly outAmount: string };
}

/** Accounts of the swaps in the pools, without the programs: what stands behind the route's own accounts. */
async function innerAccounts(world: World, answer: Answer): Promise<number> {
  const labels = (await world.ask('/swap/v2/program-id-to-label')).json;
  const keys: readonly string[] = answer.json.swapInstruction.accounts.map(
    ({ pubkey }: { pubkey: string }) => pubkey,
  );
  const first = keys.findIndex((key) => labels[key] !== undefined);
  return new Set(keys.slice(first).filter((key) => labels[key] === undefined)).size;
}

const VENUES = ['Raydium CP', 'Whirlpool', 'Meteora DAMM v2'];

const FEES = ['1', '85', '10000'];

export const buildDetails: readonly Statement[] = [
  {
    id: 'build/threshold',
    says: 'otherAmountThreshold is outAmount x (10000 - slippageBps) / 10000, rounded up.',
    check: async (world) => {
      const answers = await Promise.all(
        ['0', '1', '50', '333', '10000'].map((slippageBps) => build(world, { slippageBps })),
      );
      return firstOf(
        ...answers.map(({ json }) => {
          const kept = BigInt(json.outAmount) * BigInt(10_000 - json.slippageBps);
          return unless((kept + 9_999n) / 10_000n === BigInt(json.otherAmountThreshold), json);
        }),
      );
    },
  },
  {
    id: 'build/instruction-shape',
    says: 'Instructions are programId, accounts of pubkey, isWritable and isSigner, and base64 data.',
    check: async (world) => {
      const { swapInstruction } = (await build(world)).json;
      const { programId, accounts, data } = swapInstruction;
      const flags = accounts.every(
        (each: Record<string, unknown>) =>
          kit.isAddress(`${each.pubkey}`) &&
          typeof each.isWritable === 'boolean' &&
          typeof each.isSigner === 'boolean',
      );
      const isBase64 = Buffer.from(data, 'base64').toString('base64') === data;
      return unless(kit.isAddress(programId) && flags && isBase64, swapInstruction);
    },
  },
  {
    id: 'build/setup-creates',
    says: 'setupInstructions hold the idempotent creation of the output account, needed or not.',
    check: async (world) => {
      const { setupInstructions } = (await build(world)).json;
      const account = await associatedAccount(world.wallet.address, USDC);
      const creations = setupInstructions.filter(
        ({
          programId,
          accounts,
          data,
        }: {
          programId: string;
          accounts: { pubkey: string }[];
          data: string;
        }) => programId === ATA_PROGRAM && accounts[1]?.pubkey === account && data === 'AQ==',
      );
      return unless(creations.length === 1, setupInstructions);
    },
  },
  {
    id: 'build/null-when-none',
    says: 'cleanupInstruction and tipInstruction are null when there are none.',
    check: async (world) =>
      difference(await build(world, { inputMint: USDC, outputMint: USDT, amount: '1000000' }), {
        status: 200,
        body: { cleanupInstruction: null, tipInstruction: null, otherInstructions: [] },
      }),
  },
  {
    id: 'build/blockhash',
    says: 'blockhash is 32 numbers, lastValidBlockHeight a number, fetchedAt seconds and nanoseconds.',
    check: async (world) => {
      const { blockhashWithMetadata: seen } = (await build(world)).json;
      const { secs_since_epoch: seconds, nanos_since_epoch: nanos } = seen.fetchedAt;
      const isHash = seen.blockhash.length === 32 && seen.blockhash.every((byte: number) => byte < 256);
      const numbers = [seen.lastValidBlockHeight, seconds, nanos].every(Number.isInteger);
      return unless(isHash && numbers, seen);
    },
  },
  {
    id: 'build/shares',
    says: 'Each step has bps and percent; those of one token add up to 10000 and 100.',
    check: async (world) => {
      const plan: readonly Step[] = (await build(world, { amount: '20000000000000' })).json.routePlan;
      const mints = new Set(plan.map(({ swapInfo }) => swapInfo.inputMint));
      const sums = [...mints].map((mint) => {
        const steps = plan.filter(({ swapInfo }) => swapInfo.inputMint === mint);
        const sum = (of: 'bps' | 'percent') => steps.reduce((total, step) => total + step[of], 0);
        return [sum('bps'), sum('percent')];
      });
      return unless(
        sums.every(([bps, percent]) => bps === 10_000 && percent === 100),
        sums,
      );
    },
  },
  {
    id: 'build/price-impact',
    says: 'priceImpactPct is a ratio as a text, and positive is worse.',
    check: async (world) => {
      const [small, large] = await Promise.all(
        ['100000000', '50000000000000'].map((amount) => build(world, { amount })),
      );
      const [less, more] = [small?.json.priceImpactPct, large?.json.priceImpactPct];
      const isText = typeof less === 'string' && typeof more === 'string';
      return unless(isText && Number(less) >= 0 && Number(more) > Number(less) && Number(more) < 1, [
        less,
        more,
      ]);
    },
  },
  {
    id: 'build/fast',
    says: 'mode=fast does not split.',
    check: async (world) => {
      const plan: readonly Step[] = (await build(world, { amount: '20000000000000', mode: 'fast' })).json
        .routePlan;
      return unless(
        plan.every(({ bps }) => bps === 10_000),
        plan,
      );
    },
  },
  {
    id: 'build/tip',
    says: 'tipAmount is a transfer of so many lamports, paid by payer, or by taker without one.',
    check: async (world) => {
      const payer = (await world.newWallet()).address;
      const answers = await Promise.all(
        [{}, { payer }].map((query) => build(world, { tipAmount: '1234567', ...query })),
      );
      const tips = answers.map(({ json }) => json.tipInstruction);
      const paid = tips.map(({ data }) => Buffer.from(data, 'base64').readBigUInt64LE(4));
      const payers = tips.map(({ accounts }) => accounts[0].pubkey);
      const isTransfer = tips.every(({ programId }) => programId === SYSTEM_PROGRAM);
      const expected = [world.wallet.address, payer];
      return unless(
        isTransfer && paid.every((each) => each === 1_234_567n) && `${payers}` === `${expected}`,
        tips,
      );
    },
  },
  {
    id: 'build/payer-funds',
    says: 'payer replaces the taker as the funder of new accounts.',
    check: async (world) => {
      const [payer, taker] = [(await world.newWallet()).address, (await world.newWallet()).address];
      const { setupInstructions } = (await build(world, { payer, taker })).json;
      const funders = setupInstructions
        .filter(({ programId }: { programId: string }) => programId === ATA_PROGRAM)
        .map(({ accounts }: { accounts: { pubkey: string }[] }) => accounts[0]?.pubkey);
      return unless(funders.length > 0 && funders.every((each: string) => each === payer), funders);
    },
  },
  {
    id: 'build/platform-fee',
    says: 'A fee in the output mint is floor(output x platformFeeBps / 10000), and 10000 takes everything.',
    check: async (world) => {
      const feeAccount = await associatedAccount(world.wallet.address, USDC);
      const answers = await Promise.all(
        FEES.map((platformFeeBps) => build(world, { platformFeeBps, feeAccount })),
      );
      return firstOf(
        ...answers.map((answer, index) => {
          if (answer.status !== 200) return difference(answer, { status: 200 });
          const plan: readonly Step[] = answer.json.routePlan;
          const gross = plan
            .filter(({ swapInfo }) => swapInfo.outputMint === USDC)
            .reduce((sum, { swapInfo }) => sum + BigInt(swapInfo.outAmount), 0n);
          const fee = (gross * BigInt(FEES[index] ?? 0)) / 10_000n;
          return unless(BigInt(answer.json.outAmount) === gross - fee, { gross, out: answer.json.outAmount });
        }),
      );
    },
  },
  {
    id: 'build/max-accounts',
    says: 'maxAccounts counts the accounts of the swaps in the pools only, without programs.',
    check: async (world) => {
      for (const dexes of VENUES) {
        const query = { dexes, mode: 'fast' };
        const answer = await build(world, query);
        const needs = await innerAccounts(world, answer);
        // An account may stand in one swap twice, and may be counted so.
        const enough = await build(world, { ...query, maxAccounts: `${needs + 2}` });
        const tooFew = await build(world, { ...query, maxAccounts: `${needs - 1}` });
        if (enough.status !== 200 || tooFew.status !== 400) {
          return JSON.stringify({ dexes, needs, enough: enough.text.slice(0, 200), tooFew: tooFew.status });
        }
      }
      return null;
    },
  },
  {
    id: 'build/max-accounts-kept',
    says: 'No build has more accounts in its pools than maxAccounts.',
    check: async (world) => {
      const seen: unknown[] = [];
      for (const maxAccounts of [14, 16, 20, 26, 32, 40, 52, 64]) {
        const answer = await build(world, { amount: '20000000000000', maxAccounts: `${maxAccounts}` });
        const inner = answer.status === 200 ? await innerAccounts(world, answer) : 0;
        if (answer.status !== 200 || inner > maxAccounts) seen.push([maxAccounts, answer.status, inner]);
      }
      return unless(seen.length === 0, seen);
    },
  },
  {
    id: 'build/fits-and-runs',
    says: 'Put together in the documented order, a build is a transaction of 1232 bytes and 64 accounts that runs.',
    check: async (world) => {
      const queries = [
        {},
        { amount: '2000000000' },
        { inputMint: USDC, outputMint: SOL, amount: '5000000', tipAmount: '1000000' },
        { inputMint: USDC, outputMint: BONK, amount: '5000000' },
        { wrapAndUnwrapSol: 'true', instructionVersion: 'V1' },
      ];
      for (const query of queries) {
        const { json } = await build(world, query);
        const wire = assembleBuild(json, world.wallet.address);
        const { bytes, accounts } = decodeTransaction(wire);
        const { value } = await world.rpc
          .simulateTransaction(wire as kit.Base64EncodedWireTransaction, {
            encoding: 'base64',
            sigVerify: false,
            replaceRecentBlockhash: true,
          })
          .send();
        if (bytes > 1_232 || accounts > 64 || value.err !== null) {
          return unless(false, { query, bytes, accounts, error: value.err, logs: value.logs?.slice(-3) });
        }
      }
      return null;
    },
  },
  {
    id: 'build/no-route-details',
    says: 'Without a route, details says why in a sentence.',
    check: async (world) => {
      const answer = await build(world, { maxAccounts: '1' });
      const { error, details } = answer.json;
      return unless(answer.status === 400 && error === 'No routes found' && / /.test(details), answer.text);
    },
  },
  refuses('circular', 'inputMint and outputMint must differ.', { outputMint: SOL }),
  refuses('exact-out', 'swapMode is ExactIn only.', { swapMode: 'ExactOut' }),
  refuses('destinations', 'destinationTokenAccount and nativeDestinationAccount exclude each other.', {
    inputMint: USDC,
    outputMint: SOL,
    amount: '1000000',
    destinationTokenAccount: USDT,
    nativeDestinationAccount: BONK,
  }),
  refuses(
    'percentile-bounds',
    'computeUnitPricePercentile is medium, high, veryHigh or 0 to 10000.',
    { computeUnitPricePercentile: '10001' },
    { computeUnitPricePercentile: '-1' },
    { computeUnitPricePercentile: 'low' },
  ),
  refuses(
    'fee-bounds',
    'platformFeeBps is 0 to 10000.',
    { platformFeeBps: '10001' },
    { platformFeeBps: '-1' },
  ),
  refuses(
    'amount',
    'amount is a whole number above 0 of 64 bits.',
    ...['0', '-1', '1.5', '18446744073709551616'].map((amount) => ({ amount })),
  ),
  accepts(
    'percentiles',
    'computeUnitPricePercentile takes its names and basis points.',
    ...['medium', 'high', 'veryHigh', '0', '10000'].map((computeUnitPricePercentile) => ({
      computeUnitPricePercentile,
    })),
  ),
  accepts('rtse', 'slippageBps may be rtse.', { slippageBps: 'rtse' }),
  accepts(
    'bounds-included',
    'The bounds of ranges are included.',
    ...[
      { slippageBps: '0' },
      { slippageBps: '10000' },
      { maxAccounts: '64' },
      { blockhashSlotsToExpiry: '1' },
      { blockhashSlotsToExpiry: '300' },
      { platformFeeBps: '0' },
    ],
  ),
  accepts('unknown-parameters', 'Unknown parameters are ignored.', {
    closeAuthority: 'x',
    onlyDirectRoutes: 'maybe',
  }),
  accepts(
    'bundles',
    'forJitoBundle is true or false.',
    { forJitoBundle: 'true' },
    { forJitoBundle: 'false' },
  ),
];
