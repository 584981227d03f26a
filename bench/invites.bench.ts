import type { InviteEnd, InvitePage, InviteQuery, RecordedInvite } from '../src/invites/invite.ts';
import { InviteRecords } from '../src/invites/store/invite-records.ts';
import { toInviteColumns } from '../src/invites/store/invite-rows.ts';
import { invites } from '../src/invites/store/invite-tables.ts';
import type { Address } from '../src/solana/address.ts';
import type { Store } from '../src/store/index.ts';
import { openTestStore, STORES } from '../src/testing/store/test-store.ts';
import { numbered } from '../src/testing/test-tokens.ts';
import { quantileOf } from './latency.ts';
import { randomNumbers } from './market/synthetic.ts';
import type { Row } from './row.ts';

export const title = 'Lists of invites';

const [STORED, OF_WALLET, OF_OTHERS] = [1_000_000, 10_000, 100];
const [PAGE, READ, ROWS_AT_ONCE] = [20, 400, 500];
const MAX_P50 = 2;
const NETWORK = 'the genesis hash of the network of a bench';
/** Of the invites, a fifth is open, a fifth of which has expired. */
const NOW = 2_000_000_000n;

/** The same lists on SQLite, and on PostgreSQL if `SLUICE_TEST_DATABASE_URL` names a server. */
export async function run(): Promise<readonly Row[]> {
  const rows: Row[] = [];
  for (const kind of STORES) {
    const { store, cleanUp } = await openTestStore(kind);
    try {
      await storeInvites(store);
      rows.push(...(await measureLists(new InviteRecords(store, NETWORK), kind)));
    } finally {
      await cleanUp();
    }
  }
  return rows;
}

type ListInvites = (query: InviteQuery) => Promise<InvitePage>;

async function measureLists(records: InviteRecords, kind: string): Promise<readonly Row[]> {
  const pending: ListInvites = (query) => records.listPending(query, NOW);
  const history: ListInvites = (query) => records.listHistory(query, NOW);
  return [
    await measurePages(`\`pending-invites\` on ${kind}`, pending, false),
    await measurePages(`\`pending-invites\` on ${kind}`, pending, true),
    await measurePages(`\`invite-history\` on ${kind}`, history, false),
    await measurePages(`\`invite-history\` on ${kind}`, history, true),
  ];
}

async function measurePages(list: string, read: ListInvites, isAny: boolean): Promise<Row> {
  const wallet = walletOf(0);
  const random = randomNumbers(7);
  const pages = await countPages(read, wallet);
  const times: number[] = [];
  for (let at = 0; at < READ; at++) {
    const page = isAny ? 1 + Math.floor(random() * pages) : 1;
    const from = performance.now();
    const { invites: shown } = await read({ wallet, page, perPage: PAGE });
    times.push(performance.now() - from);
    if (shown.length === 0) throw new Error(`page ${page} of ${list} is empty`);
  }
  times.sort((one, other) => one - other);
  const [p50, p99] = [quantileOf(times, 0.5), quantileOf(times, 0.99)];
  const which = isAny ? `any of its ${pages} pages` : 'the first page';
  return {
    what: `${list}, ${which}, of a wallet with ${OF_WALLET.toLocaleString('en')} of ${STORED.toLocaleString('en')} invites: p50 / p99`,
    measured: `${p50.toFixed(2)} ms / ${p99.toFixed(2)} ms`,
    atLeast: `p50 at most ${MAX_P50} ms`,
    ok: p50 <= MAX_P50,
  };
}

async function countPages(read: ListInvites, wallet: Address): Promise<number> {
  for (let page = 1; ; page++) if (!(await read({ wallet, page, perPage: PAGE })).hasMore) return page;
}

/** The invites of the wallet are spread over those of the others. */
async function storeInvites({ db }: Store): Promise<void> {
  const random = randomNumbers(42);
  for (let first = 0; first < STORED; first += ROWS_AT_ONCE) {
    const rows = Array.from({ length: ROWS_AT_ONCE }, (_, at) => ({
      ...toInviteColumns(createInvite(first + at, random)),
      network: NETWORK,
      number: first + at + 1,
    }));
    await db.insert(invites).values(rows);
  }
}

function createInvite(index: number, random: () => number): RecordedInvite {
  const others = Math.ceil(STORED / OF_OTHERS);
  const isOfWallet = index % (STORED / OF_WALLET) === 0;
  const createdAt = NOW - BigInt(STORED - index);
  const isOpen = random() < 0.2;
  const hasExpired = random() < 0.2;
  return {
    invite: numbered(10_000_000 + index),
    inviteKey: numbered(20_000_000 + index),
    sender: isOfWallet ? walletOf(0) : walletOf(1 + Math.floor(random() * others)),
    mint: null,
    amount: 5_000_000n,
    creationSignature: `${numbered(30_000_000 + index)}${numbered(30_000_000 + index)}`,
    createdAt,
    expiresAt: hasExpired ? createdAt + 1n : NOW + 600_000n,
    end: isOpen ? null : createEnd(index, createdAt, random),
  };
}

function createEnd(index: number, createdAt: bigint, random: () => number): InviteEnd {
  const isClaimed = random() < 0.8;
  const others = Math.ceil(STORED / OF_OTHERS);
  return {
    kind: isClaimed ? 'claimed' : 'clawedBack',
    signature: `${numbered(40_000_000 + index)}${numbered(40_000_000 + index)}`,
    at: createdAt + BigInt(Math.floor(random() * 600_000)),
    receiver: isClaimed ? walletOf(Math.floor(random() * others)) : null,
  };
}

function walletOf(place: number): Address {
  return numbered(50_000_000 + place);
}
