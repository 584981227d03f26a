import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { assertProperty, countCases } from '../../../../testing/random.ts';
import { toInstruction } from '../../../../testing/genesis-market/builds.ts';
import { quoteV1, buildSwapInstructionsV1 } from '../../../../testing/genesis-market/swap-v1.ts';
import { openTestMarket } from '../../../../testing/genesis-market/open.ts';
import type { TestOutcome } from '../../../../testing/svm/network.ts';
import { type Address, address } from '../../../../solana/address.ts';
import { createAssociatedTokenIdempotent } from '../../../../solana/programs/associated-token.ts';
import { deriveAssociatedTokenAddress } from '../../../../solana/pda.ts';
import { TOKEN_PROGRAM, WRAPPED_SOL_MINT } from '../../../../solana/program-addresses.ts';
import { transferLamports } from '../../../../solana/programs/system.ts';
import { computeRentExemptMinimum } from '../../../../solana/rent.ts';
import { SwapRefused } from '../../../../swaps/refusals.ts';
import type { Query } from '../../../parameters/parameter.ts';
import { SYSTEM_TIMERS } from '../../../../common/ports/timers.ts';
import type { QuoteResponse } from '../../endpoints/v1/quote.ts';
import type { SwapBody } from '../../endpoints/v1/swap-request.ts';
import type { SwapInstructionsResponse } from '../../endpoints/v1/swap.ts';

