import { describe, expect, it } from 'vitest';
import { toInstruction } from '../../../../testing/genesis-market/builds.ts';
import { openTestMarket } from '../../../../testing/genesis-market/open.ts';
import { quoteV1, buildSwapInstructionsV1 } from '../../../../testing/genesis-market/swap-v1.ts';
import { SYSTEM_TIMERS } from '../../../../common/ports/timers.ts';
import { type Address, address } from '../../../../solana/address.ts';
import type { Instruction } from '../../../../solana/messages/instruction.ts';
import { deriveAssociatedTokenAddress } from '../../../../solana/pda.ts';
import { TOKEN_PROGRAM, WRAPPED_SOL_MINT } from '../../../../solana/program-addresses.ts';
import { createAssociatedTokenIdempotent } from '../../../../solana/programs/associated-token.ts';
import { transferLamports } from '../../../../solana/programs/system.ts';
import { syncNative, transfer } from '../../../../solana/programs/token/instructions.ts';
import type { Query } from '../../../parameters/parameter.ts';
import type { QuoteResponse } from '../../endpoints/v1/quote.ts';
import type { SwapBody } from '../../endpoints/v1/swap-request.ts';
import type { SwapInstructionsResponse } from '../../endpoints/v1/swap.ts';

describe('a swap with a token ledger', () => {
  it.each([false, true])('spends exactly what arrives (useSharedAccounts=%s)', async (shared) => {
    const user = newUser(300_000n);
    const answer = await instructions(quote(USDC_TO_JUP), user, { useSharedAccounts: shared });
    const arriving = quote({ ...USDC_TO_JUP, amount: '6000000' });
    land(answer, [pay(user, 6_000_000n)], market.wallet);
    expect(market.network.tokenBalance(ata(user, USDC))).toBe(300_000n);
    expect(market.network.tokenBalance(ata(user, JUP)).toString()).toBe(arriving.outAmount);
  });

  it('fails if less arrives than the quote and its slippage allow', async () => {
    const user = newUser(9_000_000n);
    const answer = await instructions(quote(USDC_TO_JUP), user);
    expect(() => land(answer, [pay(user, 4_000_000n)], market.wallet)).toThrow('6001');
  });

  it('takes wrapped SOL that arrives, and wraps none itself', async () => {
    const user = market.network.newWallet();
    send([createAta(user, WRAPPED_SOL_MINT)], market.wallet);
    const wrapped = ata(user, WRAPPED_SOL_MINT);
    const query = { inputMint: WRAPPED_SOL_MINT, outputMint: USDC, amount: '1000000000' };
    const quoted = quote(query);
    const answer = await instructions(quoted, user);
    const own = [
      transferLamports(market.wallet, wrapped, 1_000_000_000n),
      syncNative(TOKEN_PROGRAM, wrapped),
    ];
    land(answer, own, market.wallet);
    expect(market.network.tokenBalance(ata(user, USDC)).toString()).toBe(quoted.outAmount);
    expect(market.network.tokenBalance(wrapped)).toBe(0n);
  });

  it('is not measured by simulation, because its input does not exist yet', async () => {
    const user = newUser(1n);
    const answer = await instructions(quote(USDC_TO_JUP), user, { dynamicComputeUnitLimit: true });
    expect(answer).toMatchObject({ computeUnitLimit: 1_400_000, simulationError: null });
  });

  it.each([
    [{ instructionVersion: 'V2' }, 'instructionVersion=V1'],
    [{ swapMode: 'ExactOut', outputMint: WRAPPED_SOL_MINT }, 'swapMode=ExactIn'],
  ])('is refused for a quote with %j', async (query, message) => {
    const refused = instructions(quote({ ...USDC_TO_JUP, ...query }), market.wallet);
    await expect(refused).rejects.toThrow(message);
    await expect(refused).rejects.toThrow(expect.objectContaining({ errorCode: 'NOT_SUPPORTED' }));
  });

  it('is refused on a network without ledgers', async () => {
    const without = { ...market, tokenLedgers: { pick: async () => null } };
    const body = { userPublicKey: market.wallet, quoteResponse: quote(USDC_TO_JUP), useTokenLedger: true };
    await expect(buildSwapInstructionsV1(without, body)).rejects.toThrow('this network has no token ledger');
  });

  it('sets no ledger without being asked', async () => {
    const answer = await instructions(quote(USDC_TO_JUP), market.wallet, { useTokenLedger: false });
    expect(answer.tokenLedgerInstruction).toBeNull();
  });
});

const USDC = address('EPjFWdd5AufqSSqeM2qN1xzybapC8G4wEGGkZwyTDt1v');
const JUP = address('JUPyiwrYJFskUPiHa7hkeR8VUtAeFoSYbKedZNsDvCN');
const USDC_TO_JUP = { inputMint: USDC, outputMint: JUP, amount: '5000000' };

const market = await openTestMarket();

function quote(query: Query): QuoteResponse {
  return quoteV1({ ...market, timers: SYSTEM_TIMERS }, query, ['Raydium CP']);
}

type Fields = Partial<Omit<SwapBody, 'quoteResponse'>>;

function instructions(
  quoteResponse: QuoteResponse,
  userPublicKey: Address,
  fields: Fields = {},
): Promise<SwapInstructionsResponse> {
  return buildSwapInstructionsV1(market, { userPublicKey, quoteResponse, useTokenLedger: true, ...fields });
}

function ata(owner: Address, mint: Address): Address {
  return deriveAssociatedTokenAddress(owner, mint, TOKEN_PROGRAM);
}

/** A wallet with some USDC, which the swap must not touch. */
function newUser(held: bigint): Address {
  const user = market.network.newWallet();
  send([createAta(user, USDC), pay(user, held)], market.wallet);
  return user;
}

function createAta(owner: Address, mint: Address): Instruction {
  return createAssociatedTokenIdempotent({ payer: market.wallet, owner, mint, tokenProgram: TOKEN_PROGRAM });
}

/** The demo wallet pays USDC to the user. */
function pay(user: Address, amount: bigint): Instruction {
  const [source, destination] = [ata(market.wallet, USDC), ata(user, USDC)];
  return transfer(TOKEN_PROGRAM, { source, destination, authority: market.wallet, amount });
}

function send(steps: readonly Instruction[], feePayer: Address, lookupTables = {}): void {
  const outcome = market.network.send([...steps], { feePayer, lookupTables });
  expect(outcome.error, outcome.logs.join('\n')).toBeNull();
  market.chain.publish(steps.flatMap(({ accounts }) => accounts.map(({ address }) => address)));
}

/** Sends a transaction as a caller assembles it: the ledger, the caller's own instructions, and the swap. */
function land(answer: SwapInstructionsResponse, own: readonly Instruction[], feePayer: Address): void {
  const { tokenLedgerInstruction: ledger, setupInstructions, swapInstruction, cleanupInstruction } = answer;
  if (ledger === null) throw new Error('the answer has no token ledger');
  const cleanup = cleanupInstruction === undefined ? [] : [toInstruction(cleanupInstruction)];
  const swap = [...setupInstructions, swapInstruction].map(toInstruction);
  const tables = market.lookupTables.covering(toInstruction(swapInstruction)) ?? {};
  send([toInstruction(ledger), ...own, ...swap, ...cleanup], feePayer, tables);
}
