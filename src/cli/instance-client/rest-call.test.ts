import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterEach, describe, expect, it } from 'vitest';
import { runForTest } from '../../testing/run-cli.ts';

const WALLET = 'A5yMoCcVUnEjRBLFfh6WvYtaCUXY2oSdPEVsFEfyGvCL';
let server: Server | null = null;

afterEach(() => server?.close());

describe('what a distant machine says', () => {
  it.each([
    ['an instance', ['portfolio', WALLET, '--rest-port'], (port: number) => [String(port)]],
    ['a node', ['send', 'show', 'code', '--rpc'], (port: number) => [`http://127.0.0.1:${port}`]],
  ])('of %s commands no terminal, and looks like no line of a command', async (_, args, place) => {
    const said = 'x\u001b[2J\u009b2J\u202e\u007f\nEverything was claimed';
    const port = await serve({ id: 1, jsonrpc: '2.0', error: said });
    const { code, out, err } = await runForTest([...args, ...place(port)]);
    expect([code, out]).toEqual([1, '']);
    expect(err).toContain('Everything was claimed');
    expect(err.replace(/\n$/, '')).not.toMatch(/\p{C}/u);
  });
});

/** Answers everything with this body, as a refusal. Returns the port. */
async function serve(body: object): Promise<number> {
  const started = createServer((request, response) => {
    response.writeHead(request.method === 'GET' ? 400 : 200, { 'content-type': 'application/json' });
    response.end(JSON.stringify(body));
  });
  server = started;
  await new Promise<void>((resolve) => started.listen(0, '127.0.0.1', resolve));
  return (started.address() as AddressInfo).port;
}
