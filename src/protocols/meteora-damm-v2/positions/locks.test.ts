import { describe, expect, it } from 'vitest';
import { LOCKED_WITHOUT_END, type LiquidityElement } from '../../../protocol/positions/element.ts';
import { type Address, toAddress, toAddressBytes } from '../../../solana/address.ts';
import { ByteWriter } from '../../../solana/codec/byte-writer.ts';
import { SYSTEM_PROGRAM, TOKEN_2022_PROGRAM } from '../../../solana/program-addresses.ts';
import { ExtensionType } from '../../../solana/programs/token/extensions.ts';
import { encodeMint } from '../../../solana/programs/token/mint.ts';
import { fetchForWallet } from '../../../testing/protocols/accounts.ts';
import { TestView } from '../../../testing/protocols/wallet-view.ts';
import { deriveDammPositionAddress } from '../program/addresses.ts';
import { ActivationType, encodePool } from '../program/layout.ts';
import { encodePosition, type WrittenDammPosition } from '../program/layout-position.ts';
import {
  MAX_SQRT_PRICE,
  METEORA_DAMM_V2_AUTHORITY,
  METEORA_DAMM_V2_PROGRAM,
  MIN_SQRT_PRICE,
} from '../program/program.ts';
import { meteoraDammV2Positions } from './fetcher.ts';
import { splitDammLiquidity } from './locks.ts';

describe('splitDammLiquidity', () => {
  const of = (point: bigint, changes = {}, type: number = ActivationType.TIMESTAMP) =>
    splitDammLiquidity({ ...POSITION, ...changes }, type, { slot: point, unixTimestamp: point });

  it('counts what is due as unlocked, step by step', () => {
    expect(of(CLIFF - 1n)).toMatchObject({ unlocked: 7n, vested: 400n, vestedUntil: END_MS });
    expect(of(CLIFF)).toMatchObject({ unlocked: 107n, vested: 300n, vestedUntil: END_MS });
    expect(of(CLIFF + 149n)).toMatchObject({ unlocked: 307n, vested: 100n });
    expect(of(CLIFF + 150n)).toEqual({
      unlocked: 407n,
      vested: 0n,
      vestedUntil: END_MS,
      permanentlyLocked: 9n,
    });
  });

  it('does not count again what was unlocked before', () => {
    const released = { schedule: { ...SCHEDULE, released: 200n }, unlocked: 207n, vested: 200n };
    expect(of(CLIFF + 60n, released)).toMatchObject({ unlocked: 207n, vested: 200n });
    expect(of(CLIFF + 100n, released)).toMatchObject({ unlocked: 307n, vested: 100n });
  });

  it('knows no end of what vests by slots, or by schedules elsewhere', () => {
    expect(of(CLIFF, {}, ActivationType.SLOT).vestedUntil).toBe(LOCKED_WITHOUT_END);
    expect(of(CLIFF, { vested: 401n }).vestedUntil).toBe(LOCKED_WITHOUT_END);
  });

  it('takes no more than what vests from a schedule that says otherwise', () => {
    const schedule = { ...SCHEDULE, cliffLiquidity: 1n << 100n };
    expect(of(CLIFF, { schedule })).toMatchObject({ unlocked: 407n, vested: 0n });
    expect(of(0n, { schedule: { ...SCHEDULE, released: 500n } })).toMatchObject({
      unlocked: 7n,
      vested: 400n,
    });
  });
});

describe('the portfolio', () => {
  it('shows unlocked, vested and locked liquidity of a position apart', async () => {
    const rest = { vested: LIQUIDITY / 2n, schedule: { ...SCHEDULE, ...HALF } };
    const shown = await show({ liquidity: LIQUIDITY / 4n, ...rest, permanentlyLocked: LIQUIDITY / 4n });
    expect(shown).toEqual([
      [MINT_A, 249n, undefined],
      [MINT_B, 249n, undefined],
      [MINT_A, 499n, END_MS],
      [MINT_B, 499n, END_MS],
      [MINT_A, 249n, LOCKED_WITHOUT_END],
      [MINT_B, 249n, LOCKED_WITHOUT_END],
    ]);
  });

  it('shows no unlocked tokens of a position that has none', async () => {
    expect(await show({ liquidity: 0n, permanentlyLocked: LIQUIDITY })).toEqual([
      [MINT_A, 999n, LOCKED_WITHOUT_END],
      [MINT_B, 999n, LOCKED_WITHOUT_END],
    ]);
  });
});

