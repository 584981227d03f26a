import type { Bank } from '../../ledger/bank.ts';
import type { AtSlot } from '../../../records/records.ts';

/** The dependencies of the methods. */
export interface RpcContext {
  readonly bank: Bank;
  /** The version of the runtime that executes transactions, which `getVersion` returns. */
  readonly version: string;
  /** Returns host and port of the two servers, for `getClusterNodes`. */
  readonly endpoints: () => { readonly rpc: string; readonly pubsub: string };
}

/** Wraps a value with the slot as of which it was read: `{context: {apiVersion, slot}, value}`. */
export function wrapInContext<T>({ version }: RpcContext, { slot, value }: AtSlot<T>) {
  return { context: { apiVersion: version, slot }, value };
}
