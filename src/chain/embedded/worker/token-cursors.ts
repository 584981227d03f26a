import { UNITS_PER_TURN, toWorkUnits } from '../../../common/work/work.ts';
import type { Address } from '../../../solana/address.ts';
import type { AccountUpdate } from '../../accounts.ts';
import { type Bank, NetworkRefused, type ReadAt } from '../ledger/bank.ts';

/** Token accounts of an owner that are sent at once, and what asks for more of them; null if there are none. */
export interface TokenPiece {
  readonly accounts: readonly AccountUpdate[];
  readonly cursor: number | null;
}

/** Cursors that are open at once. A further one takes the place of the one that has not moved for longest. */
const MAX_CURSORS = 1_000;

interface TokenCursor {
  readonly updates: Iterator<AccountUpdate>;
  /** The account that comes next. Null: the piece before it was the last one. */
  ahead: AccountUpdate | null;
}

/** The lists of token accounts that are being sent to the main thread, a piece for each call. */
export class TokenCursors {
  readonly #bank: Pick<Bank, 'eachTokenAccount'>;
  /** The one that was not moved for longest first. */
  readonly #open = new Map<number, TokenCursor>();
  #nextId = 0;

  constructor(bank: Pick<Bank, 'eachTokenAccount'>) {
    this.#bank = bank;
  }

  /** @throws NetworkRefused when the state of the slot is gone. So does `next`. */
  open(owner: Address, at: ReadAt): TokenPiece {
    const { slot, value } = this.#bank.eachTokenAccount({ by: 'owner', address: owner }, at);
    const updates = iterateUpdates(value, slot);
    return this.#move(this.#nextId++, { updates, ahead: takeNextUpdate(updates) });
  }

  next(id: number): TokenPiece {
    const cursor = this.#open.get(id);
    if (cursor === undefined) {
      throw new NetworkRefused(
        'gone',
        `more than ${MAX_CURSORS} other lists of token accounts were asked for meanwhile`,
      );
    }
    this.#open.delete(id);
    return this.#move(id, cursor);
  }

  close(id: number): void {
    this.#open.delete(id);
  }

  #move(id: number, cursor: TokenCursor): TokenPiece {
    const accounts: AccountUpdate[] = [];
    for (let units = 0; cursor.ahead !== null; cursor.ahead = takeNextUpdate(cursor.updates)) {
      units += toWorkUnits(cursor.ahead.account?.data.length ?? 0);
      if (accounts.length > 0 && units > UNITS_PER_TURN) break;
      accounts.push(cursor.ahead);
    }
    if (cursor.ahead === null) return { accounts, cursor: null };
    if (this.#open.size >= MAX_CURSORS) {
      const [oldest] = this.#open.keys();
      if (oldest !== undefined) this.#open.delete(oldest);
    }
    this.#open.set(id, cursor);
    return { accounts, cursor: id };
  }
}

function takeNextUpdate(updates: Iterator<AccountUpdate>): AccountUpdate | null {
  const { done, value } = updates.next();
  return done === true ? null : value;
}

function* iterateUpdates(
  accounts: Iterable<{ readonly address: Address; readonly account: AccountUpdate['account'] }>,
  slot: bigint,
): Generator<AccountUpdate> {
  for (const { address, account } of accounts) yield { address, slot, account };
}
