import type { Account } from '../../chain/accounts.ts';
import type { Address } from '../../solana/address.ts';
import type { Instruction } from '../../solana/messages/instruction.ts';
import type { TestNetwork } from './network.ts';

/** A substitution that was accepted although it changes what the instructions do. */
export interface Surprise {
  /** Which instruction, and which of its accounts. */
  readonly instruction: number;
  readonly index: number;
  readonly substitute: Address;
  /** The accounts that ended in another state. */
  readonly differing: readonly Address[];
}

export interface Substitutions {
  readonly refused: number;
  /** Accepted, with every account ending as without the substitution. */
  readonly harmless: number;
  readonly surprises: readonly Surprise[];
}

type SubstitutionState = ReadonlyMap<Address, Account | null>;

/**
 * Sends instructions once for each of their accounts and each substitute, with the substitute in the place of the account,
 * and compares what every account is after it with what it is without the substitution. The network is left as it was.
 * Substitutes are all accounts of the same owner, among those that are given and those of the instructions, and a copy that
 * the system program owns.
 *
 * @param others - Equal accounts of others.
 * @param everywhere - Whether to put the substitute also where other instructions name the account.
 * @throws Error when the instructions fail without a substitution
 */
export function substituteAccounts(
  network: TestNetwork,
  instructions: readonly Instruction[],
  others: readonly Address[],
  everywhere = false,
): Substitutions {
  const named = instructions.flatMap(({ accounts }) => accounts.map(({ address }) => address));
  const watched = [...new Set([...named, ...others])];
  const before = read(network, watched);
  const { error, logs } = network.send(instructions);
  if (error !== null) throw new Error(`the instructions fail: ${logs.join('\n')}`);
  const expected = read(network, watched);
  restore(network, before);
  const programs = new Set(instructions.map(({ programAddress }) => programAddress));
  let [refused, harmless] = [0, 0];
  const surprises: Surprise[] = [];
  for (const [instruction, { accounts }] of instructions.entries()) {
    for (const [index, { address }] of accounts.entries()) {
      for (const substitute of substitutesFor(network, address, watched)) {
        const changed = instructions.map((each, at) => {
          if (at === instruction) return replaced(each, index, substitute, programs);
          const same = each.accounts.findIndex((meta) => meta.address === address);
          return everywhere && same !== -1 ? replaced(each, same, substitute, programs) : each;
        });
        if (network.send(changed).error !== null) {
          refused++;
          continue;
        }
        const differing = differences(read(network, watched), expected);
        if (differing.length === 0) harmless++;
        else surprises.push({ instruction, index, substitute, differing });
        restore(network, before);
      }
    }
  }
  return { refused, harmless, surprises };
}

/** The bit of a signer in an account's role. */
const SIGNER = 2;

/** No program that is called may be writable; the rights of a signer stay. */
function replaced(
  instruction: Instruction,
  index: number,
  address: Address,
  programs: ReadonlySet<Address>,
): Instruction {
  const accounts = instruction.accounts.map((meta, place) => {
    if (place !== index) return meta;
    return { address, role: programs.has(address) ? ((meta.role & SIGNER) as typeof meta.role) : meta.role };
  });
  return { ...instruction, accounts };
}

function substitutesFor(
  network: TestNetwork,
  address: Address,
  among: readonly Address[],
): readonly Address[] {
  const account = network.account(address);
  const substitutes = among.filter(
    (other) => other !== address && network.account(other)?.owner === account?.owner,
  );
  if (account === null || account.executable || account.data.length === 0) return substitutes;
  const copy = network.newAddress();
  network.setData(copy, NONE.owner, account.data);
  return [...substitutes, copy];
}

function read(network: TestNetwork, addresses: readonly Address[]): SubstitutionState {
  return new Map(addresses.map((address) => [address, network.account(address)]));
}

function restore(network: TestNetwork, state: SubstitutionState): void {
  for (const [address, account] of state) {
    if (account?.executable === true) continue;
    const now = network.account(address);
    if (isEqual(now, account)) continue;
    network.setAccount(address, account ?? { ...NONE, data: new Uint8Array(0) });
  }
}

const NONE = {
  lamports: 0n,
  owner: '11111111111111111111111111111111' as Address,
  executable: false,
  rentEpoch: 0n,
};

function differences(state: SubstitutionState, expected: SubstitutionState): readonly Address[] {
  return [...expected].flatMap(([address, account]) =>
    isEqual(state.get(address) ?? null, account) ? [] : [address],
  );
}

function isEqual(one: Account | null, other: Account | null): boolean {
  if (one === null || other === null) return one === other;
  return (
    one.lamports === other.lamports && one.owner === other.owner && Buffer.compare(one.data, other.data) === 0
  );
}
