import { describe, expect, it } from 'vitest';
import { getGenesisToken } from '../../solana/known-tokens.ts';
import { parseMessage } from '../../solana/messages/message.ts';
import { decodeTokenAccount } from '../../solana/programs/token/account.ts';
import { EarnWorld, OUTPUT } from '../../testing/waiting-orders/earning.ts';
import { toEarnedAtoms } from './earn-program.ts';

const [USDC, USDT] = [getGenesisToken('USDC').mint, getGenesisToken('USDT').mint];
const AMOUNT = 100_000_001n;
const MONTH = 30n * 86_400n;
const world = await EarnWorld.open();
const { fills } = world;

describe('planEarnDeposit', () => {
  it('lends exactly the amount out of the wallet, for shares in an account of the vault', async () => {
    const deposit = await world.deposit(USDC, AMOUNT);
    const { earnMint } = world.market(USDC);
    const held = decodeTokenAccount(fills.read(deposit.account).data);
    expect(held).toMatchObject({
      owner: deposit.vault.address,
      mint: earnMint,
      delegate: null,
      closeAuthority: null,
    });
    expect(world.tokens(deposit, USDC)).toBe(1n);
    // Shares are rounded down by the program, which costs two atoms at most.
    const worth = toEarnedAtoms(held.amount, world.market(USDC));
    expect(AMOUNT - worth).toBeGreaterThanOrEqual(0n);
    expect(AMOUNT - worth).toBeLessThanOrEqual(2n);
  });

  it.each(['JUP', 'PYUSD'])('is a legacy message that fits a transaction, for %s too', async (symbol) => {
    const deposit = await world.deposit(USDT, AMOUNT);
    const source = fills.ata(deposit.wallet.address, USDT);
    fills.setTokens(source, { owner: deposit.wallet.address, mint: USDT, amount: AMOUNT });
    const output = getGenesisToken(symbol).mint;
    fills.setLamports(fills.ata(deposit.wallet.address, output), 0n);
    const { plan } = world.planDeposit({ ...deposit, vault: fills.newKey(0n) }, output);
    fills.setLamports(source, 0n);
    const withdrawal = await world.build(world.planWithdrawal(deposit));
    fills.setTokens(source, { owner: deposit.wallet.address, mint: USDT, amount: AMOUNT });
    const crafted = [await world.build(plan), withdrawal].map((bytes) => parseMessage(bytes));
    expect(crafted.map(({ version, signers }) => [version, signers])).toEqual([
      ['legacy', 2],
      ['legacy', 3],
    ]);
  });
});

describe('planEarnWithdrawal', () => {
  it('pays the wallet everything with the yield, and closes the account in its favour', async () => {
    const deposit = await world.deposit(USDC, AMOUNT);
    fills.setLamports(fills.ata(deposit.wallet.address, USDC), 0n);
    world.pass(MONTH);
    const rent = fills.lamports(deposit.account);
    const before = fills.lamports(deposit.wallet.address);
    const message = await world.build(world.planWithdrawal(deposit));
    const landed = await world.sign(deposit, message, 'withdrawal');
    expect(landed.error).toBeNull();
    const paid = world.tokens(deposit, USDC);
    expect(paid).toBeGreaterThan(AMOUNT + AMOUNT / 1_000n);
    expect(fills.lamports(deposit.account)).toBe(0n);
    // The rent of the order's account pays for that of the wallet's own.
    expect(before - fills.lamports(deposit.wallet.address)).toBe(landed.fee);
    expect(rent).toBe(fills.lamports(fills.ata(deposit.wallet.address, USDC)));
    expect(fills.leftWith(deposit.vault.address, landed)).toEqual([]);
  });

  it('gives the wallet the shares, too, that a stranger sends after it was built', async () => {
    const [deposit, stranger] = [await world.deposit(USDC, AMOUNT), await world.deposit(USDC, AMOUNT)];
    const message = await world.build(world.planWithdrawal(deposit));
    const donated = fills.tokens(stranger.account);
    const { earnMint } = world.market(USDC);
    const held = fills.tokens(deposit.account);
    fills.setTokens(deposit.account, {
      owner: deposit.vault.address,
      mint: earnMint,
      amount: held + donated,
    });
    const landed = await world.sign(deposit, message, 'withdrawal');
    expect(landed.error).toBeNull();
    const paid = world.tokens(deposit, USDC) - 1n;
    expect(paid).toBe(toEarnedAtoms(held + donated, world.market(USDC)));
    expect(fills.lamports(deposit.account)).toBe(0n);
  });

  it('is refused by the program, and moves nothing, while the tokens are lent out', async () => {
    const deposit = await world.deposit(USDC, AMOUNT);
    const message = await world.build(world.planWithdrawal(deposit));
    const restore = world.lendAllOut(USDC);
    await expect(world.build(world.planWithdrawal(deposit))).rejects.toThrow();
    const landed = await world.sign(deposit, message, 'withdrawal');
    expect(landed.error).not.toBeNull();
    const held = decodeTokenAccount(fills.read(deposit.account).data);
    expect(held.owner).toBe(deposit.vault.address);
    restore();
  });
});

