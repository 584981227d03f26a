import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { quoteAt, TestMaker } from '../../src/testing/gateway/grpc-client.ts';
import { UpdateType } from '../../src/gateway/grpc/generated/market_maker_pb.js';
import { toAddress } from '../../src/solana/address.ts';
import { createKeypairFromSeed } from '../../src/solana/keypair.ts';
import { TestWebhook } from '../../src/testing/rfq/webhook-maker.ts';
import { now } from '../../src/testing/waits.ts';
import { Deployment, type DeploymentKind, TESTED_DEPLOYMENTS } from './deployment.ts';
import { runCommand } from './run-command.ts';

const ADDRESS = toAddress(new Uint8Array(32).fill(77));
const OTHER = toAddress(new Uint8Array(32).fill(78));
const LEAVING = toAddress(new Uint8Array(32).fill(80));
const SOL = 'So11111111111111111111111111111111111111112';
const USDC = 'EPjFWdd5AufqSSqeM2qN1xzybapC8G4wEGGkZwyTDt1v';
const WRONG_WEBHOOKS = [
  ['ftp://maker.example/rfq', 'must be an http or https URL'],
  ['maker.example', 'must be an http or https URL'],
  ['https://user:password@maker.example', 'must not contain a user or a password'],
  ['https://maker.example/rfq?key=1', 'must not contain a query or a fragment'],
] as const;
let deployment: Deployment;

/** The instance that the maker is connected to: another than the one that the operator asks, where there are two. */
const furthest = () => deployment.size - 1;

const sluice = (...args: string[]) => sluiceAt(0, ...args);

async function sluiceAt(index: number, ...args: string[]): Promise<string> {
  const adminPort = new URL(deployment.shown('Admin', index)).port;
  const { code, out, error } = await runCommand(
    [...args, `--admin-port=${adminPort}`, `--data-dir=${index === 0 ? 'one' : 'two'}`],
    deployment.folder,
  );
  if (code !== 0) throw new Error(error);
  return out;
}

function fund(wallet: string, token: string, amount: string): Promise<string> {
  return sluice(
    'faucet',
    wallet,
    token,
    amount,
    `--rpc-port=${new URL(deployment.shown('Solana RPC')).port}`,
  );
}

/** Resolves when the instance that the operator asks says so of the maker. */
function showing(text: RegExp): Promise<void> {
  const shows = async () => expect(await sluice('maker', 'show', 'maker-1')).toMatch(text);
  return vi.waitFor(shows, { interval: 250 });
}

/** Both streams of a maker, with the swap stream live, once the instance knows the key. */
function connect(key: string, index = furthest()) {
  const port = Number(new URL(deployment.shown('Makers \\(gRPC\\)', index)).port);
  const connected = async () => {
    const maker = new TestMaker(port, key);
    const swaps = maker.swaps();
    const refused = await Promise.race([swaps.until(1).then(() => null), swaps.ended]);
    if (refused === null) return { maker, swaps, quotes: maker.quotes() };
    maker.close();
    throw new Error(refused.details);
  };
  return vi.waitFor(connected, { interval: 250 });
}

