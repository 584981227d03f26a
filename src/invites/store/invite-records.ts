import { and, asc, desc, eq, gt, inArray, lte, type SQL, sql } from 'drizzle-orm';
import type { AnyPgColumn } from 'drizzle-orm/pg-core';
import { RequestRefused } from '../../common/request-refused.ts';
import type { Address } from '../../solana/address.ts';
import type { Store } from '../../store/index.ts';
import {
  type ExpiredInviteQuery,
  type InvitePage,
  type InviteQuery,
  MAX_INVITES_BEFORE_PAGE,
  type RecordedInvite,
} from '../invite.ts';
import { readInviteRow, toExpirySecond } from './invite-rows.ts';
import { HAS_ENDED_ROW, invites, IS_RECEIVED_ROW, IS_OPEN_ROW } from './invite-tables.ts';

/** The recorded invites of one network, as they are listed. */
export class InviteRecords {
  readonly #store: Store;
  readonly #network: string;

  /** @param network - The genesis hash. */
  constructor(store: Store, network: string) {
    this.#store = store;
    this.#network = network;
  }

  /**
   * Returns a page of the open invites of a sender that have not expired, the newest first.
   *
   * @param now - The Unix second.
   * @throws RequestRefused when more than 10,000 invites stand before the page.
   */
  async listPending(query: InviteQuery, now: bigint): Promise<InvitePage> {
    const { network, sender, number, expirySecond } = invites;
    const isPending = and(
      eq(network, this.#network),
      eq(sender, query.wallet),
      gt(expirySecond, toExpirySecond(now)),
      IS_OPEN_ROW,
    );
    return this.#readPage(query, async (limit, offset) => {
      const found = await this.#store.db
        .select({ number })
        .from(invites)
        .where(isPending)
        .orderBy(desc(number))
        .limit(limit)
        .offset(offset);
      return found.map((row) => row.number);
    });
  }

  /**
   * Returns a page of the invites that a wallet sent or received and that have ended or expired, the newest end first. Of two that
   * ended in the same second, the one that was created later comes first.
   *
   * @param now - The Unix second.
   * @throws RequestRefused when more than 10,000 invites stand before the page.
   */
  async listHistory(query: InviteQuery, now: bigint): Promise<InvitePage> {
    return this.#readPage(query, async (limit, offset) => {
      const found = (await this.#store.db.execute(
        sql`${this.#selectHistory(query, now, offset + limit)}
          order by moment desc, number desc limit ${limit} offset ${offset}`,
      )) as unknown as readonly unknown[][];
      return found.map(([number]) => Number(number));
    });
  }

  /** Returns the newest invite at an address, whether or not it is open; null if none is recorded. */
  async findLast(at: Address): Promise<RecordedInvite | null> {
    const { network, invite, number } = invites;
    const [row] = await this.#store.db
      .select()
      .from(invites)
      .where(and(eq(network, this.#network), eq(invite, at)))
      .orderBy(desc(number))
      .limit(1);
    return row === undefined ? null : readInviteRow(row);
  }

  /** Returns open invites that have expired, the oldest expiry first. */
  async listExpired({ now, after, limit }: ExpiredInviteQuery): Promise<readonly RecordedInvite[]> {
    const { network, expirySecond, invite } = invites;
    const isLater =
      after === null
        ? undefined
        : sql`(${expirySecond}, ${invite}) > (${toExpirySecond(after.expiresAt)}, ${after.invite})`;
    const rows = await this.#store.db
      .select()
      .from(invites)
      .where(and(eq(network, this.#network), lte(expirySecond, toExpirySecond(now)), isLater, IS_OPEN_ROW))
      .orderBy(asc(expirySecond), asc(invite))
      .limit(limit);
    return rows.map(readInviteRow);
  }

  /**
   * Selects the numbers and times of a history. Each of its three parts comes out of an index in the order of the history, and only
   * as much of it as stands on the page and before it. What a wallet sent to itself is in the first part alone.
   *
   * @param most - How many invites stand on the page and before it.
   */
  #selectHistory({ wallet }: InviteQuery, now: bigint, most: number): SQL {
    const { network, number, sender, receiver, endedAt, expirySecond } = invites;
    const isHere = eq(network, this.#network);
    const select = (moment: AnyPgColumn, which: SQL | undefined) =>
      sql`select number, moment from (select ${number}, ${moment} as moment from ${invites} where ${which}
        order by ${desc(moment)}, ${desc(number)} limit ${most}) as part`;
    const sent = select(endedAt, and(isHere, eq(sender, wallet), HAS_ENDED_ROW));
    const received = select(endedAt, and(isHere, eq(receiver, wallet), IS_RECEIVED_ROW));
    const overdue = select(
      expirySecond,
      and(isHere, eq(sender, wallet), lte(expirySecond, toExpirySecond(now)), IS_OPEN_ROW),
    );
    return sql`${sent} union all ${received} union all ${overdue}`;
  }

  /**
   * Reads a page whose numbers are found in an index alone, so that only its own rows are read, wherever it begins.
   *
   * @param find - Returns the numbers of at most `limit` invites behind the first `offset` of the list.
   */
  async #readPage(
    { page, perPage }: InviteQuery,
    find: (limit: number, offset: number) => Promise<readonly number[]>,
  ): Promise<InvitePage> {
    const offset = (page - 1) * perPage;
    if (offset > MAX_INVITES_BEFORE_PAGE) {
      const rest = await find(1, MAX_INVITES_BEFORE_PAGE);
      if (rest.length === 0) return NO_INVITES;
      throw new RequestRefused(
        `page ${page} begins behind the first ${MAX_INVITES_BEFORE_PAGE} invites of the list, and only those can be listed`,
      );
    }
    const found = await find(perPage + 1, offset);
    const numbers = found.slice(0, perPage);
    const byNumber = new Map((await this.#readRows(numbers)).map((row) => [row.number, row]));
    return {
      // One that the removal of old invites was faster to take is left out.
      invites: numbers.flatMap((number) => {
        const row = byNumber.get(number);
        return row === undefined ? [] : [readInviteRow(row)];
      }),
      hasMore: found.length > perPage,
    };
  }

  async #readRows(numbers: readonly number[]) {
    if (numbers.length === 0) return [];
    return this.#store.db
      .select()
      .from(invites)
      .where(and(eq(invites.network, this.#network), inArray(invites.number, [...numbers])));
  }
}

const NO_INVITES: InvitePage = { invites: [], hasMore: false };
