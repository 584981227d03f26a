import { describe, expect, it } from 'vitest';
import { SYSTEM_PROGRAM, TOKEN_PROGRAM } from '../../../solana/program-addresses.ts';
import {
  createTestKey,
  createTokenProgramAccount,
  createWalletAccount,
} from '../../../testing/chain/bank.ts';
import { Watches } from './watches.ts';

const [A, B, C] = [1, 2, 3].map((n) => createTestKey(130 + n).address);
if (A === undefined || B === undefined || C === undefined) throw new Error('three addresses expected');

describe('Watches', () => {
  it('returns the newest state of each watched account, in the order of the last change', () => {
    const watches = new Watches();
    watches.watchAccounts([A, B]);
    expect(watches.add([wallet(C, 1n)])).toBe(false);
    expect(watches.add([wallet(A, 1n), wallet(B, 1n)])).toBe(true);
    watches.add([wallet(A, 2n, 2n)]);
    expect(watches.take()).toEqual([{ kind: 'accounts', updates: [wallet(B, 1n), wallet(A, 2n, 2n)] }]);
    expect(watches.take()).toEqual([]);
  });

  it('counts watchers of the same account', () => {
    const watches = new Watches();
    watches.watchAccounts([A]);
    watches.watchAccounts([A]);
    watches.unwatchAccounts([A]);
    expect(watches.add([wallet(A, 1n)])).toBe(true);
    watches.unwatchAccounts([A]);
    watches.take();
    expect(watches.add([wallet(A, 2n)])).toBe(false);
  });

  it('reports accounts that a watched program gains and loses', () => {
    const watches = new Watches();
    watches.watchProgram(TOKEN_PROGRAM, [A]);
    const token = { address: B, slot: 1n, account: createTokenProgramAccount(new Uint8Array(165)) };
    watches.add([token, wallet(A, 1n), wallet(C, 1n)]);
    expect(watches.take()).toEqual([
      { kind: 'program', program: TOKEN_PROGRAM, updates: [token, { address: A, slot: 1n, account: null }] },
    ]);
    watches.add([{ address: B, slot: 2n, account: null }, wallet(A, 2n)]);
    expect(watches.take()).toEqual([
      { kind: 'program', program: TOKEN_PROGRAM, updates: [{ address: B, slot: 2n, account: null }] },
    ]);
    watches.unwatchProgram(TOKEN_PROGRAM);
    watches.watchProgram(SYSTEM_PROGRAM, []);
    watches.watchProgram(SYSTEM_PROGRAM, []);
    watches.unwatchProgram(SYSTEM_PROGRAM);
    expect(watches.add([token, wallet(C, 2n)])).toBe(true);
    expect(watches.take()).toEqual([{ kind: 'program', program: SYSTEM_PROGRAM, updates: [wallet(C, 2n)] }]);
  });
});

const wallet = (address: typeof A, lamports: bigint, slot = 1n) => ({
  address,
  slot,
  account: createWalletAccount(lamports),
});
