import { describe, expect, it } from 'vitest';
import { computePaidFor } from './dca-plan.ts';
import { computeDcaFee } from '../../../protocols/jupiter-dca/dca-schedule.ts';
import {
  createDepositDca,
  createWithdrawDca,
  type DcaTerms,
} from '../../../protocols/jupiter-dca/dca-instructions.ts';
import { getGenesisToken } from '../../../solana/known-tokens.ts';
import { WRAPPED_SOL_MINT } from '../../../solana/program-addresses.ts';
import { type OpenedDca, OrderMarket } from '../../../testing/program-orders/order-market.ts';

const [USDC, JUP] = [getGenesisToken('USDC').mint, getGenesisToken('JUP').mint];
const on = await OrderMarket.open();

describe('a cycle of a DCA order', () => {
  it.each([
    ['tokens for tokens', USDC, JUP, 50_000_000n],
    ['SOL for tokens', WRAPPED_SOL_MINT, USDC, 1_000_000_000n],
    ['tokens for SOL', USDC, WRAPPED_SOL_MINT, 50_000_000n],
  ])('trades %s, and pays the user at once', async (_, inputMint, outputMint, cycle) => {
    const order = on.openDca({
      inputMint,
      outputMint,
      inAmount: 3n * cycle,
      inAmountPerCycle: cycle,
      cycleFrequency: 60n,
    });
    const quoted = await on.quoteDca(inputMint, outputMint, cycle);
    const isSol = outputMint === WRAPPED_SOL_MINT;
    const paid = () => (isSol ? on.fills.lamports(order.user) : on.tokensOf(order.user, outputMint));
    const before = { paid: paid(), gas: on.fills.lamports(on.keeper), fees: on.dcaFees(outputMint) };
    const planned = await on.planTask(order);
    const landed = await on.land(planned);
    expect(landed.error, landed.logs.join('\n')).toBeNull();
    expect(on.dcaFees(outputMint) - before.fees).toBe(computeDcaFee(quoted));
    expect(paid() - before.paid).toBe(quoted - computeDcaFee(quoted));
    expect(before.gas - on.fills.lamports(on.keeper)).toBe(planned.lamports);
    expect(on.dca(order)).toMatchObject({ inUsed: cycle, nextCycleAt: on.now() + 60n });
    expect(on.tokensOf(on.dcaKeeper.address, inputMint)).toBe(0n);
  });
});