describe('the instructions of a quote', () => {
  it.each(['V1', 'V2'])(
    'move exactly what %s quotes, for random pairs and sizes',
    async (instructionVersion) => {
      const sponsor = market.network.newWallet();
      const mint = fc.constantFrom(...market.genesis.tokens.map((token) => token.mint));
      let swapped = 0;
      const property = fc.asyncProperty(
        ...([mint, mint, fc.integer({ min: 1, max: 1_000_000 })] as const),
        async (inputMint, outputMint, millionths) => {
          const held = holding(market.wallet, inputMint);
          const amount = (held * BigInt(millionths)) / 10_000_000n;
          // The fee is rounded up, so of a few atoms it may leave nothing to swap.
          fc.pre(inputMint !== outputMint && amount > 1_000n);
          const answer = quote({ inputMint, outputMint, amount: amount.toString(), instructionVersion });
          const before = holding(market.wallet, outputMint);
          land(await instructions(answer, { payer: sponsor }), sponsor);
          expect(held - holding(market.wallet, inputMint)).toBe(amount);
          expect(holding(market.wallet, outputMint) - before).toBe(BigInt(answer.outAmount));
          swapped++;
        },
      );
      await assertProperty(property, SUITE);
      expect(swapped).toBeGreaterThan(countCases(SUITE) / 2);
    },
  );

  it.each(['V1', 'V2'])(
    'for an exact output pay exactly that much for exactly the quoted input in %s, for random pairs and sizes',
    async (instructionVersion) => {
      const sponsor = market.network.newWallet();
      const mint = fc.constantFrom(...market.genesis.tokens.map((token) => token.mint).filter(inWhirlpools));
      const seen = { swapped: 0, chained: 0, shared: 0 };
      const property = fc.asyncProperty(
        ...([
          mint,
          mint,
          fc.integer({ min: 1, max: 10_000 }),
          fc.integer({ min: 0, max: 6 }),
          fc.boolean(),
        ] as const),
        async (inputMint, outputMint, part, zeros, sharing) => {
          const wanted = BigInt(part) * 10n ** BigInt(zeros);
          fc.pre(inputMint !== outputMint);
          const query = {
            inputMint,
            outputMint,
            amount: wanted.toString(),
            swapMode: 'ExactOut',
            instructionVersion,
          };
          const answer = quoteOrNull(query);
          fc.pre(answer !== null);
          const most = BigInt(answer.otherAmountThreshold);
          expect(most).toBe((BigInt(answer.inAmount) * 10_050n + 9_999n) / 10_000n);
          const held = holding(market.wallet, inputMint);
          fc.pre(most < held);
          const useSharedAccounts = sharing && [inputMint, outputMint].every(isPlain);
          const before = holding(market.wallet, outputMint);
          land(await instructions(answer, { payer: sponsor, useSharedAccounts }), sponsor);
          expect(answer.outAmount).toBe(wanted.toString());
          expect(holding(market.wallet, outputMint) - before).toBe(wanted);
          expect(held - holding(market.wallet, inputMint)).toBe(BigInt(answer.inAmount));
          seen.swapped++;
          if (useSharedAccounts) seen.shared++;
          const feeds = new Set(answer.routePlan.map(({ swapInfo }) => swapInfo.inputMint));
          if (feeds.size > 1) seen.chained++;
        },
      );
      await assertProperty(property, SUITE);
      expect(seen.swapped).toBeGreaterThan(countCases(SUITE) / 3);
      expect(Math.min(seen.chained, seen.shared)).toBeGreaterThan(0);
    },
  );

  it.each(['V1', 'V2'])(
    'for an exact output move exactly what %s quotes when it is split',
    async (version) => {
      const whale = market.network.newWallet(100_000_000_000_000_000n);
      const query = {
        ...SOL_TO_USDC,
        amount: '1000000000000',
        swapMode: 'ExactOut',
        instructionVersion: version,
      };
      const answer = quote(query);
      expect(answer.routePlan.length).toBeGreaterThan(1);
      const held = holding(whale, WRAPPED_SOL_MINT);
      land(await instructions(answer, { userPublicKey: whale, payer: market.wallet }));
      expect(tokens(ata(whale, USDC))).toBe(1_000_000_000_000n);
      expect(held - holding(whale, WRAPPED_SOL_MINT)).toBe(BigInt(answer.inAmount));
    },
  );

  it('for an exact output spend no slippage while no price has moved', async () => {
    const answer = quote({ ...SOL_TO_USDC, amount: '20000000', swapMode: 'ExactOut', slippageBps: '100' });
    const before = { sol: holding(market.wallet, WRAPPED_SOL_MINT), usdc: tokens(ata(market.wallet, USDC)) };
    land(await instructions(answer));
    expect(tokens(ata(market.wallet, USDC)) - before.usdc).toBe(20_000_000n);
    expect(before.sol - holding(market.wallet, WRAPPED_SOL_MINT)).toBe(
      BigInt(answer.inAmount) + SIGNATURE_FEE,
    );
    expect(BigInt(answer.otherAmountThreshold)).toBeGreaterThan(BigInt(answer.inAmount));
  });

  it('for an exact output pay within the slippage when the price has become worse', async () => {
    const query = { ...SOL_TO_USDC, amount: '500000000', swapMode: 'ExactOut', slippageBps: '500' };
    const answer = quote(query);
    const stale = await instructions(answer);
    const whale = market.network.newWallet(1_000_000_000_000_000n);
    const large = quote({ ...SOL_TO_USDC, amount: '20000000000', dexes: 'Whirlpool' });
    land(await instructions(large, { userPublicKey: whale }), whale);
    const before = { sol: holding(market.wallet, WRAPPED_SOL_MINT), usdc: tokens(ata(market.wallet, USDC)) };
    land(stale);
    expect(tokens(ata(market.wallet, USDC)) - before.usdc).toBe(500_000_000n);
    const paid = before.sol - holding(market.wallet, WRAPPED_SOL_MINT) - SIGNATURE_FEE;
    expect(paid).toBeGreaterThan(BigInt(answer.inAmount));
    expect(paid).toBeLessThanOrEqual(BigInt(answer.otherAmountThreshold));
  });

  it('for an exact output fail if the price has become worse than the slippage allows', async () => {
    const wanted = { ...USDC_TO_SOL, amount: '10000000', swapMode: 'ExactOut', slippageBps: '0' };
    const stale = await instructions(quote(wanted));
    const wrapped = await instructions(
      quote({ ...SOL_TO_USDC, amount: '5000000', swapMode: 'ExactOut', slippageBps: '0' }),
    );
    const before = { sol: holding(market.wallet, WRAPPED_SOL_MINT), usdc: tokens(ata(market.wallet, USDC)) };
    const whale = market.network.newWallet(1_000_000_000_000_000n);
    const away = quote({ ...SOL_TO_USDC, amount: '100000000000', dexes: 'Whirlpool' });
    land(await instructions(away, { userPublicKey: whale }), whale);
    // No more SOL is wrapped than the swap may take, so the pool cannot even be paid.
    expect(execute(wrapped).error).toMatchObject({ custom: 1 });
    const back = { ...USDC_TO_SOL, amount: (2n * tokens(ata(whale, USDC))).toString(), dexes: 'Whirlpool' };
    const account = market.network.account(ata(whale, USDC));
    if (account === null) throw new Error('the whale has no USDC');
    const rich = Buffer.from(account.data);
    rich.writeBigUInt64LE(BigInt(back.amount), 64);
    market.network.setAccount(ata(whale, USDC), { ...account, data: rich });
    market.chain.publish([ata(whale, USDC)]);
    land(await instructions(quote(back), { userPublicKey: whale }), whale);
    expect(execute(stale).error).toMatchObject({ custom: 6001 });
    expect(tokens(ata(market.wallet, USDC))).toBe(before.usdc);
    expect(holding(market.wallet, WRAPPED_SOL_MINT)).toBe(before.sol - 2n * SIGNATURE_FEE);
  });

  it.each(['V1', 'V2'])('use the accounts of the aggregator in %s', async (instructionVersion) => {
    const answer = quote({ ...USDC_TO_JUP, instructionVersion });
    const before = tokens(ata(market.wallet, JUP));
    land(await instructions(answer, { useSharedAccounts: true }));
    expect(tokens(ata(market.wallet, JUP)) - before).toBe(BigInt(answer.outAmount));
  });

  it.each(['V1', 'V2'])(
    'pay the platform fee of %s into the account of the swap',
    async (instructionVersion) => {
      const collector = market.network.newWallet();
      const feeAccount = openAccount(collector, JUP);
      const answer = quote({ ...USDC_TO_JUP, platformFeeBps: '85', instructionVersion });
      const before = tokens(ata(market.wallet, JUP));
      land(await instructions(answer, { feeAccount }));
      expect(tokens(ata(market.wallet, JUP)) - before).toBe(BigInt(answer.outAmount));
      expect(tokens(feeAccount).toString()).toBe(answer.platformFee?.amount);
      expect(tokens(feeAccount)).toBeGreaterThan(0n);
    },
  );

  it('take the fee from the input if its account is of the input mint', async () => {
    const feeAccount = openAccount(market.network.newWallet(), USDC);
    const answer = quote({ ...USDC_TO_JUP, platformFeeBps: '85' });
    land(await instructions(answer, { feeAccount }));
    expect(tokens(feeAccount)).toBe((5_000_000n * 85n) / 10_000n);
  });

  it.each(['V1', 'V2'])(
    'pay an exact output in full, and take the fee of %s from the input',
    async (version) => {
      const feeAccount = openAccount(market.network.newWallet(), USDC);
      const query = { ...USDC_TO_USDT, amount: '3000000', swapMode: 'ExactOut', slippageBps: '0' };
      const answer = quote({ ...query, platformFeeBps: '100', instructionVersion: version });
      const before = { paid: tokens(ata(market.wallet, USDC)), got: tokens(ata(market.wallet, USDT)) };
      land(await instructions(answer, { feeAccount }));
      expect(tokens(ata(market.wallet, USDT)) - before.got).toBe(3_000_000n);
      expect((before.paid - tokens(ata(market.wallet, USDC))).toString()).toBe(answer.inAmount);
      expect(tokens(feeAccount).toString()).toBe(answer.platformFee?.amount);
      const ofOutput = openAccount(market.network.newWallet(), USDT);
      await expect(instructions(answer, { feeAccount: ofOutput })).rejects.toThrow(
        `feeAccount must be a token account of inputMint ${USDC} with ExactOut`,
      );
    },
  );

  it('pay into the token account or the wallet that the request names', async () => {
    const receiver = market.network.newAddress();
    const destinationTokenAccount = openAccount(receiver, USDC);
    const toAccount = quote(SOL_TO_USDC);
    land(await instructions(toAccount, { destinationTokenAccount }));
    expect(tokens(destinationTokenAccount)).toBe(BigInt(toAccount.outAmount));
    const toWallet = quote(USDC_TO_SOL);
    land(await instructions(toWallet, { nativeDestinationAccount: receiver }));
    expect(market.network.account(receiver)?.lamports).toBe(BigInt(toWallet.outAmount) + RENT);
  });

  it('keep SOL wrapped when the request asks for it', async () => {
    const answer = quote(USDC_TO_SOL);
    const before = tokens(ata(market.wallet, WRAPPED_SOL_MINT));
    const built = await instructions(answer, { wrapAndUnwrapSol: false });
    expect(built.cleanupInstruction).toBeUndefined();
    land(built);
    expect(tokens(ata(market.wallet, WRAPPED_SOL_MINT)) - before).toBe(BigInt(answer.outAmount));
  });

  it('create only missing accounts, or all of them if nothing may be read', async () => {
    openAccount(market.wallet, JUP);
    const answer = quote({ ...USDC_TO_JUP, onlyDirectRoutes: 'true' });
    expect((await instructions(answer)).setupInstructions).toEqual([]);
    const built = await instructions(answer, { skipUserAccountsRpcCalls: true });
    expect(built.setupInstructions).toHaveLength(1);
    land(built);
  });

  it('create an account whose address holds lamports, because those do not create it', async () => {
    const user = market.network.newWallet();
    const output = ata(user, USDC);
    expect(market.network.send([transferLamports(market.wallet, output, 890_880n)]).error).toBeNull();
    const answer = quote(SOL_TO_USDC);
    land(await instructions(answer, { userPublicKey: user }), user);
    expect(tokens(output)).toBe(BigInt(answer.outAmount));
  });

  it('name the tracking account without affecting the swap', async () => {
    const trackingAccount = market.network.newAddress();
    const built = await instructions(quote(USDC_TO_JUP), { trackingAccount });
    expect(built.swapInstruction.accounts.at(-1)).toEqual({
      pubkey: trackingAccount,
      isSigner: false,
      isWritable: false,
    });
    land(built);
  });

  it('pay a tip instead of a priority fee, also from another wallet', async () => {
    const tipper = market.network.newWallet();
    const receiver = market.pickTipAccount();
    const before = market.network.account(receiver)?.lamports ?? 0n;
    const tips = [
      { jitoTipLamports: 1_234 },
      { jitoTipLamportsWithPayer: { lamports: 1_000_000, payer: tipper } },
    ];
    for (const prioritizationFeeLamports of tips) {
      const built = await instructions(quote(USDC_TO_JUP), { prioritizationFeeLamports });
      expect(built.computeBudgetInstructions).toHaveLength(1);
      land(built);
    }
    expect((market.network.account(receiver)?.lamports ?? 0n) - before).toBe(1_001_234n);
  });

  it('fail at execution if they would pay less than the threshold', async () => {
    const whale = market.network.newWallet(1_000_000_000_000_000n);
    // A concentrated pool fails earlier: its price leaves the tick arrays that the route names.
    const query = { ...SOL_TO_USDC, slippageBps: '100', dexes: 'Raydium CP' };
    const stale = quote(query);
    const built = await instructions(stale);
    while (BigInt(quote(query).outAmount) >= BigInt(stale.otherAmountThreshold)) {
      const large = quote({ ...query, amount: '1000000000000' });
      land(await instructions(large, { userPublicKey: whale }), whale);
    }
    expect(execute(built).error).toMatchObject({ custom: 6001 });
  });
});

