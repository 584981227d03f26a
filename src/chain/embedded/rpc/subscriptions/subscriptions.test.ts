import { once } from 'node:events';
import { afterEach, describe, expect, it } from 'vitest';
import { encodeBase58 } from '../../../../solana/encoding/base58.ts';
import { memo } from '../../../../solana/programs/memo.ts';
import { SYSTEM_PROGRAM, TOKEN_PROGRAM } from '../../../../solana/program-addresses.ts';
import { transferLamports } from '../../../../solana/programs/system.ts';
import { transfer } from '../../../../solana/programs/token/instructions.ts';
import {
  ALICE,
  ALICE_TOKENS,
  BOB,
  BOB_TOKENS,
  confirm,
  finalize,
  MINT,
  SOL,
  signTestTransaction,
  startTestRpc,
  createTestKeypair,
} from '../../../../testing/chain/rpc-network.ts';
import { SubscriptionClient } from '../../../../testing/chain/subscription-client.ts';
import { openForAll } from '../../../../testing/opened.ts';

const rpc = openForAll(startTestRpc, 'close');
afterEach(tearDown);
let amount = 2_000_000n;

describe('blockSubscribe', () => {
  it('notifies of every block in the form of getBlock, at its commitment', async () => {
    const client = await connect();
    const config = { commitment: 'confirmed', encoding: 'json', maxSupportedTransactionVersion: 0 };
    const id = await client.subscribe('blockSubscribe', 'all', config);
    const slot = Number(rpc.bank.slot('processed'));
    const signature = send(give());
    await confirm(rpc.bank);
    const block = await rpc.call('getBlock', slot, config);
    expect(await client.next()).toEqual({
      jsonrpc: '2.0',
      method: 'blockNotification',
      params: { subscription: id, result: { context: { slot }, value: { slot, block, err: null } } },
    });
    expect(JSON.stringify(block)).toContain(signature);
  });

  it('includes only transactions that mention a given address', async () => {
    const client = await connect();
    const { address } = createTestKeypair('mentioned');
    const filter = { mentionsAccountOrProgram: address };
    const config = { commitment: 'confirmed', transactionDetails: 'signatures', showRewards: false };
    await client.subscribe('blockSubscribe', filter, config);
    send(give());
    await confirm(rpc.bank);
    send(give());
    const signature = send(transferLamports(ALICE.address, address, SOL));
    await confirm(rpc.bank);
    expect(await client.next()).toMatchObject({
      params: { result: { value: { block: { signatures: [signature] }, err: null } } },
    });
  });

  it('reports a transaction version that the client does not support', async () => {
    const client = await connect();
    await client.subscribe('blockSubscribe', 'all', { commitment: 'confirmed' });
    send(give());
    await confirm(rpc.bank);
    expect(await client.next()).toMatchObject({
      params: { result: { value: { block: null, err: { UnsupportedTransactionVersion: 0 } } } },
    });
  });

  it('rejects an invalid filter and an unsupported commitment', async () => {
    const client = await connect();
    for (const params of [
      ['some'],
      [{}],
      ['all', { commitment: 'processed' }],
      ['all', { encoding: 'xml' }],
    ]) {
      expect((await client.ask('blockSubscribe', ...params)).error).toMatchObject({ code: -32602 });
    }
  });
});

describe('accountSubscribe', () => {
  it('notifies of changes when they reach the commitment, and not before', async () => {
    const client = await connect();
    const { address } = createTestKeypair('watched');
    const ids = {
      processed: await client.subscribe('accountSubscribe', address, {
        encoding: 'base64',
        commitment: 'processed',
      }),
      confirmed: await client.subscribe('accountSubscribe', address, {
        encoding: 'base64',
        commitment: 'confirmed',
      }),
      finalized: await client.subscribe('accountSubscribe', address, { encoding: 'base64' }),
    };
    const slot = Number(rpc.bank.slot('processed'));
    send(transferLamports(ALICE.address, address, SOL));
    const told = (subscription: number) => ({
      jsonrpc: '2.0',
      method: 'accountNotification',
      params: {
        subscription,
        result: {
          context: { slot },
          value: {
            lamports: Number(SOL),
            data: ['', 'base64'],
            owner: SYSTEM_PROGRAM,
            executable: false,
            rentEpoch: 2n ** 64n - 1n,
            space: 0,
          },
        },
      },
    });
    expect(await client.next()).toEqual(told(ids.processed));
    expect(await client.isQuiet()).toBe(true);
    await confirm(rpc.bank);
    expect(await client.next()).toEqual(told(ids.confirmed));
    expect(await client.isQuiet()).toBe(true);
    await finalize(rpc.bank);
    expect(await client.next()).toEqual(told(ids.finalized));
  });

  it('notifies of a deleted account', async () => {
    const client = await connect();
    const gone = createTestKeypair('gone');
    send(transferLamports(ALICE.address, gone.address, SOL));
    await client.subscribe('accountSubscribe', gone.address, { encoding: 'base64', commitment: 'processed' });
    const all = transferLamports(gone.address, ALICE.address, SOL - 5_000n);
    rpc.bank.submit(signTestTransaction(rpc.bank, [gone], [all]), { preflight: null });
    expect((await client.next()).params.result).toMatchObject({
      value: { lamports: 0, owner: SYSTEM_PROGRAM, data: ['', 'base64'], space: 0 },
    });
  });

  it('uses the requested encoding and slice', async () => {
    const client = await connect();
    const on = (config: object) =>
      client.subscribe('accountSubscribe', BOB_TOKENS, { commitment: 'processed', ...config });
    await on({ encoding: 'jsonParsed' });
    await on({ encoding: 'base64', dataSlice: { offset: 0, length: 4 } });
    await on({ encoding: 'base64+zstd' });
    await on({});
    const move = { source: ALICE_TOKENS, destination: BOB_TOKENS, authority: ALICE.address, amount: 1n };
    send(transfer(TOKEN_PROGRAM, move), memo('encodings'));
    const data = async () => ((await client.next()).params.result as { value: { data: unknown } }).value.data;
    expect(await data()).toMatchObject({
      parsed: { info: { mint: MINT, tokenAmount: { amount: '5000001' } } },
    });
    const mint = rpc.bank.getAccount(BOB_TOKENS, 'processed')?.data.subarray(0, 4) ?? [];
    expect(await data()).toEqual([Buffer.from(mint).toString('base64'), 'base64']);
    expect(await data()).toEqual([expect.any(String), 'base64+zstd']);
    expect(await data()).toContain('too large for base58');
  });
});

