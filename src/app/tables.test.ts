import { createHash } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { sql } from 'drizzle-orm';
import { getTableConfig } from 'drizzle-orm/pg-core';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { apiKeys, organisations, teamMembers } from '../platform/tables/account-tables.ts';
import { auditLog } from '../platform/tables/audit-table.ts';
import { migrate, readSchemaVersion } from '../store/migrate.ts';
import { meta } from '../store/schema/meta.ts';
import type { Database, Store } from '../store/sql/sql.ts';
import { openTestStore, STORES, type TestStore } from '../testing/store/test-store.ts';
import { createTestOrder } from '../testing/waiting-orders/test-orders.ts';
import { tokenRequests } from '../tokens/verification/token-tables.ts';
import { WaitingOrderStore } from '../waiting-orders/store/order-store.ts';
import { SCHEMA_VERSION, STORE_MIGRATIONS, TABLES } from './tables.ts';

describe.each(STORES)('the schema on %s', (kind) => {
  let test: TestStore;
  beforeEach(setUp);
  afterEach(() => test.cleanUp());

  it('declares the tables and columns that the migrations create, and no others', async () => {
    expect(ALL_TABLES.length).toBeGreaterThan(8);
    expect(declaredTables()).toEqual(await migratedTables(test.store.db, kind));
  });

  it('is reached from every earlier version without losing data', async () => {
    for (let version = 1; version < STORE_MIGRATIONS.length; version++) {
      await emptied(test.store, kind);
      await migrate(test.store, STORE_MIGRATIONS.slice(0, version), async () => {});
      await test.store.db.execute(
        "insert into organisations (id, slug, plan, created_at) values ('o1', 'acme', 'free', 1790000000123)",
      );
      const reopened = await test.reopen();
      test = { ...test, store: reopened };
      expect(await readSchemaVersion(reopened.db)).toBe(SCHEMA_VERSION);
      expect(await reopened.db.select().from(organisations)).toEqual([
        { id: 'o1', slug: 'acme', plan: 'free', createdAt: 1_790_000_000_123 },
      ]);
      expect(await migratedTables(reopened.db, kind), `from version ${version}`).toEqual(declaredTables());
    }
  });

  it('keeps the rights of members, keys, and audit entries under their new names, when it is migrated to version 9', async () => {
    await emptied(test.store, kind);
    await migrate(test.store, STORE_MIGRATIONS.slice(0, 8), async () => {});
    for (const statement of [
      "insert into organisations (id, slug, plan, created_at) values ('o1', 'acme', 'free', 1)",
      "insert into teams (id, organisation_id, slug, created_at) values ('t1', 'o1', 'web', 1), ('t2', 'o1', 'app', 1)",
      "insert into members (id, organisation_id, name, role, token_hash, created_at) values ('m1', 'o1', 'ann', 'member', 'h1', 5), ('m2', 'o1', 'ben', 'admin', 'h2', 6)",
      "insert into api_keys (id, team_id, name, hash, created_at) values ('k1', 't1', 'ci', 'h', 1)",
      "insert into audit_log (id, at, actor, origin, action, subject) values ('a1', 1, 'x', 'y', 'key.create', 'z'), ('a2', 2, 'x', 'y', 'organisation.plan', 'z'), ('a3', 3, 'x', 'y', 'else', 'z')",
    ])
      await test.store.db.execute(statement);
    test = { ...test, store: await test.reopen() };
    const { db } = test.store;
    expect((await db.select().from(teamMembers).orderBy(teamMembers.teamId)).slice()).toEqual([
      { teamId: 't1', memberId: 'm1', createdAt: 5 },
      { teamId: 't2', memberId: 'm1', createdAt: 5 },
    ]);
    expect(await db.select().from(apiKeys)).toMatchObject([{ name: 'ci', hash: 'h', excerpt: null }]);
    const actions = await db.select().from(auditLog).orderBy(auditLog.at);
    expect(actions.map(({ action }) => action)).toEqual(['api_key.created', 'plan.changed', 'else']);
  });

  it('frees the tokens of payments that have not landed, and of no others, when it gives payments turns', async () => {
    const turnsAt = STORE_MIGRATIONS.findIndex((statements) => statements.join().includes('paying_of'));
    await emptied(test.store, kind);
    await migrate(test.store, STORE_MIGRATIONS.slice(0, turnsAt), async () => {});
    await test.store.db.execute(
      `insert into token_requests (signature, network, mint, sender, currency, amount, state, submission,
        verification_of, metadata_of, last_valid_height, created_at) values
        ('a', 'n', 'm1', 's', 'JUP', '1', 'paying', '{}', 'n/m1', null, 1, 1),
        ('b', 'n', 'm2', 's', 'JUP', '1', 'paying', '{}', null, 'n/m2', 1, 1),
        ('c', 'n', 'm3', 's', 'JUP', '1', 'pending', '{}', 'n/m3', 'n/m3', 1, 1)`,
    );
    test = { ...test, store: await test.reopen() };
    const { signature, verificationOf, metadataOf, payingOf } = tokenRequests;
    const rows = await test.store.db
      .select({ signature, verificationOf, metadataOf, payingOf })
      .from(tokenRequests)
      .orderBy(signature);
    expect(rows.slice()).toEqual([
      { signature: 'a', verificationOf: null, metadataOf: null, payingOf: null },
      { signature: 'b', verificationOf: null, metadataOf: null, payingOf: null },
      { signature: 'c', verificationOf: 'n/m3', metadataOf: 'n/m3', payingOf: null },
    ]);
  });

  it('keeps orders that waited before there were several kinds as single ones, also while one is being filled', async () => {
    const kindsAt = STORE_MIGRATIONS.findIndex((statements) => statements.join().includes('trailing_bps'));
    await emptied(test.store, kind);
    await migrate(test.store, STORE_MIGRATIONS.slice(0, kindsAt), async () => {});
    const order = createTestOrder(1, { state: 'executing', filledBy: 'single', triggeredAt: 5 });
    const { plan, id, wallet, vault, account, inputMint, outputMint } = order;
    const text = (values: readonly string[]) => values.map((value) => `'${value}'`).join(', ');
    await test.store.db.execute(
      `insert into waiting_orders (id, network, deposit_request_id, wallet, vault, account, input_mint, output_mint,
        trigger_mint, condition, trigger_price, input_amount, expires_at, created_at, state, revision, transactions,
        remaining, received, triggered_at, updated_at, lease_until, failures, retry_at) values
        (${text([id, 'n', order.depositRequestId, wallet, vault, account, inputMint, outputMint, outputMint])},
        'below', 1.5, '20000000', ${order.expiresAt}, ${order.createdAt}, 'executing', 1, 1, '20000000', '0', 5,
        ${order.updatedAt}, 0, 0, 0)`,
    );
    test = { ...test, store: await test.reopen() };
    const orders = new WaitingOrderStore({ store: test.store, network: 'n', historyDays: 0 });
    expect(plan).toMatchObject({ kind: 'single', condition: 'below', triggerPrice: 1.5, trailing: null });
    expect(await orders.get(id)).toEqual(order);
  });

  async function setUp(): Promise<void> {
    test = await openTestStore(kind);
  }
});

