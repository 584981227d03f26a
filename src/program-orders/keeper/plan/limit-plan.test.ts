import { describe, expect, it } from 'vitest';
import { getGenesisToken } from '../../../solana/known-tokens.ts';
import type { Address } from '../../../solana/address.ts';
import { createCancelOrder } from '../../../protocols/jupiter-limit-order/instructions.ts';
import { ExtensionType } from '../../../solana/programs/token/extensions.ts';
import { closeAccount } from '../../../solana/programs/token/instructions.ts';
import { decodeMint, encodeMint } from '../../../solana/programs/token/mint.ts';
import { TOKEN_PROGRAM, WRAPPED_SOL_MINT } from '../../../solana/program-addresses.ts';
import { OrderMarket } from '../../../testing/program-orders/order-market.ts';

const [USDC, JUP, PYUSD] = [
  getGenesisToken('USDC').mint,
  getGenesisToken('JUP').mint,
  getGenesisToken('PYUSD').mint,
];
const on = await OrderMarket.open();

describe('a fill of a limit order', () => {
  it.each([
    ['tokens for tokens', USDC, JUP, 50_000_000n],
    ['SOL for tokens', WRAPPED_SOL_MINT, USDC, 1_000_000_000n],
    ['tokens for SOL', USDC, WRAPPED_SOL_MINT, 50_000_000n],
  ])('sells %s at exactly the price', async (_, inputMint, outputMint, making) => {
    const quoted = await on.quoteLimit(inputMint, outputMint, making);
    const taking = (quoted * 99n) / 100n;
    const order = on.placeLimit({ inputMint, outputMint, making, taking });
    const [lamports, tokens] = [on.fills.lamports(order.maker), on.tokensOf(on.keeper, outputMint)];
    const [gas, fees] = [on.fills.lamports(on.keeper), on.limitFees(outputMint)];
    const planned = await on.planTask(order);
    const landed = await on.land(planned);
    expect(landed.error, landed.logs.join('\n')).toBeNull();
    const fee = (taking + 999n) / 1_000n;
    expect(on.isOpen(order)).toBe(false);
    expect(on.limitFees(outputMint) - fees).toBe(fee);
    const spent = gas - on.fills.lamports(on.keeper);
    if (outputMint === WRAPPED_SOL_MINT) {
      // The rents of the order and of its reserve go back to the maker.
      expect(on.fills.lamports(order.maker) - lamports).toBe(taking - fee + 3_480_000n + 2_039_280n);
      expect(spent).toBe(planned.lamports - (quoted - taking));
    } else {
      expect(on.tokensOf(order.maker, outputMint)).toBe(taking - fee);
      expect(on.tokensOf(on.keeper, outputMint) - tokens).toBe(quoted - taking);
      expect(spent).toBe(planned.lamports);
    }
    expect(on.tokensOf(on.keeper, inputMint)).toBe(
      inputMint === JUP ? tokens : on.tokensOf(on.keeper, inputMint),
    );
  });
});

describe('the price of a limit order', () => {
  it('is kept by the swap itself: it fails for less than the keeper will owe', async () => {
    const { order } = await place(99n);
    const planned = await on.planTask(order);
    expect(planned.fill?.threshold).toBeGreaterThanOrEqual(order.taking);
  });

  it('is never undercut, unless the order has a slippage: then its maker gets all that the route pays', async () => {
    const { order } = await place(101n);
    expect(await on.plan(order)).toMatchObject({ kind: 'waits', reason: 'price' });
    const { order: strict } = await place(101n, { slippageBps: 50 });
    expect(await on.plan(strict)).toMatchObject({ kind: 'waits', reason: 'price' });
    const { order: lenient, quoted } = await place(101n, { slippageBps: 150 });
    const tokens = on.tokensOf(on.keeper, JUP);
    const landed = await on.land(await on.planTask(lenient));
    expect(landed.error).toBeNull();
    const fee = (quoted + 999n) / 1_000n;
    expect(on.tokensOf(lenient.maker, JUP)).toBe(quoted - fee);
    expect(on.tokensOf(on.keeper, JUP)).toBe(tokens);
  });

  it.each([
    ['a half', 2n],
    ['a quarter', 4n],
    ['an eighth', 8n],
  ])('is paid for %s if no route pays it for more', async (_, part) => {
    const own = await OrderMarket.open();
    const making = own.fills.amountWorth(USDC, 400_000);
    const whole = await own.quoteLimit(USDC, JUP, making);
    const ofPart = await own.quoteLimit(USDC, JUP, making / part);
    // More than the next larger part brings, and a little less than this one does.
    const taking = (ofPart * part * 9_999n) / 10_000n;
    expect(taking).toBeGreaterThan(whole);
    const order = own.placeLimit({ inputMint: USDC, outputMint: JUP, making, taking });
    const tokens = own.tokensOf(own.keeper, JUP);
    const planned = await own.planTask(order);
    expect(planned.fill?.inputAmount).toBe(making / part);
    const landed = await own.land(planned);
    expect(landed.error, landed.logs.join('\n')).toBeNull();
    expect(own.limit(order).making).toBe(making - making / part);
    expect(own.tokensOf(own.keeper, JUP)).toBeGreaterThanOrEqual(tokens);
  });

  it('is not tried for parts that are worth less than ten dollars', async () => {
    const own = await OrderMarket.open();
    const making = own.fills.amountWorth(USDC, 400_000);
    const taking = ((await own.quoteLimit(USDC, JUP, making / 2n)) * 2n * 9_999n) / 10_000n;
    const order = own.placeLimit({ inputMint: USDC, outputMint: JUP, making, taking });
    const worth = (dollars: number) => () => ({ referenceIn: dollars / 400_000, referenceOut: null });
    own.references = worth(19.9);
    expect(await own.plan(order)).toMatchObject({ kind: 'waits', reason: 'price' });
    own.references = worth(20.1);
    expect(await own.plan(order)).toMatchObject({ kind: 'planned', fill: { inputAmount: making / 2n } });
  });
});

