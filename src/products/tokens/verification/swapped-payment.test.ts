import { describe, expect, it, vi } from 'vitest';
import { findRoutesExactOut } from '../../../market/router/exact-out.ts';
import { RAYDIUM_CPMM_AUTHORITY } from '../../../protocols/raydium-cpmm/program/program.ts';
import { getGenesisToken } from '../../../solana/known-tokens.ts';
import type { Address } from '../../../solana/address.ts';
import { createKeypairFromSeed } from '../../../solana/keypair.ts';
import { parseTransaction } from '../../../solana/messages/transaction.ts';
import { deriveAssociatedTokenAddress } from '../../../solana/pda.ts';
import { SYSTEM_PROGRAM, TOKEN_PROGRAM, WRAPPED_SOL_MINT } from '../../../solana/program-addresses.ts';
import {
  decodeTokenAccount,
  encodeTokenAccount,
  isTokenAccount,
} from '../../../solana/programs/token/account.ts';
import { executeExpress } from './execute.ts';
import {
  createExpressSubject,
  ExpressWorld,
  type ExpressPayment,
  createSignedPayment,
} from '../../../testing/products/express-verification.ts';
import { craftPayment } from './payment.ts';
import { PRICE, SWAPPED_CURRENCIES } from './price.ts';
import { settlePayments } from './settle-payments.ts';
import { findSwappedPayments } from './swapped-payment.ts';
import { openForEach } from '../../../testing/opened.ts';

const world = openForEach(() => ExpressWorld.open('sqlite', 'with programs'), 'close');

describe('craftPayment with another currency than JUP', () => {
  it.each(['SOL', 'USDC', 'JUPUSD'] as const)(
    'spends %s with a buffer of half a percent, and pays a little more',
    async (currency) => {
      const { chain, pools } = world.market;
      const [cheapest] = findRoutesExactOut(pools, {
        inputMint: SWAPPED_CURRENCIES[currency].mint,
        outputMint: PRICE.mint,
        amount: PRICE.amount,
        clock: chain.clock(),
        maxHops: 3,
        onlyHubs: false,
      });
      const { inAmount, outAmount } = await world.craft(currency);
      expect(inAmount).toBe(((cheapest?.inAmount ?? 0n) * 10_050n + 9_999n) / 10_000n);
      expect(outAmount).toBeGreaterThan(PRICE.amount);
      expect(outAmount).toBeLessThan((PRICE.amount * 101n) / 100n);
    },
  );

  it('says what the sender lacks', async () => {
    const poor = createKeypairFromSeed(new Uint8Array(32).fill(5)).address;
    for (const currency of ['USDC', 'SOL', 'JUPUSD'] as const) {
      const crafted = await craftPayment(world.services, poor, currency);
      expect(crafted, currency).toMatchObject({ kind: 'lacking', code: 1 });
    }
  });

  it('makes no transaction for a sender that is a program', async () => {
    const crafted = craftPayment(world.services, TOKEN_PROGRAM, 'SOL');
    expect(await crafted).toMatchObject({ kind: 'failing' });
  });

  it('says that the account of the receiver is frozen', async () => {
    await execute(await world.payment());
    setReceiverState('frozen');
    expect(await craftPayment(world.services, world.sender.address, 'SOL')).toMatchObject({
      kind: 'failing',
      code: 2017,
    });
  });

  it('takes other pools than one that is too thin, and none if there are no others', async () => {
    const before = await world.craft('SOL');
    const deep = world.market.pools;
    await scalePool(1n, 1_000n, 'both');
    const [thin] = deep.between(WRAPPED_SOL_MINT, PRICE.mint);
    if (thin === undefined) throw new Error('the thin pool is gone');
    const around = await world.craft('SOL');
    expect(Number(around.inAmount)).toBeLessThan(Number(before.inAmount) * 1.01);
    const onlyThin = {
      account: (mint: Address) => deep.account(mint),
      hubs: () => deep.hubs(),
      counterparts: (mint: Address) => new Set([mint === PRICE.mint ? WRAPPED_SOL_MINT : PRICE.mint]),
      between: () => [thin],
    };
    const through = (pools: typeof onlyThin | typeof deep) =>
      findSwappedPayments({ ...world.services, pools }, world.sender.address, 'SOL').length;
    expect(through(deep)).toBeGreaterThan(0);
    expect(through(onlyThin)).toBe(0);
  });
});

