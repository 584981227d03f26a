import { inspect } from 'node:util';
import { eq } from 'drizzle-orm';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { Unavailable } from '../common/unavailable.ts';
import type { Address } from '../solana/address.ts';
import { verifySignature } from '../solana/messages/signature.ts';
import type { Store } from '../store/index.ts';
import { compileLegacy, listDepositInstructions, nameAddress } from '../testing/custody/messages-to-sign.ts';
import { AMOUNT, deriveOrderAccount, USDC, WALLET } from '../testing/custody/messages-to-sign.ts';
import { openTestStore, STORES, type TestStore } from '../testing/store/test-store.ts';
import { type KeyCustody, type MessageToSign, SigningRefused } from './custody.ts';
import { custodyKeys, custodySignatures } from './keys/custody-tables.ts';
import { MasterKey } from './keys/master-key.ts';
import { openCustody } from './open-custody.ts';

describe.each(STORES)('openCustody on %s', (kind) => {
  let test: TestStore;
  let custody: KeyCustody;
  beforeEach(setUp);
  afterEach(() => test.cleanUp());

  it('creates one vault for a wallet, however often and from wherever it is asked for at once', async () => {
    const other = await open(test.store);
    const made = await Promise.all([custody, other, custody, other].map((each) => each.createVault(WALLET)));
    expect(new Set(made.map(({ vault }) => vault)).size).toBe(1);
    expect(made.filter(({ isNew }) => isNew)).toHaveLength(1);
    expect(await other.findVault(WALLET)).toBe(made[0]?.vault);
    expect(await custody.findVault(nameAddress('nobody'))).toBeNull();
    expect(await custody.coSigner()).toBe(await other.coSigner());
    expect(await custody.createVault(nameAddress('another'))).not.toMatchObject({ vault: made[0]?.vault });
  });

  it('signs what it has checked with both of its keys, and records each signature once', async () => {
    const request = await craftDeposit();
    const [signed, again] = [await custody.sign(request), await custody.sign(request)];
    expect(again).toEqual(signed);
    expect(signed.map(({ address }) => address)).toEqual([
      await custody.findVault(WALLET),
      await custody.coSigner(),
    ]);
    for (const { address, signature } of signed) {
      expect(verifySignature(address, request.messageBytes, signature)).toBe(true);
    }
    const rows = await test.store.db.select().from(custodySignatures);
    expect(rows.map(({ purpose, subject, signedAt }) => ({ purpose, subject, signedAt }))).toEqual([
      { purpose: 'deposit', subject: 'request', signedAt: NOW },
      { purpose: 'deposit', subject: 'request', signedAt: NOW },
    ]);
  });

  it('records signatures that are asked for at once with one write', async () => {
    let writes = 0;
    const store: Store = {
      ...test.store,
      get unsynced() {
        writes++;
        return test.store.unsynced;
      },
    };
    const [request, counted] = [await craftDeposit(), await open(store)];
    const signed = await Promise.all(Array.from({ length: 9 }, () => counted.sign(request)));
    expect(signed).toEqual(signed.map(() => signed[0]));
    // PostgreSQL answers one after the other whose key is read, with other work in between.
    expect(writes).toBe(kind === 'sqlite' ? 1 : writes);
    expect(await test.store.db.select().from(custodySignatures)).toHaveLength(2);
  });

  it('signs nothing that it cannot check or record, and nothing for a wallet without a vault', async () => {
    const request = await craftDeposit();
    await expect(custody.sign({ ...request, amount: AMOUNT + 1n } as MessageToSign)).rejects.toThrow(
      SigningRefused,
    );
    await expect(custody.sign({ ...request, wallet: nameAddress('nobody') })).rejects.toThrow(SigningRefused);
    expect(await test.store.db.select().from(custodySignatures)).toEqual([]);
    await test.store.db.execute('alter table custody_signatures rename to gone');
    await expect(custody.sign(request)).rejects.toThrow(Unavailable);
  });

  it('cannot use the key of a row that was copied into another, or changed', async () => {
    const request = await craftDeposit();
    await custody.createVault(nameAddress('thief'));
    const [own] = await rowsOf(WALLET);
    const { sealed } = (await rowsOf(nameAddress('thief')))[0] ?? {};
    for (const other of [sealed, `${own?.sealed.slice(0, -8)}AAAAAAA=`, 'AAAA']) {
      await test.store.db
        .update(custodyKeys)
        .set({ sealed: other ?? '' })
        .where(eq(custodyKeys.wallet, WALLET));
      await expect((await open(test.store)).sign(request)).rejects.toThrow(Unavailable);
    }
  });

  it('does not start with a master key that the keys are not under, unless it has theirs as well', async () => {
    const request = await craftDeposit();
    const [first, second] = [createMaster(1), createMaster(2)];
    await expect(open(test.store, second, null)).rejects.toThrow(
      `keys of vaults in the database are under the master key ${first.id}, but this instance has ${second.id}; give`,
    );
    expect(await (await open(test.store, second, first)).sign(request)).toEqual(await custody.sign(request));
  });

  it('removes the rows of signatures after a year, and no others', async () => {
    await custody.sign(await craftDeposit());
    const year = 365 * 24 * 60 * 60 * 1_000;
    const { address, signedAt } = custodySignatures;
    const now = await test.store.now(test.store.db);
    const isCoSigner = eq(address, await custody.coSigner());
    await test.store.db.update(custodySignatures).set({ signedAt: now - year + 3_600_000 });
    await test.store.db
      .update(custodySignatures)
      .set({ signedAt: now - year - 3_600_000 })
      .where(isCoSigner);
    let removeOld = () => {};
    const every = (_: number, work: () => void) => {
      removeOld = work;
      return () => undefined;
    };
    const { close } = await openCustody({ ...describeOptions(test.store), every });
    removeOld();
    await expect
      .poll(() => test.store.db.select({ address, signedAt }).from(custodySignatures))
      .toEqual([{ address: await custody.findVault(WALLET), signedAt: now - year + 3_600_000 }]);
    await close();
  });

  it('shows no key in anything that is printed of it', async () => {
    await custody.createVault(WALLET);
    const opened = await openCustody(describeOptions(test.store));
    const printed = [custody, opened, createMaster(1)].flatMap((each) => [
      inspect(each, { depth: 20, showHidden: true }),
      String(each),
      JSON.stringify(each),
    ]);
    const [row] = await rowsOf(WALLET);
    for (const secret of [row?.sealed ?? '', Buffer.alloc(32, 1).toString('hex'), '01 01 01', '1, 1, 1']) {
      expect(printed.join('\n')).not.toContain(secret);
    }
  });

  async function setUp(): Promise<void> {
    test = await openTestStore(kind);
    custody = await open(test.store);
  }

  async function craftDeposit(): Promise<MessageToSign> {
    const { vault } = await custody.createVault(WALLET);
    const coSigner = await custody.coSigner();
    const messageBytes = compileLegacy(listDepositInstructions({ vault, coSigner }));
    const account = deriveOrderAccount(vault);
    return {
      kind: 'deposit',
      subject: 'request',
      messageBytes,
      wallet: WALLET,
      account,
      mint: USDC,
      amount: AMOUNT,
      outputMint: USDC,
      outputAccount: null,
    };
  }

  const rowsOf = (wallet: Address) =>
    test.store.db.select().from(custodyKeys).where(eq(custodyKeys.wallet, wallet));
});

const NOW = 1_790_000_000_000;

function createMaster(fill: number): MasterKey {
  return new MasterKey(Buffer.alloc(32, fill));
}

function describeOptions(store: Store, current = createMaster(1), previous: MasterKey | null = null) {
  return {
    store,
    masters: { current, previous },
    now: () => NOW,
    every: () => () => undefined,
    onDefect: (error: unknown) => {
      throw error;
    },
  };
}

async function open(
  store: Store,
  ...masters: [current?: MasterKey, previous?: MasterKey | null]
): Promise<KeyCustody> {
  return (await openCustody(describeOptions(store, ...masters))).custody;
}
