import { describe, expect, it } from 'vitest';
import type { AccountUpdate } from '../../chain/accounts.ts';
import { ChainUnavailable } from '../../chain/chain.ts';
import { type Address, toAddress } from '../../solana/address.ts';
import { ManualTimers } from '../../testing/timers.ts';
import { ReadRounds } from './rounds.ts';
import { TestView } from '../../testing/protocols/wallet-view.ts';

describe('ReadRounds', () => {
  it('reads what is asked for in one turn at once, and each account once', async () => {
    const view = new HeldView();
    const rounds = new ReadRounds(view, new ManualTimers());
    const read = Promise.all([rounds.accounts([A, B]), rounds.accounts([B, C, B])]);
    await turn();
    expect(asked(view)).toEqual([[A, B], [C]]);
    for (const { answer } of view.held) answer();
    expect(await read).toEqual([
      [null, null],
      [null, null, null],
    ]);
    expect(await rounds.accounts([C])).toEqual([null]);
    expect(view.held).toHaveLength(2);
  });

  it('rejects only what cannot be read of the requests of one turn', async () => {
    const view = new HeldView();
    const rounds = new ReadRounds(view, new ManualTimers());
    const [one, other] = [rounds.accounts([A, B]), rounds.accounts([C])];
    await turn();
    view.held[0]?.fail();
    view.held[1]?.answer();
    await expect(one).rejects.toThrow('cut off');
    expect(await other).toEqual([null]);
  });

  it('lets accounts wait for reads in flight, which may ask for more, but not for long', async () => {
    const view = new HeldView();
    const timers = new ManualTimers();
    const rounds = new ReadRounds(view, timers);
    let found: () => void = () => undefined;
    const search = rounds.search(
      () =>
        new Promise<void>((resolve) => {
          found = resolve;
        }),
    );
    await turn();
    void rounds.accounts([A]);
    await turn();
    expect(asked(view)).toEqual([]);
    void search.then(() => rounds.accounts([B]));
    found();
    await turn();
    await turn();
    expect(asked(view)).toEqual([[A], [B]]);
    // The read in flight hangs.
    void rounds.accounts([C]);
    await turn();
    expect(view.held).toHaveLength(2);
    timers.advance(30);
    expect(asked(view)).toEqual([[A], [B], [C]]);
  });

  it('makes lookups in the same turn as the next read, once nothing is in flight', async () => {
    const view = new HeldView();
    const rounds = new ReadRounds(view, new ManualTimers());
    void rounds.accounts([A]);
    await turn();
    const lookup = rounds.lookup((of) => of.getAccounts([C]));
    void rounds.accounts([B]);
    await turn();
    expect(asked(view)).toEqual([[A]]);
    view.held[0]?.answer();
    await turn();
    await turn();
    expect(asked(view)).toEqual([[A], [B], [C]]);
    view.held[2]?.answer();
    expect(await lookup).toHaveLength(1);
  });

  it('names the accounts that exist before the others', async () => {
    const view = new TestView();
    for (const address of [B, C]) view.set(address, A, new Uint8Array(0));
    const rounds = new ReadRounds(view, new ManualTimers());
    await rounds.accounts([A, B, C]);
    expect(rounds.addresses()).toEqual([B, C, A]);
  });

  it('does not let searches wait', async () => {
    const rounds = new ReadRounds(new HeldView(), new ManualTimers());
    void rounds.accounts([A]);
    await turn();
    expect(await rounds.search(async () => 'found')).toBe('found');
  });

  it('rejects the reads of a call that failed, and makes the next one', async () => {
    const view = new HeldView();
    const rounds = new ReadRounds(view, new ManualTimers());
    const failed = rounds.accounts([A]);
    await turn();
    view.held[0]?.fail();
    await expect(failed).rejects.toThrow('cut off');
    const next = rounds.accounts([B]);
    await turn();
    view.held[1]?.answer();
    expect(await next).toEqual([null]);
  });
});

const [A, B, C] = [1, 2, 3].map((byte) => toAddress(new Uint8Array(32).fill(byte))) as [
  Address,
  Address,
  Address,
];

/** A view whose answers the test gives. */
class HeldView extends TestView {
  readonly held: {
    readonly addresses: readonly Address[];
    readonly answer: () => void;
    readonly fail: () => void;
  }[] = [];

  override getAccounts(addresses: readonly Address[]): Promise<AccountUpdate[]> {
    return new Promise((resolve, reject) => {
      const answer = () => resolve(addresses.map((address) => ({ address, slot: 1n, account: null })));
      this.held.push({ addresses, answer, fail: () => reject(new ChainUnavailable('cut off')) });
    });
  }
}

const turn = () => new Promise<void>((resolve) => setImmediate(resolve));
const asked = (view: HeldView) => view.held.map(({ addresses }) => addresses);
