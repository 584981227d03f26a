import * as orca from '@orca-so/whirlpools-core';
import { beforeEach, describe, expect, it } from 'vitest';
import { swapV2 } from '../../../src/market/venues/whirlpool/instructions.ts';
import { encodeWhirlpool, type Sides } from '../../../src/market/venues/whirlpool/layout.ts';
import { WHIRLPOOL_PROGRAM } from '../../../src/market/venues/whirlpool/program.ts';
import { tickArrayStart } from '../../../src/market/venues/whirlpool/tick-array.ts';
import { TOKEN_2022_PROGRAM } from '../../../src/solana/programs.ts';
import { decodeTokenAccount } from '../../../src/solana/token/account.ts';
import { ExtensionType } from '../../../src/solana/token/extensions.ts';
import { decodeMint } from '../../../src/solana/token/mint.ts';
import { U64_MAX } from '../../../src/solana/units.ts';
import {
  namedAddress,
  token,
  withTransferFee,
  writeMint,
  writeTokenAccount,
} from '../../constant-product/tests/fixture.ts';
import { CONFIG, layOut, type Pool, swapPool, USER, USER_TOKENS } from './fixture.ts';
import {
  changeLiquidity,
  initializePoolV2,
  type LiquidityAccounts,
  openPosition,
  positionOf,
  tagOf,
  updateFees,
} from './instructions.ts';
import {
  changeLiquidityV2,
  closePosition2022,
  collectFeesV2,
  increaseByAmounts,
  initializeDynamicTickArray,
  openPosition2022,
  type Slices,
} from './instructions-v2.ts';
import {
  ADMIN,
  balances,
  data,
  LIQUIDITY,
  network,
  NO_LIMITS,
  positionOfAccounts,
  refuse,
  send,
  SPACING,
  SPAN,
  startOver,
  state,
  succeed,
} from './liquidity-world.ts';

const FEES = [
  { basisPoints: 137, maximumFee: 5_000_000n },
  { basisPoints: 10_000, maximumFee: 77n },
] as const;
const PRICE = 1n << 64n;

let made: Pool;
let fees: Sides<orca.TransferFee>;
let opened = 0;

beforeEach(() => {
  startOver();
  made = layOut(SPACING, [
    token('with fee', [withTransferFee(FEES[0])]),
    token('other', [withTransferFee(FEES[1])]),
  ]);
  const ordered = made.tokens.map(({ mint }) => (mint === token('with fee').mint ? FEES[0] : FEES[1]));
  fees = ordered.map(({ basisPoints, maximumFee }) => ({ feeBps: basisPoints, maxFee: maximumFee })) as [
    orca.TransferFee,
    orca.TransferFee,
  ];
  for (const side of [0, 1] as const) {
    writeMint(network, made.tokens[side]);
    writeTokenAccount(network, USER_TOKENS[side], USER, made.tokens[side], 1n << 60n);
  }
  succeed(initializePoolV2(CONFIG, made, USER, SPACING, PRICE));
  for (const start of [-SPAN, 0, SPAN]) succeed(initializeDynamicTickArray(made.address, USER, start));
});

function fresh(lower: number, upper: number): LiquidityAccounts {
  const position = positionOf(namedAddress(`position 2022 ${opened++}`), USER, TOKEN_2022_PROGRAM);
  const arrays = [tickArrayStart(lower, SPACING), tickArrayStart(upper, SPACING)] as const;
  return { pool: made, position, user: USER_TOKENS, arrays };
}

function open(lower: number, upper: number, withMetadata = true): LiquidityAccounts {
  const accounts = fresh(lower, upper);
  succeed(openPosition2022(made.address, USER, accounts.position, [lower, upper], withMetadata));
  return accounts;
}

/** What the user paid, or got where it is negative, for what is done. */
function paidFor(run: () => void): bigint[] {
  const before = balances();
  run();
  return balances().map((after, side) => (before[side] ?? 0n) - after);
}

/** A pool whose positions must stay where they were opened, as the public program's newer ones can be. */
function keepPositions(): void {
  const pool = state(made);
  const [first, second, third] = pool.rewards;
  const flagged = { ...second, extension: Uint8Array.of(1, ...new Uint8Array(31)) };
  const account = encodeWhirlpool({ ...pool, rewards: [first, flagged, third] });
  network.setData(made.address, WHIRLPOOL_PROGRAM, account);
}

