import type { Account, AccountUpdate } from '../src/chain/accounts.ts';
import { splitIntoPieces, UNITS_PER_TURN, type Work } from '../src/common/work/work.ts';
import { TestView } from '../src/testing/protocols/wallet-view.ts';
import { type Address, toAddress } from '../src/solana/address.ts';
import { TOKEN_PROGRAM } from '../src/solana/program-addresses.ts';
import { ordinaryTokenAccount } from '../src/testing/token-account.ts';
import { encodeMint } from '../src/solana/programs/token/mint.ts';
import { yieldToOtherWork } from '../src/testing/waits.ts';

/** Returns an address of a kind that a test makes up. */
export function numberedAddress(kind: number, index: number): Address {
  const bytes = new Uint8Array(32).fill(kind);
  new DataView(bytes.buffer).setUint32(0, index);
  return toAddress(bytes);
}

/** Counts what is looked at in each turn of the event loop. */
export class Meter {
  readonly #touched = new Set<unknown>();
  most = 0;
  total = 0;

  touch(thing: unknown): void {
    if (this.#touched.has(thing)) return;
    this.#touched.add(thing);
    this.total++;
    this.most = Math.max(this.most, this.#touched.size);
  }

  /** Waits for the work, and begins to count again in each turn. */
  async during<T>(work: Promise<T>): Promise<T> {
    let isDone = false;
    const done = work.finally(() => {
      isDone = true;
    });
    done.catch(() => undefined);
    // What runs before the first turn is counted by itself.
    this.#touched.clear();
    while (!isDone) {
      await yieldToOtherWork();
      this.#touched.clear();
    }
    return done;
  }

  /** An account that counts when its data is read. */
  account(owner: Address, data: () => Uint8Array): Account {
    const meter = this;
    let read: Uint8Array | null = null;
    return {
      owner,
      lamports: 2_039_280n,
      executable: false,
      rentEpoch: 0n,
      get data() {
        meter.touch(this);
        read ??= data();
        return read;
      },
    };
  }

  /** Items that count when a member is read. */
  items<Item extends object>(count: number, item: (index: number) => Item): readonly Item[] {
    return Array.from({ length: count }, (_, index) => {
      const proxy: Item = new Proxy(item(index), {
        get: (target, name) => {
          this.touch(target);
          return Reflect.get(target, name);
        },
      });
      return proxy;
    });
  }
}

/** The wallet that somebody has flooded. */
export const CROWDED_WALLET = numberedAddress(1, 0);

/**
 * A chain on which a wallet was flooded with token accounts, each of a mint of its own. They are made when they are read, so
 * that a test is cheap.
 */
export function crowdedChain(meter: Meter, count: number) {
  const MINT = encodeMint({
    mintAuthority: null,
    supply: 1n << 40n,
    decimals: 6,
    freezeAuthority: null,
    extensions: [],
  });
  const view = new TestView();
  const held = Array.from({ length: count }, (_, index): AccountUpdate => {
    const data = () =>
      ordinaryTokenAccount({ mint: numberedAddress(3, index), owner: CROWDED_WALLET, amount: 5n });
    return { address: numberedAddress(2, index), slot: 1n, account: meter.account(TOKEN_PROGRAM, data) };
  });
  const openView = () =>
    Object.assign(view, {
      tokenAccounts: async function* (_owner: Address, work: Work) {
        for (const piece of splitIntoPieces(held)) {
          const turn = work.take(UNITS_PER_TURN);
          if (turn !== null) await turn;
          yield piece;
        }
      },
      getAccounts: async (addresses: readonly Address[]) =>
        addresses.map((address) => ({
          address,
          slot: 1n,
          account: meter.account(TOKEN_PROGRAM, () => MINT),
        })),
    });
  const clock = () => ({ slot: 1n, epoch: 0n, unixTimestamp: 1_800_000_000n });
  return {
    openView,
    clock,
    slot: () => 1n,
    unhealthy: () => null,
    getAccounts: async (addresses: readonly Address[]) => openView().getAccounts(addresses),
  };
}
