import { describe, expect, it } from 'vitest';
import { ChainUnavailable } from '../../chain/chain.ts';
import { toAddress } from '../../solana/address.ts';
import { SYSTEM_PROGRAM, TOKEN_PROGRAM, WRAPPED_SOL_MINT } from '../../solana/program-addresses.ts';
import { ordinaryTokenAccount } from '../../testing/token-account.ts';
import { decodeBalance } from './positions.ts';

describe('decodeBalance', () => {
  it('is the amount, and 0 where no token program has an account', () => {
    const data = ordinaryTokenAccount({ mint: WRAPPED_SOL_MINT, owner: ADDRESS, amount: 5n });
    expect(decodeBalance(stateOf(data))).toBe(5n);
    expect(decodeBalance({ address: ADDRESS, slot: 1n, account: null })).toBe(0n);
    expect(decodeBalance(stateOf(new Uint8Array(0), SYSTEM_PROGRAM))).toBe(0n);
  });

  it('throws when an account of a token program cannot be decoded, which is no balance of 0', () => {
    expect(() => decodeBalance(stateOf(new Uint8Array(80)))).toThrow(ChainUnavailable);
    expect(() => decodeBalance(stateOf(new Uint8Array(80)))).toThrow(`cannot be decoded: ${ADDRESS}`);
  });
});

const ADDRESS = toAddress(new Uint8Array(32).fill(7));

function stateOf(data: Uint8Array, owner = TOKEN_PROGRAM) {
  const account = { owner, data, lamports: 1n, executable: false, rentEpoch: 0n };
  return { address: ADDRESS, slot: 1n, account };
}