describe('positions of Token-2022', () => {
  it('have a mint of one token that the position freezes and closes, with metadata', () => {
    const { position } = open(-640, 640);
    const mint = decodeMint(data(position.mint));
    expect(mint).toMatchObject({
      ...{ supply: 1n, decimals: 0, mintAuthority: null, freezeAuthority: position.position },
    });
    const of = (type: number) => Buffer.from(mint.extensions.find((each) => each.type === type)?.data ?? []);
    expect(of(ExtensionType.MINT_CLOSE_AUTHORITY).length).toBe(32);
    expect(of(ExtensionType.METADATA_POINTER).subarray(32)).toEqual(
      of(ExtensionType.TOKEN_METADATA).subarray(32, 64),
    );
    const text = of(ExtensionType.TOKEN_METADATA).toString('latin1');
    expect(text).toContain(`OWP ${position.mint.slice(0, 4)}...${position.mint.slice(-4)}`);
    expect(text).toContain(`https://metadata.orca.so/positions/${position.position}`);
    const account = network.account(position.mint);
    expect(account?.lamports).toBe(
      network.svm.minimumBalanceForRentExemption(BigInt(account?.data.length ?? 0)),
    );
    expect(decodeTokenAccount(data(position.token))).toMatchObject({ owner: USER, amount: 1n });
  });

  it('do without metadata where none is asked for', () => {
    const { extensions } = decodeMint(data(open(-640, 640, false).position.mint));
    expect(extensions.map(({ type }) => type)).toEqual([ExtensionType.MINT_CLOSE_AUTHORITY]);
  });

  it('are the only ones that some pools take, and stay where they are', () => {
    keepPositions();
    const plain = positionOf(namedAddress('plain position'), USER);
    refuse(6067, openPosition(made.address, USER, plain, -640, 640));
    const { extensions } = decodeMint(data(open(-640, 640).position.mint));
    expect(extensions.map(({ type }) => type)).toContain(ExtensionType.NON_TRANSFERABLE);
  });

  it('are refused with a range, a metadata authority or a mint that does not fit', () => {
    const { position } = fresh(-640, 640);
    refuse(6010, openPosition2022(made.address, USER, position, [-640, 641]));
    const open = openPosition2022(made.address, USER, position, [-640, 640]);
    const swapped = (index: number, address: string) =>
      open.accounts.map((each, i) =>
        i === index ? { ...each, address: address as typeof each.address } : each,
      );
    refuse(2012, { ...open, accounts: swapped(9, USER) });
    refuse(3008, { ...open, accounts: swapped(6, made.tokens[0].mint) });
    refuse(2006, { ...open, accounts: swapped(3, USER) });
  });

  it('are closed only when empty and unlocked, and leave nothing behind', () => {
    const accounts = open(-640, 640);
    const { position } = accounts;
    succeed(changeLiquidityV2('increase', accounts, LIQUIDITY, NO_LIMITS));
    refuse(6005, closePosition2022(position, USER));
    refuse(6019, closePosition2022({ ...position, owner: ADMIN }, USER));
    succeed(changeLiquidityV2('decrease', accounts, LIQUIDITY, [0n, 0n]));
    const held = [position.position, position.token, position.mint];
    const all = held.reduce((sum, address) => sum + (network.account(address)?.lamports ?? 0n), 0n);
    const before = network.account(ADMIN)?.lamports ?? 0n;
    succeed(closePosition2022(position, ADMIN));
    expect((network.account(ADMIN)?.lamports ?? 0n) - before).toBe(all);
    for (const address of held) expect(network.account(address)).toBeNull();
  });
});

