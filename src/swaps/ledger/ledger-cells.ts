import type { ExecutionResult } from '../orders/execution-result.ts';
import { getMakerId, getPayingParty, type StoredOrder } from '../orders/stored-order.ts';
import type { LedgerAmount } from './ledger-records.ts';

const MAX_TEXT = 256;

/** What the accounts of a maker paid and received in a fill. */
export interface NotedVolume {
  readonly paid: LedgerAmount;
  readonly received: LedgerAmount;
  readonly microDollars: bigint | null;
}

/** Returns what a stored order says of the row of an order. */
export function toOrderCells(order: StoredOrder) {
  return {
    taker: order.taker,
    receiver: order.receiver,
    input_mint: order.inputMint,
    output_mint: order.outputMint,
    router: order.router,
    maker: getMakerId(order),
    payer: order.payer,
    paid_by: getPayingParty(order),
  };
}

/** Returns what the end of an execution says of the row of its order. */
export function toResultCells(result: ExecutionResult) {
  const { signature, slot } = result;
  const landed = { signature, slot: slot === null ? null : String(slot) };
  if (result.kind === 'failed')
    return { ...landed, code: result.code, reason: formatLedgerText(result.reason) };
  const { amounts } = result;
  return {
    ...landed,
    code: 0,
    total_input: amounts === null ? null : String(amounts.totalInput),
    total_output: amounts === null ? null : String(amounts.totalOutput),
  };
}

/** Returns what a fill that landed says of the row of its maker. */
export function toVolumeCells({ paid, received, microDollars }: NotedVolume) {
  return {
    paid_mint: paid.mint,
    paid: String(paid.atoms),
    received_mint: received.mint,
    received: String(received.atoms),
    micro_dollars: microDollars === null ? null : String(microDollars),
  };
}

/**
 * A sentence may repeat what a maker answered, and operators read it on a terminal. PostgreSQL stores no U+0000, and no half of a
 * surrogate pair.
 */
export function formatLedgerText(text: string | null): string | null {
  return text === null ? null : text.slice(0, MAX_TEXT).replaceAll(/[\p{Cc}\p{Cf}\p{Surrogate}]/gu, '');
}
