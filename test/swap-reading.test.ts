import { beforeAll, beforeEach, describe, expect, it } from 'vitest';
import type { ReportedTransaction } from '../src/chain/reported-transactions.ts';
import { SYSTEM_TIMERS } from '../src/common/ports/timers.ts';
import { deriveReceiptMintAddress } from '../src/protocols/jupiter-lend/lending/addresses.ts';
import { VENUES } from '../src/protocols/venues.ts';
import { JUPITER_RFQ_V2 } from '../src/rfq/index.ts';
import {
  type FillAccounts,
  createFillInstruction,
  ORDER_ENGINE_PROGRAM,
} from '../src/protocols/order-engine/fill-instruction.ts';
import { type Address, address } from '../src/solana/address.ts';
import type { Keypair } from '../src/solana/keypair.ts';
import { compileMessage } from '../src/solana/messages/compile-message.ts';
import type { Instruction } from '../src/solana/messages/instruction.ts';
import { signTransaction } from '../src/solana/messages/transaction.ts';
import { deriveAssociatedTokenAddress } from '../src/solana/pda.ts';
import { SYSTEM_PROGRAM, TOKEN_2022_PROGRAM, TOKEN_PROGRAM } from '../src/solana/program-addresses.ts';
import { setComputeUnitLimit } from '../src/solana/programs/compute-budget.ts';
import { Sandwiches } from '../src/market-data/feed/sandwiches.ts';
import { type Swap, type SwapReader, findSwaps } from '../src/market-data/feed/swaps.ts';
import { findTradeBetween } from '../src/market-data/pool-trades/trade-between.ts';
import { toInstruction } from '../src/testing/genesis-market/builds.ts';
import { fundMaker, createMaker, SOL, USDC } from '../src/testing/genesis-market/makers.ts';
import { BUY, listLabels, openOneMakerSwap, SELL } from '../src/testing/genesis-market/one-maker.ts';
import { quoteV1, buildSwapInstructionsV1 } from '../src/testing/genesis-market/swap-v1.ts';

let reader: SwapReader;
beforeAll(setUp);
// Orders of SOL close the taker's account of wrapped SOL.
beforeEach(setUpEach);

describe('swapsOf, of fills by market makers', () => {
  it.each([
    ['sells', SELL],
    ['buys', BUY],
  ])('reads what a taker %s in the RFQ program, and counts it for the taker', async (_, query) => {
    const order = await swap.order(query);
    expect(listLabels(order)).toEqual(['JupiterRfqV2']);
    const { signature = '' } = await swap.execute(order);
    expect(findSwaps(reader, swap.market.chain.executedTransaction(signature))).toEqual([
      {
        pool: null,
        venue: 'RFQ v2',
        paid: { mint: query.inputMint, amount: BigInt(order.inAmount) },
        received: { mint: query.outputMint, amount: BigInt(order.outAmount) },
        trader: swap.wallet.address,
        isRoundTrip: false,
      },
    ]);
  });

  it.each([
    ['wrapped SOL on both sides', {}],
    ['lamports of the taker', { taker: true }],
    ['lamports of the maker', { maker: true }],
    ['lamports on both sides', { taker: true, maker: true }],
  ])('reads a fill of the order engine in both directions, with %s', async (_, wallets) => {
    for (const sells of [true, false]) {
      const { swaps } = await land([engineFill({ sells }, wallets)], [swap.wallet, MAKER]);
      const sol = { mint: SOL.mint, amount: 1_000_000_000n };
      const usdc = { mint: USDC.mint, amount: 150_000_000n };
      const [paid, received] = sells ? [sol, usdc] : [usdc, sol];
      const expected = { pool: null, venue: 'RFQ v1', paid, received, trader: swap.wallet.address };
      expect(swaps).toEqual([{ ...expected, isRoundTrip: false }]);
    }
  });

  it('counts for the taker what a program signs for in the same transaction, and not for the maker', async () => {
    const query = { inputMint: USDC.mint, outputMint: SOL.mint, amount: 50_000_000n };
    const hop = await route(query, 'Raydium CP', { useSharedAccounts: true });
    const { swaps } = await land([engineFill(), ...hop], [swap.wallet, MAKER]);
    expect(swaps.map(({ venue }) => venue)).toEqual(['RFQ v1', 'Raydium CP']);
    expect(swaps.map(({ trader }) => trader)).toEqual([swap.wallet.address, swap.wallet.address]);
    expect(swaps.map(({ isRoundTrip }) => isRoundTrip)).toEqual([true, true]);
  });
});

