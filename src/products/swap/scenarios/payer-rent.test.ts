import { beforeEach, describe, expect, it } from 'vitest';
import { BuildClient, toInstruction } from '../../../testing/genesis-market/builds.ts';
import { quoteV1, buildSwapInstructionsV1 } from '../../../testing/genesis-market/swap-v1.ts';
import { openTestSwap } from '../../../testing/genesis-market/swap.ts';
import { SYSTEM_TIMERS } from '../../../common/ports/timers.ts';
import { type Address, address } from '../../../solana/address.ts';
import type { Keypair } from '../../../solana/keypair.ts';
import type { Instruction } from '../../../solana/messages/instruction.ts';
import { deriveAssociatedTokenAddress } from '../../../solana/pda.ts';
import {
  TOKEN_2022_PROGRAM,
  TOKEN_2022_WRAPPED_SOL_MINT,
  TOKEN_PROGRAM,
  WRAPPED_SOL_MINT,
} from '../../../solana/program-addresses.ts';
import { createAssociatedToken } from '../../../solana/programs/associated-token.ts';
import { ordinaryTokenAccount } from '../../../testing/token-account.ts';
import { transferLamports } from '../../../solana/programs/system.ts';
import { closeAccount, syncNative, transfer } from '../../../solana/programs/token/instructions.ts';
import { encodeMint } from '../../../solana/programs/token/mint.ts';
import { createTokenFlow } from '../../../swaps/build/token-flow.ts';
import { openForEach } from '../../../testing/opened.ts';

let taker: Keypair;
let payer: Keypair;
/** A second wallet of the taker's. */
let friend: Keypair;
const swap = openForEach(openTestSwap);
beforeEach(setUp);

