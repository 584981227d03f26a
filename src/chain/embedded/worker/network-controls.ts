import type { Address } from '../../../solana/address.ts';
import type { EmbeddedBank } from '../bank/embedded-bank.ts';
import { NetworkRefused } from '../ledger/bank.ts';
import type { CallFault, CallFaults } from '../rpc/calls/call-faults.ts';

/**
 * Returns what the main thread can do to the network: every method of `BankAdmin`, the faucet, and the faults of RPC calls,
 * which are known to this thread and not to the bank.
 */
export function createNetworkControls(bank: EmbeddedBank, callFaults: CallFaults) {
  return {
    ...bindMethods(bank.admin),
    /** Mints atoms of `mint` to the wallet's associated token account. */
    faucet: (wallet: Address, mint: Address, amount: bigint) => bank.faucet(wallet, mint, amount),
    requestAirdrop: (wallet: Address, lamports: bigint) => bank.requestAirdrop(wallet, lamports),
    /** Adds a fault that is injected into the next calls of a method over HTTP. */
    faultCalls: (fault: CallFault): void => {
      const refusal = callFaults.add(fault);
      if (refusal !== null) throw new NetworkRefused('request', refusal);
    },
    callFaults: () => callFaults.list(),
    clearCallFaults: () => callFaults.clear(),
  };
}

type MethodsOf<T> = {
  [M in keyof T as T[M] extends (...args: never[]) => unknown ? M : never]: T[M];
};

/** Returns the public methods of the object's class, as functions that need no receiver. */
function bindMethods<T extends object>(object: T): MethodsOf<T> {
  const { constructor: _, ...members } = Object.getOwnPropertyDescriptors(Object.getPrototypeOf(object));
  const methods = Object.entries(members).filter(([, { value }]) => typeof value === 'function');
  return Object.fromEntries(methods.map(([name, { value }]) => [name, value.bind(object)])) as MethodsOf<T>;
}
