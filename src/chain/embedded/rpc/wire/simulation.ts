import type { Address } from '../../../../solana/address.ts';
import type { TransactionSimulation } from '../../../records/records.ts';
import { encodeInnerInstructions, encodeReturnData, encodeTokenBalances } from './meta.ts';

export interface SimulationFormat {
  /** The encoded accounts that were requested. Null when none were. */
  readonly accounts: readonly unknown[] | null;
  /** All accounts of the transaction, for its inner instructions. With null, those are left out. */
  readonly innerInstructionsOver: readonly Address[] | null;
}

/** Returns the result of `simulateTransaction`, which is also the data of a preflight failure. */
export function encodeSimulation(simulation: TransactionSimulation, format: SimulationFormat) {
  const { accounts, innerInstructionsOver } = format;
  return {
    err: simulation.error,
    logs: simulation.logs,
    accounts,
    unitsConsumed: simulation.unitsConsumed,
    loadedAccountsDataSize: simulation.loadedAccountsDataSize,
    returnData: encodeReturnData(simulation.returnData),
    innerInstructions:
      innerInstructionsOver === null
        ? null
        : encodeInnerInstructions(simulation.innerInstructions, innerInstructionsOver),
    replacementBlockhash: simulation.replacementBlockhash,
    fee: simulation.fee,
    preBalances: simulation.preBalances,
    postBalances: simulation.postBalances,
    preTokenBalances: encodeTokenBalances(simulation.preTokenBalances),
    postTokenBalances: encodeTokenBalances(simulation.postTokenBalances),
    loadedAddresses: simulation.loadedAddresses,
  };
}