const SUITE = { cases: 100, short: 40, seed: 20_261_121, against: 'the programs' };
const USDC = address('EPjFWdd5AufqSSqeM2qN1xzybapC8G4wEGGkZwyTDt1v');
const JUP = address('JUPyiwrYJFskUPiHa7hkeR8VUtAeFoSYbKedZNsDvCN');
const USDT = address('Es9vMFrzaCERmJfrF4H2FYD4KCoNkY11McCe8BenwNYB');
const LABELS = ['Raydium CP', 'Whirlpool'];
const RENT = computeRentExemptMinimum(165);
const SIGNATURE_FEE = 5_000n;
const SOL_TO_USDC = { inputMint: WRAPPED_SOL_MINT, outputMint: USDC, amount: '1000000000' };
const USDC_TO_SOL = { inputMint: USDC, outputMint: WRAPPED_SOL_MINT, amount: '5000000' };
const USDC_TO_USDT = { inputMint: USDC, outputMint: USDT };
const USDC_TO_JUP = { inputMint: USDC, outputMint: JUP, amount: '5000000' };

const market = await openTestMarket();

function quote(query: Query): QuoteResponse {
  return quoteV1({ ...market, timers: SYSTEM_TIMERS }, query, LABELS);
}

/** Null if there is no route. */
function quoteOrNull(query: Query): QuoteResponse | null {
  try {
    return quote(query);
  } catch (error) {
    if (error instanceof SwapRefused) return null;
    throw error;
  }
}

