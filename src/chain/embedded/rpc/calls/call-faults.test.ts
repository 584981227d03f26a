import { Connection, Keypair } from '@solana/web3.js';
import { describe, expect, it } from 'vitest';
import { type CallFault, CALL_FAULT_MESSAGE, CallFaults } from './call-faults.ts';
import { ALICE, openTestBank } from '../../../../testing/chain/rpc-network.ts';
import { startRpcServer } from '../server.ts';
import { openForEach } from '../../../../testing/opened.ts';

const NOW = 1_790_000_000_250;

const bank = openForEach(openTestBank, 'close');
const faults = openForEach(() => new CallFaults(() => NOW));
const server = openForEach(
  () =>
    startRpcServer(bank, {
      host: '127.0.0.1',
      httpPort: 0,
      webSocketPort: 0,
      production: false,
      onDefect: (error) => {
        throw error;
      },
      beforeShown: () => {},
      faults,
    }),
  'close',
);

describe('a fault of the next calls', () => {
  it('fails the given number of calls of its method, and no others', async () => {
    faults.add({ ...NEXT, code: -32005, count: 2 });
    expect(await answerTo(call('getHealth'))).toMatchObject({ result: 'ok' });
    expect(await answerTo(call('getSlot'))).toEqual(failed(1, -32005));
    expect(await answerTo(call('getSlot', 2))).toEqual(failed(2, -32005));
    expect(await answerTo(call('getSlot'))).toMatchObject({ result: expect.any(Number) });
    const struck = { method: 'getSlot', status: null, code: -32005, delayMs: 0, at: NOW };
    expect(faults.list()).toEqual({ waiting: [], struck: [struck, struck] });
  });

  it('affects one call of a batch, and the others are answered', async () => {
    faults.add({ ...NEXT, code: 429 });
    const batch = [call('getHealth', 1), call('getSlot', 2), call('getSlot', 3)];
    expect(await answerTo(batch)).toEqual([
      expect.objectContaining({ id: 1, result: 'ok' }),
      failed(2, 429),
      expect.objectContaining({ id: 3, result: expect.any(Number) }),
    ]);
  });

  it('answers a request with its status, and makes none of its calls', async () => {
    faults.add({ ...NEXT, method: 'requestAirdrop', status: 503 });
    const airdrop = { ...call('requestAirdrop'), params: [ALICE.address, 1_000_000_000] };
    const before = bank.getAccounts([ALICE.address], 'processed').value[0]?.lamports;
    const response = await post([call('getSlot'), airdrop]);
    expect([response.status, response.headers.get('retry-after')]).toEqual([503, '1']);
    expect(await response.text()).toBe('Service Unavailable');
    expect(bank.getAccounts([ALICE.address], 'processed').value[0]?.lamports).toBe(before);
  });

  it('with * affects any method, but no notifications', async () => {
    faults.add({ ...NEXT, method: '*', code: -32603 });
    await post({ jsonrpc: '2.0', method: 'getSlot' });
    await post({ id: 1, method: 'getSlot' });
    await post('getSlot');
    expect(faults.list().waiting).toHaveLength(1);
    expect(await answerTo(call('getBlockHeight'))).toEqual(failed(1, -32603));
  });

  it('is handled by an unmodified client, which retries after a 429', async () => {
    faults.add({ ...NEXT, method: 'getBalance', status: 429 });
    const connection = new Connection(server.httpUrl);
    expect(await connection.getBalance(Keypair.generate().publicKey)).toBe(0);
    expect(faults.list().struck).toMatchObject([{ method: 'getBalance', status: 429 }]);
  });

  it('is refused when a hundred are waiting, and removed by clear', async () => {
    for (let index = 0; index < 100; index++) expect(faults.add({ ...NEXT, code: 1 })).toBeNull();
    expect(faults.add(NEXT)).toMatch('at most 100 faults can wait');
    faults.clear();
    expect(faults.list()).toEqual({ waiting: [], struck: [] });
    expect(await answerTo(call('getSlot'))).toMatchObject({ result: expect.any(Number) });
  });
});

const NEXT: CallFault = { method: 'getSlot', status: null, code: null, delayMs: 0, count: 1 };

function post(body: unknown): Promise<Response> {
  return fetch(server.httpUrl, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(body),
  });
}

const call = (method: string, id = 1) => ({ jsonrpc: '2.0', id, method });
const answerTo = async (body: unknown) => (await post(body)).json();
const failed = (id: number, code: number) => ({
  jsonrpc: '2.0',
  error: { code, message: CALL_FAULT_MESSAGE },
  id,
});