describe('the rent that an integrator’s payer pays', () => {
  it('stays out of reach of a taker that closes its account of the output after each order', async () => {
    const before = both();
    const fees: bigint[] = [];
    for (let round = 0; round < ROUNDS; round++) {
      const order = await swap.order({ ...BUY_JUP, taker: taker.address, payer: payer.address });
      expect(order).toMatchObject({ gasless: true, rentFeePayer: payer.address });
      expect(await swap.execute(order, [taker, payer])).toMatchObject({
        code: 0,
        totalOutputAmount: order.outAmount,
      });
      fees.push(BigInt(order.rentFeeLamports));
      emptyAndClose(taker.address, JUP);
    }
    expect(both()).toBe(before);
    // The account is opened once, and the payer can close it when it is empty.
    expect(fees).toEqual([RENT, 0n, 0n]);
    const account = ata(taker.address, JUP);
    const [destination, authority] = [payer.address, payer.address];
    const had = lamports(payer.address);
    expect(send(closeAccount(TOKEN_PROGRAM, { account, destination, authority })).error).toBeNull();
    expect(lamports(payer.address) - had).toBe(RENT);
  });

  it.each([
    ['tokens', BUY_JUP],
    ['SOL', BUY_SOL],
  ])('is not paid for a receiver of %s: the taker opens the account', async (_, query) => {
    const before = both();
    const paid = lamports(payer.address);
    for (let round = 0; round < ROUNDS; round++) {
      const receiver = friend.address;
      const order = await swap.order({ ...query, taker: taker.address, payer: payer.address, receiver });
      expect(order).toMatchObject({ rentFeePayer: taker.address, rentFeeLamports: Number(RENT) });
      const received = lamports(receiver);
      expect(await swap.execute(order, [taker, payer])).toMatchObject({
        code: 0,
        totalInputAmount: order.inAmount,
        totalOutputAmount: order.outAmount,
      });
      // What arrives as SOL is the output; the rest is rent that the taker has paid.
      if (query === BUY_SOL) {
        expect(lamports(receiver) - received).toBe(BigInt(order.outAmount) + RENT);
        send(transferOf(receiver, BigInt(order.outAmount)));
      }
      emptyAndClose(receiver, JUP);
    }
    expect(both()).toBe(before);
    const fees = paid - lamports(payer.address);
    expect(fees).toBe(BigInt(ROUNDS) * 10_000n);
  });

  it('is paid by one of two orders that open the same account, and the next order needs no account', async () => {
    const query = { ...BUY_JUP, taker: taker.address, payer: payer.address };
    const orders = [await swap.order(query), await swap.order(query)];
    const results = [];
    for (const order of orders) results.push(await swap.execute(order, [taker, payer]));
    expect(results).toMatchObject([{ code: 0 }, { error: 'OwnerMismatch', totalInputAmount: '0' }]);
    const next = await swap.order(query);
    expect(next).toMatchObject({ rentFeeLamports: 0 });
    expect(await swap.execute(next, [taker, payer])).toMatchObject({ code: 0 });
  });

  it('does not make the payer able to close an account of Token-2022’s wrapped SOL, which pays out what it holds', async () => {
    const { network } = swap.market;
    const mint = TOKEN_2022_WRAPPED_SOL_MINT;
    const fields = { mintAuthority: null, supply: 0n, decimals: 9, freezeAuthority: null, extensions: [] };
    network.setData(mint, TOKEN_2022_PROGRAM, encodeMint(fields));
    const flow = createTokenFlow(
      {
        ...TERMS,
        taker: taker.address,
        payer: payer.address,
        outputMint: mint,
        destination: { kind: 'taker' },
      },
      TOKEN_PROGRAM,
      TOKEN_2022_PROGRAM,
      false,
    );
    const account = flow.destination;
    const output = transferLamports(taker.address, account, 500_000_000n);
    const swapped = [...flow.setup, ...flow.guards.values(), output, syncNative(TOKEN_2022_PROGRAM, account)];
    const [paid, had] = [lamports(payer.address), lamports(taker.address)];
    expect(network.send(swapped).error).toBeNull();
    const [destination, authority] = [payer.address, payer.address];
    expect(send(closeAccount(TOKEN_2022_PROGRAM, { account, destination, authority })).error).not.toBeNull();
    expect(lamports(payer.address)).toBe(paid);
    expect(had - lamports(taker.address)).toBe(lamports(account));
  });

  it('is not counted as input of the swap where the taker pays it', async () => {
    const query = { inputMint: WRAPPED_SOL_MINT, outputMint: USDC, amount: '100000000' };
    const receiver = friend.address;
    const order = await swap.order({ ...query, taker: taker.address, payer: payer.address, receiver });
    expect(order).toMatchObject({ rentFeePayer: taker.address, rentFeeLamports: Number(RENT) });
    expect(await swap.execute(order, [taker, payer])).toMatchObject({
      totalInputAmount: query.amount,
      totalOutputAmount: order.outAmount,
    });
    expect(lamports(taker.address)).toBe(900_000_000n - RENT);
  });

  it('is the reason why a taker without SOL cannot name a receiver without an account', async () => {
    const poor = { ...account(taker.address), lamports: 0n };
    swap.market.network.setAccount(taker.address, poor);
    const order = await swap.order({
      ...BUY_JUP,
      taker: taker.address,
      payer: payer.address,
      receiver: friend.address,
    });
    expect(order).toMatchObject({ transaction: '', errorCode: 2 });
    expect(order.details).toContain(`${taker.address} needs ${RENT} lamports more`);
  });

  it.each(['tokens', 'SOL'])('comes back or stays out of reach with every build for %s', async (kind) => {
    const client = new BuildClient(swap.market);
    const query = { ...(kind === 'SOL' ? BUY_SOL : BUY_JUP), taker: taker.address, payer: payer.address };
    const [before, paid] = [both(), lamports(payer.address)];
    for (let round = 0; round < ROUNDS; round++) {
      const built = await client.build(query);
      const received = lamports(taker.address);
      const outcome = client.execute(built, payer.address);
      expect(outcome.error, outcome.logs.join('\n')).toBeNull();
      if (kind === 'SOL') {
        expect(lamports(taker.address) - received).toBe(BigInt(built.outAmount));
        send(transferOf(taker.address, BigInt(built.outAmount)));
      }
      emptyAndClose(taker.address, JUP);
    }
    expect(both()).toBe(before);
    expect(paid - lamports(payer.address)).toBe(BigInt(ROUNDS) * 10_000n + (kind === 'SOL' ? 0n : RENT));
  });

  it('is not paid again for an account that the taker closes between a build and its execution', async () => {
    const data = ordinaryTokenAccount({ mint: JUP, owner: taker.address, amount: 0n });
    swap.market.network.setData(ata(taker.address, JUP), TOKEN_PROGRAM, data);
    const client = new BuildClient(swap.market);
    const built = await client.build({ ...BUY_JUP, taker: taker.address, payer: payer.address });
    const before = both();
    emptyAndClose(taker.address, JUP);
    const paid = lamports(payer.address);
    expect(client.execute(built, payer.address).error).toBeNull();
    expect(paid - lamports(payer.address)).toBe(10_000n);
    expect(both()).toBeLessThanOrEqual(before);
  });

  it.each([false, true])('is secured in instructions of /swap/v1 (without look-ups: %s)', async (skips) => {
    const { market } = swap;
    const before = both();
    for (let round = 0; round < ROUNDS; round++) {
      const query = { ...BUY_JUP };
      const quoteResponse = quoteV1({ ...market, timers: SYSTEM_TIMERS }, query, ['Raydium CP']);
      const answer = await buildSwapInstructionsV1(market, {
        userPublicKey: taker.address,
        payer: payer.address,
        quoteResponse,
        skipUserAccountsRpcCalls: skips,
      });
      const steps = [...answer.setupInstructions, answer.swapInstruction];
      if (answer.cleanupInstruction !== undefined) steps.push(answer.cleanupInstruction);
      const parsed = [...steps, ...answer.otherInstructions].map(toInstruction);
      const lookupTables = market.lookupTables.covering(toInstruction(answer.swapInstruction)) ?? {};
      const outcome = market.network.send(parsed, { feePayer: payer.address, lookupTables });
      expect(outcome.error, outcome.logs.join('\n')).toBeNull();
      market.chain.publish(parsed.flatMap(({ accounts }) => accounts.map((each) => each.address)));
      emptyAndClose(taker.address, JUP);
    }
    expect(both()).toBe(before);
  });
});