function inWhirlpools(mint: Address): boolean {
  const others = [...market.pools.counterparts(mint).keys()];
  return others.some((other) =>
    market.pools.between(mint, other).some(({ venue }) => venue.label === 'Whirlpool'),
  );
}

function isPlain(mint: Address): boolean {
  return market.network.account(mint)?.owner === TOKEN_PROGRAM;
}

type Fields = Partial<Omit<SwapBody, 'quoteResponse'>>;

function instructions(quoteResponse: QuoteResponse, fields: Fields = {}): Promise<SwapInstructionsResponse> {
  const body: SwapBody = { userPublicKey: market.wallet, quoteResponse, ...fields };
  return buildSwapInstructionsV1(market, body);
}

function execute(answer: SwapInstructionsResponse, feePayer: Address = market.wallet): TestOutcome {
  const { computeBudgetInstructions, setupInstructions, swapInstruction, cleanupInstruction } = answer;
  const steps = [...computeBudgetInstructions, ...setupInstructions, swapInstruction];
  if (cleanupInstruction !== undefined) steps.push(cleanupInstruction);
  steps.push(...answer.otherInstructions);
  const parsed = steps.map(toInstruction);
  const tables = market.lookupTables.covering(toInstruction(swapInstruction)) ?? {};
  expect(Object.keys(tables).sort()).toEqual([...answer.addressLookupTableAddresses].sort());
  const outcome = market.network.send(parsed, { feePayer, lookupTables: tables });
  market.chain.publish(parsed.flatMap(({ accounts }) => accounts.map(({ address }) => address)));
  return outcome;
}

