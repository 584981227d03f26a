import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { encodeKeypairFile, type Keypair, createKeypairFromSeed } from '../../src/solana/keypair.ts';
import { sha256 } from '../../src/solana/encoding/sha256.ts';
import { addSignatures, parseTransaction } from '../../src/solana/messages/transaction.ts';
import { Deployment, type DeploymentKind, TESTED_DEPLOYMENTS } from './deployment.ts';

const USDC = 'EPjFWdd5AufqSSqeM2qN1xzybapC8G4wEGGkZwyTDt1v';
const USDT = 'Es9vMFrzaCERmJfrF4H2FYD4KCoNkY11McCe8BenwNYB';
/**
 * Each of the swaps here opens a token account. Until it has landed it is counted with 4,000,000 lamports for its rent and
 * 10,000 for two signatures; then with nothing, because its fee has paid for it. Two fit at once, and a third does not.
 */
const COUNTED_LAMPORTS = 4_010_000;
const HOURLY_LAMPORTS = 10_110_000;

type Json = Record<string, unknown>;

interface Ordered {
  /** The instance that gave the order out. */
  readonly at: number;
  readonly request: string;
  readonly outAmount: unknown;
}

const walletOf = (name: string) => createKeypairFromSeed(sha256(Buffer.from(`gasless test: ${name}`)));
const sponsor = walletOf('sponsor');
const first = walletOf('first');
const others = ['one', 'two', 'three'].map(walletOf);
const late = walletOf('late');

/** The tests of one deployment. They are a file for each, which run side by side. */
export function describeGasless(kind: DeploymentKind): void {
  describe.runIf(TESTED_DEPLOYMENTS.includes(kind))(`gasless orders on ${kind}`, () => {
    let folder: string;
    let deployment: Deployment;

    beforeAll(async () => {
      folder = mkdtempSync(join(tmpdir(), 'sluice-gasless-'));
      const file = join(folder, 'sponsor.json');
      writeFileSync(file, encodeKeypairFile(sponsor), { mode: 0o600 });
      const flags = [`--sponsor-keypair=${file}`, `--sponsor-lamports=${HOURLY_LAMPORTS}`];
      deployment = await Deployment.open(kind, { reason: 'has a sponsor', flags });
      await deployment.everywhere('/healthz', deployment.shown('API key'), 200);
      const body = {
        jsonrpc: '2.0',
        id: 1,
        method: 'requestAirdrop',
        params: [sponsor.address, 1_000_000_000],
      };
      const airdrop = await fetch(deployment.shown('Solana RPC'), {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify(body),
      });
      expect(await airdrop.json()).toHaveProperty('result');
      for (const mint of [USDC, USDT]) await fund(sponsor, mint, 1_000_000n);
      for (const taker of [first, ...others, late]) await fund(taker, USDC, 100_000_000n);
    });
    afterAll(async () => {
      await deployment?.close();
      rmSync(folder, { recursive: true });
    });

    async function fund({ address }: Keypair, mint: string, amount: bigint): Promise<void> {
      await deployment.admin(0, '/admin/v1/network/faucet', {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify({ wallet: address, mint, amount: String(amount) }),
      });
    }

    async function setFaults(faults: object): Promise<void> {
      await deployment.admin(0, '/admin/v1/network/faults', {
        method: 'PUT',
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify(faults),
      });
    }

    async function call(at: number, path: string, init?: RequestInit): Promise<Json> {
      const response = await fetch(`${deployment.shown('REST', at % deployment.size)}/swap/v2/${path}`, {
        ...init,
        headers: { 'x-api-key': deployment.shown('API key'), 'content-type': 'application/json' },
      });
      return (await response.json()) as Json;
    }

    /** An order that the sponsor pays for, once the instance has seen what it was given, signed by its taker. */
    async function ordered(taker: Keypair, at = 0): Promise<Ordered> {
      const query = { inputMint: USDC, outputMint: USDT, amount: '100000000', taker: taker.address };
      const order = await vi.waitFor(
        async () => {
          const quoted = await call(at, `order?${new URLSearchParams(query)}`);
          expect(quoted).toMatchObject({ gasless: true, signatureFeePayer: sponsor.address });
          return quoted;
        },
        { interval: 100 },
      );
      const unsigned = parseTransaction(Buffer.from(String(order.transaction), 'base64'));
      const signedTransaction = Buffer.from(addSignatures(unsigned, [taker])).toString('base64');
      const request = JSON.stringify({ signedTransaction, requestId: order.requestId });
      return { at, request, outAmount: order.outAmount };
    }

    /** At the next instance. */
    const execute = ({ at, request }: Ordered) => call(at + 1, 'execute', { method: 'POST', body: request });

    it('are paid for by the sponsor, also when another instance executes them', async () => {
      const order = await ordered(first);
      expect(await execute(order)).toMatchObject({ status: 'Success', totalOutputAmount: order.outAmount });
    });

    it('are executed one at a time for each taker, whichever instances are asked', async () => {
      await fund(first, USDC, 100_000_000n);
      const orders = [await ordered(first), await ordered(first, 1)];
      // The one that is executed does not land before the other one was answered.
      await setFaults({ drop: 1 });
      const executing = orders.map(execute);
      await Promise.race(executing);
      await setFaults({});
      const answers = await Promise.all(executing);
      const refused = answers.filter(({ status }) => status !== 'Success');
      expect(refused).toMatchObject([
        { code: -1002, error: expect.stringMatching(/another sponsored swap of .* is being executed/) },
      ]);
    });

    it('share what may be spent within an hour, also after every instance was killed', async () => {
      const error = expect.stringContaining(
        ` is used up (${2 * COUNTED_LAMPORTS} of ${HOURLY_LAMPORTS} lamports)`,
      );
      const orders = await Promise.all(others.map((taker, index) => ordered(taker, index)));
      const last = await ordered(late);
      // No swap lands, so what two of them may cost stays counted, also when their instances are killed.
      await setFaults({ drop: 1 });
      const executing = orders.map((order) => execute(order).catch(() => null));
      expect(await Promise.race(executing)).toMatchObject({ status: 'Failed', error });
      expect(await execute(last)).toMatchObject({ status: 'Failed', error });
      for (let index = 0; index < deployment.size; index++) await deployment.instance(index).stop();
      for (let index = 0; index < deployment.size; index++) await deployment.start(index);
      await deployment.everywhere('/healthz', deployment.shown('API key'), 200);
      expect(await execute(await ordered(late))).toMatchObject({ status: 'Failed', error });
    });
  });
}
