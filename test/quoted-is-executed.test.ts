import fc from 'fast-check';
import type { FastifyInstance } from 'fastify';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createGateway } from '../src/gateway/gateway.ts';
import { createLogger } from '../src/gateway/log.ts';
import type { OpenApiDocument } from '../src/gateway/openapi.ts';
import { inProcessLimiter } from '../src/gateway/pipeline/rate-limiter.ts';
import { VENUES } from '../src/market/venues/index.ts';
import type { Address } from '../src/solana/address.ts';
import { createAssociatedTokenIdempotent } from '../src/solana/associated-token.ts';
import { addSignatures, parseTransaction } from '../src/solana/transaction.ts';
import { TOKEN_PROGRAM, WRAPPED_SOL_MINT } from '../src/solana/programs.ts';
import type { ExecuteResponse } from '../src/swap/execute-schema.ts';
import type { OrderResponse } from '../src/swap/order-schema.ts';
import { registerSwap } from '../src/swap/routes.ts';
import { TOKEN_ACCOUNT_RENT } from '../src/swap/token-flow.ts';
import { faultsOf } from './documented.ts';
import { openTestSwap, type TestSwap } from './genesis-market/swap.ts';

const SEED = 20_261_121;
const RUNS = 300;
const UNLIMITED = { admitted: true, current: 1, limit: 1_000_000, freesAt: 0 };

let swap: TestSwap;
let app: FastifyInstance;
let document: OpenApiDocument;

beforeAll(async () => {
  swap = await openTestSwap();
  app = await createGateway({
    logger: createLogger('silent', { write: () => {} }),
    pipeline: {
      findKey: () => null,
      limiter: { ...inProcessLimiter(), hit: () => UNLIMITED },
      countryOf: () => null,
      now: Date.now,
    },
    trustedProxies: [],
    parts: [],
    examples: {},
    registerProducts: (gateway) => registerSwap(gateway, swap.parts),
  });
  document = (await app.inject('/openapi.json')).json();
});

afterAll(() => app.close());

interface Answer {
  readonly status: number;
  readonly body: unknown;
}

/** Asks by HTTP, and holds the answer to the document. */
async function ask(method: 'GET' | 'POST', path: string, given: object): Promise<Answer> {
  const query = method === 'GET' ? `?${new URLSearchParams(given as Record<string, string>)}` : '';
  const payload = method === 'POST' ? { payload: given } : {};
  const { statusCode: status, body: text } = await app.inject({ method, url: `${path}${query}`, ...payload });
  const body: unknown = JSON.parse(text);
  expect(faultsOf(document, { method, path, status, body }), text.slice(0, 500)).toEqual([]);
  expect(brokenNumbers(body), text.slice(0, 500)).toEqual([]);
  return { status, body };
}

/** Whole numbers that a reader of JSON would round. */
function brokenNumbers(value: unknown): readonly unknown[] {
  if (typeof value === 'object' && value !== null) return Object.values(value).flatMap(brokenNumbers);
  return typeof value === 'number' && Number.isInteger(value) && !Number.isSafeInteger(value) ? [value] : [];
}

