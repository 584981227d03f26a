import fc from 'fast-check';
import { beforeAll, describe, expect, it } from 'vitest';
import { assertProperty, countCases } from '../../../../testing/random.ts';
import type { GenesisTestMarket } from '../../../../testing/genesis-market/open.ts';
import {
  LARGEST,
  openRichSwap,
  PLENTY,
  type RichSwap,
  measureTransaction,
  createSwapSizes,
} from '../../../../testing/genesis-market/rich.ts';
import type { TestSwap } from '../../../../testing/genesis-market/swap.ts';
import { quoteV1, swapV1 } from '../../../../testing/genesis-market/swap-v1.ts';
import { VENUES } from '../../../../protocols/venues.ts';
import type { Address } from '../../../../solana/address.ts';
import { MAX_ACCOUNTS } from '../../../../solana/messages/message-accounts.ts';
import { TOKEN_PROGRAM, WRAPPED_SOL_MINT } from '../../../../solana/program-addresses.ts';
import { SwapRefused } from '../../../../swaps/refusals.ts';
import type { Query } from '../../../parameters/parameter.ts';
import type { QuoteResponse } from '../../endpoints/v1/quote.ts';

let swap: TestSwap;
let market: GenesisTestMarket;
let whale: Address;
let payer: Address;
let stranger: Address;
let ata: RichSwap['ata'];
let programOf: RichSwap['programOf'];
beforeAll(setUp);

describe('swapTransaction of a quote', () => {
  it('fits a transaction whatever the second call adds, or does when it is quoted with fewer accounts', async () => {
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
      ...([fc.record(createSwapSizes(swap)), asked, options, kinds] as const),
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
          const body = { userPublicKey: whale, quoteResponse, ...fields };
          const { swapTransaction: wire } = await swapV1(market, body);
          expect(measureTransaction(wire).bytes).toBeLessThanOrEqual(LARGEST);
          expect(await failureOf(wire)).toBeNull();
          return measureTransaction(wire).accounts;
        };
        const quote = quoted({ ...size, ...query, maxAccounts: String(maxAccounts) });
        if (quote === null) return;
        if (quote.routePlan.length > 4) seen.wide++;
        const accounts = await accountsOf(quote).catch((error: unknown) => {
          if (error instanceof SwapRefused) return Number.POSITIVE_INFINITY;
          throw error;
        });
        if (accounts <= MAX_ACCOUNTS) {
          seen.held++;
          return;
        }
        const narrower = quoted({ ...size, ...query, maxAccounts: '42' });
        if (narrower === null) throw new Error('fewer accounts have no route');
        expect(await accountsOf(narrower)).toBeLessThanOrEqual(MAX_ACCOUNTS);
        seen.again++;
      },
    );
    const suite = { cases: 250, seed: SEED };
    await assertProperty(property, suite);
    expect(seen.held).toBeGreaterThan(10 * seen.again);
    expect(Math.min(seen.again, seen.wide)).toBeGreaterThan(0);
  });

  it('succeeds with shared accounts, or is refused where they are impossible', async () => {
    const seen = { run: 0, refused: 0 };
    const version = fc.constantFrom('V1', 'V2');
    const property = fc.asyncProperty(
      fc.record(createSwapSizes(swap)),
      version,
      async (size, instructionVersion) => {
        const { inputMint, outputMint } = size;
        fc.pre(inputMint !== outputMint);
        fc.pre([inputMint, outputMint].every((each) => programOf(each) === TOKEN_PROGRAM));
        const quote = quoted({ ...size, instructionVersion });
        if (quote === null) return;
        const userPublicKey = inputMint === WRAPPED_SOL_MINT ? market.network.newWallet(PLENTY) : whale;
        const body = { userPublicKey, quoteResponse: quote, useSharedAccounts: true };
        const answer = await swapV1(market, body).catch((error: unknown) => {
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
      },
    );
    const suite = { cases: 130, short: 65, seed: SEED };
    await assertProperty(property, suite);
    expect(seen.run).toBeGreaterThan((6 / 13) * countCases(suite));
    expect(seen.refused).toBeGreaterThan(0);
  });

  it('names at most the requested number of accounts in its pools, however few', async () => {
    const seen = { quoted: 0, refused: 0 };
    const most = fc.integer({ min: 8, max: 40 }).map(String);
    const property = fc.asyncProperty(fc.record(createSwapSizes(swap)), most, async (size, maxAccounts) => {
      fc.pre(size.inputMint !== size.outputMint);
      const quote = quoted({ ...size, maxAccounts });
      if (quote === null) {
        seen.refused++;
        return;
      }
      const body = { userPublicKey: market.network.newAddress(), quoteResponse: quote };
      // The transaction itself also names the pools' programs, and the accounts that pay, create and close.
      const own = 14 + quote.routePlan.length;
      expect(measureTransaction((await swapV1(market, body)).swapTransaction).accounts).toBeLessThanOrEqual(
        Number(maxAccounts) + own,
      );
      seen.quoted++;
    });
    const suite = { cases: 110, short: 55, seed: SEED };
    await assertProperty(property, suite);
    expect(Math.min(seen.quoted, seen.refused)).toBeGreaterThan((2 / 11) * countCases(suite));
  });
});

const SEED = 20_261_121;
const LABELS = VENUES.map(({ label }) => label);

async function setUp(): Promise<void> {
  ({ swap, whale, payer, stranger, ata, programOf } = await openRichSwap());
  market = swap.market;
}

/** Simulates an unsigned transaction; null when it succeeds. */
async function failureOf(base64: string): Promise<unknown> {
  const { error } = await market.chain.simulate(Buffer.from(base64, 'base64'), { verifySignatures: false });
  return error;
}

/** Null when the quote is refused. */
function quoted(query: Query): QuoteResponse | null {
  try {
    return quoteV1(swap.composed, query, LABELS);
  } catch (error) {
    if (error instanceof SwapRefused) return null;
    throw error;
  }
}
