import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { assertProperty, countCases } from '../src/testing/random.ts';
import { getGenesisPools } from '../src/protocol/genesis/venue-genesis.ts';
import { VENUES } from '../src/protocols/venues.ts';
import { lendingGenesis } from '../src/protocols/jupiter-lend/venue/genesis.ts';
import { meteoraDbcVenueGenesis } from '../src/protocols/meteora-dbc/genesis/genesis.ts';
import { type Address, address } from '../src/solana/address.ts';
import { createAssociatedTokenIdempotent } from '../src/solana/programs/associated-token.ts';
import { addSignatures, parseTransaction } from '../src/solana/messages/transaction.ts';
import { TOKEN_PROGRAM, WRAPPED_SOL_MINT } from '../src/solana/program-addresses.ts';
import type { ExecuteResponse } from '../src/products/swap/endpoints/execute.ts';
import type { OrderResponse } from '../src/products/swap/endpoints/order.ts';
import { TOKEN_ACCOUNT_RENT } from '../src/transactions/build/closings.ts';
import { faultsOf, writeOut } from '../src/testing/documented.ts';
import { openSwapGateway } from '../src/testing/genesis-market/gateway.ts';
import { openTestSwap } from '../src/testing/genesis-market/swap.ts';
import { openForAll } from '../src/testing/opened.ts';

const swap = await openTestSwap();
const app = openForAll(() => openSwapGateway(swap), 'close');
const document = openForAll(async () => writeOut((await app.inject('/openapi.json')).json()));

