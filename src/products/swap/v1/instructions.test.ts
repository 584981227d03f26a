import fc from 'fast-check';
import { beforeAll, describe, expect, it } from 'vitest';
import { assertProperty, countCases } from '../../../../test/random.ts';
import { instructionOf } from '../../../../test/genesis-market/builds.ts';
import { quoteV1, swapInstructionsV1 } from '../../../../test/genesis-market/swap-v1.ts';
import { openTestMarket, type TestMarket } from '../../../../test/genesis-market/open.ts';
import type { Outcome } from '../../../../test/svm/network.ts';
import { type Address, address } from '../../../solana/address.ts';
import { createAssociatedTokenIdempotent } from '../../../solana/programs/associated-token.ts';
import { associatedTokenAddress } from '../../../solana/pda.ts';
import { TOKEN_PROGRAM, WRAPPED_SOL_MINT } from '../../../solana/program-addresses.ts';
import { transferLamports } from '../../../solana/programs/system.ts';
import { rentExemptMinimum } from '../../../solana/rent.ts';
import type { Query } from '../query.ts';
import { SYSTEM_TIMERS } from '../../../common/ports/timers.ts';
import type { QuoteResponse, SwapBody, SwapInstructionsResponse } from '../endpoints/v1/schema.ts';

const SUITE = { cases: 100, short: 40, seed: 20_261_121, against: 'the programs' };
const USDC = address('EPjFWdd5AufqSSqeM2qN1xzybapC8G4wEGGkZwyTDt1v');
const JUP = address('JUPyiwrYJFskUPiHa7hkeR8VUtAeFoSYbKedZNsDvCN');
const LABELS = ['Raydium CP'];
const RENT = rentExemptMinimum(165);
const SIGNATURE_FEE = 5_000n;
const SOL_TO_USDC = { inputMint: WRAPPED_SOL_MINT, outputMint: USDC, amount: '1000000000' };
const USDC_TO_SOL = { inputMint: USDC, outputMint: WRAPPED_SOL_MINT, amount: '5000000' };
const USDC_TO_JUP = { inputMint: USDC, outputMint: JUP, amount: '5000000' };

let market: TestMarket;

beforeAll(async () => {
  market = await openTestMarket();
});

function quote(query: Query): QuoteResponse {
  return quoteV1({ ...market, timers: SYSTEM_TIMERS }, query, LABELS);
}

type Fields = Partial<Omit<SwapBody, 'quoteResponse'>>;

function instructions(quoteResponse: QuoteResponse, fields: Fields = {}): Promise<SwapInstructionsResponse> {
  const body: SwapBody = { userPublicKey: market.wallet, quoteResponse, ...fields };
  return swapInstructionsV1(market, body);
}

function execute(answer: SwapInstructionsResponse, feePayer: Address = market.wallet): Outcome {
  const { computeBudgetInstructions, setupInstructions, swapInstruction, cleanupInstruction } = answer;
  const steps = [...computeBudgetInstructions, ...setupInstructions, swapInstruction];
  if (cleanupInstruction !== undefined) steps.push(cleanupInstruction);
  steps.push(...answer.otherInstructions);
  const parsed = steps.map(instructionOf);
  const tables = market.lookupTables.covering(instructionOf(swapInstruction)) ?? {};
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
  return associatedTokenAddress(owner, mint, program);
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

  it('for an exact output pay at least that much for at most the threshold', async () => {
    const sponsor = market.network.newWallet();
    const mint = fc.constantFrom(...market.genesis.tokens.map((token) => token.mint));
    let swapped = 0;
    const property = fc.asyncProperty(
      ...([mint, mint, fc.integer({ min: 1, max: 10_000 })] as const),
      async (inputMint, outputMint, share) => {
        const wanted = (holding(market.wallet, outputMint) * BigInt(share)) / 10_000_000n;
        fc.pre(inputMint !== outputMint && wanted > 1_000n);
        const query = { inputMint, outputMint, amount: wanted.toString(), swapMode: 'ExactOut' };
        const answer = quote(query);
        const most = BigInt(answer.otherAmountThreshold);
        expect(most).toBe((BigInt(answer.inAmount) * 10_050n) / 10_000n);
        const held = holding(market.wallet, inputMint);
        fc.pre(most < held);
        const before = holding(market.wallet, outputMint);
        land(await instructions(answer, { payer: sponsor }), sponsor);
        expect(answer.outAmount).toBe(wanted.toString());
        expect(held - holding(market.wallet, inputMint)).toBe(most);
        const received = holding(market.wallet, outputMint) - before;
        expect(received).toBeGreaterThanOrEqual(wanted);
        swapped++;
      },
    );
    await assertProperty(property, SUITE);
    expect(swapped).toBeGreaterThan(countCases(SUITE) / 2);
  });

  it('for an exact output turn what the slippage leaves of the input into more output', async () => {
    const query = { ...SOL_TO_USDC, amount: '5000000', swapMode: 'ExactOut', slippageBps: '100' };
    const answer = quote(query);
    const got = () => tokens(ata(market.wallet, USDC));
    const before = got();
    land(await instructions(answer));
    const received = got() - before;
    // A hundredth more is paid, and about a hundredth more arrives.
    expect(BigInt(answer.otherAmountThreshold)).toBe((BigInt(answer.inAmount) * 101n) / 100n);
    expect(received).toBeGreaterThan(5_049_000n);
    expect(received).toBeLessThan(5_051_000n);
    // Without slippage exactly the amount is spent, and the surplus is less than another atom of input buys.
    const again = got();
    land(await instructions(quote({ ...query, slippageBps: '0' })));
    expect(got() - again).toBeGreaterThanOrEqual(5_000_000n);
    expect(got() - again).toBeLessThan(5_000_002n);
  });

  it('for an exact output fail if the price has become worse than the slippage allows', async () => {
    const query = { ...SOL_TO_USDC, amount: '500000000', swapMode: 'ExactOut', slippageBps: '0' };
    const stale = await instructions(quote({ ...query, dexes: 'Raydium CP' }));
    const [sol, usdc] = [holding(market.wallet, WRAPPED_SOL_MINT), tokens(ata(market.wallet, USDC))];
    const whale = market.network.newWallet(1_000_000_000_000_000n);
    const large = quote({ ...SOL_TO_USDC, amount: '1000000000000', dexes: 'Raydium CP' });
    land(await instructions(large, { userPublicKey: whale }), whale);
    expect(execute(stale).error).toMatchObject({ custom: 6001 });
    expect(holding(market.wallet, WRAPPED_SOL_MINT)).toBe(sol - SIGNATURE_FEE);
    expect(tokens(ata(market.wallet, USDC))).toBe(usdc);
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
      const query = { ...USDC_TO_JUP, amount: '3000000', swapMode: 'ExactOut', slippageBps: '0' };
      const answer = quote({ ...query, platformFeeBps: '100', instructionVersion: version });
      const before = { paid: tokens(ata(market.wallet, USDC)), got: tokens(ata(market.wallet, JUP)) };
      land(await instructions(answer, { feeAccount }));
      expect(tokens(ata(market.wallet, JUP)) - before.got).toBeGreaterThanOrEqual(3_000_000n);
      expect((before.paid - tokens(ata(market.wallet, USDC))).toString()).toBe(answer.inAmount);
      expect(tokens(feeAccount).toString()).toBe(answer.platformFee?.amount);
      const ofOutput = openAccount(market.network.newWallet(), JUP);
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