describe('executeExpress with a payment that is swapped', () => {
  it('spends SOL, pays the receiver all that the pools pay, and records what was paid', async () => {
    const { sender, receiver } = world;
    const crafted = await world.craft('SOL');
    const payment = createSignedPayment(sender, crafted);
    const before = world.market.network.account(sender.address)?.lamports ?? 0n;
    const result = await execute(payment);
    expect(result).toMatchObject({ kind: 'recorded', verificationCreated: true });
    expect(await execute(payment)).toEqual(result);
    expect(world.held(receiver)).toBe(crafted.outAmount);
    const after = world.market.network.account(sender.address)?.lamports ?? 0n;
    expect(before - after).toBe(crafted.inAmount + crafted.feeLamports);
    expect(world.held(sender.address, WRAPPED_SOL_MINT)).toBe(0n);
    expect(await recorded()).toMatchObject([
      { mint: CAT, sender: sender.address, currency: 'SOL', amount: crafted.inAmount },
    ]);
  });

  it('spends USDC, and leaves what the sender has of tokens on the way as it was', async () => {
    const { sender, receiver } = world;
    const crafted = await world.craft('USDC');
    const [before, wrapped] = [
      world.held(sender.address, USDC),
      world.held(sender.address, WRAPPED_SOL_MINT),
    ];
    await execute(createSignedPayment(sender, crafted));
    expect(world.held(receiver)).toBe(crafted.outAmount);
    expect(before - world.held(sender.address, USDC)).toBe(crafted.inAmount);
    expect(world.held(sender.address, WRAPPED_SOL_MINT)).toBe(wrapped);
    expect(await recorded()).toMatchObject([{ currency: 'USDC', amount: crafted.inAmount }]);
  });

  it('closes accounts of tokens on the way that it opens, and only that of the receiver costs rent', async () => {
    const { sender, market } = world;
    const wrapped = deriveAssociatedTokenAddress(sender.address, WRAPPED_SOL_MINT, TOKEN_PROGRAM);
    const closed = { lamports: 0n, owner: SYSTEM_PROGRAM, data: new Uint8Array(0), executable: false };
    market.network.setAccount(wrapped, { ...closed, rentEpoch: 0n });
    const crafted = await world.craft('USDC');
    const before = market.network.account(sender.address)?.lamports ?? 0n;
    await execute(createSignedPayment(sender, crafted));
    expect(market.network.account(wrapped)).toBeNull();
    expect(before - (market.network.account(sender.address)?.lamports ?? 0n)).toBe(2_039_280n + 5_000n);
  });

  it('refuses another currency or amount than the payment was crafted for, before anything is sent', async () => {
    const payment = await world.payment('USDC');
    const plain = await world.payment('JUP');
    const right = payment.claim;
    for (const [request, claim] of [
      [payment, { ...right, currency: 'SOL' }],
      [payment, { ...right, currency: 'JUP' }],
      [payment, { ...right, inAmount: null }],
      [payment, { ...right, inAmount: '1' }],
      [payment, { ...right, inAmount: ` ${right.inAmount}` }],
      [payment, { ...right, outAmount: String(PRICE.amount) }],
      [plain, { ...right, currency: 'USDC' }],
      [plain, { ...plain.claim, inAmount: '999' }],
      [plain, { ...plain.claim, outAmount: '1' }],
    ] as const) {
      const refused = execute({ ...request, claim });
      await expect(refused).rejects.toMatchObject({ code: 'INVALID_PAYLOAD' });
    }
    expect(world.market.chain.sent).toBe(0);
    const [inAmount, outAmount] = [String(PRICE.amount), String(PRICE.amount)];
    expect(await execute({ ...plain, claim: { ...plain.claim, inAmount, outAmount } })).toMatchObject({
      kind: 'recorded',
    });
    const withoutOutput = { ...payment, claim: { ...right, outAmount: null } };
    await expect(execute(withoutOutput)).rejects.toMatchObject({ code: 'ELIGIBILITY_CONFLICT' });
  });

  it('takes nothing and records nothing when the price moved by more than the buffer', async () => {
    const payment = await world.payment('SOL');
    const before = world.market.network.account(world.sender.address)?.lamports;
    await scalePool(99n, 100n, 'JUP');
    expect(await execute(payment)).toMatchObject({ kind: 'failed', code: 6001 });
    expect(world.market.chain.sent).toBe(0);
    expect(world.market.network.account(world.sender.address)?.lamports).toBe(before);
    expect(await world.requests.openFor(CAT)).toEqual(NOTHING_OPEN);
    expect(await execute(await world.payment('SOL'))).toMatchObject({ kind: 'recorded' });
  });

  it('lands while the price moves by less than the buffer, and pays no less than the price', async () => {
    const payment = await world.payment('SOL');
    await scalePool(997n, 1_000n, 'JUP');
    expect(await execute(payment)).toMatchObject({ kind: 'recorded' });
    expect(world.held(world.receiver)).toBeGreaterThanOrEqual(PRICE.amount);
    expect(Number(world.held(world.receiver))).toBeLessThan(Number(payment.claim.outAmount));
  });

  it('records nothing when the price moves between the simulation and the transaction', async () => {
    const payment = await world.payment('SOL');
    const { chain } = world.market;
    const send = chain.send.bind(chain);
    vi.spyOn(chain, 'send').mockImplementationOnce(async (wire) => {
      await scalePool(99n, 100n, 'JUP');
      return send(wire);
    });
    const result = await execute(payment);
    expect(result).toMatchObject({ kind: 'failed', code: 6001 });
    expect(world.held(world.receiver)).toBe(0n);
    expect(await world.requests.openFor(CAT)).toEqual(NOTHING_OPEN);
    expect(await recorded()).toEqual([]);
    expect(await execute(payment)).toMatchObject({ kind: 'failed' });
  });

  it('records nothing if the account of the receiver is closed in between; a new payment opens it again', async () => {
    await execute(await world.payment());
    const payment = await world.payment('SOL');
    const address = deriveAssociatedTokenAddress(world.receiver, PRICE.mint, TOKEN_PROGRAM);
    const account = world.market.network.account(address);
    if (account === null) throw new Error('the receiver has no account of JUP');
    const closed = { ...account, owner: SYSTEM_PROGRAM, lamports: 0n, data: new Uint8Array() };
    world.market.network.setAccount(address, closed);
    const dog = { ...payment, ...createExpressSubject(getGenesisToken('BONK').mint) };
    // The compute units of a payment are measured when it is made, and opening an account takes more.
    expect(await executeExpress(world.services, dog)).toMatchObject({
      kind: 'failed',
      error: expect.stringContaining('ComputationalBudgetExceeded'),
    });
    expect(await world.requests.openFor(dog.mint)).toEqual(NOTHING_OPEN);
    const next = await world.payment('SOL');
    expect(await executeExpress(world.services, { ...dog, ...next })).toMatchObject({ kind: 'recorded' });
    expect(world.held(world.receiver)).toBe(BigInt(next.claim.outAmount ?? 0));
  });

  it('records nothing if the account of the receiver is frozen in between', async () => {
    await execute(await world.payment());
    const payment = await world.payment('USDC');
    setReceiverState('frozen');
    const dog = { ...payment, ...createExpressSubject(getGenesisToken('BONK').mint) };
    expect(await executeExpress(world.services, dog)).toMatchObject({ kind: 'failed', code: 17 });
    expect(world.market.chain.sent).toBe(1);
    setReceiverState('initialized');
    expect(await executeExpress(world.services, dog)).toMatchObject({ kind: 'recorded' });
  });

  it('records a payment that the wallet sent itself, once, and one whose process was killed', async () => {
    const own = await world.payment('SOL');
    await world.market.chain.send(Buffer.from(own.transaction, 'base64'));
    world.market.chain.pass(200n);
    expect(await execute(own)).toMatchObject({ kind: 'recorded' });
    const lost = { ...(await world.payment('USDC')), ...createExpressSubject(getGenesisToken('BONK').mint) };
    const note = vi.spyOn(world.requests, 'settle').mockRejectedValueOnce(new Error('killed'));
    await expect(executeExpress(world.services, lost)).rejects.toThrow('killed');
    note.mockRestore();
    const { timers, requests } = world;
    await settlePayments({ chain: world.market.chain, timers, requests }, -60_000);
    expect((await recorded()).map(({ currency }) => currency).sort()).toEqual(['SOL', 'USDC']);
  });

  it('refuses a payment whose transaction somebody has changed', async () => {
    const [one, other] = [await world.payment('SOL'), await world.payment('USDC')];
    for (const changed of [
      { ...one, transaction: other.transaction },
      { ...one, requestId: other.requestId },
      { ...one, sender: world.receiver },
    ]) {
      await expect(execute(changed)).rejects.toMatchObject({ code: 'INVALID_PAYLOAD' });
    }
    expect(parseTransaction(Buffer.from(one.transaction, 'base64')).signatures).toHaveLength(1);
    expect(world.market.chain.sent).toBe(0);
  });
});

