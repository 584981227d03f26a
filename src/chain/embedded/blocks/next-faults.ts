import { CountedFaults } from '../../../common/collections/counted-faults.ts';
import type { Address } from '../../../solana/address.ts';
import type { Message } from '../../../solana/messages/message.ts';

/** A fault that is injected into the next transactions that match. */
export interface NextFault {
  /**
   * With `drop`, the transaction is accepted and never lands. With `delay`, its first attempt to land is delayed. With
   * `fail`, it lands, pays its fee, and fails with the error `Custom(code)` of its first instruction.
   */
  readonly effect: 'drop' | 'delay' | 'fail';
  /** The number of transactions, 1 to 1,000. A transaction that is sent again counts once. */
  readonly count: number;
  /** Only transactions that this wallet signs match. Null for any wallet. */
  readonly wallet: Address | null;
  /** Only transactions with a top-level instruction of this program match. Null for any program. */
  readonly program: Address | null;
  /** The length of a delay in slots, 1 to 150. */
  readonly slots: number;
  /** The code of a failure, a u32. */
  readonly code: number;
}

/** A transaction into which a fault was injected. */
export interface StruckFault {
  readonly effect: NextFault['effect'];
  readonly signature: string;
  /** The slot in which it was sent. */
  readonly slot: bigint;
}

/** The parts of a submitted transaction that faults depend on. */
interface FaultedTransaction {
  readonly message: Message;
  readonly messageHash: string;
  readonly signature: string;
}

/** The fault of one transaction, and the slot in which it was first sent. */
export interface Strike {
  readonly fault: NextFault;
  readonly slot: bigint;
}

const MAX_COUNT = 1_000;
const MAX_SLOTS = 150;
const MAX_CODE = 0xffff_ffff;
/** The maximum number of remembered transactions. A transaction expires with its blockhash, after 150 blocks. */
const MAX_REMEMBERED = 10_000;

/** Returns what is wrong with a fault and what is allowed, or null when it is valid. */
export function findNextFaultProblem({ effect, count, slots, code }: NextFault): string | null {
  return (
    outOfRange('count', count, 1, MAX_COUNT) ??
    (effect === 'delay' ? outOfRange('slots', slots, 1, MAX_SLOTS) : null) ??
    (effect === 'fail' ? outOfRange('code', code, 0, MAX_CODE) : null)
  );
}

function outOfRange(name: string, value: number, least: number, most: number): string | null {
  if (Number.isInteger(value) && value >= least && value <= most) return null;
  return `${name} must be a whole number from ${least} to ${most}, got ${value}`;
}

/** The queue of faults for the next transactions. */
export class NextFaults {
  readonly #faults = new CountedFaults<NextFault, StruckFault>();
  /** By the hash of the message, so that a transaction that is sent again receives the same fault. */
  #strikes = new Map<string, Strike>();

  /** Adds a fault. Returns the reason when it is refused, and otherwise null. */
  add(fault: NextFault): string | null {
    return this.#faults.add(fault);
  }

  /** Removes all faults, and the record of those that were injected. */
  clear(): void {
    this.#faults.clear();
    this.#strikes = new Map();
  }

  /** The faults that are still to be injected. Each has the number of transactions that are left. */
  get waiting(): readonly NextFault[] {
    return this.#faults.waiting;
  }

  /** The latest transactions into which a fault was injected, oldest first. */
  get struck(): readonly StruckFault[] {
    return this.#faults.struck;
  }

  /**
   * Selects the fault for a transaction that was sent in `slot`, and counts it down.
   *
   * Returns null when no fault matches.
   */
  strike(incoming: FaultedTransaction, slot: bigint): Strike | null {
    const known = this.#strikes.get(incoming.messageHash);
    if (known !== undefined) return known;
    const fault = this.#faults.take(
      (each) => matches(each, incoming),
      ({ effect }) => ({ effect, signature: incoming.signature, slot }),
    );
    if (fault === null) return null;
    const strike = { fault, slot };
    this.#strikes.set(incoming.messageHash, strike);
    const [oldest] = this.#strikes.keys();
    if (this.#strikes.size > MAX_REMEMBERED && oldest !== undefined) this.#strikes.delete(oldest);
    return strike;
  }
}

function matches({ wallet, program }: NextFault, { message }: FaultedTransaction): boolean {
  const { staticAccounts, signers, instructions } = message;
  if (wallet !== null && !staticAccounts.slice(0, signers).includes(wallet)) return false;
  return (
    program === null || instructions.some(({ programIndex }) => staticAccounts[programIndex] === program)
  );
}
