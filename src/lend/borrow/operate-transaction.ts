import { requireAvailable } from '../../chain/chain.ts';
import { getFinalizedBlockhash } from '../../chain/recent-blockhashes.ts';
import type { Address } from '../../solana/address.ts';
import { compileMessage } from '../../solana/messages/compile-message.ts';
import type { Instruction } from '../../solana/messages/instruction.ts';
import { decodeLookupTable } from '../../solana/messages/lookup-table.ts';
import { setComputeUnitLimit } from '../../solana/programs/compute-budget.ts';
import { MAX_TRANSACTION_BYTES, computeTransactionSize } from '../../solana/messages/transaction.ts';
import type { BorrowServices } from './borrow.ts';
import type { BuiltOperate } from './build-operate.ts';
import { BorrowRefused } from './refusals.ts';

/** The compute units of an operation: the same number as in the public service's transactions. */
const OPERATE_UNITS = 800_000;
/** Further compute units for each account that is created before the operation, and for a new position. */
const CREATION_UNITS = 30_000;
const POSITION_UNITS = 200_000;
const MAX_UNITS = 1_400_000;

/**
 * Compiles the unsigned message of an operation, in version 0, with the vault's lookup table and a compute-unit limit.
 * It uses the newest finalized blockhash, which nodes know at their default preflight commitment.
 *
 * @throws ChainUnavailable when no blockhash is known
 * @throws BorrowRefused when the message does not fit a transaction
 */
export function compileOperateMessage(
  services: BorrowServices,
  signer: Address,
  built: BuiltOperate,
): Uint8Array {
  const { chain } = services;
  requireAvailable(chain);
  const message = compileMessage({
    feePayer: signer,
    blockhash: getFinalizedBlockhash(chain).bytes,
    instructions: [setComputeUnitLimit(estimateOperateUnits(built.instructions)), ...built.instructions],
    lookupTables: readOperateTables(services, built.lookupTable),
  });
  const size = computeTransactionSize(message.length, 1);
  if (size > MAX_TRANSACTION_BYTES) {
    throw new BorrowRefused(
      `the transaction would have ${size} bytes, but may have ${MAX_TRANSACTION_BYTES}: the vault's lookup table lacks accounts; use operate-instructions and split it`,
    );
  }
  return message;
}

const INIT_POSITION_ACCOUNTS = 13;

function estimateOperateUnits(instructions: readonly Instruction[]): number {
  const creations = instructions.slice(0, -1);
  const units = creations.reduce(
    (sum, { accounts }) =>
      sum + (accounts.length === INIT_POSITION_ACCOUNTS ? POSITION_UNITS : CREATION_UNITS),
    OPERATE_UNITS,
  );
  return Math.min(units, MAX_UNITS);
}

/** A table that does not exist is omitted. Clients that resolve tables over RPC do the same. */
function readOperateTables(
  { accounts }: BorrowServices,
  table: Address | null,
): Readonly<Record<Address, Address[]>> {
  const account = table === null ? null : accounts.read(table);
  return table === null || account === null
    ? {}
    : { [table]: [...decodeLookupTable(account.data).addresses] };
}
