import { CountedFaults } from '../../../common/collections/counted-faults.ts';
import type { Address } from '../../../solana/address.ts';
import type { Message } from '../../../solana/messages/message.ts';

/** A fault that strikes the next transactions that match, and then ends. */
export interface NextFault {
  /**
   * `drop`: the transaction is accepted and never lands. `delay`: its first attempt to land is later. `fail`: it lands,
   * pays its fee, and fails with the error `Custom(code)` of its first instruction.
   */
  readonly effect: 'drop' | 'delay' | 'fail';
  /** How many transactions it strikes, 1 to 1,000. A transaction that is sent again is the same one. */
  readonly count: number;
  /** A wallet that signs; null: any. */
  readonly wallet: Address | null;
  /** The program of a top-level instruction; null: any. */
  readonly program: Address | null;
  /** Slots of a delay, 1 to 150. */
  readonly slots: number;
  /** Code of a failure, a u32. */
  readonly code: number;
}

/** A transaction that a fault has struck. */
export interface StruckFault {
  readonly effect: NextFault['effect'];
  readonly signature: string;
  /** The slot in which it was sent. */
  readonly slot: bigint;
}

/** What is read of a transaction. */
interface SentTransaction {
  readonly message: Message;
  readonly messageHash: string;
  readonly signature: string;
}

/** What happens to a transaction. */
export interface Strike {
  readonly fault: NextFault;
  readonly slot: bigint;
}

const MAX_COUNT = 1_000;
const MAX_SLOTS = 150;
const MAX_CODE = 0xffff_ffff;
/** Transactions that are remembered. A blockhash, and with it a transaction, lives for 150 slots. */
const MAX_REMEMBERED = 10_000;

/** Returns what is wrong with a fault and what is allowed; null when nothing is. */
export function invalidNextFault({ effect, count, slots, code }: NextFault): string | null {
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

/** The faults that wait for transactions, in the order in which they were given. */
export class NextFaults {
  readonly #faults = new CountedFaults<NextFault, StruckFault>();
  /** By the hash of the message, so that a transaction that is sent again has the same fate. */
  #strikes = new Map<string, Strike>();

  /** Adds a fault. Returns the reason when it is refused, and otherwise null. */
  add(fault: NextFault): string | null {
    return this.#faults.add(fault);
  }

  /** Forgets the faults that wait, and those that have struck. */
  clear(): void {
    this.#faults.clear();
    this.#strikes = new Map();
  }

  /** The faults that wait, with how many transactions each will still strike. */
  get waiting(): readonly NextFault[] {
    return this.#faults.waiting;
  }

  /** The last transactions that were struck, the oldest first. */
  get struck(): readonly StruckFault[] {
    return this.#faults.struck;
  }

  /**
   * Decides what happens to a transaction that was sent in `slot`. The first fault that matches counts down.
   *
   * @returns Null when nothing happens to it.
   */
  strike(incoming: SentTransaction, slot: bigint): Strike | null {
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

function matches({ wallet, program }: NextFault, { message }: SentTransaction): boolean {
  const { staticAccounts, signers, instructions } = message;
  if (wallet !== null && !staticAccounts.slice(0, signers).includes(wallet)) return false;
  return (
    program === null || instructions.some(({ programIndex }) => staticAccounts[programIndex] === program)
  );
}