describe('findTradeBetween', () => {
  it.each([
    ['Raydium CP', SOL.mint, USDC.mint],
    ['Raydium CP', USDC.mint, SOL.mint],
    ['Saber', USDC.mint, USDT],
    ['Saber', USDT, USDC.mint],
    ['Meteora DAMM v2', SOL.mint, USDC.mint],
    ['Meteora DAMM v2', USDC.mint, SOL.mint],
    ['Meteora DAMM v2', USDC.mint, JUP],
    ['Meteora DAMM v2', JUP, USDC.mint],
  ])(
    'tells a swap over %s by the states of its pool as its transaction does',
    async (label, inputMint, outputMint) => {
      const { pools, chain } = swap.market;
      const before = new Map([...pools.all()].map(({ pool }) => [pool.address, pool]));
      for (const mint of [USDT, JUP])
        fundMaker(swap.market, swap.wallet, { ...USDC, mint }, 1_000_000_000_000n);
      for (const amount of [1_000_003n, 987_654_321n]) {
        const hop = await route({ inputMint, outputMint, amount }, label);
        const { swaps } = await land(hop, [swap.wallet]);
        expect(swaps.map(({ venue }) => venue)).toEqual([label]);
        for (const { pool, paid, received } of swaps) {
          const venue = VENUES.find((each) => each.label === label);
          const [from, to] = [before.get(pool as Address), pools.find(pool as Address)?.pool];
          if (venue === undefined || from === undefined || to === undefined) throw new Error('no pool');
          expect(findTradeBetween(venue, from, to, chain.clock())).toEqual({ paid, received });
          before.set(to.address, to);
        }
      }
    },
  );
});

describe('swapsOf, of venues that issue tokens', () => {
  it.each([
    ['a stake pool', 'Sanctum', SOL.mint, JITO_SOL],
    ['a lending', 'Jupiter Lend', USDC.mint, JL_USDC],
  ])(
    'reads a deposit in %s within a route, the withdrawal, and both as a round trip',
    async (_, label, mint, receipt) => {
      const deposit = { inputMint: mint, outputMint: receipt, amount: 100_000_000n };
      const [into, out] = [
        await land(await route(deposit, label), [swap.wallet]),
        await land(await route({ inputMint: receipt, outputMint: mint, amount: 10_000_000n }, label), [
          swap.wallet,
        ]),
      ];
      expect(into.swaps).toMatchObject([
        {
          venue: label,
          paid: { mint, amount: 100_000_000n },
          trader: swap.wallet.address,
          isRoundTrip: false,
        },
      ]);
      expect(into.swaps[0]?.received).toEqual({
        mint: receipt,
        amount: gained(into.transaction, ata(swap.wallet.address, receipt)),
      });
      expect(out.swaps).toMatchObject([
        { venue: label, paid: { mint: receipt, amount: 10_000_000n }, trader: swap.wallet.address },
      ]);
      expect(out.swaps[0]?.received).toEqual({
        mint,
        amount: gained(out.transaction, ata(swap.wallet.address, mint)),
      });
      const back = await route({ inputMint: receipt, outputMint: mint, amount: 5_000_000n }, label);
      const both = await land([...(await route(deposit, label)), ...back], [swap.wallet]);
      expect(both.swaps.map(pairOf)).toEqual([
        [mint, receipt],
        [receipt, mint],
      ]);
      expect(both.swaps.map(({ isRoundTrip }) => isRoundTrip)).toEqual([true, true]);
    },
  );

  function pairOf({ paid, received }: Swap): readonly Address[] {
    return [paid.mint, received.mint];
  }
});

