import { beforeEach, describe, expect, it } from 'vitest';
import { BuildClient } from '../../../testing/genesis-market/builds.ts';
import { openSponsoredSwap } from '../../../testing/genesis-market/sponsored.ts';
import { quoteV1, buildSwapInstructionsV1, swapV1 } from '../../../testing/genesis-market/swap-v1.ts';
import { openTestSwap } from '../../../testing/genesis-market/swap.ts';
import { type Address, address } from '../../../solana/address.ts';
import type { Keypair } from '../../../solana/keypair.ts';
import { deriveAssociatedTokenAddress } from '../../../solana/pda.ts';
import type { Account } from '../../../chain/accounts.ts';
import { SYSTEM_TIMERS } from '../../../common/ports/timers.ts';
import { addSignatures, parseTransaction } from '../../../solana/messages/transaction.ts';
import { TOKEN_2022_PROGRAM, TOKEN_PROGRAM, WRAPPED_SOL_MINT } from '../../../solana/program-addresses.ts';
import { ordinaryTokenAccount } from '../../../testing/token-account.ts';
import { openForEach } from '../../../testing/opened.ts';

let taker: Keypair;
const swap = openForEach(openTestSwap);
beforeEach(setUp);

describe('an account that a swap leads through', () => {
  it('is closed by an order that opens it, and its rent is the taker’s again', async () => {
    const order = await swap.order({ ...USDC_TO_JUP, taker: taker.address });
    expect(order.routePlan.map(({ swapInfo }) => swapInfo.outputMint)).toContain(WRAPPED_SOL_MINT);
    expect(order.rentFeeLamports).toBe(Number(RENT));
    const result = await swap.execute(order, [taker]);
    expect(result).toMatchObject({ code: 0, totalOutputAmount: order.outAmount });
    expect(exists(ata(taker.address, WRAPPED_SOL_MINT))).toBe(false);
    expect(1_000_000_000n - lamports(taker.address)).toBe(swap.costsOf(order));
  });

  it('stays, with what it holds, if the taker had it before', async () => {
    hold(taker.address, WRAPPED_SOL_MINT, 70_000n);
    const order = await swap.order({ ...USDC_TO_JUP, taker: taker.address });
    expect(await swap.execute(order, [taker])).toMatchObject({ code: 0 });
    expect(swap.market.network.tokenBalance(ata(taker.address, WRAPPED_SOL_MINT))).toBe(70_000n);
  });

  it('gives its rent back to the payer that lent it', async () => {
    const payer = swap.newWallet(1_000_000_000n);
    hold(taker.address, JUP, 0n);
    const order = await swap.order({ ...USDC_TO_JUP, taker: taker.address, payer: payer.address });
    expect(order).toMatchObject({ gasless: true, rentFeeLamports: 0 });
    expect(await swap.execute(order, [taker, payer])).toMatchObject({ code: 0 });
    expect(1_000_000_000n - lamports(payer.address)).toBe(swap.costsOf(order));
    expect(lamports(taker.address)).toBe(1_000_000_000n);
    expect(exists(ata(taker.address, WRAPPED_SOL_MINT))).toBe(false);
  });

  it('costs a sponsor’s taker nothing', async () => {
    const test = await openSponsoredSwap();
    const order = await test.swap.order(test.wanted(JUP));
    expect(order.routePlan.map(({ swapInfo }) => swapInfo.outputMint)).toContain(WRAPPED_SOL_MINT);
    expect(order).toMatchObject({ gasless: true, rentFeeLamports: Number(RENT) });
    const before = test.lamports(test.sponsor);
    expect(await test.swap.execute(order, [test.taker])).toMatchObject({ code: 0 });
    expect(before - test.lamports(test.sponsor)).toBe(test.swap.costsOf(order));
  });

  it('is closed even if transfers into it withhold fees, by any form of a quote', async () => {
    const quoted = (inputMint: Address, outputMint: Address, amount: string) =>
      quoteV1(
        { ...swap.market, timers: SYSTEM_TIMERS },
        { inputMint, outputMint, amount, onlyDirectRoutes: 'true' },
        ['Raydium CP'],
      );
    const [first, second] = [quoted(USDC, BERN, '5000000'), quoted(BERN, WRAPPED_SOL_MINT, '1000000')];
    const routePlan = [...first.routePlan, ...second.routePlan];
    const quoteResponse = { ...first, outputMint: WRAPPED_SOL_MINT, outAmount: '1', routePlan };
    const body = { userPublicKey: taker.address, quoteResponse };
    const passed = deriveAssociatedTokenAddress(taker.address, BERN, TOKEN_2022_PROGRAM);
    const answer = await buildSwapInstructionsV1(swap.market, body);
    expect(answer.otherInstructions).toHaveLength(2);
    const unlooked = await buildSwapInstructionsV1(swap.market, { ...body, skipUserAccountsRpcCalls: true });
    expect(unlooked).toMatchObject({ otherInstructions: [] });
    const { swapTransaction } = await swapV1(swap.market, body);
    const transaction = parseTransaction(new Uint8Array(Buffer.from(swapTransaction, 'base64')));
    await swap.market.chain.send(addSignatures(transaction, [taker]));
    expect(lamports(taker.address)).toBeGreaterThan(1_000_000_000n);
    expect(exists(passed)).toBe(false);
  });

  it('is not needed by a wallet that cannot lend its rent, and takes the direct route', async () => {
    hold(taker.address, JUP, 0n);
    const poor = { ...swap.market.network.account(taker.address), lamports: 1_500_000n } as Account;
    swap.market.network.setAccount(taker.address, poor);
    const query = { ...USDC_TO_JUP, taker: taker.address };
    const order = await swap.order(query);
    expect(order.routePlan.map(({ swapInfo }) => swapInfo.outputMint)).toEqual([JUP]);
    expect(order.errorCode).toBeUndefined();
    hold(taker.address, WRAPPED_SOL_MINT, 0n);
    const over = await swap.order(query);
    expect(over.routePlan.map(({ swapInfo }) => swapInfo.outputMint)).toContain(WRAPPED_SOL_MINT);
    expect(BigInt(over.outAmount)).toBeGreaterThan(BigInt(order.outAmount));
    expect(await swap.execute(order, [taker])).toMatchObject({ code: 0, totalOutputAmount: order.outAmount });
  });

  it('is no longer worth it when the network’s fees for another step take more than it gains', async () => {
    const client = new BuildClient(swap.market);
    const query = { ...USDC_TO_JUP, taker: taker.address };
    const mints = (answer: { routePlan: readonly { swapInfo: { outputMint: string } }[] }) =>
      answer.routePlan.map(({ swapInfo }) => swapInfo.outputMint);
    expect(mints(await client.build(query))).toContain(WRAPPED_SOL_MINT);
    swap.market.chain.fees.push({ slot: 1n, microLamports: 10_000_000n });
    expect(mints(await swap.order(query))).toEqual([JUP]);
    expect(mints(await client.build(query))).toEqual([JUP]);
    const large = { ...query, amount: '5000000000' };
    expect(mints(await client.build(large))).toContain(WRAPPED_SOL_MINT);
    // A payer's costs are not the taker's.
    const payer = swap.newWallet(1_000_000_000n).address;
    expect(mints(await swap.order({ ...query, payer }))).toContain(WRAPPED_SOL_MINT);
    expect(mints(await client.build({ ...query, payer }))).toContain(WRAPPED_SOL_MINT);
  });

  it.each(['V1', 'V2'])('is closed by the cleanup of a build as %s', async (instructionVersion) => {
    const client = new BuildClient(swap.market);
    const query = { ...USDC_TO_JUP, taker: taker.address, instructionVersion };
    const built = await client.build(query);
    expect(built.routePlan.length).toBeGreaterThan(1);
    expect(built.cleanupInstruction).not.toBeNull();
    const outcome = client.execute(built, taker.address);
    expect(outcome.error, outcome.logs.join('\n')).toBeNull();
    expect(exists(ata(taker.address, WRAPPED_SOL_MINT))).toBe(false);
    hold(taker.address, WRAPPED_SOL_MINT, 70_000n);
    expect(await client.build(query)).toMatchObject({ cleanupInstruction: null, otherInstructions: [] });
  });
});