const named = (byte: number): Address => toAddress(new Uint8Array(32).fill(byte));
const [OWNER, POOL, MINT, HOLDING, MINT_A, MINT_B] = [1, 2, 3, 4, 5, 6].map(named) as [
  ...[Address, Address, Address, Address, Address, Address],
];
/** A thousand atoms of each token at a price of one, less what the end of the price range takes. */
const LIQUIDITY = 1_000n << 64n;
const CLIFF = 1_900_000_000n;
const END_MS = Number(CLIFF + 150n) * 1_000;
const SCHEDULE = {
  cliffPoint: CLIFF,
  periodFrequency: 50n,
  cliffLiquidity: 100n,
  liquidityPerPeriod: 100n,
  released: 0n,
  periods: 3,
};
const HALF = { cliffLiquidity: LIQUIDITY / 8n, liquidityPerPeriod: LIQUIDITY / 8n };
const POSITION = { schedule: SCHEDULE, unlocked: 7n, vested: 400n, permanentlyLocked: 9n };

/** The tokens of a position before its cliff, with the time until which they are locked. */
async function show(position: Omit<WrittenDammPosition, 'pool' | 'mint'>) {
  const view = new TestView();
  const closing = {
    type: ExtensionType.MINT_CLOSE_AUTHORITY,
    data: toAddressBytes(METEORA_DAMM_V2_AUTHORITY),
  };
  const mint = { mintAuthority: null, supply: 1n, decimals: 0, freezeAuthority: POOL, extensions: [closing] };
  view.set(MINT, TOKEN_2022_PROGRAM, encodeMint(mint));
  view.set(HOLDING, TOKEN_2022_PROGRAM, writeHolding());
  const data = encodePosition({ ...position, pool: POOL, mint: MINT });
  view.set(deriveDammPositionAddress(MINT), METEORA_DAMM_V2_PROGRAM, data);
  view.set(POOL, METEORA_DAMM_V2_PROGRAM, writePool());
  const { elements, unreadable } = await fetchForWallet(meteoraDammV2Positions, view, OWNER);
  expect(unreadable).toEqual([]);
  return (elements as readonly LiquidityElement[]).flatMap(({ liquidities }) =>
    liquidities.flatMap(({ assets }) =>
      assets.map((asset) => [
        asset.type === 'token' && asset.mint,
        asset.type === 'token' && asset.amount,
        asset.attributes?.lockedUntil,
      ]),
    ),
  );
}

function writeHolding(): Uint8Array {
  const to = new ByteWriter(165).address(MINT).address(OWNER).u64(1n).zeros(36).u8(1);
  return to.zeros(165 - to.length).finish();
}

function writePool(): Uint8Array {
  return encodePool({
    baseFee: { cliff: 2_500_000n, mode: 0, periods: 0, middle: 0n, last: 0n },
    protocolFeePercent: 20,
    referralFeePercent: 20,
    compoundingBps: 0,
    dynamicFee: null,
    volatility: { lastUpdate: 0n, referencePrice: 0n, accumulator: 0n, reference: 0n },
    initSqrtPrice: 1n << 64n,
    mints: [MINT_A, MINT_B],
    vaults: [named(7), named(8)],
    whitelistedVault: SYSTEM_PROGRAM,
    sqrtMinPrice: MIN_SQRT_PRICE,
    sqrtMaxPrice: MAX_SQRT_PRICE,
    activationPoint: 0n,
    activationType: ActivationType.TIMESTAMP,
    status: 0,
    tokenFlags: [0, 0],
    collectFeeMode: 1,
    kind: 0,
    feeVersion: 1,
    liquidity: LIQUIDITY,
    sqrtPrice: 1n << 64n,
    amounts: [1_000n, 1_000n],
    layoutVersion: 1,
    protocolFees: [0n, 0n],
    creator: OWNER,
    positions: 1n,
  });
}