describe('swapsOf, of a token with a transfer fee', () => {
  it('reads what arrives of a payout, and what leaves for a payment', async () => {
    const bought = await land(await buy(10_000_000n), [swap.wallet]);
    const arrived = gained(bought.transaction, account());
    expect(bought.swaps).toMatchObject([
      { paid: { mint: USDC.mint, amount: 10_000_000n }, received: { mint: BERN, amount: arrived } },
    ]);
    const sale = { inputMint: BERN, outputMint: USDC.mint, amount: arrived };
    const sold = await land(await route(sale, 'Meteora DAMM v2'), [swap.wallet]);
    expect(sold.swaps).toMatchObject([
      { paid: { mint: BERN, amount: arrived }, received: { mint: USDC.mint } },
    ]);
    expect(gained(sold.transaction, account())).toBe(-arrived);
  });

  it('reads what arrives when the account receives several payouts, or pays out again', async () => {
    const twice = await land([...(await buy(10_000_000n)), ...(await buy(3_000_000n))], [swap.wallet]);
    const received = twice.swaps.map(({ received }) => received.amount);
    const total = received.reduce((sum, amount) => sum + amount, 0n);
    // Each fee is a whole atom, and their sum is divided by the amounts.
    expect(total - gained(twice.transaction, account())).toBeOneOf([0n, 1n]);

    const [first] = received;
    const back = await route(
      { inputMint: BERN, outputMint: USDC.mint, amount: first ?? 0n },
      'Meteora DAMM v2',
    );
    const there = await land([...(await buy(10_000_000n)), ...back], [swap.wallet]);
    const [bought, sold] = there.swaps;
    expect((bought?.received.amount ?? 0n) - (sold?.paid.amount ?? 0n)).toBe(
      gained(there.transaction, account()),
    );
    expect(there.swaps.map(({ isRoundTrip }) => isRoundTrip)).toEqual([true, true]);
  });

  const account = () => ata(swap.wallet.address, BERN, TOKEN_2022_PROGRAM);
  const buy = (amount: bigint) =>
    route({ inputMint: USDC.mint, outputMint: BERN, amount }, 'Meteora DAMM v2');
});

describe('Sandwiches, over transactions that landed', () => {
  it.each([
    ['a pool', 'Raydium CP', SOL.mint],
    ['a stake pool', 'Sanctum', JITO_SOL],
  ])('are found around a trade in %s', async (_, label, token) => {
    const mint = label === 'Sanctum' ? SOL.mint : USDC.mint;
    const user = BUYER.address;
    const trades = [
      await land(
        await route({ inputMint: mint, outputMint: token, amount: 1_000_000_000n }, label, { user }),
        [BUYER],
      ),
      await land(await route({ inputMint: mint, outputMint: token, amount: 20_000_000n }, label), [
        swap.wallet,
      ]),
      await land(await route({ inputMint: token, outputMint: mint, amount: 100_000_000n }, label, { user }), [
        BUYER,
      ]),
    ].flatMap(({ swaps }) => swaps);
    const sandwiches = new Sandwiches();
    expect(trades.map((trade) => sandwiches.add(1n, trade))).toEqual([false, false, true]);
  });

  it('are not found around fills, whose prices no earlier trade can move', async () => {
    const trades = [
      await land([engineFill({ taker: BUYER.address })], [BUYER, MAKER]),
      await land([engineFill()], [swap.wallet, MAKER]),
      await land([engineFill({ taker: BUYER.address, sells: false })], [BUYER, MAKER]),
    ].flatMap(({ swaps }) => swaps);
    const sandwiches = new Sandwiches();
    expect(trades.map((trade) => sandwiches.add(1n, trade))).toEqual([false, false, false]);
  });
});

const BERN = address('CKfatsPMUf8SkiURsDXs7eK6GWb4Jsd6UDbs7twMCWxo');
const USDT = address('Es9vMFrzaCERmJfrF4H2FYD4KCoNkY11McCe8BenwNYB');
const JUP = address('JUPyiwrYJFskUPiHa7hkeR8VUtAeFoSYbKedZNsDvCN');
const JITO_SOL = address('J1toso1uCk3RLmjorhTtrVwY9HJ7X8V9yYac6Y7kGCPn');
const JL_USDC = deriveReceiptMintAddress(USDC.mint);
const MAKER = createMaker('of the order engine');
const BUYER = createMaker('that buys');

const { swap } = await openOneMakerSwap();

