import { describe, expect, it } from 'vitest';
import { type Address, address, toAddressBytes } from '../../solana/address.ts';
import { deriveAssociatedTokenAddress } from '../../solana/pda.ts';
import {
  SYSTEM_PROGRAM,
  TOKEN_2022_PROGRAM,
  TOKEN_PROGRAM,
  WRAPPED_SOL_MINT,
} from '../../solana/program-addresses.ts';
import { ExtensionType } from '../../solana/programs/token/extensions.ts';
import { encodeTransferFeeConfigExtension } from '../../solana/programs/token/transfer-fee.ts';
import type { Ack } from './quotes.ts';
import {
  createTestAddress,
  openTestRfq,
  SOL_TOKEN,
  snapshot,
  type TestRfq,
  USDC,
  USDC_TOKEN,
} from '../../testing/rfq/test-rfq.ts';
import type { Snapshot } from './snapshot.ts';

describe('Inventory: balances', () => {
  it('must be of token accounts that exist, at the first snapshot and later', async () => {
    const test = await open();
    test.chain.set(SOL_ACCOUNT, null);
    const missing = {
      refusal: 'inventory',
      message: `for base_token the token account ${SOL_ACCOUNT} does not exist`,
    };
    expect(await stream(test, { sequence: 1n })).toEqual(missing);
    test.chain.balance(MAKER, WRAPPED_SOL_MINT, 10n ** 12n);
    expect(await stream(test, { sequence: 2n })).toEqual({ note: null });
    test.chain.set(SOL_ACCOUNT, null);
    expect(asks(test)).toEqual([]);
    expect(await stream(test, { sequence: 3n })).toEqual(missing);
  });

  it.each([
    [
      'frozen',
      (test: TestRfq) => test.chain.balance(MAKER, WRAPPED_SOL_MINT, 1n, 'frozen'),
      `${SOL_ACCOUNT} is frozen`,
    ],
    [
      'of another program',
      (test: TestRfq) => test.chain.set(SOL_ACCOUNT, { owner: SYSTEM_PROGRAM, data: new Uint8Array(165) }),
      `${SOL_ACCOUNT} is not a token account of the mint's program`,
    ],
    [
      'broken',
      (test: TestRfq) => {
        const data = new Uint8Array(200).fill(1);
        data[165] = 2;
        test.chain.set(SOL_ACCOUNT, { owner: TOKEN_PROGRAM, data });
      },
      `${SOL_ACCOUNT} has data that is none`,
    ],
  ])('cannot be of an account that is %s', async (_, change, message) => {
    const test = await open();
    change(test);
    expect(await stream(test, {})).toMatchObject({
      refusal: 'inventory',
      message: expect.stringContaining(message),
    });
  });

  it('cut the live book when they change, and restore it', async () => {
    const test = await open();
    const volumes = [10n ** 9n, 2n * 10n ** 9n];
    const sent = volumes.map((volume, i) => ({ price: 101_000_000n + BigInt(i), volume }));
    await stream(test, { asks: sent });
    expect(asks(test)).toEqual([volumes]);
    test.chain.balance(MAKER, WRAPPED_SOL_MINT, 10n ** 9n + 5n);
    expect(asks(test)).toEqual([[10n ** 9n, 5n]]);
    test.chain.balance(MAKER, WRAPPED_SOL_MINT, 0n);
    expect(asks(test)).toEqual([[]]);
    test.chain.balance(MAKER, WRAPPED_SOL_MINT, 10n ** 12n);
    expect(asks(test)).toEqual([volumes]);
    test.chain.balance(MAKER, WRAPPED_SOL_MINT, 0n);
    test.chain.balance(MAKER, USDC, 0n);
    expect(asks(test)).toEqual([]);
  });

  it('are watched only while the maker has a stream', async () => {
    const test = await openTestRfq();
    const swaps = test.rfq.swapStreams.open('maker-1', PIPE);
    const quotes = test.rfq.quoteStreams.open('maker-1', PIPE);
    quotes.received(snapshot(test.timers.now()), 0);
    await expect.poll(() => asks(test).length).toBe(1);
    expect(test.chain.watched).toBe(4);
    swaps?.closed();
    expect(test.chain.watched).toBe(4);
    quotes.closed();
    expect(test.chain.watched).toBe(0);
  });
});

