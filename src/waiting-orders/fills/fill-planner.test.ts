import { describe, expect, it, vi } from 'vitest';
import { getGenesisToken } from '../../solana/known-tokens.ts';
import { SYSTEM_PROGRAM, WRAPPED_SOL_MINT } from '../../solana/program-addresses.ts';
import { bps, divideUp } from '../../solana/units.ts';
import { FillMarket } from '../../testing/waiting-orders/fills.ts';
import { FillPlanner } from './fill-planner.ts';

const [USDC, JUP, PYUSD] = [
  getGenesisToken('USDC').mint,
  getGenesisToken('JUP').mint,
  getGenesisToken('PYUSD').mint,
];
const RENT = 2_039_280n;
const SALE = { inputMint: WRAPPED_SOL_MINT, outputMint: USDC, amount: 1_000_000_000n };
const ANY = { referenceIn: 1, referenceOut: 1e9 };
const fills = await FillMarket.open();

describe('FillPlanner.plan', () => {
  it.each([
    ['tokens for SOL, and the wallet gets the rent of the order’s account', USDC, WRAPPED_SOL_MINT, 0n],
    ['SOL for tokens, and the rent of both accounts cancels out', WRAPPED_SOL_MINT, USDC, RENT],
  ])('sells %s', async (_, inputMint, outputMint, lent) => {
    const deposited = fills.deposit({ inputMint, outputMint, amount: 100_000_000n });
    const fill = await fills.planFill(deposited.sale);
    expect(fill).toMatchObject({ isWhole: true, rentPaid: lent, rentReturned: lent, lamports: 10_000n });
    const gas = fills.lamports(fills.gasWallet.address);
    expect((await fills.land(deposited, fill)).error).toBeNull();
    expect(gas - fills.lamports(fills.gasWallet.address)).toBe(fill.lamports);
    expect(fills.received(deposited.sale)).toBe(fill.quotedOut);
    if (lent === 0n) expect(fills.lamports(deposited.sale.wallet)).toBe(fill.quotedOut + RENT);
  });

  it('gives the rent of the order’s account to a wallet that has an account for the output', async () => {
    const deposited = fills.deposit(SALE);
    fills.openAta(deposited.sale.wallet, USDC);
    const fill = await fills.planFill(deposited.sale);
    expect(fill).toMatchObject({ isWhole: true, rentPaid: 0n, rentReturned: 0n, created: null });
    expect((await fills.land(deposited, fill)).error).toBeNull();
    expect(fills.lamports(deposited.sale.wallet)).toBe(RENT);
  });

  it.each([null, 0, 30, 10_000])(
    'accepts no less than the slippage %s and the floor allow',
    async (slippage) => {
      const { sale } = fills.deposit(SALE, { slippageBps: slippage === null ? null : bps(slippage) });
      const { referenceIn, referenceOut } = fills.references(sale);
      // A reference that is lower than what is quoted leaves room for the slippage.
      const fill = await fills.planFill(sale, { referenceIn: (referenceIn ?? 0) * 0.99, referenceOut });
      const allowed = divideUp(fill.quotedOut * BigInt(10_000 - fill.slippageBps), 10_000n);
      expect(fill.threshold).toBe(allowed);
      expect(fill.threshold).toBeGreaterThanOrEqual(fill.floor);
      if (slippage === null) expect(fill.slippageBps).toBeLessThan(300);
      else expect(fill.slippageBps).toBeLessThanOrEqual(slippage);
      if (slippage === 10_000) {
        // The slippage is in whole basis points, so the threshold is less than one of them above the floor.
        expect(fill.threshold - fill.floor).toBeLessThan(fill.quotedOut / 10_000n);
      }
    },
  );

  it.each([
    ['a half', 1n, 2n],
    ['a quarter', 2n, 4n],
    ['an eighth', 4n, 8n],
  ])('sells %s if more misses the floor', async (_, missing, part) => {
    const deposited = fills.deposit({ ...SALE, amount: fills.amountWorth(WRAPPED_SOL_MINT, 20_000) });
    const { sale } = deposited;
    fills.openAta(sale.wallet, USDC);
    const { sale: less } = fills.deposit({ ...SALE, amount: sale.remaining / missing });
    const references = fills.missed(
      less,
      await fills.planFill(less, { referenceIn: 1_000, referenceOut: 1e12 }),
    );
    const fill = await fills.planFill(sale, references);
    expect(fill).toMatchObject({ inputAmount: sale.remaining / part, isWhole: false, rentPaid: 0n });
    expect((await fills.land(deposited, fill)).error).toBeNull();
    expect(fills.tokens(sale.account)).toBe(sale.remaining - fill.inputAmount);
  });

  it('sells no part that costs rent, or is worth less than ten dollars', async () => {
    const { sale } = fills.deposit({ ...SALE, amount: fills.amountWorth(WRAPPED_SOL_MINT, 20_000) });
    const references = fills.missed(
      sale,
      await fills.planFill(sale, { referenceIn: 1_000, referenceOut: 1e12 }),
    );
    expect(await fills.plan(sale, references)).toMatchObject({ kind: 'waits', reason: 'price' });
    fills.openAta(sale.wallet, USDC);
    expect(await fills.plan(sale, references)).toMatchObject({ kind: 'fill', isWhole: false });
    // By these prices, the half of it is worth a hundredth of a dollar less than ten.
    const scale = 9.99 / ((references.referenceIn * Number(sale.remaining)) / 2e9);
    const cheap = {
      referenceIn: references.referenceIn * scale,
      referenceOut: references.referenceOut * scale,
    };
    expect(await fills.plan(sale, cheap)).toMatchObject({ kind: 'waits', reason: 'price' });
  });

  it('takes the fee into the gas wallet’s account, of the mint that it has one for', async () => {
    const own = await FillMarket.open({ feeBps: bps(100) });
    const pair = { inputMint: JUP, outputMint: PYUSD, amount: 10_000_000_000n };
    const free = own.deposit(pair);
    own.openAta(free.sale.wallet, PYUSD);
    expect(await own.planFill(free.sale)).toMatchObject({ platformFee: null });
    // The output is of Token-2022, which cannot be handed on after a fee.
    own.openAta(own.gasWallet.address, PYUSD);
    expect(await own.planFill(free.sale)).toMatchObject({ platformFee: null });
    const account = own.openAta(own.gasWallet.address, JUP);
    const fill = await own.planFill(free.sale);
    expect(fill.platformFee).toEqual({ bps: 100, account });
    expect((await own.land(free, fill)).error).toBeNull();
    expect(own.tokens(account)).toBe(100_000_000n);
  });
});

