import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { assertProperty } from '../../testing/random.ts';
import { numbered } from '../../testing/test-tokens.ts';
import { createTestOrder } from '../../testing/waiting-orders/test-orders.ts';
import { type Address, address } from '../../solana/address.ts';
import { checkAgainstDeposit, isSameOrder, requireOwnWallet } from './order-checks.ts';
import type { PriceOrderRequest } from './order-request.ts';
import { checkEnd, checkPricePlan } from './price-checks.ts';

describe('checkPricePlan', () => {
  it('returns the terms of an order that may be made', () => {
    expect(check({ slippageBps: 0 })).toEqual({
      plan: {
        kind: 'single',
        triggerMint: JUP,
        condition: 'below',
        triggerPrice: 0.5,
        slippageBps: 0,
        trailing: null,
      },
      expiresAt: NOW + 1,
    });
    expect(check({ triggerMint: JUP, condition: 'above', slippageBps: null }).plan.slippageBps).toBeNull();
  });

  it.each<[string, Partial<PriceOrderRequest>]>([
    ['exactly one of triggerPriceUsd or trailingBps must be set', { triggerPriceUsd: null }],
    ['exactly one of triggerPriceUsd or trailingBps must be set', { trailingBps: 500 }],
    ['triggerPriceUsd must be a number of US dollars above 0, got 0', { triggerPriceUsd: 0 }],
    ['triggerPriceUsd must be a number of US dollars above 0, got -1', { triggerPriceUsd: -1 }],
    ['triggerPriceUsd must be a number of US dollars above 0, got Infinity', { triggerPriceUsd: Infinity }],
    [`triggerMint must be inputMint or outputMint, got ${numbered(9)}`, { triggerMint: numbered(9) }],
    ['Trigger mint is not supported', { triggerMint: USDC }],
    [
      `Trigger mint is not supported: ${numbered(1)} has no price that can be relied on now`,
      { triggerMint: numbered(1), outputMint: numbered(1) },
    ],
    [
      'expiresAt must be in the future, in Unix milliseconds: got 1800000000000, and it is 1800000000000',
      { expiresAt: NOW },
    ],
    [
      'expiresAt must be in the future, in Unix milliseconds: got 1800000001, and it is 1800000000000',
      { expiresAt: 1_800_000_001 },
    ],
    ['expiresAt must be a whole number of Unix milliseconds, got 1800000000000.5', { expiresAt: NOW + 0.5 }],
    ['expiresAt must be a whole number of Unix milliseconds, got 9000000000000000', { expiresAt: 9e15 }],
    ['slippageBps must be a whole number from 0 to 10000, got -1', { slippageBps: -1 }],
    ['slippageBps must be a whole number from 0 to 10000, got 10001', { slippageBps: 10_001 }],
    ['slippageBps must be a whole number from 0 to 10000, got 0.5', { slippageBps: 0.5 }],
  ])('refuses with: %s', (message, changes) => {
    expect(() => check(changes)).toThrow(expect.objectContaining({ kind: 'invalid', message }));
  });

  it('lets nothing through that an order cannot hold', () => {
    const numbers = fc.oneof(
      fc.double(),
      fc.integer(),
      fc.constantFrom(null, Number.NaN, Infinity, -0, 2 ** 53),
    );
    assertProperty(
      fc.property(
        numbers,
        numbers,
        numbers,
        numbers,
        (triggerPriceUsd, trailingBps, slippageBps, expiresAt) => {
          const changes = { triggerPriceUsd, trailingBps, slippageBps, expiresAt: expiresAt ?? 0 };
          let checked: ReturnType<typeof check>;
          try {
            checked = check(changes);
          } catch (error) {
            expect(error).toMatchObject({ name: 'OrderRefused', kind: 'invalid' });
            return;
          }
          const { plan } = checked;
          expect(plan.triggerPrice > 0 && Number.isFinite(plan.triggerPrice)).toBe(true);
          expect(Number.isInteger(checked.expiresAt) && checked.expiresAt > NOW).toBe(true);
          expect(plan.slippageBps === null || Number.isInteger(plan.slippageBps)).toBe(true);
          expect(trailingBps === null).toBe(plan.trailing === null);
        },
      ),
      { cases: 1_000, seed: 36 },
    );
  });
});

