import { once } from 'node:events';
import { createServer, type IncomingMessage, request, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterEach, describe, expect, it } from 'vitest';
import { address, toAddressBytes } from '../../src/solana/address.ts';
import { createRandomKeypair } from '../../src/solana/keypair.ts';
import { compileMessage } from '../../src/solana/messages/compile-message.ts';
import { signTransaction } from '../../src/solana/messages/transaction.ts';
import { memo } from '../../src/solana/programs/memo.ts';
import { hasBrowser, usePortal } from './portal-browser.ts';

describe.runIf(hasBrowser)('attacks on the portal (skipped without Chromium)', () => {
  const portal = usePortal();
  afterEach(closeAttackers);

  it('is not shown in a frame of another page', async () => {
    for (const url of [portal.url, portal.adminUrl]) {
      const page = await visitAttacker(`<!doctype html><title>a</title><iframe src="${url}"></iframe>`);
      portal.expectComplaint(/frame-ancestors|X-Frame-Options/i);
      const [, frame] = page.frames();
      await expect
        .poll(() => frame?.evaluate<string>('document.body.innerHTML').catch(() => ''))
        .not.toContain('root');
    }
  });

  it('gives no data to a page of another origin, and lets it change nothing', async () => {
    portal.expectComplaint(/CORS|ERR_FAILED|status of 40[0-9]|Access-Control/);
    const wallet = createRandomKeypair().address;
    const page = await visitAttacker('<!doctype html><title>a</title>');
    for (const origin of [portal.instance.restUrl, portal.instance.adminUrl]) {
      for (const [path, body] of [
        ['/portal/data/instance', null],
        ['/portal/data/faucet', { address: wallet }],
        ['/portal/data/rpc', { jsonrpc: '2.0', id: 1, method: 'getSlot' }],
        ['/portal/data/decode', { transaction: '' }],
        ['/admin/v1/network/faucet', { wallet, mint: USDC, amount: '1' }],
        ['/admin/v1/network/wallets', null],
      ] as const) {
        for (const type of ['application/json', 'text/plain']) {
          const code = `fetch('${origin}${path}', ${JSON.stringify(
            body === null
              ? {}
              : { method: 'POST', headers: { 'content-type': type }, body: JSON.stringify(body) },
          )}).then(({ status }) => status, () => 'unreadable')`;
          expect([path, await page.evaluate(code)]).toEqual([path, expect.toSatisfy(isRefused)]);
        }
      }
    }
    const { value } = await portal.instance.rpc('getBalance', wallet, { commitment: 'processed' });
    expect(value).toBe(0);
  });

  it('posts no form of another page', async () => {
    portal.expectComplaint(/status of 4\d\d/);
    const wallet = createRandomKeypair().address;
    const form = `<!doctype html><title>a</title><form method="post" enctype="text/plain" action="${portal.instance.restUrl}/portal/data/faucet">
      <input name='{"address":"${wallet}","a":"' value='"}'><button>Send</button></form>`;
    const page = await visitAttacker(form);
    const [answer] = await Promise.all([page.waitForNavigation(), page.getByRole('button').click()]);
    expect(answer?.status()).toBeGreaterThanOrEqual(400);
    const { value } = await portal.instance.rpc('getBalance', wallet, { commitment: 'processed' });
    expect(value).toBe(0);
  });

  it('answers no name that somebody has pointed to this machine', async () => {
    for (const origin of [portal.instance.restUrl, portal.instance.adminUrl]) {
      for (const path of ['/portal/data/instance', '/portal/data/openapi']) {
        expect([path, await askAs('rebound.example', `${origin}${path}`)]).toEqual([path, 403]);
      }
    }
  });

  it('shows markup in the log of a transaction as text', async () => {
    const page = await portal.visit(`/explorer/tx/${await landMemo(MARKUP)}`);
    await page
      .getByText(/Log, \d+ lines/)
      .first()
      .click();
    await page.getByText('<img src=x', { exact: false }).first().waitFor();
    expect(await page.evaluate('[window.hit ?? null, document.querySelector("main img")]')).toEqual([
      null,
      null,
    ]);
  });

  /** Lands a transaction whose log has a text, and returns its signature. */
  async function landMemo(text: string): Promise<string> {
    const { instance } = portal;
    const wallet = await instance.newWallet(1_000_000_000n);
    const { value } = await instance.rpc('getLatestBlockhash', { commitment: 'confirmed' });
    const message = compileMessage({
      feePayer: wallet.address,
      blockhash: toAddressBytes(address(value.blockhash)),
      instructions: [memo(text)],
      version: 'legacy',
    });
    const sent = Buffer.from(signTransaction(message, [wallet])).toString('base64');
    const signature = await instance.rpc('sendTransaction', sent, {
      encoding: 'base64',
      preflightCommitment: 'confirmed',
    });
    await instance.confirmed(await instance.rpc('getSlot', { commitment: 'processed' }));
    return signature;
  }

  /** Opens a page of another port of this machine, which is another origin. */
  async function visitAttacker(html: string) {
    const attacker = createServer((_, response) => response.setHeader('content-type', 'text/html').end(html));
    attackers.push(attacker);
    attacker.listen(0, '127.0.0.1');
    await once(attacker, 'listening');
    const url = `http://127.0.0.1:${(attacker.address() as AddressInfo).port}/`;
    portal.expectComplaint(new RegExp(`foreign request: ${url}`));
    return portal.visit(url);
  }
});

const USDC = 'EPjFWdd5AufqSSqeM2qN1xzybapC8G4wEGGkZwyTDt1v';
const MARKUP = '<img src=x onerror="window.hit=1"><script>window.hit=1</script>';

const attackers: Server[] = [];

function closeAttackers(): void {
  for (const attacker of attackers.splice(0)) {
    attacker.closeAllConnections();
    attacker.close();
  }
}

/** Whether the page has read nothing but a refusal. */
function isRefused(outcome: unknown): boolean {
  return outcome === 'unreadable' || (typeof outcome === 'number' && outcome >= 400);
}

/** Asks with another name in the header `host`, as a browser does whose name service was lied to. Returns the status. */
async function askAs(host: string, url: string): Promise<number> {
  const sent = request(url, { headers: { host } });
  sent.end();
  const [answer] = (await once(sent, 'response')) as [IncomingMessage];
  answer.resume();
  return answer.statusCode ?? 0;
}
