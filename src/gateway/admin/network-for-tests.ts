import { AdminRefused, FaucetRefused } from '../../chain/embedded/ledger/bank.ts';
import { NO_FAULTS } from '../../chain/embedded/blocks/faults.ts';
import type { NetworkControls } from './network-controls.ts';

/** Records what it is told and remembers it, as the network would. */
export function recordingNetwork(): NetworkControls & { readonly calls: unknown[] } {
  const calls: unknown[] = [];
  const names = new Map<string, bigint>();
  let faults = NO_FAULTS;
  return {
    calls,
    faucet: async (...args) => {
      calls.push(args);
      if (args[2] > 1_000n) throw new FaucetRefused('at most 1000 at a time');
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
      if (!names.has(name)) throw new AdminRefused(`there is no snapshot ${name}`);
    },
    deleteSnapshot: async (name) => void names.delete(name),
    snapshots: async () => [...names].map(([name, slot]) => ({ name, slot })),
    setFaults: async (next) => {
      faults = next;
    },
    faults: async () => faults,
  };
}
