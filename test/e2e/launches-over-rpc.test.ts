import { randomBytes } from 'node:crypto';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import type { DbcPoolKeys } from '../../src/protocols/meteora-dbc/program/addresses.ts';
import { createKeypairFromSeed, encodeKeypairFile, parseKeypairFile } from '../../src/solana/keypair.ts';
import { openFolder } from '../../src/testing/test-folder.ts';
import { bannerValue, FREE_PORTS, type Instance, withSlotsOf } from './instance.ts';
import { type CallRpc, DbcMigrationProgress, TokenLauncher } from './launched-token.ts';
import { startOwnInstance } from './own-instance.ts';

const { LOCKED_VESTING, CREATED_POOL } = DbcMigrationProgress;
const SLOT_MS = 50;
const folder = openFolder('launches-network');
const outsideFolder = openFolder('launches-outside');
const instances: Instance[] = [];
let rpcUrl: string;
let wsUrl: string;
let launcher: TokenLauncher;
beforeAll(setUp);
afterAll(() => Promise.all(instances.map((each) => each.stop())));

describe('an instance over the RPC of another network', () => {
  it('migrates the launches under the configuration that it pays for, and no others', async () => {
    const terms = { creatorTradingFeePercentage: 50 };
    const mine = await launcher.launch(terms);
    const other = await launcher.launch(terms);
    for (const keys of [other, mine]) await launcher.buy(keys);
    expect([await launcher.readProgress(mine), await launcher.readProgress(other)]).toEqual([
      LOCKED_VESTING,
      LOCKED_VESTING,
    ]);
    const { rest, apiKey } = await startOutside(mine);
    await launcher.waitForProgress(mine, CREATED_POOL);
    const find = async (mint: string) => {
      const headers = { 'x-api-key': apiKey };
      const [token] = await fetchJson(`${rest}/tokens/v2/search?query=${mint}`, { headers });
      return token;
    };
    await vi.waitFor(async () =>
      expect(await find(mine.baseMint)).toMatchObject({
        graduatedPool: expect.any(String),
        dev: launcher.wallet.address,
      }),
    );
    expect(await find(other.baseMint)).toMatchObject({ bondingCurve: 100 });
    expect(await launcher.readProgress(other)).toBe(LOCKED_VESTING);
    // A hundredth of what was paid are fees, of which the protocol takes a fifth; creator and partner are the same wallet here.
    const claimed = await launcher.claimFees(mine);
    expect(claimed).toBeGreaterThan(6_000_000n);
    expect(claimed).toBeLessThan(7_000_000n);
    expect(await launcher.claimFees(mine)).toBe(0n);
  });
});

const callRpc: CallRpc = async (method, ...params) => {
  const body = JSON.stringify({ jsonrpc: '2.0', id: 1, method, params });
  const headers = { 'content-type': 'application/json' };
  const { result, error } = await fetchJson(rpcUrl, { method: 'POST', headers, body });
  expect(error).toBeUndefined();
  return result;
};

async function setUp(): Promise<void> {
  const flags = [...withSlotsOf(SLOT_MS), ...FREE_PORTS, '--no-keeper'];
  const network = startOwnInstance({ reason: 'migrates no launches itself', flags, folder });
  instances.push(network);
  const banner = await network.ready();
  [rpcUrl, wsUrl] = [bannerValue(banner, 'Solana RPC'), bannerValue(banner, 'Solana WebSocket')];
  const demo = parseKeypairFile(readFileSync(join(folder, '.sluice', 'demo-wallet.json'), 'utf8'));
  launcher = new TokenLauncher(demo, callRpc);
}

/** Starts the instance that pays for one configuration. */
async function startOutside({ config }: DbcPoolKeys) {
  const gas = createKeypairFromSeed(randomBytes(32));
  writeFileSync(join(outsideFolder, 'gas.json'), encodeKeypairFile(gas));
  await callRpc('requestAirdrop', gas.address, 1_000_000_000);
  const ports = FREE_PORTS.filter((flag) => !/^--(rpc|ws)-port/.test(flag));
  const paid = [`--gas-keypair=${join(outsideFolder, 'gas.json')}`, `--graduate-config=${config}`];
  // Blockhashes live as long as on the network.
  const lifetime = withSlotsOf(SLOT_MS).filter((flag) => flag.startsWith('--blockhash-slots'));
  const flags = [
    `--rpc-url=${rpcUrl}`,
    `--rpc-ws-url=${wsUrl}`,
    '--rpc-poll-ms=100',
    ...lifetime,
    ...paid,
    ...ports,
  ];
  const outside = startOwnInstance({ reason: 'runs over the RPC of another', flags, folder: outsideFolder });
  instances.push(outside);
  const banner = await outside.ready();
  return { rest: bannerValue(banner, 'REST'), apiKey: bannerValue(banner, 'API key') };
}

async function fetchJson(url: string, init?: RequestInit) {
  const response = await fetch(url, init);
  return JSON.parse(await response.text());
}
