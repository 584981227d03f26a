import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { SubmissionRig } from '../../testing/studio/submission-rig.ts';
import { findLanded } from './landed-launches.ts';

let rig: SubmissionRig;
beforeAll(async () => {
  rig = await SubmissionRig.open();
});
afterAll(() => rig?.close());

describe('findLanded', () => {
  it('finds launches that have landed and those whose submission is not answered yet, and no others', async () => {
    const [landed, open, absent] = [rig.prepare(), rig.prepare(), rig.prepare()];
    await rig.submit(landed.submission);
    const send = () => Promise.reject(new Error('the process ends'));
    await expect(rig.submit(open.submission, { send })).rejects.toThrow('the process ends');
    const around = rig.prepare();
    await rig.rig.market.chain.send(rig.rig.sign(around.launch));
    rig.rig.market.chain.pass(2n);
    const mints = [landed, open, absent, around].map(({ launch }) => launch.mint);
    expect(await find(mints)).toEqual(new Set([landed, open, around].map(({ launch }) => launch.mint)));
  });

  it('says nothing when a node answers that lags', async () => {
    const { launch } = rig.prepare();
    const { chain } = rig.rig.market;
    const slot = () => chain.slot('confirmed') + 100n;
    await expect(find([launch.mint], { slot })).rejects.toThrow(/behind slot/);
  });
});

function find(
  mints: Parameters<typeof findLanded>[1],
  changes: Partial<Parameters<typeof findLanded>[0]['chain']> = {},
) {
  const { chain } = rig.rig.market;
  const { db } = rig.store;
  return findLanded(
    {
      chain: {
        getAccounts: chain.getAccounts.bind(chain),
        slot: chain.slot.bind(chain),
        ...changes,
      },
      db,
    },
    mints,
  );
}