/** The tests of one deployment. They are a file for each, which run side by side. */
export function describeMakers(kind: DeploymentKind): void {
  describe.runIf(TESTED_DEPLOYMENTS.includes(kind))(`a maker on ${kind}`, () => {
    beforeAll(async () => {
      deployment = await Deployment.open(kind, { reason: 'kills it' });
    });
    afterAll(() => deployment?.close());

    let key: string;

    it('is issued by the operator, and quotes once it holds both tokens', async () => {
      key = (await sluice('maker', 'add', 'maker-1', ADDRESS)).trim();
      expect(key).toMatch(/^jup_[0-9a-f]{64}$/);
      const { maker, quotes } = await connect(key);
      quotes.call.write(quoteAt(now(), ADDRESS));
      expect((await quotes.until(1))[0]).toMatchObject({
        updateType: UpdateType.REJECTED,
        statusMessage: expect.stringContaining('for base_token the token account'),
      });
      await fund(ADDRESS, 'So11111111111111111111111111111111111111112', '100');
      await fund(ADDRESS, 'USDC', '50000');
      const accepted = async () => {
        const before = quotes.got.length;
        quotes.call.write(quoteAt(now(), ADDRESS));
        expect((await quotes.until(before + 1))[before]).toMatchObject({ updateType: UpdateType.UPDATED });
      };
      await vi.waitFor(accepted, { interval: 100 });
      expect((await maker.unary('getAllOrderbooks', {})).orderbooks).toHaveLength(1);
      // An instance learns of the books of another one a moment later.
      await showing(/^no orders because *$/m);
      // Whichever instance is asked, and in the same words.
      const shown = await sluice('maker', 'show', 'maker-1');
      expect(shown).toMatch(/^status +prod$/m);
      expect(shown).toMatch(/^connected +yes/m);
      expect(shown).toMatch(/^snapshots accepted +1$/m);
      expect(await sluiceAt(furthest(), 'maker', 'show', 'maker-1')).toBe(shown);
      expect(await sluice('maker', 'list')).toMatch(/^maker-1 +\S+ +prod +yes/m);
      maker.close();
      await showing(/^connected +no$/m);
    });

    it('that connects to another instance leaves the one before, and goes on with its numbers', async () => {
      const before = await connect(key);
      const request = { makerId: 'maker-1', authToken: '' };
      const { lastSequenceNumber } = await before.maker.unary('getLastSequenceNumber', request);
      before.quotes.call.write(quoteAt(now(), ADDRESS, { sequenceNumber: lastSequenceNumber + 9n }));
      expect((await before.quotes.until(1))[0]).toMatchObject({ updateType: UpdateType.UPDATED });
      const after = await connect(key, 0);
      const told = [await before.swaps.ended, await before.quotes.ended];
      expect(told.map(({ details }) => details)).toEqual([
        expect.stringMatching(/^another .*stream of the same maker.* took the place of this one$/),
        expect.stringMatching(/^another .*stream of the same maker.* took the place of this one$/),
      ]);
      const { lastSequenceNumber: last } = await after.maker.unary('getLastSequenceNumber', request);
      // Only if the instance before did not answer in time, the numbers that it had reserved are skipped, as after a crash.
      // `LeasedOwners` is tested for either case.
      expect(last).toBeGreaterThanOrEqual(lastSequenceNumber + 9n);
      after.quotes.call.write(quoteAt(now(), ADDRESS, { sequenceNumber: last + 1n }));
      expect((await after.quotes.until(1))[0]).toMatchObject({ updateType: UpdateType.UPDATED });
      expect(await sluiceAt(furthest(), 'maker', 'show', 'maker-1')).toMatch(/^connected +yes/m);
      before.maker.close();
      after.maker.close();
    });

    it('cannot have a sequence number accepted again after kill -9, and can go on', async () => {
      const before = await connect(key);
      const request = { makerId: 'maker-1', authToken: '' };
      const { lastSequenceNumber } = await before.maker.unary('getLastSequenceNumber', request);
      const sequenceNumber = lastSequenceNumber + 5n;
      before.quotes.call.write(quoteAt(now(), ADDRESS, { sequenceNumber }));
      expect((await before.quotes.until(1))[0]).toMatchObject({ updateType: UpdateType.UPDATED });
      await deployment.instance(furthest()).stop();
      before.maker.close();
      // Of an instance that is gone, makers are known to be gone some seconds later.
      if (deployment.size > 1) await showing(/^connected +no$/m);
      await deployment.start(furthest());
      const { maker, quotes } = await connect(key);
      quotes.call.write(quoteAt(now(), ADDRESS, { sequenceNumber }));
      expect((await quotes.until(1))[0]).toMatchObject({
        updateType: UpdateType.REJECTED,
        statusMessage: expect.stringContaining('sequence_number must be above the last accepted one'),
      });
      const { lastSequenceNumber: last } = await maker.unary('getLastSequenceNumber', request);
      quotes.call.write(quoteAt(now(), ADDRESS, { sequenceNumber: last + 1n }));
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
      expect(await sluice('maker', 'show', 'maker-1')).toMatch(/^snapshots rejected +.*inventory \d/m);
      // Its key opens what is for makers, at every instance, and nothing else.
      for (let index = 0; index < deployment.size; index++) {
        const read = async (path: string, apiKey: string) => {
          const headers = { 'x-api-key': apiKey };
          const answer = await fetch(`${deployment.shown('REST', index)}${path}`, { headers });
          return { status: answer.status, body: await answer.json() };
        };
        await vi.waitFor(async () => {
          const { status, body } = await read('/market-making/v1/statistics', next);
          expect({ status, body }).toMatchObject({ status: 200, body: { maker: 'maker-1', won: 0 } });
        });
        expect(await read('/market-making/v1/orders', next)).toEqual({
          status: 200,
          body: { orders: [], next: null },
        });
        expect((await read('/swap/v2/order', next)).status).toBe(403);
        expect((await read('/market-making/v1/orders', key)).status).toBe(401);
        expect(await read('/market-making/v1/orders', deployment.shown('API key'))).toMatchObject({
          status: 403,
          body: { error: expect.stringContaining('not of a maker') },
        });
      }
    });

    it('is distinguished from other makers, and its problems are reported', async () => {
      await expect(sluice('maker', 'add', 'maker-1', OTHER)).rejects.toThrow(
        'there is a maker "maker-1" already',
      );
      await expect(sluice('maker', 'reinstate', 'none')).rejects.toThrow('there is no maker "none"');
      await sluice('maker', 'add', 'maker-2', OTHER, '--pairs', `${ADDRESS}/${OTHER}`);
      expect(await sluice('maker', 'show', 'maker-2')).toContain(`${ADDRESS}/${OTHER}`);
    });

    it('is asked at the webhook that the operator names, with its key, until it is disabled', async () => {
      const webhook = await TestWebhook.open({
        keypair: createKeypairFromSeed(new Uint8Array(32).fill(79)),
        tokens: [SOL, USDC],
        rate: 1n,
        chain: { send: () => Promise.reject(new Error('no swap is made')) },
      });
      const show = () => sluice('maker', 'show', 'hooked');
      const add = (...flags: string[]) => sluice('maker', 'add', 'hooked', webhook.keypair.address, ...flags);
      try {
        for (const [url, problem] of WRONG_WEBHOOKS)
          await expect(add(`--webhook=${url}`)).rejects.toThrow(problem);
        await expect(add('--webhook-key=secret')).rejects.toThrow('webhook is absent');
        await add(`--webhook=${webhook.url}`, '--webhook-key=secret', `--pairs=${SOL}/${USDC}`);
        await vi.waitFor(async () => expect(await show()).toMatch(/^webhook mints +2$/m), { interval: 250 });
        expect(webhook.of('/tokens')[0]?.headers['x-api-key']).toBe('secret');
        const shown = await show();
        expect(shown).toContain(webhook.url);
        expect(shown).not.toContain('secret');
        expect(shown).toMatch(/^webhook status +prod$/m);
        expect(await sluice('maker', 'list')).toMatch(/^hooked .*asked by webhook/m);

        await sluice('maker', 'disable', 'hooked');
        expect(await show()).toMatch(/^webhook status +offline: the operator disabled the maker$/m);
        await sluice('maker', 'enable', 'hooked');
        expect(await show()).toMatch(/^webhook status +prod$/m);

        const change = (...flags: string[]) => sluice('maker', 'change', 'hooked', ...flags);
        for (const [url, problem] of WRONG_WEBHOOKS)
          await expect(change(`--webhook=${url}`)).rejects.toThrow(problem);
        await expect(change()).rejects.toThrow('give --name, --pairs, --webhook or --webhook-key');
        expect(await change('--name=Hooked & Co.', '--pairs=all', '--webhook-key=other-secret')).toBe(
          'changed the maker hooked; its status is prod\n',
        );
        const last = () => webhook.of('/tokens').at(-1)?.headers['x-api-key'];
        await vi.waitFor(() => expect(last()).toBe('other-secret'), { interval: 250 });
        expect(await show()).toMatch(/^name +Hooked & Co\.$/m);
        expect(await show()).toMatch(/^pairs +every pair$/m);
        await change('--webhook=none');
        expect(await show()).toMatch(/^webhook +none$/m);
        const audited = await sluice('audit');
        expect(audited).toContain('maker.changed');
        expect(audited).not.toContain('secret');
      } finally {
        await webhook.close();
      }
    });

    it('is removed, ends at once wherever it is connected, and can be added again under its id', async () => {
      const added = (await sluice('maker', 'add', 'maker-3', LEAVING)).trim();
      const { maker, swaps } = await connect(added);
      expect(await sluice('maker', 'remove', 'maker-3')).toBe('removed the maker maker-3\n');
      expect((await swaps.ended).details).toBe('the operator removed the maker maker-3');
      const request = { makerId: 'maker-3', authToken: '' };
      await expect(maker.unary('getLastSequenceNumber', request)).rejects.toThrow('is of no maker');
      maker.close();
      for (const verb of ['show', 'remove', 'disable'])
        await expect(sluice('maker', verb, 'maker-3')).rejects.toThrow('there is no maker "maker-3"');
      const again = (await sluice('maker', 'add', 'maker-3', LEAVING)).trim();
      (await connect(again)).maker.close();
    });
  });
}