describe('what /order quotes, by HTTP', () => {
  it('/execute moves to the atom, over every venue, in a market that each swap moves', async () => {
    const { network, genesis } = swap.market;
    const taker = swap.wallet.address;
    const [payer, referral] = [swap.newWallet(1_000_000_000_000n), network.newAddress()];
    const receiver = network.newAddress();
    const receipts = getGenesisPools(genesis, lendingGenesis).map(({ receiptMint }) => receiptMint);
    const launched = getGenesisPools(genesis, meteoraDbcVenueGenesis).map(({ keys }) => keys.baseMint);
    const mints = [...genesis.tokens.map((token) => token.mint), ...receipts, ...launched];
    const anyRoute = fc.record({
      inputMint: fc.constantFrom(...mints),
      outputMint: fc.constantFrom(...mints),
    });
    const route = fc.oneof(anyRoute, fc.oneof(...onSingleVenues(mints)));
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
      ...([route, size, options, fc.nat(900)] as const),
      async ({ inputMint, outputMint, ...venue }, [hundredths, zeros], given, seconds) => {
        // Fees that follow volatility wear off.
        network.setUnixTime(swap.market.chain.clock().unixTimestamp + BigInt(seconds));
        const held = swap.holding(taker, inputMint);
        const amount = (held * BigInt(hundredths)) / (100n * 10n ** BigInt(zeros));
        fc.pre(inputMint !== outputMint && amount > 0n);
        const { referralAccount, referralFee, ...others } = given;
        const hasReferral = referralAccount !== undefined && referralFee !== undefined;
        if (hasReferral) openAccounts(referralAccount, [inputMint, outputMint]);
        const query = {
          inputMint,
          outputMint,
          amount: amount.toString(),
          taker,
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
          status: 'Success',
          code: 0,
          totalInputAmount: order.inAmount,
          totalOutputAmount: order.outAmount,
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
    await assertProperty(property, SUITE);
    // Rounds of forecasts are for minutes, and this test lets hours pass: they have one of their own.
    const lasting = VENUES.filter(({ isShortLived }) => isShortLived !== true);
    expect(seen.labels).toEqual(new Set(lasting.map((venue) => venue.label)));
    expect(seen.swapped).toBeGreaterThan(countCases(SUITE) / 3);
    expect(seen.charged).toBeGreaterThan(countCases(SUITE) / 30);
  });

  function openAccounts(owner: Address, mints: readonly Address[]): void {
    const { network } = swap.market;
    const payer = swap.wallet.address;
    const create = mints.map((mint) => {
      const tokenProgram = network.account(mint)?.owner ?? TOKEN_PROGRAM;
      return createAssociatedTokenIdempotent({ payer, owner, mint, tokenProgram });
    });
    expect(network.send(create, { feePayer: payer }).error).toBeNull();
  }
});

describe('one order that many execute at once, and others alter, by HTTP', () => {
  it('lands once as it was signed, and all who sent it so get one answer', async () => {
    const query = { inputMint: WRAPPED_SOL_MINT, outputMint: USDC, amount: '1000000000' };
    const order = await swap.order(query);
    const [other, signed] = [await swap.order(query), Buffer.from(swap.sign(order), 'base64')];
    const { sent } = swap.market.chain;
    const before = swap.holding(swap.wallet.address, USDC);
    const execute = (wire: Uint8Array, { requestId }: OrderResponse) => {
      const signedTransaction = Buffer.from(wire).toString('base64');
      return ask('POST', '/swap/v2/execute', { signedTransaction, requestId });
    };
    const altered = Array.from({ length: 60 }, (_, index) => {
      const wire = new Uint8Array(signed);
      const at = (index * 37) % wire.length;
      wire[at] = (wire[at] ?? 0) ^ 1;
      return wire;
    });
    const answers = await Promise.all(
      altered.flatMap((wire) => [execute(wire, order), execute(signed, other), execute(signed, order)]),
    );
    const places = [0, 1, 2].map((place) => answers.filter((_, index) => index % 3 === place));
    const [refused = [], elsewhere = [], landed = []] = places;
    for (const { status, body } of refused) {
      expect([status, (body as { code: number }).code]).toEqual([400, expect.toBeOneOf([-2, -3])]);
    }
    for (const { body } of elsewhere) expect(body).toMatchObject({ code: -3 });
    expect(new Set(landed.map((each) => JSON.stringify(each))).size).toBe(1);
    expect(landed[0]).toMatchObject({ status: 200, body: { code: 0, totalOutputAmount: order.outAmount } });
    expect(swap.market.chain.sent - sent).toBe(1);
    expect(swap.holding(swap.wallet.address, USDC) - before).toBe(BigInt(order.outAmount));
  });
});

describe('the document of the interface', () => {
  it('is not met by an answer with a member too many, too few, or of another type', async () => {
    const { body } = await ask('GET', '/swap/v2/order', {
      inputMint: WRAPPED_SOL_MINT,
      outputMint: USDC,
      amount: '1000000000',
    });
    const { outAmount, ...less } = body as OrderResponse;
    const [step] = less.routePlan;
    for (const changed of [
      { ...less },
      { ...less, outAmount: Number(outAmount) },
      { ...less, outAmount, further: 1 },
      { ...less, outAmount, routePlan: [{ ...step, further: 1 }] },
    ]) {
      const answer = { method: 'GET', path: '/swap/v2/order', status: 200, body: changed };
      expect(faultsOf(document, answer)).toHaveLength(1);
    }
  });
});

const SEED = 20_261_121;
const USDC = address('EPjFWdd5AufqSSqeM2qN1xzybapC8G4wEGGkZwyTDt1v');
const SUITE = { cases: 300, short: 80, seed: SEED, against: 'the programs' };

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

/** For each venue, any two mints that it trades directly, both ways. */
function onSingleVenues(mints: readonly Address[]) {
  const routes = mints.flatMap((inputMint) =>
    mints.flatMap((outputMint) => {
      const markets = swap.market.pools.between(inputMint, outputMint);
      const labels = new Set(markets.map(({ venue }) => venue.label));
      return Array.from(labels, (dexes) => ({ inputMint, outputMint, dexes }));
    }),
  );
  const labels = new Set(routes.map(({ dexes }) => dexes));
  return Array.from(labels, (label) => fc.constantFrom(...routes.filter(({ dexes }) => dexes === label)));
}
