import { describe, expect, it } from 'vitest';
import { WalletTurns } from './wallet-turns.ts';

describe('WalletTurns', () => {
  it('lets wallets take turns, and keeps the order of each of them', () => {
    const turns = new WalletTurns<string>();
    for (let index = 0; index < 1_000; index++) turns.add('many', `many ${index}`);
    turns.add('one', 'one 0');
    turns.add('two', 'two 0');
    turns.add('two', 'two 1');
    expect([turns.next(), turns.next(), turns.next(), turns.next(), turns.next(), turns.next()]).toEqual([
      'many 0',
      'one 0',
      'two 0',
      'many 1',
      'two 1',
      'many 2',
    ]);
    expect(turns.size).toBe(997);
  });

  it('passes over a wallet that may begin nothing, and keeps its turn', () => {
    const turns = new WalletTurns<string>();
    turns.add('many', 'many 0');
    turns.add('many', 'many 1');
    turns.add('one', 'one 0');
    const isOther = (wallet: string) => wallet !== 'many';
    expect([turns.next(isOther), turns.next(isOther), turns.next(), turns.size]).toEqual([
      'one 0',
      undefined,
      'many 0',
      1,
    ]);
  });

  it('has nothing for anybody when it is empty', () => {
    const turns = new WalletTurns<number>();
    turns.add('one', 1);
    expect([turns.next(), turns.next(), turns.size]).toEqual([1, undefined, 0]);
  });
});
