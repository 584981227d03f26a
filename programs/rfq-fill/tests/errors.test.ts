import { describe, expect, it } from 'vitest';
import { AggregatorSide } from '../../../src/protocol/venue/aggregator-step.ts';
import { readonly, readonlySigner, writable } from '../../../src/solana/messages/instruction.ts';
import { SYSVAR_CLOCK, TOKEN_2022_PROGRAM } from '../../../src/solana/program-addresses.ts';
import { U64_MAX } from '../../../src/solana/units.ts';
import { FillMarket, fillData, levels, NOW, type Order, order } from './fill-market.ts';

describe('fill_exact_in refuses', () => {
  it.each([
    [
      'a price beyond u64',
      order(AggregatorSide.BID, 1n, { tickSizeQpb: 1n << 33n, levels: levels([1n << 31n, 1n]) }),
    ],
    [
      'a sum received beyond u64',
      order(AggregatorSide.ASK, 3n, { lotSizeBase: 1n, levels: levels([U64_MAX, 2n]) }),
    ],
    [
      'lots of more base than u64',
      order(AggregatorSide.BID, 2n, { lotSizeBase: U64_MAX, levels: levels([1n, 2n]) }),
    ],
  ])('%s: Overflow', (_, sold) => {
    expect(errorOf(sold)).toBe(6000);
  });

  it.each([
    ['too little input for one lot', order(AggregatorSide.BID, 2n, { levels: levels([3n, 10n]) })],
    ['no levels', order(AggregatorSide.BID, 2n, { levels: [] })],
    ['levels of no lots', order(AggregatorSide.ASK, 5_000n, { levels: levels([3n, 0n], [3n, 0n]) })],
    ['a price of nothing to a buyer', order(AggregatorSide.BID, 5_000n, { levels: levels([0n, 10n]) })],
    ['a price of nothing to a seller', order(AggregatorSide.ASK, 5_000n, { levels: levels([0n, 10n]) })],
    ['lots of nothing', order(AggregatorSide.BID, 5_000n, { lotSizeBase: 0n, levels: levels([3n, 10n]) })],
    [
      'lots of nothing from a seller',
      order(AggregatorSide.ASK, 5_000n, { lotSizeBase: 0n, levels: levels([3n, 1n]) }),
    ],
  ])('%s: NoFill', (_, sold) => {
    expect(errorOf(sold)).toBe(6001);
  });

  it('an order one second after its expiry: StaleOrderbook', () => {
    expect(
      errorOf(order(AggregatorSide.ASK, 5_000n, { expireAt: NOW - 1n, levels: levels([3n, 10n]) })),
    ).toBe(6002);
  });

  it.each([
    [
      'falling prices to a buyer',
      order(AggregatorSide.BID, 5_000n, { levels: levels([3n, 1n], [4n, 1n], [3n, 1n]) }),
    ],
    ['rising prices to a seller', order(AggregatorSide.ASK, 5_000n, { levels: levels([3n, 9n], [4n, 1n]) })],
  ])('%s: InvalidLevelOrdering', (_, sold) => {
    expect(errorOf(sold)).toBe(6003);
  });

  it('a call from outside the aggregator: InvalidCaller', () => {
    const market = new FillMarket();
    expect(market.send(market.direct(good)).error).toMatchObject({ custom: 6004 });
    // A route in the same transaction does not help if the fill is outside of it.
    expect(market.send(market.route(good), market.direct(good)).error).toMatchObject({ custom: 6005 });
  });

  it('an unknown instruction and one without a discriminator: InstructionFallbackNotFound', () => {
    const market = new FillMarket();
    const call = market.direct(good);
    expect(market.send({ ...call, data: new Uint8Array(8) }).error?.custom).toBe(101);
    expect(market.send({ ...call, data: call.data.subarray(0, 7) }).error?.custom).toBe(101);
  });

  it('arguments that are cut short or lie about their length: InstructionDidNotDeserialize', () => {
    const market = new FillMarket();
    const call = market.direct(good);
    for (let length = 8; length < call.data.length; length++) {
      const { error } = market.send({ ...call, data: call.data.subarray(0, length) });
      expect(error?.custom, `${length} bytes`).toBe(102);
    }
    for (const count of [2, 0x1000_0001, 0xffff_ffff]) {
      const data = fillData(good);
      new DataView(data.buffer, data.byteOffset).setUint32(41, count, true);
      expect(market.send({ ...call, data }).error?.custom, `${count} levels`).toBe(102);
    }
    const side = fillData(good);
    side[8] = 2;
    expect(market.send({ ...call, data: side }).error?.custom).toBe(102);
  });
});

