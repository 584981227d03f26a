import { describe, expect, it } from 'vitest';
import { toAddress } from '../../solana/address.ts';
import { TOKEN_2022_PROGRAM, TOKEN_PROGRAM } from '../../solana/program-addresses.ts';
import { decodeLimitOrderEvent } from './events.ts';
import {
  decodeLimitOrder,
  decodeLimitOrderRates,
  encodeLimitOrder,
  encodeLimitOrderFee,
  LIMIT_ORDER_SIZE,
} from './layout.ts';

const numbered = (byte: number) => toAddress(new Uint8Array(32).fill(byte));
const ORDER = {
  maker: numbered(1),
  inputMint: numbered(2),
  outputMint: numbered(3),
  inputTokenProgram: TOKEN_PROGRAM,
  outputTokenProgram: TOKEN_2022_PROGRAM,
  inputReserve: numbered(4),
  uniqueId: (1n << 64n) - 1n,
  originalMaking: 1_000n,
  originalTaking: 500n,
  making: 800n,
  taking: 400n,
  borrowedMaking: 7n,
  expiredAt: 1_800_000_100n,
  feeBps: 10,
  feeAccount: numbered(5),
  createdAt: 1_799_000_000n,
  updatedAt: 1_799_000_001n,
  bump: 254,
  slippageBps: 50,
  stopLossTaking: 9n,
};

describe('encodeLimitOrder', () => {
  it.each([1_800_000_100n, null])('writes what decodeLimitOrder reads, with an expiry of %s', (expiredAt) => {
    const data = encodeLimitOrder({ ...ORDER, expiredAt });
    expect(data.length).toBe(LIMIT_ORDER_SIZE);
    expect(decodeLimitOrder(data)).toEqual({ ...ORDER, expiredAt });
  });

  it('writes each field where the public account has it', () => {
    const data = Buffer.from(encodeLimitOrder(ORDER));
    expect(data.subarray(0, 8).toString('hex')).toBe('86addfb94d561c33');
    expect([data.readBigUInt64LE(200), data.readBigUInt64LE(224), data.readBigUInt64LE(240)]).toEqual([
      ORDER.uniqueId,
      800n,
      7n,
    ]);
    expect([data[248], data.readBigInt64LE(249), data.readUInt16LE(257)]).toEqual([1, 1_800_000_100n, 10]);
    expect([data.readBigInt64LE(291), data[307], data.readUInt16LE(308)]).toEqual([1_799_000_000n, 254, 50]);
  });

  it('is not read from an account that is cut short or of another type', () => {
    const data = encodeLimitOrder(ORDER);
    expect(() => decodeLimitOrder(data.subarray(0, 300))).toThrow(/limit order/);
    expect(() => decodeLimitOrder(data.fill(0, 0, 1))).toThrow(/discriminator/);
  });
});

describe('decodeLimitOrderRates', () => {
  it('reads the rates with and without the admin of the embedded network behind them', () => {
    const data = encodeLimitOrderFee({ normalFeeBps: 10, stableFeeBps: 3, admin: numbered(6) });
    const rates = { normalFeeBps: 10, stableFeeBps: 3 };
    expect(decodeLimitOrderRates(data)).toEqual(rates);
    expect(decodeLimitOrderRates(data.subarray(0, 12))).toEqual(rates);
  });
});

describe('decodeLimitOrderEvent', () => {
  it('returns null for the data of other instructions and of unknown events', () => {
    for (const hex of ['', '5f81edf00831df84', 'e445a52e51cb9a1d', `e445a52e51cb9a1d${'00'.repeat(8)}`]) {
      expect(decodeLimitOrderEvent(Buffer.from(hex, 'hex'))).toBeNull();
    }
  });

  it('reads a new order with the slippage of later builds, and without it', () => {
    const fields = `${'07'.repeat(6 * 32)}${'01'.repeat(16)}00${'0a00'}${'07'.repeat(32)}`;
    const created = (slippage: string) =>
      decodeLimitOrderEvent(Buffer.from(`e445a52e51cb9a1d318e48a6e61d5454${fields}${slippage}`, 'hex'));
    expect(created('3200')).toMatchObject({ kind: 'created', expiredAt: null, feeBps: 10, slippageBps: 50 });
    expect(created('')).toMatchObject({ kind: 'created', feeAccount: numbered(7), slippageBps: null });
  });

  it('reads a cancellation, and refuses one that is cut short', () => {
    const data = Buffer.from(`e445a52e51cb9a1dae428d1104e0a24d${'07'.repeat(32)}`, 'hex');
    expect(decodeLimitOrderEvent(data)).toEqual({ kind: 'cancelled', order: numbered(7) });
    expect(() => decodeLimitOrderEvent(data.subarray(0, 40))).toThrow(/event of limit orders/);
  });
});