/** The store without any table, as before the first migration. */
async function emptied({ db }: Store, kind: (typeof STORES)[number]): Promise<void> {
  if (kind === 'postgresql') {
    await db.execute('drop schema public cascade');
    await db.execute('create schema public');
    return;
  }
  for (const table of [...Object.keys(await migratedTables(db, kind))].reverse())
    await db.execute(`drop table "${table}"`);
}

/** The first 16 hex digits of the SHA-256 of each migration that a store may have been made with. Only append here. */
const RELEASED = [
  'f8e6231f0c8bccb2',
  'ca023b11fc673689',
  '44ce90821740970c',
  'd3e175c05ba63aa8',
  'ca5da26bf46b26fd',
  '04afbaaf1e431fed',
  '6a20292844063178',
  '5e59a90c3a1dfb86',
  'cff252a2fae6e807',
  '5e71d155712209b5',
  '15eff5125cf9606f',
  '92084ac06df1de8a',
  'ee28e4186e393033',
  '0b4fe008af1fc31a',
  'c60707e37034ee9c',
  'f27d497df148bd6e',
  '939686b5821a6930',
  '036e6658bb1b2a0d',
  'ca6072a7b77baddc',
  '5cee4b133a1e7041',
  '292e654f5e8b6537',
  '6bcfb8a8a23ac66a',
  '16f2e6bd49e94595',
  '2ab06a7ede7cb9e5',
  '529f23e869136c62',
  'daaa388819b9b4cd',
  '17a0e4c3b2d22cf8',
  '3d9eb34859811a62',
  '56ca5615b4e4bf08',
  'eed9c58e045dd6a8',
  '723444a2f228b162',
  '888bc46a97b1b826',
  'f9e60a223b036cc5',
  '58224b4c5b851dfd',
  '4bfcb8864f1aebee',
  '11704ccf05d15505',
  '5aa354dedb6c4fe1',
  'a319a3a8a087500d',
  'e60ced2a98c44742',
  '1e8a1e6efe007191',
  'b1866ac8ec4f0c01',
  'ba673cf028454f0c',
  '217e379ad8473582',
];

