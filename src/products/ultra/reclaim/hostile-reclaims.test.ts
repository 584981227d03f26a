import { beforeEach, describe, expect, it } from 'vitest';
import { type Address, toAddressBytes } from '../../../solana/address.ts';
import { findProgramAddress } from '../../../solana/pda.ts';
import { SYSTEM_PROGRAM, TOKEN_2022_PROGRAM } from '../../../solana/program-addresses.ts';
import { readTokenAccountAmount } from '../../../solana/programs/token/account.ts';
import { ExtensionType } from '../../../solana/programs/token/extensions.ts';
import { executeSigned } from '../../../transactions/signed/execute-signed.ts';
import { createNumberedAddress, TestWallets } from '../../../testing/products/signing-wallets.ts';
import { type CraftedReclaim, craftReclaim } from './craft-reclaim.ts';
import { findGainedValue } from './worth.ts';
import { openForEach } from '../../../testing/opened.ts';

let owner: Address;
const wallets = openForEach(() => TestWallets.open(), 'close');
beforeEach(setUp);

describe('a balance that was worthless when its transaction was made', () => {
  it('is not burned if it has a price, a pool or the trust of the operator by then', async () => {
    const [priced, verified, cheap] = [wallets.newMint(), wallets.newMint(), wallets.newMint()];
    const accounts = [priced, verified, cheap].map((mint) => wallets.give(owner, mint, { amount: 500n }));
    const before = wallets.lamports(owner);
    for (const [mint, gain] of [
      [priced, () => wallets.prices.set(priced, { dollarsPerAtom: 0.01 / 500 })],
      [verified, () => wallets.verified.add(verified)],
    ] as const) {
      const crafted = await craft([mint], true);
      gain();
      const [result] = await execute(crafted);
      expect(result).toMatchObject({
        kind: 'failed',
        slot: null,
        error: `the balance of ${mint} is not worthless any more, and nothing was burned; ask for new transactions`,
      });
    }
    expect([wallets.market.chain.sent, wallets.lamports(owner)]).toEqual([0, before]);
    expect(accounts.map(held)).toEqual([500n, 500n, 500n]);

    const knows = { knows: () => true };
    const crafted = await craft([cheap], true);
    const traded = { ...wallets.dependencies, pools: { ...wallets.dependencies.pools, ...knows } };
    expect(await execute(crafted, traded)).toMatchObject([{ kind: 'failed', slot: null }]);
    // Less than a cent is still worthless.
    wallets.prices.set(cheap, { dollarsPerAtom: 0.009 / 500 });
    const [landed] = await execute(crafted, traded);
    expect(landed).toMatchObject({ kind: 'landed' });
    // What has landed is told as it was, whatever the token is worth afterwards.
    wallets.prices.set(cheap, { dollarsPerAtom: 1 });
    expect(await execute(crafted, traded)).toEqual([landed]);
  });
});

describe('a token that a program mints', () => {
  it('is not burned, however low somebody has priced it in a pool', async () => {
    const vault = findProgramAddress(SYSTEM_PROGRAM, [toAddressBytes(owner)]).address;
    const receipt = wallets.newMint({ mintAuthority: vault });
    const account = wallets.give(owner, receipt, { amount: 2_000n });
    wallets.prices.set(receipt, { dollarsPerAtom: 1e-12 });
    for (const knowsAllPools of [true, false]) {
      const crafted = await craftReclaim(
        { ...wallets.dependencies, knowsAllPools },
        { owner, mints: [receipt], burnsWorthless: true },
      );
      expect(crafted).toMatchObject({ transactions: [], skipped: [{ mint: receipt, reason: 'position' }] });
    }
    expect(held(account)).toBe(2_000n);
  });
});

