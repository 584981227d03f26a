import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { request } from 'node:http';
import { describe, expect, it } from 'vitest';
import { SYSVAR_CLOCK, TOKEN_2022_PROGRAM } from '../../../../../solana/program-addresses.ts';
import { deriveAssociatedTokenAddress } from '../../../../../solana/pda.ts';
import { decodeTokenAccount } from '../../../../../solana/programs/token/account.ts';
import { transfer } from '../../../../../solana/programs/token/instructions.ts';
import { computeAssociatedAccountSize } from '../../../../../solana/programs/token/associated-size.ts';
import { decodeMint } from '../../../../../solana/programs/token/mint.ts';
import { TOKEN_PROGRAM } from '../../../../../solana/program-addresses.ts';
import { collectEvents } from '../../../../../testing/chain/bank.ts';
import {
  ALICE,
  ALICE_TOKENS,
  BOB,
  BOB_TOKENS,
  confirm,
  FEE_MINT,
  MINT,
  signTestTransaction,
  startTestRpc,
  createTestKeypair,
} from '../../../../../testing/chain/rpc-network.ts';
import { startRpcServer } from '../../server.ts';
import { openForEach } from '../../../../../testing/opened.ts';

const rpc = openForEach(startTestRpc, 'close');

describe('surfnet_setAccount', () => {
  it('creates an account, changes the members that are given, and deletes it', async () => {
    const events = collectEvents(rpc.bank);
    const update = { lamports: 5_000_000, data: '00ff10', owner: TOKEN_PROGRAM };
    expect(await rpc.call('surfnet_setAccount', STRANGER, update)).toMatchObject({ value: null });
    expect(accountOf(STRANGER)).toMatchObject({ lamports: 5_000_000n, owner: TOKEN_PROGRAM });
    await rpc.call('surfnet_setAccount', STRANGER, { data: [1, 2] });
    expect(accountOf(STRANGER)).toMatchObject({ lamports: 5_000_000n, data: Uint8Array.from([1, 2]) });
    expect(events.filter(({ kind }) => kind === 'accounts')).toHaveLength(2);
    await rpc.call('surfnet_setAccount', STRANGER, { lamports: 0 });
    expect(accountOf(STRANGER)).toBeNull();
  });

  it.each([
    [{ data: '00' }, 'lamports is missing'],
    [{ lamports: 0, data: '00' }, '0 lamports does not exist'],
    [{ lamports: -1 }, 'an integer from 0'],
    [{ lamports: 1, data: '0x00' }, 'hexadecimal'],
    [{ lamports: 1, data: [256] }, 'update.data[0]'],
    [{ lamports: 1, rent_epoch: 1 }, 'unknown member rent_epoch'],
    [{ lamports: 1, executable: true, data: '7f45' }, 'nothing was written'],
    ['x', 'update must be an object'],
  ])('refuses %j and changes nothing', async (update, reason) => {
    const { code, message } = await rpc.refuse('surfnet_setAccount', STRANGER, update);
    expect([code, message]).toEqual([-32602, expect.stringContaining(reason)]);
    expect(accountOf(STRANGER)).toBeNull();
  });

  it('refuses sysvars', async () => {
    const { message } = await rpc.refuse('surfnet_setAccount', SYSVAR_CLOCK, { lamports: 1 });
    expect(message).toContain('sysvar');
  });
});

describe('surfnet_setTokenAccount', () => {
  it('sets a balance that can be spent, and leaves the supply', async () => {
    const supply = decodeMint(accountOf(MINT)?.data ?? new Uint8Array()).supply;
    await rpc.call('surfnet_setTokenAccount', ALICE.address, MINT, { amount: 7_000_000_000 });
    const move = {
      source: ALICE_TOKENS,
      destination: BOB_TOKENS,
      authority: ALICE.address,
      amount: 6_999_999_999n,
    };
    rpc.bank.submit(signTestTransaction(rpc.bank, [ALICE], [transfer(TOKEN_PROGRAM, move)]), {
      preflight: null,
    });
    await confirm(rpc.bank);
    expect(decodeTokenAccount(accountOf(ALICE_TOKENS)?.data ?? new Uint8Array()).amount).toBe(1n);
    expect(decodeMint(accountOf(MINT)?.data ?? new Uint8Array()).supply).toBe(supply);
  });

  it('creates the account of a Token-2022 mint with the extensions that it requires', async () => {
    await rpc.call('surfnet_setTokenAccount', STRANGER, FEE_MINT, { amount: 3, delegate: BOB.address });
    const data = accountOf(deriveAssociatedTokenAddress(STRANGER, FEE_MINT, TOKEN_2022_PROGRAM))?.data;
    const mint = decodeMint(accountOf(FEE_MINT)?.data ?? new Uint8Array());
    expect(data?.length).toBe(computeAssociatedAccountSize(TOKEN_2022_PROGRAM, mint));
    expect(decodeTokenAccount(data ?? new Uint8Array())).toMatchObject({ amount: 3n, delegate: BOB.address });
    await rpc.call('surfnet_setTokenAccount', STRANGER, FEE_MINT, { delegate: 'null', state: 'frozen' });
    const later = accountOf(deriveAssociatedTokenAddress(STRANGER, FEE_MINT, TOKEN_2022_PROGRAM))?.data;
    expect(decodeTokenAccount(later ?? new Uint8Array())).toMatchObject({
      amount: 3n,
      delegate: null,
      state: 'frozen',
    });
  });

  it.each([
    [[STRANGER, BOB.address, {}], 'is not a mint'],
    [[STRANGER, MINT, { amount: 1 }, TOKEN_2022_PROGRAM], 'which owns the mint'],
    [[STRANGER, MINT, { amount: 18_446_744_073_709_551_616n }], 'update.amount'],
    [[STRANGER, MINT, { state: 'uninitialized' }], 'update.state'],
    [[STRANGER, MINT, { ammount: 1 }], 'unknown member ammount'],
  ])('refuses %o', async (params, reason) => {
    const { code, message } = await rpc.refuse('surfnet_setTokenAccount', ...params);
    expect([code, message]).toEqual([-32602, expect.stringContaining(reason)]);
  });
});

