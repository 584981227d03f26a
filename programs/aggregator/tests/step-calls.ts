import { routeV2 } from '../../../src/market/aggregator/route-v2.ts';
import { type Address, address } from '../../../src/solana/address.ts';
import {
  type AccountMeta,
  type Instruction,
  readonly,
  writable,
  writableSigner,
} from '../../../src/solana/messages/instruction.ts';
import { SYSTEM_PROGRAM } from '../../../src/solana/program-addresses.ts';
import { type RouteWorld, TEST_VENUE } from './route-world.ts';
import type { StepKind } from './step-kinds.ts';

export interface NamedAccount {
  readonly name: string;
  readonly address: Address;
  /** The rights that the venue's call should give the account, or null if the transaction decides. */
  readonly rights: string | null;
}

/** Returns the accounts of a step of this kind. All are new, except the user and its two token accounts. */
export function nameAccounts(world: RouteWorld, kind: StepKind): NamedAccount[] {
  const own = kind.accounts.split(' ').map((word) => {
    const [label = '', flags = ''] = word.split('.');
    if (label === 'U') return { name: label, address: world.user, rights: `${flags}S` };
    if (label === 'IN') return { name: label, address: world.users.a, rights: flags };
    if (label === 'OUT') return { name: label, address: world.users.b, rights: flags };
    return { name: label, address: blankAccount(world), rights: flags === '?' ? null : flags };
  });
  const tail = Array.from({ length: kind.tail ?? 0 }, (_, i) => ({
    name: `tail ${i}`,
    address: blankAccount(world),
    rights: null,
  }));
  return [...own, ...tail];
}

/** Returns an account that exists and has no data. */
export function blankAccount({ network }: RouteWorld): Address {
  const made = network.newAddress();
  network.setData(made, SYSTEM_PROGRAM, new Uint8Array(0));
  return made;
}

/** Marks every account as writable, except that those whose rights the transaction decides alternate. */
export function given({ user }: RouteWorld, accounts: readonly NamedAccount[]): AccountMeta[] {
  return accounts.map(({ address: of, rights }, index) => {
    if (of === user || rights === 'S') return writableSigner(of);
    if (rights === null && index % 2 === 0) return readonly(of);
    return rights === null && index % 3 === 0 ? writableSigner(of) : writable(of);
  });
}

/** Returns a route of 1,000,000 with this step alone, and the test's venue under the address of the kind's venue. */
export function routeOf(world: RouteWorld, kind: StepKind, accounts: readonly AccountMeta[]): Instruction {
  const venue = address(kind.venue);
  world.network.loadProgram(venue, TEST_VENUE);
  const step = { swap: kind.swap, accounts: [readonly(venue), ...accounts] };
  const steps = [{ step, bps: 10_000, inputIndex: 0, outputIndex: 1 }];
  const terms = { inAmount: 1_000_000n, quotedOutAmount: 0n, slippageBps: 0, steps };
  return routeV2(terms, world.accounts());
}
