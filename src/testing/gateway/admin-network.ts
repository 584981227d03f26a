import { NetworkRefused } from '../../chain/embedded/ledger/bank.ts';
import { NO_FAULTS } from '../../chain/embedded/blocks/faults.ts';
import type { NetworkPrice } from '../../chain/embedded/ledger/network-prices.ts';
import type { Address } from '../../solana/address.ts';
import type { AdminNetwork, PoolFollower } from '../../gateway/admin/network/network-services.ts';

const PRICE: NetworkPrice = {
  symbol: 'SOL',
  feed: '7UVimffxr9ow1uXYxsr4LHAcV58mLzhmwaeKvJ1pjLiE' as Address,
  price: '200',
  confidence: '0.1',
  publishTime: 1_700_000_000n,
  slot: 7n,
  follows: null,
  walk: null,
};

interface RecordingNetwork extends AdminNetwork {
  readonly calls: unknown[];
  /** Records whether it follows. */
  readonly follower: PoolFollower;
}

/** Creates a network in memory with the controls that tests of the admin port use, which record their calls. */
export function createRecordingNetwork(): RecordingNetwork {
  const calls: unknown[] = [];
  const names = new Map<string, bigint>();
  let faults = NO_FAULTS;
  const network: Partial<RecordingNetwork> = {
    calls,
    rpcUrl: 'http://127.0.0.1:8899',
    wsUrl: 'ws://127.0.0.1:8900',
    clock: () => ({ slot: 5n, epoch: 0n, unixTimestamp: 1_700_000_000n }),
    faucet: async (...args) => {
      calls.push(args);
      if (args[2] > 1_000n) throw new NetworkRefused('request', 'at most 1000 at a time');
      return { signature: 'sig', account: args[0] };
    },
    warp: async (by) => {
      calls.push(by);
      return { slot: 5n, unixTimestamp: 1_700_000_000n };
    },
    setAccounts: async (accounts) => {
      calls.push(accounts);
      return 6n;
    },
    saveSnapshot: async (name) => void names.set(name, 7n),
    restoreSnapshot: async (name) => {
      if (!names.has(name)) throw new NetworkRefused('request', `there is no snapshot ${name}`);
    },
    exportSnapshot: async (name) => new TextEncoder().encode(name),
    importSnapshot: async (name, packed) => {
      calls.push(['import', name, Buffer.from(packed).toString()]);
      names.set(name, 9n);
    },
    reset: async () => void calls.push('reset'),
    deleteSnapshot: async (name) => void names.delete(name),
    snapshots: async () => [...names].map(([name, slot]) => ({ name, slot })),
    setFaults: async (next) => {
      faults = next;
    },
    faults: async () => faults,
    faultNext: async (fault) => void calls.push(fault),
    nextFaults: async () => ({ waiting: [], struck: [{ effect: 'drop', signature: 'sig', slot: 5n }] }),
    clearNextFaults: async () => void calls.push('cleared'),
    faultCalls: async (fault) => void calls.push(fault),
    callFaults: async () => ({ waiting: [], struck: [] }),
    clearCallFaults: async () => void calls.push('calls cleared'),
    prices: async () => [PRICE],
    follower: {
      get following() {
        return calls.findLast((call) => typeof call === 'boolean') === true;
      },
      follow: async () => {
        calls.push(true);
        return 3;
      },
      stop: async () => void calls.push(false),
    },
    setPrice: async (symbol, price) => {
      calls.push([symbol, price]);
      if (symbol === 'mSOL')
        throw new NetworkRefused('request', 'the price of mSOL follows SOL: set that one');
      return { ...PRICE, symbol, price };
    },
    walkPrice: async (symbol, terms) => {
      calls.push([symbol, terms]);
      return { ...PRICE, symbol, walk: terms === null ? null : { ...terms, startedAt: 0n, steps: 0n } };
    },
  };
  return network as RecordingNetwork;
}