describe('programSubscribe', () => {
  it('notifies of accounts that pass the filters', async () => {
    const client = await connect();
    const bobs = { filters: [{ memcmp: { offset: 32, bytes: BOB.address } }] };
    const config = { encoding: 'jsonParsed', commitment: 'processed', ...bobs };
    const id = await client.subscribe('programSubscribe', TOKEN_PROGRAM, config);
    const move = { source: ALICE_TOKENS, destination: BOB_TOKENS, authority: ALICE.address, amount: 2n };
    send(transfer(TOKEN_PROGRAM, move), memo('program'));
    expect(await client.next()).toMatchObject({
      method: 'programNotification',
      params: {
        subscription: id,
        result: {
          value: { pubkey: BOB_TOKENS, account: { data: { program: 'spl-token' }, owner: TOKEN_PROGRAM } },
        },
      },
    });
    expect(await client.isQuiet()).toBe(true);
  });
});

describe('logsSubscribe', () => {
  it('notifies of all transactions, or of those that mention an address', async () => {
    const client = await connect();
    const { address } = createTestKeypair('mentioned');
    const all = await client.subscribe('logsSubscribe', 'all', { commitment: 'processed' });
    const some = await client.subscribe(
      'logsSubscribe',
      { mentions: [address] },
      { commitment: 'processed' },
    );
    const first = send(give());
    const second = send(transferLamports(ALICE.address, address, SOL), memo('hi'));
    const logs = async () => {
      const { method, params } = await client.next();
      const { value } = params.result as { value: { signature: string; err: unknown; logs: string[] } };
      return { method, subscription: params.subscription, ...value };
    };
    const method = 'logsNotification';
    expect(await logs()).toMatchObject({ method, subscription: all, signature: first, err: null });
    expect(await logs()).toMatchObject({ subscription: all, signature: second });
    const last = await logs();
    expect(last).toMatchObject({ subscription: some, signature: second });
    expect(last.logs).toContain(`Program ${SYSTEM_PROGRAM} success`);
    expect(await client.isQuiet()).toBe(true);
  });

  it('notifies of failed transactions with their error', async () => {
    const client = await connect();
    await confirm(rpc.bank);
    await client.subscribe('logsSubscribe', 'allWithVotes', { commitment: 'confirmed' });
    send(transferLamports(ALICE.address, BOB.address, 1_000n * SOL));
    expect(await client.isQuiet()).toBe(true);
    await confirm(rpc.bank);
    expect((await client.next()).params.result).toMatchObject({
      value: { err: { InstructionError: [0, { Custom: 1 }] } },
    });
  });
});

describe('signatureSubscribe', () => {
  it('notifies once, and ends', async () => {
    const client = await connect();
    const wire = signTestTransaction(rpc.bank, [ALICE], [give()]);
    const signature = encodeBase58(wire.subarray(1, 65));
    const id = await client.subscribe('signatureSubscribe', signature, {
      commitment: 'confirmed',
      enableReceivedNotification: true,
    });
    const slot = Number(rpc.bank.slot('processed'));
    rpc.bank.submit(wire, { preflight: null });
    expect(await client.next()).toEqual({
      jsonrpc: '2.0',
      method: 'signatureNotification',
      params: { subscription: id, result: { context: { slot }, value: 'receivedSignature' } },
    });
    expect(await client.isQuiet()).toBe(true);
    await confirm(rpc.bank);
    expect((await client.next()).params).toEqual({
      subscription: id,
      result: { context: { slot }, value: { err: null } },
    });
    await finalize(rpc.bank);
    expect(await client.isQuiet()).toBe(true);
    expect(await client.ask('signatureUnsubscribe', id)).toMatchObject({ error: { code: -32602 } });
  });

  it('notifies at once of a transaction that has landed already', async () => {
    const client = await connect();
    const signature = send(transferLamports(ALICE.address, BOB.address, 1_000n * SOL + amount++));
    await client.subscribe('signatureSubscribe', signature, { commitment: 'processed' });
    expect((await client.next()).params.result).toMatchObject({
      value: { err: { InstructionError: [0, { Custom: 1 }] } },
    });
  });
});