describe('a limit order waits', () => {
  it('while its maker has no account for the output, whose rent the keeper does not pay', async () => {
    const { order } = await place(99n, {}, AMOUNT, false);
    expect(await on.plan(order)).toMatchObject({ kind: 'waits', reason: 'account' });
  });

  it.each([
    ['dust', 'worth less than a dollar', 900_000n, 'dust'],
    ['filled', 'worth a dollar and more', 1_100_000n, null],
  ])('as %s if it is %s', async (_, __, making, reason) => {
    const { order } = await place(90n, {}, making);
    const plan = await on.plan(order);
    expect(plan).toMatchObject(reason === null ? { kind: 'planned' } : { kind: 'waits', reason });
  });

  it('as dust if it is worth a dollar only by a price that its slippage does not hold to', async () => {
    const taking = on.fills.amountWorth(JUP, 1.1);
    const dust = { inputMint: USDC, outputMint: JUP, making: 300n, taking, slippageBps: 9_999 };
    expect(await on.plan(on.placeLimit(dust))).toMatchObject({ kind: 'waits', reason: 'dust' });
  });

  it('while neither of its tokens has a reliable price', async () => {
    const { order } = await place(99n);
    on.references = () => ({ referenceIn: null, referenceOut: null });
    expect(await on.plan(order)).toMatchObject({ kind: 'waits', reason: 'unpriced' });
    on.references = null;
  });

  it('in its last three seconds, because a fill that lands too late costs its fee', async () => {
    const { order } = await place(99n, { expiredAt: on.now() + 3n });
    expect(await on.plan(order)).toMatchObject({ kind: 'waits', reason: 'unavailable' });
    const { order: longer } = await place(99n, { expiredAt: on.now() + 4n });
    expect(await on.plan(longer)).toMatchObject({ kind: 'planned', task: 'fill' });
  });

  it('while the account of its maker is frozen', async () => {
    const { order } = await place(99n);
    const { maker } = order;
    on.fills.setTokens(on.fills.ata(maker, JUP), { owner: maker, mint: JUP, amount: 0n }, 'frozen');
    expect(await on.plan(order)).toMatchObject({ kind: 'waits', reason: 'refused' });
  });

  it('while the account that it pays its fee to does not exist', async () => {
    const referral = on.fills.openAta(on.fills.newKey(1_000_000_000n).address, JUP);
    const { order } = await place(99n, { referral });
    const { network } = on.market;
    network.setAccount(referral, { ...on.fills.read(referral), lamports: 0n });
    expect(await on.plan(order)).toMatchObject({ kind: 'waits', reason: 'refused' });
  });
});

describe('what others do between the simulation and the block', () => {
  it.each(['close the account of the maker', 'cancel the order', 'move the pools'])(
    'costs the keeper the fee alone: they %s',
    async (what) => {
      const { order, quoted } = await place(99n);
      const planned = await on.planTask(order);
      const { maker, address } = order;
      const account = on.fills.ata(maker, JUP);
      if (what.startsWith('close')) {
        on.must(closeAccount(TOKEN_PROGRAM, { account, destination: maker, authority: maker }));
      } else if (what.startsWith('cancel')) {
        on.must(createCancelOrder({ ...on.limit(order), address }, maker, on.fills.ata(maker, USDC)));
      } else await on.move(USDC, JUP, 3n);
      const [gas, tokens] = [on.fills.lamports(on.keeper), on.tokensOf(on.keeper, JUP)];
      const landed = await on.land(planned);
      expect(landed.error).not.toBeNull();
      expect(gas - on.fills.lamports(on.keeper)).toBe(landed.fee);
      expect(on.tokensOf(on.keeper, JUP)).toBe(tokens);
      expect(quoted).toBeGreaterThan(0n);
    },
  );

  it('does not keep orders from being filled: what strangers send to the reserve is left in the account of the keeper', async () => {
    const own = await OrderMarket.open();
    const taking = ((await own.quoteLimit(USDC, JUP, AMOUNT)) * 9n) / 10n;
    const order = own.placeLimit({ inputMint: USDC, outputMint: JUP, making: AMOUNT, taking });
    const { inputReserve } = own.limit(order);
    own.fills.setTokens(inputReserve, { owner: order.address, mint: USDC, amount: AMOUNT + 7n });
    const landed = await own.land(await own.planTask(order));
    expect(landed.error, landed.logs.join('\n')).toBeNull();
    expect(own.tokensOf(own.keeper, USDC)).toBe(7n);
  });
});