const USDC = address('EPjFWdd5AufqSSqeM2qN1xzybapC8G4wEGGkZwyTDt1v');
const JUP = address('JUPyiwrYJFskUPiHa7hkeR8VUtAeFoSYbKedZNsDvCN');
const RENT = 2_039_280n;
const SPENT = 5_000_000n;
const BUY_JUP = { inputMint: USDC, outputMint: JUP, amount: SPENT.toString() };
const BUY_SOL = { inputMint: USDC, outputMint: WRAPPED_SOL_MINT, amount: SPENT.toString() };
const ROUNDS = 3;

/** Terms of a swap that no test depends on. */
const TERMS = {
  inputMint: USDC,
  amount: SPENT,
  fast: false,
  venues: undefined,
  maxAccounts: 64,
  platformFee: undefined,
  wrapAndUnwrapSol: true,
  tipAmount: 0n,
  chargesRent: false,
} as const;

const ata = (owner: Address, mint: Address) => deriveAssociatedTokenAddress(owner, mint, TOKEN_PROGRAM);
const lamports = (wallet: Address) => swap.market.network.account(wallet)?.lamports ?? 0n;
const both = () => lamports(taker.address) + lamports(friend.address);

function setUp(): void {
  [taker, payer, friend] = [1n, 1n, 1n].map((sol) => swap.newWallet(sol * 1_000_000_000n)) as [
    Keypair,
    Keypair,
    Keypair,
  ];
  const data = ordinaryTokenAccount({ mint: USDC, owner: taker.address, amount: 100n * SPENT });
  swap.market.network.setData(ata(taker.address, USDC), TOKEN_PROGRAM, data);
}

function send(...instructions: Instruction[]) {
  const outcome = swap.market.network.send(instructions);
  swap.market.chain.publish(instructions.flatMap(({ accounts }) => accounts.map((each) => each.address)));
  return outcome;
}

/** The owner of an account moves all that it holds to the payer, and closes the account, as far as it can. */
function emptyAndClose(owner: Address, mint: Address): void {
  const account = ata(owner, mint);
  const { network } = swap.market;
  if (network.account(account) === null) return;
  const destination = ata(payer.address, mint);
  if (network.account(destination) === null) {
    const opening = { payer: network.payer, owner: payer.address, mint, tokenProgram: TOKEN_PROGRAM };
    expect(send(createAssociatedToken(opening)).error).toBeNull();
  }
  const amount = network.tokenBalance(account);
  expect(
    send(transfer(TOKEN_PROGRAM, { source: account, destination, authority: owner, amount })).error,
  ).toBeNull();
  send(closeAccount(TOKEN_PROGRAM, { account, destination: owner, authority: owner }));
}

function account(wallet: Address) {
  const found = swap.market.network.account(wallet);
  if (found === null) throw new Error(`no account ${wallet}`);
  return found;
}

/** Takes what a wallet has received away from it. */
function transferOf(from: Address, amount: bigint): Instruction {
  return transferLamports(from, swap.market.network.payer, amount);
}
