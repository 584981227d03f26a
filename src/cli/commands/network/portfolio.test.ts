import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { runForTest } from '../../run-for-tests.ts';

const WALLET = 'A5yMoCcVUnEjRBLFfh6WvYtaCUXY2oSdPEVsFEfyGvCL';
const MINT = 'EPjFWdd5AufqSSqeM2qN1xzybapC8G4wEGGkZwyTDt1v';
const BODY = {
  fetcherReports: [
    { id: 'wallet-tokens-solana', status: 'succeeded', duration: 3 },
    { id: 'raydium-cpmm', status: 'failed', error: 'the network\u001b[2J does not answer' },
  ],
  elements: [
    {
      platformId: 'wallet-tokens',
      label: 'Wallet',
      value: 12.5,
      data: { assets: [{ data: { address: MINT, amount: 12.5, price: 1 } }] },
    },
    { platformId: 'x', label: 'Staked', name: 'Lock\u001b[31m', value: null, data: { assets: [] } },
  ],
  tokenInfo: { solana: { [MINT]: { symbol: 'USDC' } } },
};

let server: Server;
let port: string;

beforeAll(async () => {
  server = createServer((request, response) => {
    const isKnown = request.url === `/portfolio/v1/positions/${WALLET}`;
    response.statusCode = isKnown ? 200 : 400;
    response.end(JSON.stringify(isKnown ? BODY : { error: 'not this wallet' }));
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  port = String((server.address() as AddressInfo).port);
});

afterAll(() => new Promise((resolve) => server.close(resolve)));

describe('sluice portfolio', () => {
  it('prints a line for each position, the sum, and what failed, without control characters', async () => {
    const { code, out } = await runForTest(['portfolio', WALLET, '--rest-port', port]);
    expect(code).toBe(0);
    expect(out).toMatch(/wallet-tokens +Wallet +USDC +12\.50\n/);
    expect(out).toMatch(/Staked Lock.+unknown\n/);
    expect(out).toMatch(/sum +12\.50\n/);
    expect(out).toMatch(/raydium-cpmm.+failed/);
    expect(out).not.toContain('\u001b');
  });

  it('says why an instance refuses, and refuses what is no wallet itself', async () => {
    const refused = await runForTest(['portfolio', MINT, '--rest-port', port]);
    expect(refused).toMatchObject({ code: 1, err: expect.stringContaining('not this wallet') });
    const misspelt = await runForTest(['portfolio', 'abc', '--rest-port', port]);
    expect(misspelt).toMatchObject({ code: 2, err: expect.stringContaining('the wallet is "abc"') });
  });
});
