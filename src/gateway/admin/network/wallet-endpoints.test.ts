import type { FastifyInstance } from 'fastify';
import { afterEach, describe, expect, it } from 'vitest';
import { listAudit } from '../../../platform/audit/audit-log.ts';
import { createKeypairFromSeed } from '../../../solana/keypair.ts';
import { compileMessage } from '../../../solana/messages/compile-message.ts';
import { encodeUnsigned, isFullySigned, parseTransaction } from '../../../solana/messages/transaction.ts';
import { transferLamports } from '../../../solana/programs/system.ts';
import { AS_OPERATOR, OPERATOR_CREDENTIAL } from '../../../testing/gateway/admin-credential.ts';
import { createRecordingNetwork } from '../../../testing/gateway/admin-network.ts';
import { openForEach } from '../../../testing/opened.ts';
import { openTestPlatform } from '../../../testing/platform/test-platform.ts';
import { unwrap } from '../../../testing/platform/unwrap.ts';
import { DEFAULT_BOUNDS } from '../../../testing/server-bounds.ts';
import { createLogger } from '../../http/log/log.ts';
import { createInProcessLimiter } from '../../limits/rate-limiter.ts';
import { closeServer } from '../../server/server.ts';
import { createAdminServer } from '../server.ts';

describe('the wallets of the embedded network', () => {
  const platform = openForEach(openTestPlatform, 'cleanUp');

  it('are listed by their names, without their keys', async () => {
    const answer = await get(await open(platform));
    expect(answer.json()).toEqual({ wallets: [{ name: 'demo', address: DEMO.address }] });
  });

  it('sign a transaction of theirs, which the audit log records', async () => {
    const answer = await sign(await open(platform), 'demo', createTransfer(DEMO.address));
    expect(answer.statusCode).toBe(200);
    const { transaction, signature } = answer.json();
    expect(isFullySigned(parseTransaction(Buffer.from(transaction, 'base64')))).toBe(true);
    const { items } = unwrap(await listAudit(platform, { limit: 5 }));
    expect(items[0]).toMatchObject({
      actor: 'operator',
      action: 'sandbox_wallet.signed',
      subject: 'demo',
      after: { address: DEMO.address, signature },
    });
  });

  it.each([
    [
      'whose signers they are not among',
      'demo',
      createTransfer(OTHER),
      400,
      'does not sign this transaction',
    ],
    ['that is none', 'demo', 'AAAA', 400, 'transaction: '],
    ['that is not base64', 'demo', '!', 400, 'must be base64'],
    ['with a wallet that is unknown', 'nobody', createTransfer(DEMO.address), 404, 'the wallets are demo'],
  ])('refuse a transaction %s', async (_, name, transaction, status, sentence) => {
    const answer = await sign(await open(platform), name, transaction);
    expect([answer.statusCode, answer.body]).toEqual([status, expect.stringContaining(sentence)]);
  });

  it('do not sign in production, for other machines, or without the credential of the operator', async () => {
    const production = await open(platform, { production: true });
    expect((await sign(production, 'demo', createTransfer(DEMO.address))).statusCode).toBe(403);
    const reachable = await open(platform, { wallets: null });
    const refused = await sign(reachable, 'demo', createTransfer(DEMO.address));
    expect([refused.statusCode, refused.body]).toEqual([403, expect.stringContaining('admin-host')]);
    expect((await get(await open(platform), {})).statusCode).toBe(401);
  });
});

const DEMO = createKeypairFromSeed(new Uint8Array(32).fill(3));
const OTHER = createKeypairFromSeed(new Uint8Array(32).fill(4)).address;
const opened: FastifyInstance[] = [];
afterEach(async () => {
  for (const app of opened.splice(0)) await closeServer(app);
});

async function open(
  platform: Awaited<ReturnType<typeof openTestPlatform>>,
  overrides: Partial<Parameters<typeof createAdminServer>[0]> = {},
): Promise<FastifyInstance> {
  const app = await createAdminServer({
    logger: createLogger('silent', { write: () => {} }),
    readiness: [],
    network: createRecordingNetwork(),
    wallets: [{ name: 'demo', keypair: DEMO }],
    platform,
    limiter: createInProcessLimiter(),
    production: false,
    credential: OPERATOR_CREDENTIAL,
    bounds: DEFAULT_BOUNDS,
    ...overrides,
  });
  opened.push(app);
  return app;
}

function get(app: FastifyInstance, headers: Record<string, string> = AS_OPERATOR) {
  return app.inject({ url: '/admin/v1/network/wallets', headers });
}

function sign(app: FastifyInstance, name: string, transaction: string) {
  const url = `/admin/v1/network/wallets/${name}/sign`;
  return app.inject({ method: 'POST', url, headers: AS_OPERATOR, payload: { transaction } });
}

function createTransfer(from: typeof OTHER): string {
  const message = compileMessage({
    feePayer: from,
    blockhash: new Uint8Array(32),
    instructions: [transferLamports(from, OTHER, 7n)],
  });
  return Buffer.from(encodeUnsigned(message)).toString('base64');
}