const USDC = address('EPjFWdd5AufqSSqeM2qN1xzybapC8G4wEGGkZwyTDt1v');
const JUP = address('JUPyiwrYJFskUPiHa7hkeR8VUtAeFoSYbKedZNsDvCN');
/** A mint of Token-2022 with a transfer fee. */
const BERN = address('CKfatsPMUf8SkiURsDXs7eK6GWb4Jsd6UDbs7twMCWxo');
const RENT = 2_039_280n;
const USDC_TO_JUP = { inputMint: USDC, outputMint: JUP, amount: '5000000' };

const ata = (owner: Address, mint: Address) => deriveAssociatedTokenAddress(owner, mint, TOKEN_PROGRAM);
const exists = (account: Address) => swap.market.network.account(account) !== null;
const lamports = (wallet: Address) => swap.market.network.account(wallet)?.lamports ?? 0n;

function hold(owner: Address, mint: Address, amount: bigint): void {
  const nativeReserve = mint === WRAPPED_SOL_MINT ? RENT : null;
  const data = ordinaryTokenAccount({ mint, owner, amount, nativeReserve });
  const held = nativeReserve === null ? RENT : RENT + amount;
  swap.market.network.setAccount(ata(owner, mint), {
    lamports: held,
    owner: TOKEN_PROGRAM,
    data,
    executable: false,
    rentEpoch: 0n,
  });
}

function setUp(): void {
  taker = swap.newWallet(1_000_000_000n);
  hold(taker.address, USDC, 5_000_000n);
}
