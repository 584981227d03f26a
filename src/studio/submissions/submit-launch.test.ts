import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { type Chain, ChainUnavailable } from '../../chain/chain.ts';
import { SYSTEM_PROGRAM, TOKEN_PROGRAM } from '../../solana/program-addresses.ts';
import { STORES } from '../../testing/store/test-store.ts';
import { SubmissionRig } from '../../testing/studio/submission-rig.ts';
import { isMintOnChain } from './landed-launches.ts';
import { sweepLaunches } from './open-launch-sweep.ts';

describe.each(STORES)('submitLaunch with %s', (kind) => {
  let rig: SubmissionRig;
  beforeAll(async () => {
    rig = await SubmissionRig.open(kind);
  });
  afterAll(() => rig?.close());
  beforeEach(() => rig.reset());

  it('lands a launch and records its page', async () => {
    const { launch, submission } = rig.prepare({ content: 'We *love* cats.', header: PNG });
    const config = rig.rig.keys.deriveConfigAddress(launch.mint);
    expect(await rig.submit(submission)).toEqual({ kind: 'landed', mint: launch.mint, config });
    expect(rig.rig.market.network.account(launch.mint)).not.toBeNull();
    expect(await rig.launches.find(launch.mint)).toMatchObject({
      config,
      owner: rig.rig.creator.address,
      content: 'We *love* cats.',
      headerType: 'image/png',
      landedAt: expect.any(Number),
    });
    expect(await findHeader(launch.mint)).toBe(PNG.length);
  });

  it('answers the same again, and keeps the first page', async () => {
    const { launch, submission } = rig.prepare({ content: 'first', header: PNG });
    const first = await rig.submit(submission);
    expect(await rig.submit({ ...submission, content: 'second', header: GIF })).toEqual(first);
    expect(rig.sent).toBe(1);
    expect(await rig.launches.find(launch.mint)).toMatchObject({ content: 'first', headerType: 'image/png' });
  });

  it('lands a launch once that is submitted several times at once', async () => {
    const { launch, submission } = rig.prepare({ content: 'cats' });
    const ends = await Promise.all([1, 2, 3].map(() => rig.submit(submission)));
    expect(ends.map((end) => end.kind)).toEqual(['landed', 'landed', 'landed']);
    expect(await rig.launches.find(launch.mint)).toMatchObject({ content: 'cats' });
  });

  it('has the same answer if the same submission lands the launch while it is checked', async () => {
    const { submission } = rig.prepare({ content: 'first' });
    const { chain } = rig.rig.market;
    const simulate: Chain['simulate'] = async (wire, options) => {
      await rig.submit(submission);
      return chain.simulate(wire, options);
    };
    const second = await rig.submit({ ...submission, content: 'second' }, { simulate });
    expect(second).toEqual(await rig.submit(submission));
    expect(rig.sent).toBe(1);
  });

  it('does not say that a launch failed which has landed around it and is not confirmed yet', async () => {
    const { launch, submission } = rig.prepare();
    const { chain } = rig.rig.market;
    await chain.send(rig.rig.sign(launch));
    const getAccounts: Chain['getAccounts'] = async (addresses, commitment) =>
      commitment === 'confirmed'
        ? addresses.map((address) => ({ address, slot: 1n, account: null }))
        : chain.getAccounts(addresses);
    await expect(rig.submit(submission, { getAccounts })).rejects.toThrow('launched already');
  });

  it('keeps the page when the process ends before anything is sent, and lands the same submission', async () => {
    const { launch, submission } = rig.prepare({ content: 'first' });
    await expect(rig.submit(submission, { send: crash })).rejects.toThrow('the process ends');
    expect(await rig.launches.find(launch.mint)).toMatchObject({ content: 'first', landedAt: null });
    expect(await rig.submit({ ...submission, content: 'second' })).toMatchObject({ kind: 'landed' });
    expect(await rig.launches.find(launch.mint)).toMatchObject({ content: 'first' });
  });

  it('finds a launch that landed when the process ended before it heard of that', async () => {
    const { launch, submission } = rig.prepare({ content: 'first' });
    const { chain } = rig.rig.market;
    const send = async (wire: Uint8Array) => {
      await chain.send(wire);
      return crash();
    };
    await expect(rig.submit(submission, { send })).rejects.toThrow('the process ends');
    // Its blockhash may have expired by then.
    chain.pass(1_000n);
    expect(await rig.submit(submission)).toMatchObject({ kind: 'landed' });
    expect(await rig.launches.find(launch.mint)).toMatchObject({ content: 'first' });
  });

  it('sends a launch again that the network has lost', async () => {
    rig.rig.market.chain.losing = 2;
    expect(await rig.submit(rig.prepare().submission)).toMatchObject({ kind: 'landed' });
  });

  it('says that a launch has expired which the network has lost for good, and forgets it', async () => {
    const { launch, submission } = rig.prepare({ header: PNG });
    rig.rig.market.chain.losing = 10_000;
    await expect(rig.submit(submission)).rejects.toThrow('has expired; call create-tx again');
    expect(await rig.launches.find(launch.mint)).toBeNull();
    expect(await findHeader(launch.mint)).toBeNull();
  });

  it('says that its blockhash has expired before anything is sent', async () => {
    const { launch, submission } = rig.prepare();
    const failed = rig.submit(submission, {
      simulate: async () => ({ ...NOTHING_SIMULATED, error: 'BlockhashNotFound' }),
    });
    await expect(failed).rejects.toThrow('has expired; call create-tx again');
    expect(await rig.launches.find(launch.mint)).toBeNull();
    expect(rig.sent).toBe(0);
  });

  it('says why a launch would fail, and does not send it', async () => {
    const { launch, submission } = rig.prepare({ header: PNG });
    rig.rig.fund(1_000_000n);
    await expect(rig.submit(submission)).rejects.toThrow('the launch would fail, and was not sent: ');
    expect(await rig.launches.find(launch.mint)).toBeNull();
    expect(await findHeader(launch.mint)).toBeNull();
    expect(rig.sent).toBe(0);
  });

  it.each([0n, 30_000_000n])('says that the creator has too little SOL: %s lamports', async (lamports) => {
    const { submission } = rig.prepare();
    rig.rig.fund(lamports);
    await expect(rig.submit(submission)).rejects.toThrow(
      `and was not sent: its creator, ${rig.rig.creator.address}, has ${lamports} lamports`,
    );
  });

  it('says why a launch failed on the chain, and forgets it', async () => {
    const { launch, submission } = rig.prepare({ header: PNG });
    const { chain } = rig.rig.market;
    const failed = rig.submit(submission, {
      send: async (wire) => {
        rig.rig.fund(1_000_000n);
        return chain.send(wire);
      },
    });
    await expect(failed).rejects.toThrow(/^the launch failed: .+; call create-tx again/);
    expect(await rig.launches.find(launch.mint)).toBeNull();
    expect(await findHeader(launch.mint)).toBeNull();
    await expect(rig.submit(submission)).rejects.toThrow('the launch');
  });

  it('gives no page to a token that was launched around it', async () => {
    const { launch, submission } = rig.prepare({ content: 'not by the creator' });
    await rig.rig.market.chain.send(rig.rig.sign(launch));
    await expect(rig.submit(submission)).rejects.toThrow('launched already, and not through submit');
    expect(await rig.launches.find(launch.mint)).toBeNull();
  });

  it('does not take lamports at the address of a mint, which anybody can send, for its launch', async () => {
    const { launch, submission } = rig.prepare({ content: 'cats' });
    const { chain, network } = rig.rig.market;
    network.setAccount(launch.mint, {
      lamports: 890_880n,
      owner: SYSTEM_PROGRAM,
      data: new Uint8Array(),
      executable: false,
      rentEpoch: 0n,
    });
    expect(await isMintOnChain(chain, launch.mint)).toBe(false);
    expect(await rig.submit(submission)).toMatchObject({ kind: 'landed' });
    expect(network.account(launch.mint)?.owner).toBe(TOKEN_PROGRAM);
    expect(await isMintOnChain(chain, launch.mint)).toBe(true);
  });

  it('sends nothing while the network does not answer', async () => {
    const { launch, submission } = rig.prepare();
    const unhealthy = () => 'the RPC is behind';
    await expect(rig.submit(submission, { unhealthy })).rejects.toThrow(ChainUnavailable);
    expect(await rig.launches.find(launch.mint)).toBeNull();
  });

  it.each([
    ['a page that is too long', { content: 'x'.repeat(10_001) }, 'content'],
    ['a header image that is none', { header: Buffer.from('<svg onload="alert(1)"/>') }, 'headerImage'],
    [
      'a header image that is too large',
      { header: Buffer.concat([PNG, Buffer.alloc(5_242_880)]) },
      'headerImage',
    ],
    [
      'the owner of another wallet',
      { owner: 'So11111111111111111111111111111111111111112' as never },
      'owner',
    ],
  ])('refuses %s before anything is recorded', async (_, changes, field) => {
    const { launch, submission } = rig.prepare(changes);
    await expect(rig.submit(submission)).rejects.toMatchObject({ kind: 'invalid', field });
    expect(await rig.launches.find(launch.mint)).toBeNull();
    expect(rig.sent).toBe(0);
  });

  it('finds out later what became of submissions that were not answered', async () => {
    const lost = rig.prepare();
    const landed = rig.prepare();
    const { chain } = rig.rig.market;
    await expect(rig.submit(lost.submission, { send: crash })).rejects.toThrow();
    const send = async (wire: Uint8Array) => {
      await chain.send(wire);
      return crash();
    };
    await expect(rig.submit(landed.submission, { send })).rejects.toThrow();
    const options = { chain, launches: rig.launches, timers: rig.timers };
    await sweepLaunches(options);
    expect(await rig.launches.find(lost.launch.mint)).toMatchObject({ landedAt: null });
    rig.timers.advance(11 * 60_000);
    await sweepLaunches(options);
    // Its blockhash has not expired on this network yet.
    expect(await rig.launches.find(lost.launch.mint)).toMatchObject({ landedAt: null });
    expect(await rig.launches.find(landed.launch.mint)).toMatchObject({ landedAt: rig.timers.now() });
    chain.pass(200n);
    await sweepLaunches(options);
    expect(await rig.launches.find(lost.launch.mint)).toBeNull();
  });

  async function findHeader(mint: Parameters<typeof rig.launches.find>[0]): Promise<number | null> {
    const found = await rig.media.library.find({ kind: 'header', mint });
    return found === null ? null : found.length;
  }
});

const PNG = Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a, 1, 2, 3, 4]);
const GIF = Buffer.from('GIF89a and more');
const NOTHING_SIMULATED = {
  slot: 1n,
  feePayer: null,
  logs: [],
  unitsConsumed: 0n,
  returnData: null,
  accounts: [],
};

async function crash(): Promise<never> {
  throw new Error('the process ends');
}
