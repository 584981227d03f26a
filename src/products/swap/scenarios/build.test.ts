import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { assertProperty, countCases } from '../../../testing/random.ts';
import { BuildClient } from '../../../testing/genesis-market/builds.ts';
import { openTestMarket } from '../../../testing/genesis-market/open.ts';
import { AGGREGATOR_PROGRAM } from '../../../protocol/venue/aggregator-program.ts';
import { VENUES } from '../../../protocols/venues.ts';
import { type Address, address } from '../../../solana/address.ts';
import { createAssociatedTokenIdempotent } from '../../../solana/programs/associated-token.ts';
import { SYSTEM_PROGRAM, TOKEN_PROGRAM, WRAPPED_SOL_MINT } from '../../../solana/program-addresses.ts';
import { computeRentExemptMinimum } from '../../../solana/rent.ts';
import type { Query } from '../../parameters/parameter.ts';
import type { BuildResponse } from '../endpoints/build.ts';

describe('buildSwap', () => {
  it('moves exactly the quoted amounts, for random pairs and sizes', async () => {
    const sponsor = market.network.newWallet();
    const mint = fc.constantFrom(...market.genesis.tokens.map((token) => token.mint));
    const share = fc.integer({ min: 1, max: 1_000_000 });
    const version = fc.constantFrom('V1', 'V2', 'V2');
    let swapped = 0;
    const property = fc.asyncProperty(
      mint,
      mint,
      share,
      version,
      async (inputMint, outputMint, millionths, form) => {
        const held = holding(market.wallet, inputMint);
        const amount = (held * BigInt(millionths)) / 10_000_000n;
        // The fee is rounded up, so of a few atoms it may leave nothing to swap.
        fc.pre(inputMint !== outputMint && amount > 1_000n);
        const query = {
          inputMint,
          outputMint,
          amount: amount.toString(),
          payer: sponsor,
          instructionVersion: form,
        };
        const answer = await build(query);
        const before = holding(market.wallet, outputMint);
        const outcome = execute(answer, sponsor);
        expect(outcome.error, outcome.logs.join('\n')).toBeNull();
        expect(held - holding(market.wallet, inputMint)).toBe(amount);
        expect(holding(market.wallet, outputMint) - before).toBe(BigInt(answer.outAmount));
        swapped++;
      },
    );
    const suite = { cases: 300, short: 80, seed: SEED, against: 'the programs' };
    await assertProperty(property, suite);
    expect(swapped).toBeGreaterThan((2 / 3) * countCases(suite));
  });

  it('pays at the threshold, and fails below it', async () => {
    const size = { inputMint: WRAPPED_SOL_MINT, outputMint: USDC, amount: '1000000000', slippageBps: '100' };
    // A concentrated pool fails earlier: its price leaves the tick arrays that the route names.
    const query = { ...size, dexes: 'Raydium CP' };
    const whale = market.network.newWallet(1_000_000_000_000_000n);
    const stale = await build(query);
    expect(BigInt(stale.otherAmountThreshold)).toBe((BigInt(stale.outAmount) * 9_900n + 9_999n) / 10_000n);
    // Others swap in the same direction until the price has moved by more than a percent.
    while (BigInt((await build(query)).outAmount) >= BigInt(stale.otherAmountThreshold)) {
      const large = await build({ ...query, taker: whale, amount: '1000000000000' });
      expect(execute(large, whale).error).toBeNull();
    }
    expect(execute(stale, market.wallet).error).toMatchObject({ custom: 6001 });
  });

  it('states shares in whole percent and in basis points, which add up to the whole for each token', async () => {
    let broken = 0;
    for (const amount of ['1000000000000', '20000000000000', '90000000000000']) {
      const { routePlan } = await build({ inputMint: WRAPPED_SOL_MINT, outputMint: USDC, amount });
      const totals = new Map<string, number>();
      for (const { swapInfo, percent, bps } of routePlan) {
        expect(Number.isInteger(percent)).toBe(true);
        expect(Math.abs(percent * 100 - bps)).toBeLessThan(100);
        if (bps % 100 !== 0) broken++;
        totals.set(swapInfo.inputMint, (totals.get(swapInfo.inputMint) ?? 0) + percent);
      }
      expect([...totals.values()]).toEqual([...totals.values()].map(() => 100));
    }
    expect(broken).toBeGreaterThan(3);
  });

  it('pays into a token account that the request names', async () => {
    const receiver = market.network.newWallet();
    const destination = ata(receiver, USDC);
    const query = { inputMint: WRAPPED_SOL_MINT, outputMint: USDC, amount: '1000000000' };
    const named = { ...query, destinationTokenAccount: destination };
    await expect(build(named)).rejects.toThrow(
      'destinationTokenAccount must be a token account of outputMint',
    );
    const create = createAssociatedTokenIdempotent({
      payer: market.wallet,
      owner: receiver,
      mint: USDC,
      tokenProgram: TOKEN_PROGRAM,
    });
    expect(market.network.send([create], { feePayer: market.wallet }).error).toBeNull();
    const answer = await build(named);
    expect(execute(answer, market.wallet).error).toBeNull();
    expect(market.network.tokenBalance(destination)).toBe(BigInt(answer.outAmount));
  });

  it('unwraps into a wallet that the request names, and leaves the taker’s wrapped SOL alone', async () => {
    const receiver = market.network.newAddress();
    const query = { inputMint: USDC, outputMint: WRAPPED_SOL_MINT, amount: '5000000' };
    const answer = await build({ ...query, nativeDestinationAccount: receiver });
    const outcome = execute(answer, market.wallet);
    expect(outcome.error, outcome.logs.join('\n')).toBeNull();
    expect(market.network.account(receiver)?.lamports).toBe(BigInt(answer.outAmount) + RENT);
  });

  it('refuses to unwrap into an account that is not a wallet', async () => {
    const query = { inputMint: USDC, outputMint: WRAPPED_SOL_MINT, amount: '5000000' };
    const account = ata(market.wallet, USDC);
    await expect(build({ ...query, nativeDestinationAccount: account })).rejects.toThrow(
      `nativeDestinationAccount must be a wallet, but ${account} belongs to a token program`,
    );
  });

  it('keeps SOL wrapped when the request asks for it', async () => {
    const query = {
      inputMint: USDC,
      outputMint: WRAPPED_SOL_MINT,
      amount: '5000000',
      wrapAndUnwrapSol: 'false',
    };
    const answer = await build(query);
    const account = ata(market.wallet, WRAPPED_SOL_MINT);
    const before = market.network.account(account) === null ? 0n : market.network.tokenBalance(account);
    expect(answer.cleanupInstruction).toBeNull();
    expect(execute(answer, market.wallet).error).toBeNull();
    expect(market.network.tokenBalance(account) - before).toBe(BigInt(answer.outAmount));
  });

  it('tips one of the tip accounts', async () => {
    const answer = await build({ inputMint: USDC, outputMint: JUP, amount: '5000000', tipAmount: '1234567' });
    const receiver = market.pickTipAccount();
    const before = market.network.account(receiver)?.lamports ?? 0n;
    expect(execute(answer, market.wallet).error).toBeNull();
    expect((market.network.account(receiver)?.lamports ?? 0n) - before).toBe(1_234_567n);
  });

  it.each(['taker', 'payer'])('refuses a program that the swap invokes as %s', async (name) => {
    const query = { inputMint: WRAPPED_SOL_MINT, outputMint: USDC, amount: '5000000' };
    for (const program of [SYSTEM_PROGRAM, TOKEN_PROGRAM, AGGREGATOR_PROGRAM]) {
      await expect(build({ ...query, [name]: program })).rejects.toThrow(
        new RegExp(`^the swap makes no valid transaction: the .*${program} is invoked`),
      );
    }
  });

  it('reports a mint that no pool trades', async () => {
    const unknown = market.network.newAddress();
    await expect(build({ inputMint: unknown, outputMint: USDC, amount: '1' })).rejects.toThrow(
      `no pool trades inputMint ${unknown}`,
    );
    await expect(build({ inputMint: USDC, outputMint: unknown, amount: '1' })).rejects.toThrow(
      `no pool trades outputMint ${unknown}`,
    );
  });

  it('reports an amount for which no pool pays an atom', async () => {
    await expect(build({ inputMint: BONK, outputMint: CBBTC, amount: '1' })).rejects.toThrow(
      /^no route from inputMint/,
    );
  });

  it('uses at most the requested number of accounts, and reports when no route does', async () => {
    const query = { inputMint: WRAPPED_SOL_MINT, outputMint: USDC, amount: '1000000000' };
    await expect(build({ ...query, maxAccounts: '5' })).rejects.toThrow(
      /^no route needs 5 accounts or fewer/,
    );
    const narrow = await build({ ...query, maxAccounts: '30' });
    expect(execute(narrow, market.wallet).error).toBeNull();
  });

  it('uses only the requested venues', async () => {
    const query = { inputMint: WRAPPED_SOL_MINT, outputMint: USDC, amount: '1000000000' };
    expect((await build({ ...query, dexes: 'Raydium CP' })).routePlan[0]?.swapInfo.label).toBe('Raydium CP');
    const but = (label: string) => LABELS.filter((each) => each !== label).join();
    const others = await build({ ...query, excludeDexes: but('Whirlpool') });
    expect(new Set(others.routePlan.map(({ swapInfo }) => swapInfo.label))).toEqual(new Set(['Whirlpool']));
    await expect(build({ ...query, excludeDexes: LABELS.join() })).rejects.toThrow(
      /^no route from inputMint/,
    );
  });

  it('estimates the slippage when the request asks for it', async () => {
    const query = {
      inputMint: WRAPPED_SOL_MINT,
      outputMint: USDC,
      amount: '1000000000',
      slippageBps: 'rtse',
    };
    const answer = await build(query);
    expect(answer.slippageBps).toBeGreaterThanOrEqual(20);
    const least = (BigInt(answer.outAmount) * BigInt(10_000 - answer.slippageBps) + 9_999n) / 10_000n;
    expect(BigInt(answer.otherAmountThreshold)).toBe(least);
    expect(execute(answer, market.wallet).error).toBeNull();
  });

  it('splits an amount beyond any single pool over as many pools as a transaction can name', async () => {
    const whale = market.network.newWallet(200_000_000_000_000n);
    const query = { inputMint: WRAPPED_SOL_MINT, outputMint: USDC, amount: '90000000000000', taker: whale };
    const split = await build(query);
    const single = await build({ ...query, mode: 'fast' });
    expect(split.routePlan.length).toBeGreaterThan(2);
    expect(BigInt(split.outAmount)).toBeGreaterThan((BigInt(single.outAmount) * 5n) / 4n);
    const outcome = execute(split, whale);
    expect(outcome.error, outcome.logs.join('\n')).toBeNull();
    expect(holding(whale, USDC)).toBe(BigInt(split.outAmount));
  });

  it('reports a price impact that grows with the size', async () => {
    const impact = async (amount: string) =>
      Number((await build({ inputMint: WRAPPED_SOL_MINT, outputMint: USDC, amount })).priceImpactPct);
    const [small, large] = [await impact('100000000'), await impact('1000000000000')];
    expect(small).toBeGreaterThanOrEqual(0);
    expect(small).toBeLessThan(0.001);
    expect(large).toBeGreaterThan(small);
    expect(large).toBeLessThan(1);
  });

  it('sets a percentile of the local prices as compute-unit price', async () => {
    const samples = [10n, 20n, 30n, 40n].map((microLamports, slot) => ({
      slot: BigInt(slot),
      microLamports,
    }));
    market.chain.fees.push(...samples);
    const query = {
      inputMint: USDC,
      outputMint: JUP,
      amount: '5000000',
      computeUnitPricePercentile: 'veryHigh',
    };
    const [price, ...rest] = (await build(query)).computeBudgetInstructions;
    market.chain.fees.length = 0;
    expect(rest).toEqual([]);
    expect(Buffer.from(price?.data ?? '', 'base64')).toEqual(Buffer.from([3, 30, 0, 0, 0, 0, 0, 0, 0]));
  });

  it('sets a price that costs at most 0.005 SOL for the units of the route, however much others paid', async () => {
    const query = { inputMint: WRAPPED_SOL_MINT, outputMint: USDC, amount: '100000000' };
    market.chain.fees.push({ slot: 1n, microLamports: 1_000_000_000_000n });
    const { routePlan, computeBudgetInstructions } = await build(query);
    market.chain.fees.length = 0;
    const [price] = computeBudgetInstructions;
    const microLamports = Buffer.from(price?.data ?? '', 'base64').readBigUInt64LE(1);
    const passed = new Set(routePlan.map(({ swapInfo }) => swapInfo.inputMint)).size - 1;
    const units = BigInt(40_000 + 60_000 * routePlan.length + 40_000 * passed);
    expect((microLamports * units + 999_999n) / 1_000_000n).toBe(5_000_000n);
  });
});

const SEED = 20_261_121;
const USDC = address('EPjFWdd5AufqSSqeM2qN1xzybapC8G4wEGGkZwyTDt1v');
const JUP = address('JUPyiwrYJFskUPiHa7hkeR8VUtAeFoSYbKedZNsDvCN');
const BONK = address('DezXAZ8z7PnrnRJjz3wXBoRgixCa6xjnB7YaB1pPB263');
const CBBTC = address('cbbtcf3aa214zXHbiAZQwf4122FBYbraNdFqgw4iMij');
const LABELS = VENUES.map(({ label }) => label);
const RENT = computeRentExemptMinimum(165);

const market = await openTestMarket();
const client = new BuildClient(market);

const build = (query: Query) => client.build(query);
const execute = (built: BuildResponse, feePayer: Address) => client.execute(built, feePayer);
const ata = (owner: Address, mint: Address) => client.ata(owner, mint);
const holding = (owner: Address, mint: Address) => client.holding(owner, mint);