describe('a cycle is filled', () => {
  it('for no less than the floor by the reference prices', async () => {
    const order = open();
    const quoted = await on.quoteDca(USDC, JUP, CYCLE);
    const { referenceOut } = on.fills.references({ inputMint: USDC, outputMint: JUP });
    // By these prices, the cycle is worth so much more than the route pays that the floor of 5 % is just missed, or just kept.
    const paidPerDollar = Number(quoted) / Number(CYCLE);
    const exact = 0.95 / paidPerDollar;
    expect(referenceOut).toBeGreaterThan(0);
    on.references = () => ({ referenceIn: 1, referenceOut: exact * 0.9999 });
    expect(await on.plan(order)).toMatchObject({ kind: 'waits', reason: 'price' });
    on.references = () => ({ referenceIn: 1, referenceOut: exact * 1.0001 });
    const planned = await on.planTask(order);
    expect(planned.fill?.threshold).toBeGreaterThan((quoted * 9_998n) / 10_000n);
    on.references = null;
  });

  it('within the bounds of the order, which are on what is left behind the fee', async () => {
    const quoted = await on.quoteDca(USDC, JUP, CYCLE);
    const net = quoted - computeDcaFee(quoted);
    expect(await on.plan(open({ minOutAmount: net + 1n }))).toMatchObject({ kind: 'waits', reason: 'price' });
    expect(await on.plan(open({ maxOutAmount: net - 1n }))).toMatchObject({ kind: 'waits', reason: 'price' });
    const order = open({ minOutAmount: net, maxOutAmount: net });
    const planned = await on.planTask(order);
    expect(planned.fill?.threshold).toBe(quoted);
    expect((await on.land(planned)).error).toBeNull();
    expect(on.tokensOf(order.user, JUP)).toBe(net);
  });

  it('only with reliable prices of both tokens, and if its cycles are worth a dollar', async () => {
    for (const missing of ['referenceIn', 'referenceOut'] as const) {
      on.references = () => ({ referenceIn: 1, referenceOut: 1, [missing]: null });
      expect(await on.plan(open())).toMatchObject({ kind: 'waits', reason: 'unpriced' });
    }
    on.references = null;
    const dust = open({ inAmount: 2_000_000n, inAmountPerCycle: 900_000n });
    expect(await on.plan(dust)).toMatchObject({ kind: 'waits', reason: 'dust' });
  });

  it('of a rest only once after whole cycles, so that dust which is deposited again and again costs no gas', async () => {
    const order = open({ inAmount: 2n * CYCLE });
    const named = () => ({ ...on.dca(order), address: order.address });
    on.must(createWithdrawDca(named(), 'in', 2n * CYCLE - DUST));
    expect(await on.plan(order)).toMatchObject({ kind: 'waits', reason: 'dust' });
    give(order, CYCLE);
    on.must(createDepositDca(named(), CYCLE));
    expect((await on.land(await on.planTask(order))).error).toBeNull();
    // A stranger's atom keeps the order open when its rest is filled.
    const { inAccount } = on.dca(order);
    on.fills.setTokens(inAccount, { owner: order.address, mint: USDC, amount: DUST + 1n });
    on.market.network.setUnixTime(on.now() + 60n);
    const rest = await on.planTask(order);
    expect(rest.fill?.inputAmount).toBe(DUST);
    expect((await on.land(rest)).error).toBeNull();
    give(order, DUST);
    on.must(createDepositDca(named(), DUST));
    on.market.network.setUnixTime(on.now() + 60n);
    expect(await on.plan(order)).toMatchObject({ kind: 'waits', reason: 'dust' });
  });

  it('when it is due, and once', async () => {
    const order = open();
    const planned = await on.planTask(order);
    expect((await on.land(planned)).error).toBeNull();
    expect(await on.plan(order)).toMatchObject({ kind: 'waits', reason: 'unavailable' });
    // A second keeper that has planned the same fill loses its fee.
    const gas = on.fills.lamports(on.keeper);
    const again = await on.land({ ...planned, messageBytes: alter(planned.messageBytes) });
    expect(again.error).not.toBeNull();
    expect(gas - on.fills.lamports(on.keeper)).toBe(again.fee);
    expect(on.dca(order).inUsed).toBe(CYCLE);
  });

  it('without paying a user who has no account, until the order ends and its own rent opens one', async () => {
    const order = open({ inAmount: 2n * CYCLE }, false);
    const gas = on.fills.lamports(on.keeper);
    const first = await on.planTask(order);
    expect((await on.land(first)).error).toBeNull();
    const bought = on.dca(order).outReceived;
    expect(bought).toBeGreaterThan(0n);
    expect(on.dca(order).outWithdrawn).toBe(0n);
    on.market.network.setUnixTime(on.now() + 60n);
    const last = await on.planTask(order);
    const landed = await on.land(last);
    expect(landed.error, landed.logs.join('\n')).toBeNull();
    expect(on.isOpen(order)).toBe(false);
    expect(on.tokensOf(order.user, JUP)).toBeGreaterThan(bought);
    expect(gas - on.fills.lamports(on.keeper)).toBe(first.lamports + last.lamports);
  });

  it('with its last input even if strangers have sent tokens, which closing pays to the user', async () => {
    const order = open({ inAmount: CYCLE });
    const { inAccount } = on.dca(order);
    on.fills.setTokens(inAccount, { owner: order.address, mint: USDC, amount: CYCLE + 3n });
    expect((await on.land(await on.planTask(order))).error).toBeNull();
    expect(on.isOpen(order)).toBe(true);
    const close = await on.planTask(order);
    expect(close.task).toBe('close');
    expect((await on.land(close)).error).toBeNull();
    expect(on.isOpen(order)).toBe(false);
    expect(on.tokensOf(order.user, USDC)).toBe(3n);
  });
});

it('closes an order without input for its user only if it has traded, so that opening and emptying orders costs no gas', async () => {
  const order = open();
  on.must(createWithdrawDca({ ...on.dca(order), address: order.address }, 'in', CYCLE));
  expect((await on.land(await on.planTask(order))).error).toBeNull();
  on.must(createWithdrawDca({ ...on.dca(order), address: order.address }, 'in', CYCLE));
  expect(await on.plan(order)).toMatchObject({ kind: 'planned', task: 'close' });
  const unused = open();
  on.must(createWithdrawDca({ ...on.dca(unused), address: unused.address }, 'in', 3n * CYCLE));
  expect(await on.plan(unused)).toMatchObject({ kind: 'waits', reason: 'dust' });
});

describe('computePaidFor', () => {
  it('returns the least payment of which so much is left behind the fee', () => {
    for (const received of [1n, 2n, 998n, 999n, 1_000n, 1_001n, 123_456_789n, 10n ** 18n]) {
      const paid = computePaidFor(received);
      expect(paid - computeDcaFee(paid)).toBeGreaterThanOrEqual(received);
      expect(paid - 1n - computeDcaFee(paid - 1n)).toBeLessThan(received);
    }
  });
});

const CYCLE = 50_000_000n;
/** Atoms of the input that are worth a fifth of a cent. */
const DUST = 2_000n;

/** Gives the user of an order atoms of its input. */
function give({ user }: OpenedDca, amount: bigint): void {
  on.fills.setTokens(on.fills.ata(user, USDC), { owner: user, mint: USDC, amount });
}

/** Opens an order of USDC for JUP in three cycles. */
function open(terms: Partial<DcaTerms> = {}, opensOutput = true): OpenedDca {
  const usual = { inAmount: 3n * CYCLE, inAmountPerCycle: CYCLE, cycleFrequency: 60n };
  return on.openDca({ inputMint: USDC, outputMint: JUP, ...usual, ...terms }, { opensOutput });
}

/** Returns the same message with another limit of compute units, so that it has another signature. */
function alter(messageBytes: Uint8Array): Uint8Array {
  const altered = new Uint8Array(messageBytes);
  const at = Buffer.from(altered).indexOf(Buffer.from([0x05, 0x02]));
  altered[at + 2] = (altered[at + 2] as number) ^ 1;
  return altered;
}