describe('the clock', () => {
  it('travels to a slot, an epoch and a time, and only forward', async () => {
    const { bank } = rpc;
    expect(await rpc.call('surfnet_timeTravel', { absoluteSlot: 1_000 })).toMatchObject({
      absoluteSlot: 1_000,
    });
    expect(await rpc.call('surfnet_timeTravel', { absoluteEpoch: 2 })).toMatchObject({
      epoch: 2,
      slotIndex: 0,
    });
    const time = bank.blockTime(bank.slot('processed')) ?? 0n;
    await rpc.call('surfnet_timeTravel', { absoluteTimestamp: (time + 86_400n) * 1000n });
    expect(bank.blockTime(bank.slot('processed'))).toBe(time + 86_400n);
    await rpc.call('surfnet_timeTravel');
    expect(bank.blockTime(bank.slot('processed'))).toBe(time + 90_000n);
    for (const to of [
      { absoluteSlot: 1 },
      { absoluteTimestamp: 1 },
      { absoluteEpoch: 2n ** 63n },
      {},
      { slot: 1 },
    ]) {
      expect((await rpc.refuse('surfnet_timeTravel', to)).code).toBe(-32602);
    }
  });

  it('is paused until it is resumed', async () => {
    await rpc.call('surfnet_pauseClock');
    expect(rpc.bank.admin.isClockPaused).toBe(true);
    await rpc.call('surfnet_resumeClock');
    expect(rpc.bank.admin.isClockPaused).toBe(false);
  });
});

describe('the cheat codes that the documentation names', () => {
  it('are all known, and those that are not served say what to use instead', async () => {
    expect(named.length).toBeGreaterThan(20);
    for (const method of named) {
      // None of the methods takes this.
      const { code, message } = await rpc.refuse(method, 1, 2, 3, 4, 5);
      if (code === -32602) continue;
      expect([code, message]).toEqual([-32601, expect.stringMatching(`^${method} is not supported: .{5}`)]);
    }
  });

  const pages = ['rpc.md', 'compatibility.md'].map((page) =>
    readFileSync(new URL(`../../../../../../docs/${page}`, import.meta.url), 'utf8'),
  );
  const named = [...new Set(pages.join().match(/surfnet_\w+/g))];
});

describe('the guard of cheat codes', () => {
  it.each([
    [{ origin: 'https://page.example' }, 'web pages'],
    [{ origin: 'null' }, 'web pages'],
    [{ origin: 'http://127.0.0.1:8899' }, 'web pages'],
    [{ 'sec-fetch-site': 'same-origin' }, 'web pages'],
    [{ 'x-forwarded-for': '127.0.0.1' }, 'proxies'],
    [{ host: 'rebound.example:8899' }, 'Host'],
    [{ host: '127.0.0.1.rebound.example' }, 'Host'],
    [{ 'content-type': 'text/plain' }, 'Content-Type'],
  ])('refuses a request with %j', async (headers, reason) => {
    expect(await post(rpc.server.httpUrl, headers)).toContain(reason);
    expect(accountOf(STRANGER)).toBeNull();
  });

  it('accepts the names of this machine', async () => {
    for (const host of ['localhost:1', '127.0.0.1', '[::1]:8899']) {
      expect(await post(rpc.server.httpUrl, { host })).toContain('"value":null');
    }
  });

  it('refuses them with production, and says what replaces those that are not supported', async () => {
    const server = await startRpcServer(rpc.bank, {
      host: '127.0.0.1',
      httpPort: 0,
      webSocketPort: 0,
      production: true,
      onDefect: (error) => {
        throw error;
      },
      beforeShown: () => {},
    });
    expect(await post(server.httpUrl, {})).toContain('runs with production');
    await server.close();
    expect(accountOf(STRANGER)).toBeNull();
    const { code, message } = await rpc.refuse('surfnet_resetNetwork');
    expect([code, message]).toEqual([-32601, expect.stringContaining('sluice reset')]);
  });

  const body = JSON.stringify({
    jsonrpc: '2.0',
    id: 1,
    method: 'surfnet_setAccount',
    params: [STRANGER, { lamports: 9 }],
  });

  async function post(url: string, headers: Record<string, string>): Promise<string> {
    const sent = request(url, {
      method: 'POST',
      headers: { 'content-type': 'application/json', ...headers },
    });
    sent.end(body);
    const [response] = await once(sent, 'response');
    let text = '';
    for await (const chunk of response) text += chunk;
    return text;
  }
});

const STRANGER = createTestKeypair('stranger').address;

const accountOf = (address: typeof STRANGER) => rpc.bank.getAccount(address, 'processed');
