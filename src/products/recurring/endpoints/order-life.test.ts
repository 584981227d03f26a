import { describe, expect, it } from 'vitest';
import { decodeDcaFeeAuthority } from '../../../protocols/jupiter-dca/dca-fee-authority.ts';
import { createFulfillFlashFill, createInitiateFlashFill } from '../../../protocols/jupiter-dca/dca-fills.ts';
import { createOpenDca } from '../../../protocols/jupiter-dca/dca-instructions.ts';
import { DCA_FEE_AUTHORITY, DCA_PROGRAM } from '../../../protocols/jupiter-dca/dca-program.ts';
import { computeDcaCycle } from '../../../protocols/jupiter-dca/dca-schedule.ts';
import type { Address } from '../../../solana/address.ts';
import { getGenesisToken } from '../../../solana/known-tokens.ts';
import { listMessageInstructions } from '../../../solana/messages/message.ts';
import { parseTransaction } from '../../../solana/messages/transaction.ts';
import { deriveAssociatedTokenAddress } from '../../../solana/pda.ts';
import { TOKEN_PROGRAM, WRAPPED_SOL_MINT } from '../../../solana/program-addresses.ts';
import { transfer } from '../../../solana/programs/token/instructions.ts';
import { openForEach } from '../../../testing/opened.ts';
import { RecurringDesk } from '../../../testing/products/recurring-desk.ts';
import type { UnsignedRequest } from '../../../testing/products/unsigned-request.ts';

const desk = openForEach(() => RecurringDesk.open(), 'close');

describe('an order', () => {
  it('is opened with exactly what was asked for', async () => {
    const executed = await desk.execute(await desk.create());
    expect(executed).toEqual({
      status: 200,
      json: { signature: expect.any(String), status: 'Success', order: expect.any(String), code: 0 },
    });
    expect(desk.order(executed.json.order)).toMatchObject({
      user: desk.user,
      inputMint: USDC,
      outputMint: WRAPPED_SOL_MINT,
      nextCycleAt: NOW,
      inDeposited: 104_000_001n,
      inUsed: 0n,
      inAmountPerCycle: 52_000_000n,
      cycleFrequency: 86_400n,
      minOutAmount: 0n,
      maxOutAmount: 0n,
    });
  });

  it('has the bounds and the start that were asked for', async () => {
    const startAt = Number(NOW) + 3_600;
    const order = await desk.openOrder({ minPrice: 130, maxPrice: 200, startAt });
    expect(desk.order(order)).toMatchObject({
      minOutAmount: 260_000_000n,
      maxOutAmount: 400_000_000n,
      nextCycleAt: BigInt(startAt),
    });
  });

  it('takes a start of 0, or one that has just passed, for now', async () => {
    for (const startAt of [0, Number(NOW) - 5]) {
      expect(desk.order(await desk.openOrder({ startAt }))).toMatchObject({ nextCycleAt: NOW });
    }
  });

  it('is opened by one instruction that a client can check, which the user alone signs', async () => {
    const { message } = readTransaction(await desk.create());
    expect(message.signers).toBe(1);
    expect(message.staticAccounts[0]).toBe(desk.user);
    expect(message.lookups).toEqual([]);
    const instructions = listMessageInstructions(message, { writable: [], readonly: [] });
    expect(instructions.map(({ programAddress }) => programAddress)).toEqual([
      COMPUTE_BUDGET,
      COMPUTE_BUDGET,
      DCA_PROGRAM,
    ]);
    const opening = instructions[2];
    expect(opening?.data).toHaveLength(43);
    const expected = createOpenDca({
      user: desk.user,
      inputMint: USDC,
      outputMint: WRAPPED_SOL_MINT,
      idx: 0n,
      inAmount: 104_000_001n,
      inAmountPerCycle: 52_000_000n,
      cycleFrequency: 86_400n,
    });
    expect(opening?.data).toEqual(expected.data);
    expect(opening?.accounts.map(({ address }) => address)).toEqual(
      expected.accounts.map(({ address }) => address),
    );
  });

  it('gives everything back when it is cancelled, to the lamport', async () => {
    const [usdc, lamports] = [desk.held(desk.user, USDC), desk.wallets.lamports(desk.user)];
    const order = await desk.openOrder();
    expect(desk.held(desk.user, USDC)).toBe((usdc ?? 0n) - 104_000_001n);
    const cancelled = await desk.cancel(order);
    expect(cancelled).toMatchObject({ status: 200, json: { status: 'Success', order } });
    expect(cancelled.json).not.toHaveProperty('error');
    expect(desk.order(order)).toBeNull();
    expect(desk.held(desk.user, USDC)).toBe(usdc);
    // Two transactions with one signature each; nothing competes for the accounts.
    expect(desk.wallets.lamports(desk.user)).toBe(lamports - 10_000n);
    for (const mint of [USDC, WRAPPED_SOL_MINT]) expect(desk.held(order, mint)).toBeNull();
  });

  it('sells SOL that are wrapped for it, and gives SOL back', async () => {
    emptyWrappedSol();
    const lamports = desk.wallets.lamports(desk.user);
    const order = await desk.openOrder(
      { inAmount: 3_000_000_000 },
      { inputMint: WRAPPED_SOL_MINT, outputMint: USDC },
    );
    expect(desk.order(order)).toMatchObject({
      inDeposited: 3_000_000_000n,
      inAmountPerCycle: 1_500_000_000n,
    });
    expect(desk.held(desk.user, WRAPPED_SOL_MINT)).toBeNull();
    expect((await desk.cancel(order)).json).toMatchObject({ status: 'Success' });
    expect(desk.held(desk.user, WRAPPED_SOL_MINT)).toBeNull();
    expect(desk.wallets.lamports(desk.user)).toBe(lamports - 10_000n);
  });

  it('pays what was bought before it is cancelled, as SOL', async () => {
    emptyWrappedSol();
    const [usdc, lamports] = [desk.held(desk.user, USDC) ?? 0n, desk.wallets.lamports(desk.user)];
    const order = await desk.openOrder();
    fill(order, 300_000_000n);
    expect(desk.order(order)).toMatchObject({ inUsed: 52_000_000n, outReceived: 299_700_000n });
    expect((await desk.cancel(order)).json).toMatchObject({ status: 'Success' });
    // The keeper of the test hands the input that it traded to the user.
    expect(desk.held(desk.user, USDC)).toBe(usdc);
    expect(desk.held(desk.user, WRAPPED_SOL_MINT)).toBeNull();
    expect(desk.wallets.lamports(desk.user)).toBe(lamports - 10_000n + 299_700_000n);
  });

  it('leaves wrapped SOL that the user held before as they are', async () => {
    desk.wallets.give(desk.user, WRAPPED_SOL_MINT, { amount: 0n, nativeReserve: 2_039_280n });
    const order = await desk.openOrder(
      { inAmount: 3_000_000_000 },
      { inputMint: WRAPPED_SOL_MINT, outputMint: USDC },
    );
    expect(desk.held(desk.user, WRAPPED_SOL_MINT)).toBe(0n);
    expect((await desk.cancel(order)).json).toMatchObject({ status: 'Success' });
    expect(desk.held(desk.user, WRAPPED_SOL_MINT)).toBe(3_000_000_000n);
  });

  it('is cancelled with the least SOL that a wallet can have', async () => {
    const order = await desk.openOrder();
    setLamports(desk.user, 2_039_280n + 890_880n + 5_000n);
    expect((await desk.cancel(order)).json).toMatchObject({ status: 'Success' });
  });

  it('does not collide with another one of the same pair in the same second', async () => {
    const orders = [await desk.openOrder(), await desk.openOrder(), await desk.openOrder()];
    expect(new Set(orders).size).toBe(3);
    for (const order of orders) expect(desk.order(order)).toMatchObject({ createdAt: NOW });
  });
});

