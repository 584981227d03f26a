import { sql } from 'drizzle-orm';
import type { InvitePage, InviteQuery } from '../src/invites/invite.ts';
import { InviteRecords } from '../src/invites/store/invite-records.ts';
import type { Address } from '../src/solana/address.ts';
import type { Store } from '../src/store/index.ts';
import { openTestStore, STORES } from '../src/testing/store/test-store.ts';
import { quantileOf } from './latency.ts';
import { randomNumbers } from './market/synthetic.ts';
import type { Row } from './row.ts';

export const title = 'Lists of invites';

const [STORED, OF_WALLET, OF_OTHERS] = [1_000_000, 10_000, 100];
const [PAGE, READ, ROWS_AT_ONCE] = [20, 300, 10_000];
const NAME_LENGTH = 44;
const MAX_P50 = 2;
const NETWORK = 'the genesis hash of the network of a bench';
const NOW = 2_000_000_000;

/**
 * The same lists on SQLite, and on PostgreSQL if `SLUICE_TEST_DATABASE_URL` names a server. What PostgreSQL takes for a page depends
 * on how long the machine takes for a query at all, which is measured beside it.
 */
export async function run(): Promise<readonly Row[]> {
  const rows: Row[] = [];
  for (const kind of STORES) {
    const { store, cleanUp } = await openTestStore(kind);
    try {
      await storeInvites(store);
      rows.push(
        ...(await measureLists(
          new InviteRecords(store, NETWORK),
          kind,
          kind === 'sqlite' ? null : await measureEmptyQuery(store),
        )),
      );
    } finally {
      await cleanUp();
    }
  }
  return rows;
}

type ListInvites = (query: InviteQuery) => Promise<InvitePage>;

async function measureLists(
  records: InviteRecords,
  kind: string,
  emptyQuery: string | null,
): Promise<readonly Row[]> {
  const rows: Row[] = [];
  for (const which of ['first', 'any'] as const) {
    const [p50, row] = await measurePages(`\`pending-invites\` on ${kind}`, which, (query) =>
      records.listPending(query, BigInt(NOW)),
    );
    rows.push(
      emptyQuery === null
        ? { ...row, atLeast: `p50 at most ${MAX_P50} ms`, ok: p50 <= MAX_P50 }
        : { ...row, against: emptyQuery },
    );
  }
  for (const which of ['first', 'any'] as const) {
    const [, row] = await measurePages(`\`invite-history\` on ${kind}`, which, (query) =>
      records.listHistory(query, BigInt(NOW)),
    );
    rows.push(row);
  }
  return rows;
}

/** Measures a query that reads nothing, which no page can be faster than. */
async function measureEmptyQuery({ db }: Store): Promise<string> {
  const times: number[] = [];
  for (let at = 0; at < READ; at++) {
    const from = performance.now();
    await db.execute(sql`select 1`);
    times.push(performance.now() - from);
  }
  times.sort((one, other) => one - other);
  return `a query that reads nothing: p50 ${quantileOf(times, 0.5).toFixed(2)} ms`;
}

async function measurePages(
  list: string,
  which: 'first' | 'any',
  read: ListInvites,
): Promise<readonly [p50: number, row: Row]> {
  const wallet = walletOf(0);
  const random = randomNumbers(7);
  const pages = await countPages(read, wallet);
  const times: number[] = [];
  for (let at = 0; at < READ; at++) {
    const page = which === 'any' ? 1 + Math.floor(random() * pages) : 1;
    const from = performance.now();
    const { invites: shown } = await read({ wallet, page, perPage: PAGE });
    times.push(performance.now() - from);
    if (shown.length === 0) throw new Error(`page ${page} of ${list} is empty`);
  }
  times.sort((one, other) => one - other);
  const [p50, p99] = [quantileOf(times, 0.5), quantileOf(times, 0.99)];
  const described = which === 'any' ? `any of its ${pages} pages` : 'the first page';
  return [
    p50,
    {
      what: `${list}, ${described}, of a wallet with ${OF_WALLET.toLocaleString('en')} of ${STORED.toLocaleString('en')} invites: p50 / p99`,
      measured: `${p50.toFixed(2)} ms / ${p99.toFixed(2)} ms`,
    },
  ];
}

/** Looks for the last page by halves. */
async function countPages(read: ListInvites, wallet: Address): Promise<number> {
  let [last, beyond] = [1, 1 + OF_WALLET / PAGE];
  while (beyond - last > 1) {
    const page = Math.floor((last + beyond) / 2);
    const { invites: shown } = await read({ wallet, page, perPage: PAGE });
    if (shown.length > 0) last = page;
    else beyond = page;
  }
  return last;
}

/**
 * Stores invites whose addresses and signatures are as long as real ones. Those of the wallet are spread over those of the others. A
 * fifth is open, a fifth of which has expired; most of the others were claimed.
 */
async function storeInvites({ db }: Store): Promise<void> {
  const others = STORED / OF_OTHERS;
  for (let first = 1; first <= STORED; first += ROWS_AT_ONCE) {
    const last = Math.min(STORED, first + ROWS_AT_ONCE - 1);
    await db.execute(
      sql.raw(`insert into invites (network, number, invite, invite_key, sender, mint, amount, creation_signature, created_at,
          expires_at, expiry_second, state, end_signature, ended_at, receiver)
        with recursive
          numbers (n) as (select cast(${first} as bigint) union all select n + 1 from numbers where n < ${last}),
          facts as (select n, ${NOW - STORED} + n as created_at, (n * 7 + n / 100) % 100 as share,
            case when n % ${STORED / OF_WALLET} = 0 then 0 else 1 + n * 7919 % ${others} end as sender,
            (n + 1) * 104729 % ${others} as receiver from numbers),
          terms as (select *, case when share % 5 = 0 then created_at + 1 else ${NOW + 600_000} end as expiry from facts)
        select '${NETWORK}', n, ${name('invite', 'n')}, ${name('key', 'n')}, ${name('wallet', 'sender')}, null, '5000000',
          ${name('creation', 'n')} || ${name('creation', 'n')}, created_at, cast(expiry as text), expiry,
          case when share < 20 then 'open' when share < 84 then 'claimed' else 'clawed_back' end,
          case when share >= 20 then ${name('end', 'n')} || ${name('end', 'n')} end,
          case when share >= 20 then created_at + n * 7919 % 600000 end,
          case when share >= 20 and share < 84 then ${name('wallet', 'receiver')} end
        from terms`),
    );
  }
}

/** Writes SQL for a text of 44 characters that differs at its beginning, as addresses do. */
function name(kind: string, number: string): string {
  return `(cast(1000000000 + ${number} as text) || '${kind.padEnd(NAME_LENGTH - 10, '.')}')`;
}

function walletOf(place: number): Address {
  return `${1_000_000_000 + place}${'wallet'.padEnd(NAME_LENGTH - 10, '.')}` as Address;
}