describe('checkAgainstDeposit', () => {
  it.each<[string, Partial<PriceOrderRequest>]>([
    [`inputMint does not match the deposit: it was crafted with ${USDC}, got ${JUP}`, { inputMint: JUP }],
    [`outputMint does not match the deposit: it was crafted with ${JUP}, got ${USDC}`, { outputMint: USDC }],
    [
      'inputAmount does not match the deposit: it was crafted with 20000000, got 20000001',
      { inputAmount: 20_000_001n },
    ],
  ])('refuses with: %s', (message, changes) => {
    const terms = {
      vault: numbered(2),
      account: numbered(3),
      inputMint: USDC,
      outputMint: JUP,
      amount: 20_000_000n,
      kind: 'single' as const,
      outputAccount: null,
      earnMint: null,
    };
    expect(() => checkAgainstDeposit(REQUEST, terms)).not.toThrow();
    expect(() => checkAgainstDeposit({ ...REQUEST, ...changes }, terms)).toThrow(message);
  });
});

describe('isSameOrder', () => {
  const order = createTestOrder(1, {
    inputMint: USDC,
    outputMint: JUP,
    triggerMint: JUP,
    triggerPrice: 0.5,
    expiresAt: NOW + 1,
  });
  const deposit = { inputAmount: 20_000_000n };

  it('is true for what was sent', () => {
    expect(isSameOrder(REQUEST, order, deposit)).toBe(true);
  });

  it.each<Partial<PriceOrderRequest>>([
    { inputMint: JUP },
    { outputMint: USDC },
    { inputAmount: 1n },
    { triggerMint: USDC },
    { condition: 'above' },
    { triggerPriceUsd: 0.51 },
    { trailingBps: 50 },
    { slippageBps: 0 },
    { expiresAt: NOW + 2 },
  ])('is false with %o', (changes) => {
    expect(isSameOrder({ ...REQUEST, ...changes }, order, deposit)).toBe(false);
  });
});

describe('requireOwnWallet', () => {
  it('refuses the wallet of another one in the words of the public service', () => {
    expect(() => requireOwnWallet(USDC, USDC)).not.toThrow();
    expect(() => requireOwnWallet(USDC, JUP)).toThrow(
      expect.objectContaining({
        kind: 'not the owner',
        message: 'Forbidden: userPubkey must match authenticated user',
      }),
    );
  });
});

const NOW = 1_800_000_000_000;
const USDC = address('EPjFWdd5AufqSSqeM2qN1xzybapC8G4wEGGkZwyTDt1v');
const JUP = address('JUPyiwrYJFskUPiHa7hkeR8VUtAeFoSYbKedZNsDvCN');
const REQUEST: PriceOrderRequest = {
  kind: 'single',
  wallet: numbered(4),
  userPubkey: numbered(4),
  depositRequestId: 'id',
  depositSignedTx: '',
  inputMint: USDC,
  inputAmount: 20_000_000n,
  outputMint: JUP,
  triggerMint: JUP,
  condition: 'below',
  triggerPriceUsd: 0.5,
  trailingBps: null,
  slippageBps: null,
  tpPriceUsd: null,
  tpSlippageBps: null,
  slPriceUsd: null,
  slSlippageBps: null,
  expiresAt: NOW + 1,
};

function check(changes: Partial<PriceOrderRequest>) {
  const request = { ...REQUEST, ...changes };
  const knowledge = { hasPrice: (mint: Address) => mint !== numbered(1), priceOf: () => 0.4 };
  const plan = checkPricePlan(request, knowledge, null);
  if (plan.kind !== 'single') throw new Error(`the plan is ${plan.kind}`);
  return { plan, expiresAt: checkEnd(request.expiresAt, NOW) };
}