it('no released migration is changed, and every new one is in the list', () => {
  const hashes = STORE_MIGRATIONS.map((statements) =>
    createHash('sha256').update(JSON.stringify(statements)).digest('hex').slice(0, 16),
  );
  expect(hashes).toEqual(RELEASED);
});

it('has a line for every owner in src that defines tables', () => {
  const defining = readdirSync('src', { recursive: true, encoding: 'utf8' })
    .filter((file) => file.endsWith('.ts') && !file.startsWith('testing/') && !file.endsWith('.test.ts'))
    .flatMap((file) => [
      ...readFileSync(join('src', file), 'utf8').matchAll(/= defineTables\(\{\n {2}owner: '(.*)'/g),
    ]);
  expect(TABLES.map(({ owner }) => owner).sort()).toEqual(defining.map(([, owner]) => owner).sort());
});

interface Column {
  readonly type: string;
  readonly required: boolean;
  readonly inPrimaryKey: boolean;
}
type Tables = Readonly<Record<string, Readonly<Record<string, Column>>>>;

const ALL_TABLES = [meta, ...TABLES.flatMap(({ tables }) => tables)];

/** The tables as their owners declare them, and the one of the store itself. */
function declaredTables(): Tables {
  return Object.fromEntries(
    ALL_TABLES.map((table) => {
      const { name, columns, primaryKeys } = getTableConfig(table);
      const keys = new Set(primaryKeys.flatMap((key) => key.columns.map((column) => column.name)));
      const described = columns.map((column): [string, Column] => {
        const inPrimaryKey = column.primary || keys.has(column.name);
        const required = column.notNull || inPrimaryKey;
        return [column.name, { type: column.getSQLType(), required, inPrimaryKey }];
      });
      return [name, Object.fromEntries(described)];
    }),
  );
}

/** The tables as the migrations have created them. */
async function migratedTables(db: Database, kind: (typeof STORES)[number]): Promise<Tables> {
  const rows = (await db.execute(sql.raw(COLUMNS[kind]))) as unknown as readonly unknown[][];
  const tables: Record<string, Record<string, Column>> = {};
  for (const [table, column, type, required, key] of rows) {
    const columns = tables[String(table)] ?? {};
    tables[String(table)] = columns;
    const inPrimaryKey = Number(key) > 0;
    columns[String(column)] = {
      type: String(type).toLowerCase(),
      required: inPrimaryKey || Number(required) === 1,
      inPrimaryKey,
    };
  }
  return tables;
}

/** On SQLite, `changes` belongs to the file and not to the schema: `sqlite-file.ts` counts in it what was written. */
const COLUMNS: Readonly<Record<(typeof STORES)[number], string>> = {
  sqlite: `select t.name as of_table, c.name as of_column, c.type, c."notnull", c.pk
    from sqlite_master t, pragma_table_info(t.name) c
    where t.type = 'table' and t.name not like 'sqlite_%' and t.name <> 'changes'`,
  postgresql: `select c.table_name, c.column_name, c.data_type, case c.is_nullable when 'NO' then 1 else 0 end,
    (select count(*) from information_schema.key_column_usage k
      join information_schema.table_constraints t
        on t.constraint_name = k.constraint_name and t.table_name = k.table_name
      where t.constraint_type = 'PRIMARY KEY' and k.table_name = c.table_name and k.column_name = c.column_name)
    from information_schema.columns c where c.table_schema = 'public'`,
};
