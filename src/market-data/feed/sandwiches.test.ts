import { describe, expect, it } from 'vitest';
import { type Address, toAddress } from '../../solana/address.ts';
import { Sandwiches } from './sandwiches.ts';

describe('Sandwiches', () => {
  it('finds the second trade around that of another wallet, and nobody else', () => {
    const sandwiches = new Sandwiches();
    expect([buy(BOT), buy(VICTIM), sell(BOT)].map((trade) => sandwiches.add(1n, trade))).toEqual([
      false,
      false,
      true,
    ]);
  });

  it.each([
    ['without a trade in between', [buy(BOT), sell(BOT), buy(VICTIM)]],
    ['in the same direction', [buy(BOT), buy(VICTIM), buy(BOT)]],
    ['in another pool', [buy(BOT), buy(VICTIM), sell(BOT, OTHER_POOL)]],
    ['without a pool', [buy(BOT, null), buy(VICTIM, null), sell(BOT, null)]],
  ])('finds none %s', (_, trades) => {
    const sandwiches = new Sandwiches();
    expect(trades.map((trade) => sandwiches.add(1n, trade))).toEqual([false, false, false]);
  });

  it('finds none over several slots', () => {
    const sandwiches = new Sandwiches();
    const trades = [buy(BOT), buy(VICTIM), sell(BOT)];
    expect(trades.map((trade, index) => sandwiches.add(BigInt(index), trade))).toEqual([false, false, false]);
  });
});

const address = (tag: number): Address => toAddress(new Uint8Array(32).fill(tag));
const [POOL, OTHER_POOL, BOT, VICTIM] = [address(1), address(2), address(3), address(4)];
const [SOL, TOKEN] = [
  { mint: address(5), amount: 1n },
  { mint: address(6), amount: 1n },
];
const buy = (trader: Address, pool: Address | null = POOL) => ({ pool, trader, paid: SOL, received: TOKEN });
const sell = (trader: Address, pool: Address | null = POOL) => ({ pool, trader, paid: TOKEN, received: SOL });