describe('what /order quotes, by HTTP', () => {
  it('/execute moves to the atom, over every venue, in a market that each swap moves', async () => {
    const { network, genesis } = swap.market;
    const taker = swap.wallet.address;
    const [payer, referral] = [swap.newWallet(1_000_000_000_000n), network.newAddress()];
    const receiver = network.newAddress();
    const mints = genesis.tokens.map((token) => token.mint);
    const anyRoute = fc.record({
      inputMint: fc.constantFrom(...mints),
      outputMint: fc.constantFrom(...mints),
    });
    const route = fc.oneof(anyRoute, fc.constantFrom(...onSingleVenues(mints)));
    const size = fc.tuple(fc.integer({ min: 1, max: 99 }), fc.integer({ min: 2, max: 9 }));
    const options = fc.record(
      {
        slippageBps: fc.constantFrom('0', '50', '10000'),
        receiver: fc.constant(receiver),
        payer: fc.constant(payer.address),
        referralAccount: fc.constant(referral),
        referralFee: fc.constantFrom('50', '255'),
        jitoTipLamports: fc.constantFrom('1000', '1234567'),
        priorityFeeLamports: fc.constantFrom('0', '54321'),
      },
      { requiredKeys: [] },
    );
    const seen = { swapped: 0, refused: 0, charged: 0, labels: new Set<string>() };
    const property = fc.asyncProperty(
      ...([route, size, options] as const),
      async ({ inputMint, outputMint, ...venue }, [hundredths, zeros], given) => {
        const held = swap.holding(taker, inputMint);
        const amount = (held * BigInt(hundredths)) / (100n * 10n ** BigInt(zeros));
        fc.pre(inputMint !== outputMint && amount > 0n);
        const { referralAccount, referralFee, ...others } = given;
        const hasReferral = referralAccount !== undefined && referralFee !== undefined;
        if (hasReferral) openAccounts(referralAccount, [inputMint, outputMint]);
        const query = {
          ...{ inputMint, outputMint, amount: amount.toString(), taker },
          ...venue,
          ...others,
          ...(hasReferral ? { referralAccount, referralFee } : {}),
        };
        const ordered = await ask('GET', '/swap/v2/order', query);
        if (ordered.status === 400) {
          seen.refused++;
          return;
        }
        const order = ordered.body as OrderResponse;
        expect(order.errorMessage).toBeUndefined();
        const gets = given.receiver ?? taker;
        const before = swap.holding(gets, outputMint);
        const signers = given.payer === undefined ? [swap.wallet] : [swap.wallet, payer];
        const unsigned = parseTransaction(Buffer.from(order.transaction ?? '', 'base64'));
        const signedTransaction = Buffer.from(addSignatures(unsigned, signers)).toString('base64');
        const executed = await ask('POST', '/swap/v2/execute', {
          signedTransaction,
          requestId: order.requestId,
        });
        const result = executed.body as ExecuteResponse;
        expect(result).toMatchObject({
          ...{ status: 'Success', code: 0 },
          ...{ totalInputAmount: order.inAmount, totalOutputAmount: order.outAmount },
        });
        const fee = BigInt(order.platformFee.amount);
        const paysInput = order.platformFee.feeMint === inputMint;
        expect(BigInt(result.inputAmountResult ?? 0)).toBe(amount - (paysInput ? fee : 0n));
        expect(BigInt(result.outputAmountResult ?? 0)).toBe(BigInt(order.outAmount) + (paysInput ? 0n : fee));
        const costs = given.payer === undefined ? swap.costsOf(order) : 0n;
        const ofOutput = outputMint === WRAPPED_SOL_MINT && gets === taker ? costs : 0n;
        // With SOL a receiver gets the rent of the account that it comes through.
        const extra = outputMint === WRAPPED_SOL_MINT && gets === receiver ? TOKEN_ACCOUNT_RENT : 0n;
        expect(swap.holding(gets, outputMint) - before).toBe(BigInt(order.outAmount) - ofOutput + extra);
        if (fee > 0n) seen.charged++;
        for (const { swapInfo } of order.routePlan) seen.labels.add(swapInfo.label);
        seen.swapped++;
      },
    );
    await fc.assert(property, { seed: SEED, numRuns: RUNS });
    expect(seen.labels).toEqual(new Set(VENUES.map((venue) => venue.label)));
    expect(seen.swapped).toBeGreaterThan(RUNS / 2);
    expect(seen.charged).toBeGreaterThan(10);
  });
});

/** Each two mints that a venue trades directly, both ways. */
function onSingleVenues(mints: readonly Address[]) {
  return mints.flatMap((inputMint) =>
    mints.flatMap((outputMint) => {
      const markets = swap.market.parts.pools.between(inputMint, outputMint);
      const labels = new Set(markets.map(({ venue }) => venue.label));
      return Array.from(labels, (dexes) => ({ inputMint, outputMint, dexes }));
    }),
  );
}

function openAccounts(owner: Address, mints: readonly Address[]): void {
  const { network } = swap.market;
  const payer = swap.wallet.address;
  const create = mints.map((mint) => {
    const tokenProgram = network.account(mint)?.owner ?? TOKEN_PROGRAM;
    return createAssociatedTokenIdempotent({ payer, owner, mint, tokenProgram });
  });
  expect(network.send(create, { feePayer: payer }).error).toBeNull();
}
