import { describe, expect, it } from 'vitest';
import { SvmChain } from '../../testing/svm/chain.ts';
import { TestNetwork } from '../../testing/svm/network.ts';
import type { AccountUpdate } from '../../chain/accounts.ts';
import { type Address, address } from '../../solana/address.ts';
import { ByteReader } from '../../solana/codec/byte-reader.ts';
import { SYSTEM_PROGRAM } from '../../solana/program-addresses.ts';
import { KeptAccounts } from './kept-accounts.ts';

describe('KeptAccounts.keep', () => {
  it('watches each account once, however often it is asked for while the network does not answer', async () => {
    const { chain, waiting, watched } = silentChain();
    const kept = await KeptAccounts.open(chain, []);
    const first = kept.keep([MINT]);
    await Promise.all([kept.keep([MINT]), kept.keep([MINT])]);
    expect(watched.size).toBe(1);
    waiting[0]?.answer();
    await first;
    await kept.keep([MINT]);
    expect(kept.read(MINT)?.lamports).toBe(1n);
    expect([watched.size, waiting.length]).toEqual([1, 1]);
    kept.close();
    expect(watched.size).toBe(0);
  });

  it('leaves no watch behind after a failure, nor what it reported, and tries again', async () => {
    const { chain, waiting, watched, report } = silentChain();
    const kept = await KeptAccounts.open(chain, []);
    for (let at = 0; at < 3; at++) {
      const asked = kept.keep([MINT]);
      report(MINT);
      waiting[at]?.fail();
      await expect(asked).rejects.toThrow('silent');
      expect(watched.size).toBe(0);
      expect(kept.read(MINT)).toBeNull();
    }
    const asked = kept.keep([MINT]);
    waiting[3]?.answer();
    await asked;
    expect(watched.size).toBe(1);
    kept.close();
  });

  it('leaves no watch behind when it is closed meanwhile', async () => {
    const { chain, waiting, watched } = silentChain();
    const kept = await KeptAccounts.open(chain, []);
    const asked = kept.keep([MINT]);
    kept.close();
    waiting[0]?.answer();
    await asked;
    expect(watched.size).toBe(0);
  });
});

describe('KeptAccounts.decoded', () => {
  it('decodes each state of an account once, and null for what is of another kind', async () => {
    const network = new TestNetwork();
    const [address, program] = [network.newAddress(), network.newAddress()];
    const chain = new SvmChain(network);
    network.setData(address, program, Uint8Array.of(1, 0));
    const kept = await KeptAccounts.open(chain, [{ program }]);
    let decoded = 0;
    const number = (data: Uint8Array) => {
      decoded++;
      return new ByteReader(data, 'number').u16();
    };
    expect([kept.decoded(address, number), kept.decoded(address, number), decoded]).toEqual([1, 1, 1]);
    network.setData(address, program, Uint8Array.of(2, 0));
    chain.publish([address]);
    expect([kept.decoded(address, number), kept.decoded(address, number), decoded]).toEqual([2, 2, 2]);
    const long = (data: Uint8Array) => new ByteReader(data, 'longer number').u64();
    expect(kept.decoded(address, long)).toBeNull();
    expect(kept.decoded(network.newAddress(), number)).toBeNull();
    kept.close();
  });
});

const MINT = address('EPjFWdd5AufqSSqeM2qN1xzybapC8G4wEGGkZwyTDt1v');

/** A chain that counts watches, and answers when the test says so. */
function silentChain() {
  const waiting: { answer(): void; fail(): void }[] = [];
  const watched = new Set<object>();
  const reports: ((updates: readonly AccountUpdate[]) => void)[] = [];
  const watch = (_: unknown, report: (updates: readonly AccountUpdate[]) => void) => {
    const id = {};
    reports.push(report);
    watched.add(id);
    return () => watched.delete(id);
  };
  const update = (of: Address): AccountUpdate => ({
    address: of,
    slot: 1n,
    account: {
      lamports: 1n,
      owner: SYSTEM_PROGRAM,
      data: new Uint8Array(0),
      executable: false,
      rentEpoch: 0n,
    },
  });
  const chain = {
    getAccounts: (addresses: readonly Address[]) =>
      new Promise<readonly AccountUpdate[]>((resolve, reject) => {
        waiting.push({
          answer: () => resolve(addresses.map(update)),
          fail: () => reject(new Error('the RPC is silent')),
        });
      }),
    getProgramAccounts: () => Promise.resolve([]),
    watchAccounts: watch,
    watchProgram: watch,
  };
  return { chain, waiting, watched, report: (of: Address) => reports.at(-1)?.([update(of)]) };
}