describe('the yield of an order', () => {
  it('is paid with the last round, which sells all shares and closes the account', async () => {
    const deposit = await world.deposit(USDC, AMOUNT);
    const now = await world.planRound(world.saleOf(deposit, OUTPUT));
    world.pass(MONTH);
    const last = await world.planRound(world.saleOf(deposit, OUTPUT));
    expect(last.fill).toMatchObject({ isWhole: true, inputAmount: fills.tokens(deposit.account) });
    expect(last.fill.quotedOut).toBeGreaterThan(now.fill.quotedOut + now.fill.quotedOut / 1_000n);
    const landed = await world.land(deposit, last);
    expect(landed.error).toBeNull();
    expect(fills.lamports(deposit.account)).toBe(0n);
    expect(fills.leftWith(deposit.vault.address, landed)).toEqual([]);
    expect(world.tokens(deposit, OUTPUT)).toBe(last.fill.quotedOut);
  });

  it('accrues between plan and landing in favour of the wallet, and never fails the fill', async () => {
    const deposit = await world.deposit(USDC, AMOUNT);
    const last = await world.planRound(world.saleOf(deposit, OUTPUT));
    world.pass(MONTH);
    const landed = await world.land(deposit, last);
    expect(landed.error).toBeNull();
    expect(world.tokens(deposit, OUTPUT)).toBeGreaterThan(last.fill.quotedOut);
  });

  it.each(['the last round', 'a withdrawal'] as const)('cannot be claimed again after %s', async (first) => {
    const deposit = await world.deposit(USDC, AMOUNT);
    world.pass(MONTH);
    const round = await world.planRound(world.saleOf(deposit, OUTPUT));
    const other = await world.planRound(world.saleOf(deposit, OUTPUT));
    const withdrawals = [1, 2].map((serial) => world.build(world.planWithdrawal(deposit, serial)));
    const [one, two] = await Promise.all(withdrawals);
    const isRound = first === 'the last round';
    const landed = isRound
      ? await world.land(deposit, round)
      : await world.sign(deposit, one as Uint8Array, 'withdrawal');
    expect(landed.error).toBeNull();
    const paid = [world.tokens(deposit, USDC), world.tokens(deposit, OUTPUT)];
    expect((await world.sign(deposit, two as Uint8Array, 'withdrawal')).error).not.toBeNull();
    expect((await world.land(deposit, other)).error).not.toBeNull();
    expect([world.tokens(deposit, USDC), world.tokens(deposit, OUTPUT)]).toEqual(paid);
  });
});

describe('a stranger who moves the lending between plan and landing', () => {
  it('by deposits and withdrawals of the whole market moves no rate, and the fill pays what was quoted', async () => {
    const deposit = await world.deposit(USDC, AMOUNT);
    const last = await world.planRound(world.saleOf(deposit, OUTPUT));
    const whale = await world.deposit(USDC, 10_000_000_000_000n);
    expect(
      (await world.sign(whale, await world.build(world.planWithdrawal(whale)), 'withdrawal')).error,
    ).toBeNull();
    const landed = await world.land(deposit, last);
    expect(landed.error).toBeNull();
    expect(world.tokens(deposit, OUTPUT)).toBeGreaterThanOrEqual(last.fill.threshold);
  });

  it('by taking all of it out has the round wait with a reason, and the shares stay where they are', async () => {
    const deposit = await world.deposit(USDC, AMOUNT);
    const sale = world.saleOf(deposit, OUTPUT);
    const planned = await world.planRound(sale);
    const held = fills.tokens(deposit.account);
    const restore = world.lendAllOut(USDC);
    expect((await world.land(deposit, planned)).error).not.toBeNull();
    await expect(world.planRound(sale)).rejects.toThrow('waits for');
    expect(fills.tokens(deposit.account)).toBe(held);
    restore();
    expect((await world.land(deposit, await world.planRound(sale))).error).toBeNull();
  });

  it('by sending shares to the account loses them to the wallet with the last round', async () => {
    const deposit = await world.deposit(USDC, AMOUNT);
    const { earnMint } = world.market(USDC);
    const held = fills.tokens(deposit.account);
    fills.setTokens(deposit.account, { owner: deposit.vault.address, mint: earnMint, amount: held * 2n });
    const last = await world.planRound(world.saleOf(deposit, OUTPUT));
    expect(last.fill).toMatchObject({ isWhole: true, inputAmount: held * 2n });
  });
});