describe('the cancellation of an order that has expired', () => {
  it('bids little for priority, whatever others seem to pay for the accounts of its maker', async () => {
    const own = await OrderMarket.open();
    const order = placeExpired(own, USDC, 1n);
    own.market.chain.fees.push({ slot: 1n, microLamports: 1_000_000_000_000n });
    const planned = await own.planTask(order);
    expect(planned).toMatchObject({ task: 'cancel' });
    expect(planned.lamports).toBeLessThanOrEqual(10_000n);
    expect((await own.land(planned)).error).toBeNull();
  });

  it('returns SOL as SOL to a maker without an account of wrapped SOL', async () => {
    const own = await OrderMarket.open();
    const order = placeExpired(own, WRAPPED_SOL_MINT, AMOUNT);
    const { maker } = order;
    const account = own.fills.ata(maker, WRAPPED_SOL_MINT);
    own.must(closeAccount(TOKEN_PROGRAM, { account, destination: maker, authority: maker }));
    const before = own.fills.lamports(maker);
    const planned = await own.planTask(order);
    const gas = own.fills.lamports(own.keeper);
    expect((await own.land(planned)).error).toBeNull();
    expect(own.fills.lamports(maker) - before).toBe(AMOUNT + 3_480_000n + 2_039_280n);
    expect(gas - own.fills.lamports(own.keeper)).toBe(planned.lamports);
  });
});

it('pays wrapped SOL to a maker who has an account for them, and leaves those of the keeper alone', async () => {
  const quoted = await on.quoteLimit(USDC, WRAPPED_SOL_MINT, AMOUNT, true);
  const taking = (quoted * 99n) / 100n;
  const pair = { inputMint: USDC, outputMint: WRAPPED_SOL_MINT };
  const order = on.placeLimit({ ...pair, making: AMOUNT, taking }, { opensOutput: true });
  const own = on.fills.ata(on.keeper, WRAPPED_SOL_MINT);
  on.fills.setTokens(own, { owner: on.keeper, mint: WRAPPED_SOL_MINT, amount: 5n });
  const landed = await on.land(await on.planTask(order));
  expect(landed.error, landed.logs.join('\n')).toBeNull();
  expect(on.tokensOf(order.maker, WRAPPED_SOL_MINT)).toBe(taking - (taking + 999n) / 1_000n);
  expect(on.fills.tokens(own)).toBe(5n);
});

it('pays a token of Token-2022 that has neither fees nor hooks', async () => {
  const other = await OrderMarket.open();
  const { network, chain } = other.market;
  const { data, ...mint } = other.fills.read(PYUSD);
  const decoded = decodeMint(data);
  const kept = decoded.extensions.filter(({ type }) => !FEES_AND_HOOKS.has(type));
  network.setAccount(PYUSD, { ...mint, data: encodeMint({ ...decoded, extensions: kept }) });
  chain.publish([PYUSD]);
  const quoted = await other.quoteLimit(USDC, PYUSD, AMOUNT);
  const pair = { inputMint: USDC, outputMint: PYUSD };
  const order = other.placeLimit({ ...pair, making: AMOUNT, taking: quoted - 1_000n });
  const planned = await other.planTask(order);
  const landed = await other.land(planned);
  expect(landed.error, landed.logs.join('\n')).toBeNull();
  expect(other.tokensOf(other.keeper, PYUSD)).toBe(1_000n);
});

const AMOUNT = 50_000_000n;
const FEES_AND_HOOKS: ReadonlySet<number> = new Set([
  ExtensionType.TRANSFER_FEE_CONFIG,
  ExtensionType.TRANSFER_HOOK,
]);

/** Places an order that has expired since. */
function placeExpired(market: OrderMarket, inputMint: Address, making: bigint) {
  const terms = { inputMint, outputMint: JUP, making, taking: 1n << 60n, expiredAt: market.now() + 5n };
  const order = market.placeLimit(terms);
  market.market.network.setUnixTime(market.now() + 5n);
  return order;
}

/** Places an order that sells USDC for so many percent of what the market pays now. */
async function place(
  percent: bigint,
  terms: { readonly slippageBps?: number; readonly referral?: Address; readonly expiredAt?: bigint } = {},
  making = AMOUNT,
  opensOutput = true,
) {
  const quoted = await on.quoteLimit(USDC, JUP, making);
  const taking = (quoted * percent) / 100n;
  const order = on.placeLimit(
    { inputMint: USDC, outputMint: JUP, making, taking, ...terms },
    { opensOutput },
  );
  return { order, quoted };
}
