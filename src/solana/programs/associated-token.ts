import type { Address } from '../address.ts';
import { type Instruction, readonly, writable, writableSigner } from '../messages/instruction.ts';
import { deriveAssociatedTokenAddress } from '../pda.ts';
import { ASSOCIATED_TOKEN_PROGRAM, SYSTEM_PROGRAM } from '../program-addresses.ts';

export interface AssociatedTokenSetup {
  /** Pays the account's rent. */
  readonly payer: Address;
  readonly owner: Address;
  readonly mint: Address;
  readonly tokenProgram: Address;
}

const CREATE = Uint8Array.of(0);
const CREATE_IDEMPOTENT = Uint8Array.of(1);

/** Creates an associated token account. The program fails when the account exists already. */
export function createAssociatedToken(setup: AssociatedTokenSetup): Instruction {
  return create(setup, CREATE);
}

/**
 * Creates an associated token account unless it exists already with this owner.
 *
 * @param account - The account's address, for callers that have derived it already.
 */
export function createAssociatedTokenIdempotent(setup: AssociatedTokenSetup, account?: Address): Instruction {
  return create(setup, CREATE_IDEMPOTENT, account);
}

/** Returns whether an instruction with this data creates the account only if it does not exist. */
export function isCreateIdempotent(data: Uint8Array): boolean {
  return data.length === 1 && data[0] === CREATE_IDEMPOTENT[0];
}

function create(
  { payer, owner, mint, tokenProgram }: AssociatedTokenSetup,
  data: Uint8Array,
  account = deriveAssociatedTokenAddress(owner, mint, tokenProgram),
): Instruction {
  return {
    programAddress: ASSOCIATED_TOKEN_PROGRAM,
    accounts: [
      writableSigner(payer),
      writable(account),
      readonly(owner),
      readonly(mint),
      readonly(SYSTEM_PROGRAM),
      readonly(tokenProgram),
    ],
    data,
  };
}