describe('an order waits', () => {
  it('while a node does not know the newest block, which would show what an earlier part has sold already', async () => {
    const { sale } = fills.deposit(SALE, { exactly: SALE.amount / 4n });
    fills.openAta(sale.wallet, USDC);
    const { chain } = fills.market;
    const before = await chain.getAccounts([sale.account]);
    fills.setTokens(sale.account, { owner: sale.vault, mint: sale.inputMint, amount: sale.remaining / 2n });
    const since = chain.slot('confirmed');
    const read = vi.spyOn(chain, 'getAccounts');
    const [asked] = before;
    read.mockImplementationOnce(async (addresses) =>
      addresses.map((address) => ({
        address,
        account: address === sale.account ? (asked?.account ?? null) : fills.market.network.account(address),
        slot: since - 1n,
      })),
    );
    expect(await fills.plan(sale, ANY)).toMatchObject({ kind: 'waits', reason: 'unavailable' });
    read.mockRestore();
    expect(await fills.planFill(sale, ANY)).toMatchObject({ held: sale.remaining / 2n });
  });

  it.each([
    ['price', {}, { referenceIn: 1e9, referenceOut: 1 }, /pays \d+ atoms .* is filled for \d+ at least/],
    ['unpriced', {}, { referenceIn: null, referenceOut: 1 }, /has no reliable price/],
    ['unpriced', {}, { referenceIn: 1, referenceOut: Number.NaN }, /has no reliable price/],
    ['route', { outputMint: SYSTEM_PROGRAM }, ANY, /no pool trades/],
    ['route', { outputMint: WRAPPED_SOL_MINT }, ANY, /cannot be sold for itself/],
    ['refused', { account: SYSTEM_PROGRAM }, ANY, /does not exist/],
    ['refused', { wallet: fills.gasWallet.address }, ANY, /is the one that pays for fills/],
    ['refused', { outputMint: PYUSD }, ANY, /the wallet has to create it/],
  ])('for the reason %s (%o)', async (reason, terms, references, detail) => {
    const { sale } = fills.deposit(SALE, terms);
    const plan = await fills.plan(sale, references);
    expect(plan).toEqual({ kind: 'waits', reason, detail: expect.stringMatching(detail) });
  });

  it('for accounts that do not allow the fill', async () => {
    const { sale, vault } = fills.deposit(SALE);
    const held = { owner: sale.vault, mint: SALE.inputMint, amount: SALE.amount };
    const why = async (terms = {}) => {
      const plan = await fills.plan({ ...sale, ...terms }, fills.references(sale));
      return plan.kind === 'waits' ? `${plan.reason}: ${plan.detail}` : plan.kind;
    };
    expect(await why()).toBe('fill');
    fills.setTokens(sale.account, held, 'frozen');
    expect(await why()).toBe(`refused: the order's account ${sale.account} is frozen`);
    fills.setTokens(sale.account, { ...held, amount: 0n });
    expect(await why()).toBe(`refused: the order's account ${sale.account} is empty`);
    fills.setTokens(sale.account, { ...held, owner: sale.wallet });
    expect(await why()).toContain(`belongs to ${sale.wallet}, not to ${sale.vault}`);
    fills.setTokens(sale.account, held);
    expect(await why({ wallet: vault.address })).toContain('is its own vault');
    expect(await why({ wallet: sale.account })).toContain('is an account of the token program');
    expect(await why({ wallet: fills.programOf(USDC) })).toMatch(/is (a program|an account of)/);
    const output = fills.ata(sale.wallet, USDC);
    const paid = { owner: sale.wallet, mint: USDC, amount: 0n };
    fills.setTokens(output, paid, 'frozen');
    expect(await why()).toContain(`for ${USDC} is frozen`);
    fills.setTokens(output, { ...paid, owner: sale.vault });
    expect(await why()).toContain(`belongs to ${sale.vault} now`);
    fills.setTokens(output, paid);
    expect(await why()).toBe('fill');
  });

  it('for gas, if the wallet that pays is empty, and for the network if it is not known', async () => {
    const { sale } = fills.deposit(SALE);
    const references = fills.references(sale);
    const planWith = (changed: object) =>
      new FillPlanner({ ...fills.dependencies, ...changed }).plan(sale, references);
    expect(await planWith({ isGasEmpty: () => true })).toMatchObject({ kind: 'waits', reason: 'gas' });
    const poor = fills.newKey(RENT + 9_999n);
    expect(await planWith({ gasWallet: poor.address })).toMatchObject({ kind: 'waits', reason: 'gas' });
    const { chain } = fills.market;
    const silent = Object.create(chain, { unhealthy: { value: () => 'the node is behind' } });
    const market = { ...fills.market, chain: silent };
    expect(await planWith({ market })).toMatchObject({ kind: 'waits', reason: 'unavailable' });
  });
});
