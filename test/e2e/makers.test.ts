import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { quoteAt, TestMaker } from '../../src/gateway/grpc/client-for-tests.ts';
import { UpdateType } from '../../src/gateway/grpc/generated/market_maker_pb.js';
import { addressFromBytes } from '../../src/solana/address.ts';
import { bannerValue, FREE_PORTS, Instance } from './instance.ts';

const ADDRESS = addressFromBytes(new Uint8Array(32).fill(77));
const OTHER = addressFromBytes(new Uint8Array(32).fill(78));
const folder = mkdtempSync(join(tmpdir(), 'sluice-makers-'));
let instance: Instance;
let banner: string;

beforeAll(async () => {
  await start();
});
afterAll(async () => {
  await instance.stop();
  rmSync(folder, { recursive: true, force: true });
});

async function start(): Promise<void> {
  instance = new Instance(['start', ...FREE_PORTS], folder);
  banner = await instance.ready();
}

const portOf = (name: string) => Number(new URL(bannerValue(banner, name)).port);

async function sluice(...args: string[]): Promise<string> {
  const { code, out, error } = await new Instance(
    [...args, `--admin-port=${portOf('Admin')}`],
    folder,
  ).ended();
  if (code !== 0) throw new Error(error);
  return out;
}

function fund(wallet: string, token: string, amount: string): Promise<string> {
  return sluice('faucet', wallet, token, amount, `--rpc-port=${portOf('Solana RPC')}`);
}

/** Both streams of a maker, with the swap stream live. */
async function connect(key: string) {
  const maker = new TestMaker(portOf('Makers \\(gRPC\\)'), key);
  const swaps = maker.swaps();
  await swaps.until(1);
  return { maker, swaps, quotes: maker.quotes() };
}

describe('a maker of a started instance', () => {
  let key: string;

  it('is issued by the operator, and quotes once it holds both tokens', async () => {
    key = (await sluice('maker', 'add', 'maker-1', ADDRESS)).trim();
    expect(key).toMatch(/^jup_[0-9a-f]{64}$/);
    const { maker, quotes } = await connect(key);
    quotes.call.write(quoteAt(Date.now(), ADDRESS));
    expect((await quotes.until(1))[0]).toMatchObject({
      updateType: UpdateType.REJECTED,
      statusMessage: expect.stringContaining('for base_token the token account'),
    });
    await fund(ADDRESS, 'So11111111111111111111111111111111111111112', '100');
    await fund(ADDRESS, 'USDC', '50000');
    quotes.call.write(quoteAt(Date.now(), ADDRESS));
    expect((await quotes.until(2))[1]).toMatchObject({ updateType: UpdateType.UPDATED });
    expect((await maker.unary('getAllOrderbooks', {})).orderbooks).toHaveLength(1);
    expect(await sluice('maker', 'list')).toMatch(/^maker-1 +\S+ +prod/m);
    maker.close();
  });

  it('cannot have a sequence number accepted again after kill -9, and can go on', async () => {
    const before = await connect(key);
    const request = { makerId: 'maker-1', authToken: '' };
    const { lastSequenceNumber } = await before.maker.unary('getLastSequenceNumber', request);
    const sequenceNumber = lastSequenceNumber + 5n;
    before.quotes.call.write(quoteAt(Date.now(), ADDRESS, { sequenceNumber }));
    expect((await before.quotes.until(1))[0]).toMatchObject({ updateType: UpdateType.UPDATED });
    instance.kill('SIGKILL');
    await instance.ended();
    before.maker.close();
    await start();
    const { maker, quotes } = await connect(key);
    quotes.call.write(quoteAt(Date.now(), ADDRESS, { sequenceNumber }));
    expect((await quotes.until(1))[0]).toMatchObject({
      updateType: UpdateType.REJECTED,
      statusMessage: expect.stringContaining('sequence_number must be above the last accepted one'),
    });
    const { lastSequenceNumber: last } = await maker.unary('getLastSequenceNumber', request);
    quotes.call.write(quoteAt(Date.now(), ADDRESS, { sequenceNumber: last + 1n }));
    expect((await quotes.until(2))[1]).toMatchObject({ updateType: UpdateType.UPDATED });
    maker.close();
    expect(await sluice('audit')).toContain('the instance that had the swap stream ended');
  });

  it('loses its streams with its key or when it is disabled', async () => {
    const { maker, swaps } = await connect(key);
    const next = (await sluice('maker', 'rotate', 'maker-1')).trim();
    expect((await swaps.ended).details).toBe('the key of this stream was replaced by another');
    maker.close();
    const again = await connect(next);
    expect(await sluice('maker', 'disable', 'maker-1')).toContain('its status is offline');
    expect((await again.swaps.ended).details).toBe('the operator disabled the maker maker-1');
    again.maker.close();
    await sluice('maker', 'enable', 'maker-1');
    (await connect(next)).maker.close();
    expect(await sluice('maker', 'show', 'maker-1')).toMatch(
      /snapshots rejected +inventory 1|snapshots accepted +\d/,
    );
  });

  it('is told apart from others, and what is wrong with it is said', async () => {
    await expect(sluice('maker', 'add', 'maker-1', OTHER)).rejects.toThrow(
      'there is a maker "maker-1" already',
    );
    await expect(sluice('maker', 'reinstate', 'none')).rejects.toThrow('there is no maker "none"');
    await sluice('maker', 'add', 'maker-2', OTHER, '--pairs', `${ADDRESS}/${OTHER}`);
    expect(await sluice('maker', 'show', 'maker-2')).toContain(`${ADDRESS}/${OTHER}`);
  });
});
