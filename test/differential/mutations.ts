import type { Address } from '../../src/solana/address.ts';
import {
  type AccountMeta,
  type Instruction,
  isSigner,
  isWritable,
  type AccountRole,
} from '../../src/solana/messages/instruction.ts';

/** An instruction with one thing wrong. */
export interface Mutation {
  readonly change: string;
  readonly changed: Instruction;
}

/** Each account exchanged for each stranger, not signing, not writable; and the last accounts left out. */
export function* mutations(instruction: Instruction, strangers: readonly Address[]): Iterable<Mutation> {
  const { accounts } = instruction;
  const withAccount = (at: number, meta: AccountMeta): Instruction => ({
    ...instruction,
    accounts: accounts.with(at, meta),
  });
  for (const [at, { address, role }] of accounts.entries()) {
    for (const stranger of strangers) {
      if (stranger === address) continue;
      yield { change: `${stranger} as account ${at}`, changed: withAccount(at, { address: stranger, role }) };
    }
    if (isWritable(role)) {
      const reduced = { address, role: (role & ~1) as AccountRole };
      yield { change: `account ${at} read-only`, changed: withAccount(at, reduced) };
    }
    if (isSigner(role)) {
      const reduced = { address, role: (role & ~2) as AccountRole };
      yield { change: `account ${at} not signing`, changed: withAccount(at, reduced) };
    }
    yield { change: `${at} accounts`, changed: { ...instruction, accounts: accounts.slice(0, at) } };
  }
}
