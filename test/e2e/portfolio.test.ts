import { randomBytes } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { toAddress } from '../../src/solana/address.ts';
import { useInstance } from './shared-instance.ts';

const instance = useInstance();

describe('GET /portfolio/v1/history/{address}', () => {
  it('follows a wallet for a key, and answers without one what is known', async () => {
    const ask = async (headers: Record<string, string>) => {
      const answer = await fetch(`${instance.restUrl}/portfolio/v1/history/${WALLET}`, { headers });
      return { status: answer.status, body: await answer.json() };
    };
    expect(await ask({})).toEqual({ status: 200, body: { owner: WALLET, since: null, values: [] } });
    expect(await ask({ 'x-api-key': instance.apiKey })).toEqual({
      status: 200,
      body: { owner: WALLET, since: expect.any(Number), values: [] },
    });
    expect(await ask({})).toMatchObject({ body: { since: expect.any(Number) } });
  });
});

describe('GET /portfolio/v1/positions/{address}/stream', () => {
  it('shows a wallet, and what arrives in it', async () => {
    const headers = { 'x-api-key': instance.apiKey };
    const answer = await fetch(`${instance.restUrl}/portfolio/v1/positions/${WALLET}/stream`, { headers });
    expect(answer.status).toBe(200);
    const events = eventsOf(answer);
    const first = (await events.next()).value as ServerEvent;
    expect(first).toMatchObject({ name: 'positions', data: { owner: WALLET, elements: [], keys: [] } });
    await instance.rpc('requestAirdrop', WALLET, 3_000_000_000);
    const change = (await events.next()).value as ServerEvent;
    expect(change).toMatchObject({
      name: 'changes',
      data: {
        owner: WALLET,
        elements: [{ fetcherId: 'wallet-tokens-solana-native', data: { assets: [{ data: { amount: 3 } }] } }],
        keys: ['wallet-tokens-solana-native/wallet-tokens/multiple/Wallet'],
        removed: [],
      },
    });
    await events.return(undefined);
  });

  it('refuses what is no wallet, and an unknown platform, before it begins', async () => {
    const bad = await fetch(`${instance.restUrl}/portfolio/v1/positions/nobody/stream`);
    expect([bad.status, await bad.json()]).toMatchObject([
      400,
      { error: expect.stringContaining('address must be') },
    ]);
    const unknown = await fetch(
      `${instance.restUrl}/portfolio/v1/positions/${WALLET}/stream?platforms=nowhere`,
    );
    expect(unknown.status).toBe(400);
  });
});

/** A wallet that has nothing yet, and whose history nobody has asked for. */
const WALLET = toAddress(randomBytes(32));

interface ServerEvent {
  readonly name: string;
  readonly data: Record<string, unknown>;
}

/** Reads server-sent events one by one. */
async function* eventsOf(answer: Response): AsyncGenerator<ServerEvent> {
  let text = '';
  for await (const chunk of answer.body as unknown as AsyncIterable<Uint8Array>) {
    text += Buffer.from(chunk).toString();
    for (let end = text.indexOf('\n\n'); end >= 0; end = text.indexOf('\n\n')) {
      const lines = text.slice(0, end).split('\n');
      text = text.slice(end + 2);
      const field = (name: string) =>
        lines.find((line) => line.startsWith(`${name}: `))?.slice(name.length + 2);
      const [name, data] = [field('event'), field('data')];
      if (name !== undefined && data !== undefined) yield { name, data: JSON.parse(data) };
    }
  }
}
