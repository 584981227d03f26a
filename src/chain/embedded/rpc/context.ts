import type { Bank } from '../ledger/bank.ts';
import type { AtSlot } from '../records/records.ts';

/** What every method answers from. */
export interface RpcContext {
  readonly bank: Bank;
  /** Version of the runtime that executes transactions, as `getVersion` names it. */
  readonly version: string;
  /** Host and port of the two servers, as `getClusterNodes` names them. */
  readonly endpoints: () => { readonly rpc: string; readonly pubsub: string };
}

/** A value with the slot as of which it holds: `{context: {apiVersion, slot}, value}`. */
export function inContext<T>({ version }: RpcContext, { slot, value }: AtSlot<T>) {
  return { context: { apiVersion: version, slot }, value };
}
