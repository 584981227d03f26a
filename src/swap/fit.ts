import type { Address } from '../solana/address.ts';
import { compileMessage } from '../solana/compile-message.ts';
import { MAX_COMPUTE_UNITS, setComputeUnitLimit, setComputeUnitPrice } from '../solana/compute-budget.ts';
import type { Instruction } from '../solana/instruction.ts';
import { MAX_ACCOUNTS, MessageInvalid } from '../solana/message-accounts.ts';
import type { Assembly } from './assembly.ts';
import type { SwapTerms } from './swap-terms.ts';

/** The largest transaction that the network takes, in bytes. */
const MAX_TRANSACTION = 1_232;
const SIGNATURE_BYTES = 64;
/** Its bytes do not change the size. */
const ANY_BLOCKHASH = new Uint8Array(32);

/** Why the transaction that a caller makes of these instructions would not do, as a sentence; null when it does. */
export function misfit(assembly: Assembly, request: SwapTerms): string | null {
  const instructions = transactionOf(assembly);
  const accounts = countAccounts(request.payer, instructions);
  const most = Math.min(request.maxAccounts, MAX_ACCOUNTS);
  if (accounts > most) {
    return `no route needs ${most} accounts or fewer: the smallest that was found needs ${accounts}; raise maxAccounts`;
  }
  let message: Uint8Array;
  try {
    message = compileMessage({
      feePayer: request.payer,
      blockhash: ANY_BLOCKHASH,
      instructions,
      lookupTables: assembly.tables,
    });
  } catch (error) {
    // One of the wallets that the request names is a program.
    if (error instanceof MessageInvalid) return `the swap makes no valid transaction: ${error.message}`;
    throw error;
  }
  // The second byte of a version 0 message counts its signers.
  const size = 1 + (message[1] ?? 0) * SIGNATURE_BYTES + message.length;
  return size > MAX_TRANSACTION
    ? `no route fits a transaction of ${MAX_TRANSACTION} bytes: the best that was found makes one of ${size} bytes`
    : null;
}

/** Everything that the answer contains, and the compute unit limit that the caller adds. */
function transactionOf({ setup, swap, cleanup, tip, rentReturns }: Assembly): Instruction[] {
  return [
    setComputeUnitLimit(MAX_COMPUTE_UNITS),
    setComputeUnitPrice(0n),
    ...setup,
    swap,
    ...(cleanup === null ? [] : [cleanup]),
    ...rentReturns.values(),
    ...(tip === null ? [] : [tip]),
  ];
}

function countAccounts(payer: Address, instructions: readonly Instruction[]): number {
  const named = new Set<Address>([payer]);
  for (const { programAddress, accounts } of instructions) {
    named.add(programAddress);
    for (const { address } of accounts) named.add(address);
  }
  return named.size;
}
