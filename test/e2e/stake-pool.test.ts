import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import {
  createKeyPairSignerFromBytes,
  getTransactionDecoder,
  getTransactionEncoder,
  partiallySignTransaction,
} from '@solana/kit';
import { beforeAll, describe, expect, it } from 'vitest';
import { readOperatorCredential } from '../../src/data-folder/operator-credential.ts';
import { bannerValue, FREE_PORTS } from './instance.ts';
import { startOwnInstance } from './own-instance.ts';
import { openFolder } from '../../src/testing/test-folder.ts';
import { openForAll } from '../../src/testing/opened.ts';

describe('a stake pool of the embedded network', () => {
  const folder = openFolder('stake-pool');
  let banner: string;
  const instance = openForAll(
    () =>
      startOwnInstance({
        reason: 'moves to another epoch, which a reset leaves',
        flags: FREE_PORTS,
        folder,
      }),
    'stop',
  );
  beforeAll(setUp);

  it('is swapped through in this epoch and in the next', async () => {
    await swapThroughPool();
    await passAnEpoch();
    await swapThroughPool();
  });

  it('tells borrowers and lenders what its token earned in the last epoch', async () => {
    expect(await stakingApr('/lend/v1/borrow/vaults', 'supplyToken')).toBeUndefined();
    // The pool counts what arrives at its reserve as rewards.
    const airdrop = await fetch(shown('Solana RPC'), {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'requestAirdrop', params: [RESERVE, REWARDS] }),
    });
    expect(await airdrop.json()).toHaveProperty('result');
    await passAnEpoch();
    // The pool is updated by the first transactions of the epoch.
    let earned: unknown;
    while (earned === undefined) earned = await stakingApr('/lend/v1/borrow/vaults', 'supplyToken');
    expect(earned).toBeGreaterThan(0);
    expect(earned).toBe(await stakingApr('/lend/v1/earn/tokens', 'asset'));
  });

  async function setUp(): Promise<void> {
    banner = await instance.ready();
  }

  const shown = (name: string) => bannerValue(banner, name);
  const headers = () => ({ 'x-api-key': shown('API key'), 'content-type': 'application/json' });

  async function order(): Promise<Record<string, unknown>> {
    const query = { inputMint: SOL, outputMint: JITOSOL, amount: '5000000000', taker: shown('Demo wallet') };
    const url = `${shown('REST')}/swap/v2/order?${new URLSearchParams(query)}`;
    const response = await fetch(url, { headers: headers() });
    return (await response.json()) as Record<string, unknown>;
  }

  async function execute({ transaction, requestId }: Record<string, unknown>): Promise<unknown> {
    const key = Uint8Array.from(JSON.parse(readFileSync(shown('its key'), 'utf8')));
    const signer = await createKeyPairSignerFromBytes(key);
    const unsigned = getTransactionDecoder().decode(Buffer.from(String(transaction), 'base64'));
    const signed = await partiallySignTransaction([signer.keyPair], unsigned);
    const signedTransaction = Buffer.from(getTransactionEncoder().encode(signed)).toString('base64');
    const body = JSON.stringify({ signedTransaction, requestId });
    const response = await fetch(`${shown('REST')}/swap/v2/execute`, {
      method: 'POST',
      headers: headers(),
      body,
    });
    return response.json();
  }

  const routedThrough = (answer: Record<string, unknown>) =>
    (answer.routePlan as { swapInfo: { label: string } }[]).map(({ swapInfo }) => swapInfo.label);

  async function swapThroughPool(): Promise<void> {
    let ordered = await order();
    // The update of a new epoch takes a slot or two to be seen.
    while (!routedThrough(ordered).includes('Sanctum')) ordered = await order();
    expect(await execute(ordered)).toMatchObject({
      status: 'Success',
      totalInputAmount: ordered.inAmount,
      totalOutputAmount: ordered.outAmount,
    });
  }

  async function passAnEpoch(): Promise<void> {
    const credential = readOperatorCredential(join(folder, '.sluice'));
    const jump = await fetch(`${new URL(shown('Admin')).origin}/admin/v1/network/clock`, {
      method: 'POST',
      headers: { authorization: `Bearer ${credential}`, 'content-type': 'application/json' },
      body: JSON.stringify({ slots: SLOTS_PER_EPOCH }),
    });
    expect(jump.status).toBe(200);
  }

  /** What a list says that the pool's token earns. */
  async function stakingApr(path: string, field: string): Promise<unknown> {
    const response = await fetch(`${shown('REST')}${path}`, { headers: headers() });
    const list = (await response.json()) as Record<string, { address: string; stakingApr?: number }>[];
    return list.map((each) => each[field]).find((token) => token?.address === JITOSOL)?.stakingApr;
  }
});

const SOL = 'So11111111111111111111111111111111111111112';
const JITOSOL = 'J1toso1uCk3RLmjorhTtrVwY9HJ7X8V9yYac6Y7kGCPn';
const RESERVE = 'BgKUXdS29YcHCFrPm5M8oLHiTzZaMDjsebggjoaQ6KFL';
const REWARDS = 5_000_000_000;
const SLOTS_PER_EPOCH = 432_000;