describe('slotSubscribe and rootSubscribe', () => {
  it('notify of slots that begin and that become final', async () => {
    const client = await connect();
    const slots = await client.subscribe('slotSubscribe');
    await rpc.bank.advanceSlot();
    const slot = Number(rpc.bank.slot('processed'));
    expect(await client.next()).toMatchObject({
      method: 'slotNotification',
      params: { subscription: slots, result: { slot, parent: slot - 1, root: expect.any(Number) } },
    });
    expect(await client.ask('slotUnsubscribe', slots)).toMatchObject({ result: true });
    const roots = await client.subscribe('rootSubscribe');
    await finalize(rpc.bank);
    const { method, params } = await client.next();
    expect([method, params.subscription, typeof params.result]).toEqual([
      'rootNotification',
      roots,
      'number',
    ]);
  });
});

describe('connections', () => {
  it('can only end their own subscriptions', async () => {
    const [one, other] = [await connect(), await connect()];
    const id = await one.subscribe('slotSubscribe');
    expect(await other.ask('slotUnsubscribe', id)).toMatchObject({ error: { code: -32602 } });
    expect(await one.ask('slotUnsubscribe', id)).toMatchObject({ result: true });
    expect(await one.ask('slotUnsubscribe', id)).toMatchObject({ error: { code: -32602 } });
    await rpc.bank.advanceSlot();
    expect(await one.isQuiet()).toBe(true);
  });

  it.each([
    ['accountSubscribe', []],
    ['accountSubscribe', ['x']],
    ['accountSubscribe', [MINT, { encoding: 'x' }]],
    ['programSubscribe', [MINT, { filters: [5] }]],
    ['logsSubscribe', []],
    ['logsSubscribe', ['some']],
    ['logsSubscribe', [{ mentions: [] }]],
    ['logsSubscribe', [{ mentions: [MINT, MINT] }]],
    ['signatureSubscribe', [MINT]],
    ['slotSubscribe', [1]],
    ['accountUnsubscribe', ['x']],
    ['accountUnsubscribe', [-1]],
  ])('are refused %s %j', async (method, params) => {
    const client = await connect();
    expect(await client.ask(method, ...params)).toMatchObject({ error: { code: -32602 } });
  });

  it('have no other methods', async () => {
    const client = await connect();
    for (const method of ['getSlot', 'voteSubscribe', 'slotsUpdatesSubscribe']) {
      expect(await client.ask(method)).toMatchObject({ error: { code: -32601 } });
    }
    expect(await client.ask('getVersion')).toMatchObject({ result: { 'solana-core': expect.any(String) } });
  });

  it('have at most 1,000 subscriptions', async () => {
    const client = await connect();
    for (let i = 0; i < 1_000; i++) await client.subscribe('slotSubscribe');
    expect(await client.ask('slotSubscribe')).toMatchObject({ error: { code: -32603 } });
  });

  it('are closed for a message that is too long', async () => {
    const client = await connect();
    client.socket.send('x'.repeat(20_000));
    const [code] = await once(client.socket, 'close');
    expect(code).toBe(1009);
  });

  it('do not answer JSON-RPC notifications, and answer nonsense with an error', async () => {
    const client = await connect();
    client.socket.send('{"jsonrpc":"2.0","method":"ping"}');
    expect(await client.isQuiet()).toBe(true);
    const answered = once(client.socket, 'message');
    client.socket.send('{');
    expect(JSON.parse(String((await answered)[0]))).toMatchObject({ id: null, error: { code: -32700 } });
  });

  it('are not served plain HTTP', async () => {
    const response = await fetch(rpc.server.webSocketUrl.replace('ws:', 'http:'));
    expect(response.status).toBe(426);
  });
});

const clients: SubscriptionClient[] = [];

const connect = async () => {
  const client = await SubscriptionClient.connect(rpc.server.webSocketUrl);
  clients.push(client);
  return client;
};

function tearDown(): void {
  for (const { socket } of clients.splice(0)) socket.terminate();
}

const give = (to = BOB.address) => transferLamports(ALICE.address, to, amount++);

function send(...instructions: Parameters<typeof signTestTransaction>[2]): string {
  const outcome = rpc.bank.submit(signTestTransaction(rpc.bank, [ALICE], instructions), { preflight: null });
  if (outcome.kind !== 'accepted') throw new Error(outcome.kind);
  return outcome.signature;
}