describe('the newer instructions over liquidity', () => {
  it.each([
    ['around the price', -640, 640],
    ['below it', -1280, -640],
    ['above it', 640, 1280],
    ['across arrays', -SPAN, SPAN],
  ])('move the tokens that Orca’s own library says, with transfer fees: %s', (_, lower, upper) => {
    const accounts = open(lower, upper);
    const quote = orca.increaseLiquidityQuote(LIQUIDITY, 0, PRICE, lower, upper, ...fees);
    const most = [quote.tokenEstA, quote.tokenEstB] as const;
    for (const side of [0, 1] as const) {
      if (most[side] === 0n) continue;
      const tight = most.map((each, i) => (i === side ? each - 1n : each)) as [bigint, bigint];
      refuse(6017, changeLiquidityV2('increase', accounts, LIQUIDITY, tight));
    }
    expect(paidFor(() => succeed(changeLiquidityV2('increase', accounts, LIQUIDITY, most)))).toEqual(most);

    const back = orca.decreaseLiquidityQuote(LIQUIDITY, 0, PRICE, lower, upper, ...fees);
    const least = [back.tokenEstA, back.tokenEstB] as const;
    refuse(6018, changeLiquidityV2('decrease', accounts, LIQUIDITY, [least[0] + 1n, least[1]]));
    const paid = paidFor(() => succeed(changeLiquidityV2('decrease', accounts, LIQUIDITY, least)));
    expect(paid).toEqual(least.map((each) => -each));
  });

  it.each([
    [1_000_000_000n, 1_000_000_000n, -640, 640],
    [1_000_000_000n, 500n, -640, 640],
    [123_456n, U64_MAX >> 8n, -64, 1280],
    [1_000_000n, 0n, 640, 1280],
    [0n, 1_000_000n, -1280, -640],
    [7_777_777n, 99n, 0, 64],
  ])('turn %i and %i of the tokens into as much liquidity as Orca’s own library', (a, b, lower, upper) => {
    const accounts = open(lower, upper);
    const of = [
      orca.increaseLiquidityQuoteA(a, 0, PRICE, lower, upper, ...fees).liquidityDelta,
      orca.increaseLiquidityQuoteB(b, 0, PRICE, lower, upper, ...fees).liquidityDelta,
    ] as const;
    const [smaller] = [...of].sort((one, other) => (one < other ? -1 : 1));
    const expected = upper <= 0 ? of[1] : lower >= 0 ? of[0] : smaller;
    succeed(increaseByAmounts(accounts, [a, b]));
    expect(positionOfAccounts(accounts).liquidity).toBe(expected);
  });

  it('refuse amounts that are worth nothing, and prices that have moved', () => {
    const accounts = open(-640, 640);
    refuse(6012, increaseByAmounts(accounts, [0n, 1_000n]));
    refuse(6069, increaseByAmounts(accounts, [1_000n, 1_000n], [PRICE + 1n, PRICE + 2n]));
    refuse(6069, increaseByAmounts(accounts, [1_000n, 1_000n], [0n, PRICE - 1n]));
    refuse(102, {
      ...increaseByAmounts(accounts, [1n, 1n]),
      data: tagOf('increase_liquidity_by_token_amounts_v2'),
    });
  });

  it('take accounts for transfer hooks only behind theirs, which are counted', () => {
    const accounts = open(-640, 640);
    const change = (slices: Slices) => changeLiquidityV2('increase', accounts, 1_000n, NO_LIMITS, slices);
    refuse(6048, change([[6, 1]]));
    refuse(6049, change([[0, 1]]));
    succeed(change([[0, 0]]));
  });

  it('serve positions of either token program, and pay their fees out', () => {
    const [extended, plain] = [open(-640, 640), fresh(-640, 640)];
    const older = { ...plain, position: positionOf(namedAddress('older position'), USER) };
    succeed(openPosition(made.address, USER, older.position, -640, 640));
    for (const each of [extended, older]) succeed(changeLiquidityV2('increase', each, LIQUIDITY, NO_LIMITS));
    // The plain instruction cannot move tokens of Token-2022.
    expect(send(changeLiquidity('decrease', extended, 1n, [0n, 0n])).error?.kind).toBe('InvalidAccountData');
    swapIn(made, 1_000_000_000n);
    for (const each of [extended, older]) {
      succeed(updateFees(each));
      const [owed] = positionOfAccounts(each).feesOwed;
      expect(owed).toBeGreaterThan(1_000_000n);
      const { feeBps, maxFee } = fees[0];
      const withheld = (owed * BigInt(feeBps) + 9_999n) / 10_000n;
      const arriving = owed - (withheld < maxFee ? withheld : maxFee);
      expect(paidFor(() => succeed(collectFeesV2(each)))).toEqual([-arriving, 0n]);
      expect(positionOfAccounts(each).feesOwed).toEqual([0n, 0n]);
      refuse(6019, collectFeesV2({ ...each, position: { ...each.position, owner: ADMIN } }));
    }
  });
});

/** Token A for token B, which the pool must have. */
function swapIn(pool: Pool, amount: bigint): void {
  const { tick, tickSpacing } = state(pool);
  const at = { tick, tickSpacing, feeRate: 0, protocolFeeRate: 0, sqrtPrice: 0n, ranges: [] };
  const user = { authority: USER, source: USER_TOKENS[0], destination: USER_TOKENS[1] };
  const args = { amount, otherAmountThreshold: 0n, sqrtPriceLimit: 0n, exactIn: true };
  succeed(swapV2(swapPool(pool, at), pool.tokens[0].mint, user, args));
}
