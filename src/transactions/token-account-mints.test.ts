import { describe, expect, it } from 'vitest';
import { type Address, toAddress } from '../solana/address.ts';
import { TOKEN_PROGRAM } from '../solana/program-addresses.ts';
import { ordinaryTokenAccount } from '../testing/token-account.ts';
import { TokenAccountMints } from './token-account-mints.ts';

describe('TokenAccountMints', () => {
  it('reads an account once within some slots', async () => {
    const { mints, at, reads } = openChain();
    expect(await mints.of(ACCOUNT)).toBe(MINT);
    at.slot += 31n;
    expect(await mints.of(ACCOUNT)).toBe(MINT);
    expect(reads()).toBe(1);
  });

  it('finds no mint of an account that was closed some slots ago', async () => {
    const { mints, at } = openChain();
    expect(await mints.of(ACCOUNT)).toBe(MINT);
    at.exists = false;
    at.slot += 32n;
    expect(await mints.of(ACCOUNT)).toBeNull();
  });

  it('remembers nothing of a network that began again', async () => {
    const { mints, at } = openChain();
    expect(await mints.of(ACCOUNT)).toBe(MINT);
    Object.assign(at, { exists: false, slot: 1n });
    expect(await mints.of(ACCOUNT)).toBeNull();
  });

  it('finds an account that was opened since the last request', async () => {
    const { mints, at } = openChain();
    at.exists = false;
    expect(await mints.of(ACCOUNT)).toBeNull();
    at.exists = true;
    expect(await mints.of(ACCOUNT)).toBe(MINT);
  });
});

const [ACCOUNT, MINT, OWNER] = [1, 2, 3].map((byte) => toAddress(new Uint8Array(32).fill(byte))) as [
  Address,
  Address,
  Address,
];
const DATA = ordinaryTokenAccount({ mint: MINT, owner: OWNER, amount: 0n });

/** Opens a network with one token account, which can be closed and opened again. */
function openChain() {
  const at = { slot: 1_000n, exists: true };
  let reads = 0;
  const mints = new TokenAccountMints({
    slot: () => at.slot,
    getAccounts: async (addresses) => {
      reads++;
      const account = { owner: TOKEN_PROGRAM, lamports: 1n, executable: false, rentEpoch: 0n, data: DATA };
      return addresses.map((address) => ({ address, account: at.exists ? account : null, slot: at.slot }));
    },
  });
  return { mints, at, reads: () => reads };
}