const CAT = getGenesisToken('WIF').mint;
const USDC = SWAPPED_CURRENCIES.USDC.mint;

const execute = (payment: ExpressPayment) =>
  executeExpress(world.services, { ...payment, ...createExpressSubject(CAT) });
const recorded = () => world.requests.list('pending');
const NOTHING_OPEN = { verification: false, metadata: false };

/** Multiplies what the pool of SOL and JUP holds of JUP, or of both, by a fraction. */
async function scalePool(part: bigint, of: bigint, mints: 'JUP' | 'both'): Promise<void> {
  const { chain, network, pools } = world.market;
  const [handle] = pools.between(WRAPPED_SOL_MINT, PRICE.mint);
  if (handle === undefined) throw new Error('no pool trades SOL for JUP');
  const parties = { authority: world.receiver, source: world.receiver, destination: world.receiver };
  const step = handle.venue.routeStep(handle.pool, WRAPPED_SOL_MINT, parties);
  const accounts = await chain.getAccounts(step.accounts.map(({ address }) => address));
  const changed: Address[] = [];
  for (const { address, account } of accounts) {
    if (account?.owner !== TOKEN_PROGRAM || !isTokenAccount(account.data)) continue;
    const token = decodeTokenAccount(account.data);
    if (token.owner !== RAYDIUM_CPMM_AUTHORITY || (mints === 'JUP' && token.mint !== PRICE.mint)) continue;
    const data = encodeTokenAccount({ ...token, amount: (token.amount * part) / of });
    network.setAccount(address, { ...account, data });
    changed.push(address);
  }
  chain.publish(changed);
}

/** Changes the receiver's account of JUP. */
function setReceiverState(state: 'initialized' | 'frozen'): void {
  const address = deriveAssociatedTokenAddress(world.receiver, PRICE.mint, TOKEN_PROGRAM);
  const account = world.market.network.account(address);
  if (account === null) throw new Error('the receiver has no account of JUP');
  const token = decodeTokenAccount(account.data);
  const data = encodeTokenAccount({ ...token, state });
  world.market.network.setAccount(address, { ...account, data });
}
