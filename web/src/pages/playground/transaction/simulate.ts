import { callRpc } from '../../../api/network.ts';

/** What a transaction would do. */
export interface SimulationOutcome {
  /** Null: it would succeed. */
  readonly error: string | null;
  readonly unitsConsumed: number | null;
  readonly logs: readonly string[];
}

/**
 * Simulates a transaction on the embedded network, signed or not, over the newest blockhash.
 * @throws ApiError if the network cannot read it
 */
export async function simulateTransaction(transaction: string): Promise<SimulationOutcome> {
  const { value } = await callRpc<{
    readonly value: {
      readonly err: unknown;
      readonly unitsConsumed?: number;
      readonly logs: readonly string[] | null;
    };
  }>('simulateTransaction', [
    transaction,
    { encoding: 'base64', sigVerify: false, replaceRecentBlockhash: true, commitment: 'confirmed' },
  ]);
  return {
    error: value.err === null ? null : formatTransactionError(value.err),
    unitsConsumed: value.unitsConsumed ?? null,
    logs: value.logs ?? [],
  };
}

/** Writes the error of a transaction as one line, such as `InstructionError: 3, Custom 6001`. */
export function formatTransactionError(error: unknown): string {
  if (typeof error === 'string') return error;
  return JSON.stringify(error)
    .replaceAll(/[{}[\]"]/g, '')
    .replaceAll(':', ' ')
    .replaceAll(',', ', ');
}