describe('Inventory: mints', () => {
  const feeOf = (basisPoints: number) => {
    const fee = { epoch: 0n, maximumFee: 5_000n, basisPoints: 0 };
    const authorities = { configAuthority: MAKER, withdrawWithheldAuthority: null, withheldAmount: 0n };
    return encodeTransferFeeConfigExtension({ ...authorities, older: fee, newer: { ...fee, basisPoints } });
  };
  const hookOf = (program: Address) => ({
    type: ExtensionType.TRANSFER_HOOK,
    data: new Uint8Array([...toAddressBytes(MAKER), ...toAddressBytes(program)]),
  });

  it.each([
    [
      'does not exist',
      () => undefined,
      `base_token must be a mint, but ${OTHER} does not exist on this network`,
    ],
    [
      'is another account',
      (test: TestRfq) => test.chain.set(OTHER, { owner: SYSTEM_PROGRAM, data: new Uint8Array(82) }),
      `base_token must be a mint, but ${OTHER} is another account`,
    ],
    [
      'takes a fee on transfers',
      (test: TestRfq) => test.chain.mint(OTHER, 6, TOKEN_2022_PROGRAM, [feeOf(690)]),
      `base_token cannot be quoted: ${OTHER} has a fee on transfers`,
    ],
    [
      'calls a program on transfers',
      (test: TestRfq) => test.chain.mint(OTHER, 6, TOKEN_2022_PROGRAM, [hookOf(createTestAddress(7))]),
      `base_token cannot be quoted: ${OTHER} has a transfer hook`,
    ],
    [
      'has a fee that cannot be read',
      (test: TestRfq) =>
        test.chain.mint(OTHER, 6, TOKEN_2022_PROGRAM, [
          { type: ExtensionType.TRANSFER_FEE_CONFIG, data: new Uint8Array(3) },
        ]),
      `base_token must be a mint, but ${OTHER} has data that is none`,
    ],
  ])('are refused when the mint %s', async (_, change, message) => {
    const test = await open();
    change(test);
    expect(await stream(test, pair)).toMatchObject({
      refusal: 'token',
      message: expect.stringContaining(message),
    });
    const { reads } = test.chain;
    expect(await stream(test, pair)).toMatchObject({ refusal: 'token' });
    expect(test.chain.reads).toBe(reads);
  });

  it('are refused without a read if the mint is not an address', async () => {
    const test = await open();
    const { reads } = test.chain;
    for (const mint of ['', 'x', '1'.repeat(5_000)]) {
      const refused = await stream(test, { base: { ...SOL_TOKEN, mint } });
      expect(refused).toMatchObject({ refusal: 'token' });
    }
    // The other side of the pair is all that was read.
    expect(test.chain.reads - reads).toBeLessThanOrEqual(2);
  });

  it('are known once their mint was created', async () => {
    const test = await open();
    expect(await stream(test, pair)).toMatchObject({ refusal: 'token' });
    test.chain.mint(OTHER, 6, TOKEN_2022_PROGRAM);
    expect(await stream(test, pair)).toMatchObject({ refusal: 'inventory' });
  });

  it('may have a fee of zero and a hook without a program, and leave the market when that changes', async () => {
    const test = await open();
    const harmless = [feeOf(0), hookOf(SYSTEM_PROGRAM)];
    test.chain.mint(OTHER, 6, TOKEN_2022_PROGRAM, harmless);
    test.chain.balance(MAKER, OTHER, 10n ** 12n, 'initialized', TOKEN_2022_PROGRAM);
    expect(await stream(test, pair)).toEqual({ note: null });
    const live = () => test.rfq.ownBooks.between(OTHER, USDC, test.timers.now()).length;
    test.chain.mint(OTHER, 6, TOKEN_2022_PROGRAM, harmless);
    expect(live()).toBe(1);
    test.chain.mint(OTHER, 6, TOKEN_2022_PROGRAM, [feeOf(1), hookOf(SYSTEM_PROGRAM)]);
    expect(live()).toBe(0);
    expect(await stream(test, { ...pair, sequence: 2n })).toMatchObject({ refusal: 'token' });
  });

  it('are bounded per maker', async () => {
    const test = await open();
    const quote = quoting(test);
    const mints: Address[] = [];
    for (let byte = 10; byte < 90; byte++) mints.push(createTestAddress(byte));
    for (const mint of mints) {
      test.chain.mint(mint, 6);
      await quote({ base: { ...USDC_TOKEN, mint }, lotSizeBase: 1n });
    }
    const last = await quote({ base: { ...USDC_TOKEN, mint: mints[79] ?? '' }, lotSizeBase: 1n });
    expect(last).toMatchObject({ refusal: 'token', message: expect.stringContaining('at most 64 mints') });
  });

  const other = { mint: OTHER, decimals: 6, symbol: 'OTHER', tokenProgram: TOKEN_2022_PROGRAM };
  const pair = { base: other, quote: USDC_TOKEN, lotSizeBase: 1n };
});

const PIPE = {
  send: () => undefined,
  end: () => undefined,
  pause: () => undefined,
  resume: () => undefined,
  unread: () => 0,
};
const MAKER = createTestAddress(1);
const OTHER = address('A3QA1111111111111111111111111111111111111111');
const SOL_ACCOUNT = deriveAssociatedTokenAddress(MAKER, WRAPPED_SOL_MINT, TOKEN_PROGRAM);

function stream(test: TestRfq, overrides: Partial<Snapshot>): Promise<Ack> {
  return quoting(test)(overrides);
}

/** Opens one quote stream; each snapshot that is sent through it resolves with its ack. */
function quoting({ rfq, timers }: TestRfq): (overrides: Partial<Snapshot>) => Promise<Ack> {
  let acknowledge: (ack: Ack) => void = () => undefined;
  const quotes = rfq.quoteStreams.open('maker-1', { ...PIPE, send: (ack) => acknowledge(ack) });
  return (overrides) =>
    new Promise((resolve) => {
      acknowledge = resolve;
      quotes.received(snapshot(timers.now(), overrides), 0);
    });
}

async function open(): Promise<TestRfq> {
  const test = await openTestRfq();
  test.rfq.swapStreams.open('maker-1', PIPE);
  return test;
}

function asks({ rfq, timers }: TestRfq) {
  return rfq.ownBooks
    .between(WRAPPED_SOL_MINT, USDC, timers.now())
    .map((book) => book.asks.map(({ volume }) => volume));
}