describe('many accounts', () => {
  it('of 200 mints are closed for what is stated, each once', async () => {
    const plain = Array.from({ length: 150 }, () => wallets.newMint());
    const newer = Array.from({ length: 50 }, () => wallets.newMint({}, TOKEN_2022_PROGRAM));
    const accounts = [
      ...plain.map((mint) => wallets.give(owner, mint)),
      ...newer.map((mint) => wallets.give(owner, mint, {}, { program: TOKEN_2022_PROGRAM })),
    ];
    const before = wallets.lamports(owner);
    const crafted = await craft([...plain, ...newer]);
    expect(crafted).toMatchObject({ lamports: 200n * RENT, skipped: [], lacking: null });
    const ended = await execute(crafted);
    expect(new Set(ended.map(({ kind }) => kind))).toEqual(new Set(['landed']));
    expect(accounts.filter(exists)).toEqual([]);
    expect(wallets.lamports(owner) - before).toBe(crafted.lamports - crafted.costLamports);
    // The same requests again close nothing, and cost nothing.
    expect(await execute(crafted)).toEqual(ended);
    expect(wallets.lamports(owner) - before).toBe(crafted.lamports - crafted.costLamports);
  });

  it('under both token programs for one mint go to their owner alone', async () => {
    const mint = wallets.newMint();
    const own = wallets.give(owner, mint);
    // An account at the address of the other program cannot be of this mint. Whatever it is, it is left alone.
    const odd = wallets.give(owner, mint, {}, { program: TOKEN_2022_PROGRAM });
    const crafted = await craft([mint]);
    await execute(crafted);
    expect([exists(own), exists(odd)]).toEqual([false, crafted.skipped.length === 1]);
  });
});

describe('an account that a hostile or careful owner has changed', () => {
  it('is closed with a CPI guard, a demand for memos and a delegate', async () => {
    const extensions = [
      { type: ExtensionType.CPI_GUARD, data: Uint8Array.of(1) },
      { type: ExtensionType.MEMO_TRANSFER, data: Uint8Array.of(1) },
    ];
    const guarded = wallets.newMint({}, TOKEN_2022_PROGRAM);
    const delegated = wallets.newMint();
    const accounts = [
      wallets.give(owner, guarded, { extensions }, { program: TOKEN_2022_PROGRAM }),
      wallets.give(owner, delegated, { delegate: createNumberedAddress(5), delegatedAmount: 9n }),
    ];
    const rent = accounts.reduce((sum, account) => sum + wallets.lamports(account), 0n);
    const before = wallets.lamports(owner);
    const crafted = await craft([guarded, delegated]);
    expect(await execute(crafted)).toMatchObject([{ kind: 'landed' }]);
    expect(accounts.filter(exists)).toEqual([]);
    expect(wallets.lamports(owner) - before).toBe(rent - crafted.costLamports);
  });

  it('is not closed for another wallet', async () => {
    const mint = wallets.newMint();
    const account = wallets.give(owner, mint);
    const crafted = await craft([mint]);
    wallets.change(account, { closeAuthority: createNumberedAddress(6) });
    expect(await execute(crafted)).toMatchObject([{ kind: 'failed', slot: null }]);
    wallets.change(account, { closeAuthority: null, owner: createNumberedAddress(6) });
    expect(await execute(crafted)).toMatchObject([{ kind: 'failed', slot: null }]);
    expect([exists(account), wallets.market.chain.sent]).toEqual([true, 0]);
  });
});

describe('two instances', () => {
  it('close an account once, and both say so', async () => {
    let serial = 3_000;
    const other = { ...wallets.dependencies, nextSerial: () => serial++ };
    const mint = wallets.newMint();
    wallets.give(owner, mint);
    const [one, alike] = [
      await craft([mint]),
      await craftReclaim(other, { owner, mints: [mint], burnsWorthless: false }),
    ];
    const before = wallets.lamports(owner);
    const [first, second] = await Promise.all([execute(one), execute(one, other)]);
    expect(first).toMatchObject([{ kind: 'landed' }]);
    expect(second).toEqual(first);
    // Another transaction for the same account would fail, and is not sent.
    expect(await execute(alike, other)).toMatchObject([{ kind: 'failed', slot: null }]);
    expect(wallets.lamports(owner) - before).toBe(RENT - one.costLamports);
  });
});

const RENT = 2_039_280n;

function setUp(): void {
  owner = wallets.wallet.address;
}

const craft = (mints: readonly Address[], burnsWorthless = false): Promise<CraftedReclaim> =>
  craftReclaim(wallets.dependencies, { owner, mints, burnsWorthless });
const execute = ({ transactions }: CraftedReclaim, dependencies = wallets.dependencies) =>
  Promise.all(
    transactions.map((crafted) =>
      executeSigned(dependencies, 'reclaim', wallets.sign(crafted), (message) =>
        findGainedValue(dependencies, message),
      ),
    ),
  );
const exists = (account: Address) => (wallets.market.network.account(account)?.data.length ?? 0) > 0;
const held = (account: Address) =>
  readTokenAccountAmount(wallets.market.network.account(account)?.data ?? new Uint8Array(0));