describe('of its accounts, fill_exact_in refuses', () => {
  it('too few: AccountNotEnoughKeys', () => {
    const market = new FillMarket();
    const call = market.direct(good);
    const { error } = market.send({ ...call, accounts: call.accounts.slice(0, 10) });
    expect(error?.custom).toBe(3005);
  });

  it('a taker or a maker that did not sign: AccountNotSigner', () => {
    const market = new FillMarket();
    const stranger = readonly(market.network.newWallet());
    for (const place of [Place.USER, Place.FILL_AUTHORITY]) {
      expect(market.send(market.direct(good, { [place]: stranger })).error?.custom).toBe(3010);
    }
  });

  it('token accounts that do not exist: AccountNotInitialized', () => {
    const market = new FillMarket();
    const absent = writable(market.network.newAddress());
    for (const place of [...TOKEN_PLACES, Place.BASE_MINT, Place.QUOTE_MINT]) {
      expect(market.send(market.direct(good, { [place]: absent })).error?.custom).toBe(3012);
    }
  });

  it('token accounts that no token program owns: AccountOwnedByWrongProgram', () => {
    const market = new FillMarket();
    const wallet = writable(market.network.newWallet());
    for (const place of [...TOKEN_PLACES, Place.BASE_MINT, Place.QUOTE_MINT]) {
      expect(market.send(market.direct(good, { [place]: wallet })).error?.custom).toBe(3007);
    }
  });

  it('mints in the place of token accounts and the reverse: InvalidAccountData', () => {
    const market = new FillMarket();
    for (const place of TOKEN_PLACES) {
      const { error } = market.send(market.direct(good, { [place]: writable(market.pair.baseMint) }));
      expect(error?.kind).toBe('InvalidAccountData');
    }
    for (const place of [Place.BASE_MINT, Place.QUOTE_MINT]) {
      const { error } = market.send(market.direct(good, { [place]: writable(market.parties.takerBase) }));
      expect(error?.kind).toBe('InvalidAccountData');
    }
  });

  it('token accounts and mints before they are initialised: UninitializedAccount', () => {
    const market = new FillMarket();
    const [account, mint] = [market.network.newAddress(), market.network.newAddress()];
    market.network.setData(account, market.pair.baseTokenProgram, new Uint8Array(165));
    market.network.setData(mint, market.pair.baseTokenProgram, new Uint8Array(82));
    for (const place of [...TOKEN_PLACES, Place.BASE_MINT, Place.QUOTE_MINT]) {
      const empty = place === Place.BASE_MINT || place === Place.QUOTE_MINT ? mint : account;
      const { error } = market.send(market.direct(good, { [place]: writable(empty) }));
      expect(error?.kind).toBe('UninitializedAccount');
    }
  });

  it('other programs as token programs: InvalidProgramId', () => {
    const market = new FillMarket();
    for (const place of [Place.BASE_PROGRAM, Place.QUOTE_PROGRAM]) {
      const { error } = market.send(market.direct(good, { [place]: readonly(market.network.newWallet()) }));
      expect(error?.custom).toBe(3008);
    }
  });

  it('token accounts that are not writable: ConstraintMut', () => {
    const market = new FillMarket();
    const accounts = market.direct(good).accounts;
    for (const place of TOKEN_PLACES) {
      const account = accounts[place];
      if (account === undefined) throw new Error(`no account ${place}`);
      const { error } = market.send(market.direct(good, { [place]: readonly(account.address) }));
      expect(error?.custom).toBe(2000);
    }
  });

  it('token accounts of another owner: ConstraintTokenOwner', () => {
    const market = new FillMarket();
    const stranger = market.network.newWallet();
    const { baseMint, baseTokenProgram, quoteMint, quoteTokenProgram } = market.pair;
    const base = market.newTokenAccount(baseMint, stranger, baseTokenProgram);
    const quote = market.newTokenAccount(quoteMint, stranger, quoteTokenProgram);
    for (const place of TOKEN_PLACES) {
      const other = place === Place.USER_BASE || place === Place.MAKER_BASE ? base : quote;
      expect(market.send(market.direct(good, { [place]: writable(other) })).error?.custom).toBe(2015);
    }
  });

  it('the accounts of taker and maker exchanged: ConstraintTokenOwner', () => {
    const market = new FillMarket();
    const { taker, maker } = market.parties;
    const exchanged = { [Place.USER]: readonlySigner(maker), [Place.FILL_AUTHORITY]: readonlySigner(taker) };
    expect(market.send(market.direct(good, exchanged)).error?.custom).toBe(2015);
  });

  it('token accounts of another mint: ConstraintTokenMint', () => {
    const market = new FillMarket();
    const { takerBase, takerQuote, makerBase, makerQuote } = market.parties;
    const others = [takerQuote, takerBase, makerQuote, makerBase];
    for (const [index, place] of TOKEN_PLACES.entries()) {
      const other = others[index];
      if (other === undefined) throw new Error(`no account ${index}`);
      expect(market.send(market.direct(good, { [place]: writable(other) })).error?.custom).toBe(2014);
    }
  });

  it('the other token program: ConstraintTokenTokenProgram', () => {
    const market = new FillMarket();
    for (const place of [Place.BASE_PROGRAM, Place.QUOTE_PROGRAM]) {
      const { error } = market.send(market.direct(good, { [place]: readonly(TOKEN_2022_PROGRAM) }));
      expect(error?.custom).toBe(2021);
    }
  });

  it('another sysvar, or an account that only looks like it: ConstraintAddress', () => {
    const market = new FillMarket();
    const forged = market.network.newAddress();
    market.network.setData(forged, market.pair.baseTokenProgram, new Uint8Array(200));
    for (const address of [SYSVAR_CLOCK, forged]) {
      const { error } = market.send(market.direct(good, { [Place.INSTRUCTIONS]: readonly(address) }));
      expect(error?.custom).toBe(2012);
    }
  });
});

/** Places of the accounts of `fill_exact_in`. */
const Place = {
  USER: 0,
  FILL_AUTHORITY: 1,
  USER_BASE: 2,
  USER_QUOTE: 3,
  MAKER_BASE: 4,
  MAKER_QUOTE: 5,
  BASE_MINT: 6,
  QUOTE_MINT: 7,
  BASE_PROGRAM: 8,
  QUOTE_PROGRAM: 9,
  INSTRUCTIONS: 10,
} as const;
const TOKEN_PLACES = [Place.USER_BASE, Place.USER_QUOTE, Place.MAKER_BASE, Place.MAKER_QUOTE] as const;

const good = order(AggregatorSide.ASK, 5_000n, { levels: levels([3n, 10n]) });

function errorOf(sold: Order): number | undefined {
  const market = new FillMarket();
  return market.send(market.route(sold)).error?.custom;
}
