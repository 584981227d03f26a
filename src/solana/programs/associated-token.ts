import type { Address } from '../address.ts';
import { type Instruction, readonly, writable, writableSigner } from '../messages/instruction.ts';
import { associatedTokenAddress } from '../pda.ts';
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

/** Fails on chain when the account is there already. */
export function createAssociatedToken(setup: AssociatedTokenSetup): Instruction {
  return create(setup, CREATE);
}

/** Does nothing on chain when the account is there already with this owner. `account` saves deriving it again. */
export function createAssociatedTokenIdempotent(setup: AssociatedTokenSetup, account?: Address): Instruction {
  return create(setup, CREATE_IDEMPOTENT, account);
}

function create(
  { payer, owner, mint, tokenProgram }: AssociatedTokenSetup,
  data: Uint8Array,
  account = associatedTokenAddress(owner, mint, tokenProgram),
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