/** Executes the instructions, which must succeed. */
function land(answer: SwapInstructionsResponse, feePayer: Address = market.wallet): void {
  const outcome = execute(answer, feePayer);
  expect(outcome.error, outcome.logs.join('\n')).toBeNull();
}

function ata(owner: Address, mint: Address): Address {
  const program = market.network.account(mint)?.owner;
  if (program === undefined) throw new Error(`no mint ${mint}`);
  return deriveAssociatedTokenAddress(owner, mint, program);
}

function tokens(account: Address): bigint {
  return market.network.account(account) === null ? 0n : market.network.tokenBalance(account);
}

/** Tokens; or lamports, because SOL is wrapped and unwrapped on the way. */
function holding(owner: Address, mint: Address): bigint {
  if (mint !== WRAPPED_SOL_MINT) return tokens(ata(owner, mint));
  const lamports = (account: Address) => market.network.account(account)?.lamports ?? 0n;
  return lamports(owner) + lamports(ata(owner, mint));
}

function openAccount(owner: Address, mint: Address): Address {
  const create = createAssociatedTokenIdempotent({
    payer: market.wallet,
    owner,
    mint,
    tokenProgram: TOKEN_PROGRAM,
  });
  expect(market.network.send([create], { feePayer: market.wallet }).error).toBeNull();
  return ata(owner, mint);
}