function setUp(): void {
  const { market } = swap;
  const programs = VENUES.flatMap((venue) =>
    [venue.program, venue.routeProgram ?? venue.program].map((program) => [program, venue] as const),
  );
  reader = {
    venues: new Map(programs),
    fillPrograms: new Map([
      [JUPITER_RFQ_V2.program, 'RFQ v2'],
      [ORDER_ENGINE_PROGRAM, 'RFQ v1'],
    ]),
    poolAt: (at) => market.pools.find(at),
  };
}

function setUpEach(): void {
  const { market } = swap;
  for (const each of [swap.wallet, MAKER, BUYER]) {
    const wallet = { lamports: 100_000_000_000n, owner: SYSTEM_PROGRAM, data: new Uint8Array(0) };
    market.network.setAccount(each.address, { ...wallet, executable: false, rentEpoch: 0n });
    for (const token of [SOL, USDC]) fundMaker(market, each, token, 1_000_000_000_000n);
  }
}

function ata(owner: Address, mint: Address, program = TOKEN_PROGRAM): Address {
  return deriveAssociatedTokenAddress(owner, mint, program);
}

/** Lands instructions that the first signer pays for, and reads their swaps. */
async function land(
  instructions: readonly Instruction[],
  signers: readonly Keypair[],
): Promise<{ readonly swaps: readonly Swap[]; readonly transaction: ReportedTransaction }> {
  const { chain, lookupTables } = swap.market;
  const [payer] = signers;
  if (payer === undefined) throw new Error('a transaction needs a signer');
  const together = { ...instructions[0], accounts: instructions.flatMap(({ accounts }) => accounts) };
  const message = compileMessage({
    feePayer: payer.address,
    blockhash: chain.recentBlockhash().bytes,
    instructions: [setComputeUnitLimit(1_400_000), ...instructions],
    lookupTables: lookupTables.covering(together as Instruction),
  });
  const signature = await chain.send(signTransaction(message, signers));
  swap.market.network.svm.expireBlockhash();
  const transaction = chain.executedTransaction(signature);
  return { swaps: findSwaps(reader, transaction), transaction };
}

/** A route over one venue, as `POST /swap/v1/swap-instructions` builds it. */
async function route(
  query: { readonly inputMint: Address; readonly outputMint: Address; readonly amount: bigint },
  label: string,
  body: { readonly useSharedAccounts?: boolean; readonly user?: Address } = {},
): Promise<readonly Instruction[]> {
  const { user = swap.wallet.address, ...fields } = body;
  const quoteResponse = quoteV1(
    { ...swap.market, timers: SYSTEM_TIMERS },
    { ...query, amount: String(query.amount), dexes: label, slippageBps: '500' },
    VENUES.map((venue) => venue.label),
  );
  const { setupInstructions, swapInstruction } = await buildSwapInstructionsV1(swap.market, {
    userPublicKey: user,
    quoteResponse,
    wrapAndUnwrapSol: false,
    ...fields,
  });
  return [...setupInstructions, swapInstruction].map(toInstruction);
}

/** What the wallet's token account gained in a transaction. */
function gained({ preTokenBalances, postTokenBalances }: ReportedTransaction, account: Address): bigint {
  const of = (balances: typeof preTokenBalances) =>
    balances().find((each) => each.account === account)?.amount ?? 0n;
  return of(postTokenBalances) - of(preTokenBalances);
}

/** The maker of the order engine buys a SOL for so many atoms of USDC, or sells one. */
function engineFill(
  { taker = swap.wallet.address, sells = true, dollars = 150_000_000n } = {},
  wallets: { readonly taker?: boolean; readonly maker?: boolean } = {},
): Instruction {
  const sideOf = (mint: Address): FillAccounts['input'] => ({
    mint,
    tokenProgram: TOKEN_PROGRAM,
    taker: mint === SOL.mint && wallets.taker === true ? null : ata(taker, mint),
    maker: mint === SOL.mint && wallets.maker === true ? null : ata(MAKER.address, mint),
  });
  const [sol, usdc] = [sideOf(SOL.mint), sideOf(USDC.mint)];
  const trade = {
    inputAmount: sells ? 1_000_000_000n : dollars,
    outputAmount: sells ? dollars : 1_000_000_000n,
  };
  return createFillInstruction(
    { ...trade, expireAt: 1_900_000_000n },
    { taker, maker: MAKER.address, input: sells ? sol : usdc, output: sells ? usdc : sol },
    null,
  );
}