const NOW = 1_800_000_000n;
const COMPUTE_BUDGET = 'ComputeBudget111111111111111111111111111111';
const USDC = getGenesisToken('USDC').mint;

/** Fills a cycle of an order that buys SOL, as a keeper that pays from its own account. */
function fill(address: Address, paid: bigint): void {
  const { network } = desk.wallets.market;
  const found = desk.order(address);
  const authority = network.account(DCA_FEE_AUTHORITY.address);
  const [keeper] = authority === null ? [] : decodeDcaFeeAuthority(authority.data).keepers;
  if (found === null || keeper === undefined) throw new Error('there is no order, or no keeper');
  const order = { ...found, address };
  desk.wallets.give(keeper, USDC);
  const source = desk.wallets.give(
    keeper,
    WRAPPED_SOL_MINT,
    { amount: paid, nativeReserve: 2_039_280n },
    { extraLamports: paid },
  );
  const { error, logs } = network.send([
    createInitiateFlashFill(keeper, order),
    transfer(TOKEN_PROGRAM, { source, destination: order.outAccount, authority: keeper, amount: paid }),
    transfer(TOKEN_PROGRAM, {
      source: deriveAssociatedTokenAddress(keeper, USDC, TOKEN_PROGRAM),
      destination: tokens(USDC),
      authority: keeper,
      amount: computeDcaCycle(order),
    }),
    createFulfillFlashFill(keeper, order, paid),
  ]);
  expect(error, logs.join('\n')).toBeNull();
}

function readTransaction({ transaction }: UnsignedRequest) {
  return parseTransaction(new Uint8Array(Buffer.from(transaction, 'base64')));
}

function tokens(mint: Address): Address {
  return deriveAssociatedTokenAddress(desk.user, mint, TOKEN_PROGRAM);
}

function setLamports(wallet: Address, lamports: bigint): void {
  const { network } = desk.wallets.market;
  const account = network.account(wallet);
  if (account === null) throw new Error(`there is no wallet ${wallet}`);
  network.setAccount(wallet, { ...account, lamports });
}

/** The first demo wallet may have an account of wrapped SOL. */
function emptyWrappedSol(): void {
  const { network } = desk.wallets.market;
  const account = network.account(tokens(WRAPPED_SOL_MINT));
  if (account !== null)
    network.setAccount(tokens(WRAPPED_SOL_MINT), { ...account, lamports: 0n, data: new Uint8Array(0) });
}
