import { beforeAll, describe, expect, it } from 'vitest';
import { deriveInvite } from '../src/protocols/jupiter-send/invite-program.ts';
import { getGenesisToken } from '../src/solana/known-tokens.ts';
import { SYSTEM_PROGRAM, WRAPPED_SOL_MINT } from '../src/solana/program-addresses.ts';
import { faultsOf, writeOut } from '../src/testing/documented.ts';
import { fuzzOperations } from '../src/testing/fuzzed-answers.ts';
import { FuzzedRequests, listCalls } from '../src/testing/fuzzed-requests.ts';
import { openForAll } from '../src/testing/opened.ts';
import { SendDesk } from '../src/testing/products/send-desk.ts';

let requests: FuzzedRequests;
const desk = openForAll(() => SendDesk.open(), 'close');
const document = openForAll(async () => writeOut((await desk.gateway.inject('/openapi.json')).json()));
beforeAll(setUp);

describe('every operation of invites', () => {
  it('answers as documented, for any request', async () => {
    const requestFor = (call: ReturnType<typeof calls>[number]) => requests.requestFor(call);
    const answered = await fuzzOperations(calls(), {
      ...{ app: desk.gateway, document, requestFor, suite: SUITE },
    });
    expect(calls()).toHaveLength(7);
    expect(answered).toHaveLength(7);
  });

  it.each([
    ['is empty', ''],
    ['is cut short', '{'],
    ['is null', 'null'],
    ['is a list', '[]'],
    ['is a text', '"x"'],
    ['has no field', '{}'],
    ['is nested deeply', '['.repeat(5_000)],
    ['names a prototype', '{"__proto__":{"x":1}}'],
    ['is no text', '\u0000'],
    ['has fields of other types', '{"inviteSigner":1,"sender":{},"invitePDA":[]}'],
    ['has texts that are no addresses', '{"inviteSigner":"","sender":"\\u0000"}'],
    ['is long', JSON.stringify({ inviteSigner: 'A'.repeat(900_000), sender: 'x'.repeat(50_000) })],
  ])('says in the form of the product that a body %s', async (_, payload) => {
    for (const { method, path } of calls().filter((call) => call.method === 'post')) {
      const headers = { 'content-type': 'application/json' };
      const answer = await desk.gateway.inject({ method: 'POST', url: path, headers, payload });
      const { statusCode: status } = answer;
      expect([400, 413], `${path}: ${answer.body}`).toContain(status);
      expect(faultsOf(document, { method, path, status, body: answer.json() })).toEqual([]);
      if (status === 400) expect(answer.json()).toEqual({ error: expect.stringMatching(/.{8,}/) });
    }
  });

  it('crafts, claims and lists as before when all of that was asked', async () => {
    const { key } = await desk.create({ amount: '5000000' });
    const receiver = desk.newWallet(10_000_000n);
    const body = { inviteSigner: key.address, receiver: receiver.address };
    const claim = await desk.post('craft-claim', body);
    const signature = await desk.land(claim.json.tx, [receiver, key]);
    const { json } = await desk.get('invite-history', { address: receiver.address });
    expect(json).toMatchObject({ invites: [{ action: 'claimed', deletion_tx: signature }] });
  });

  const calls = () => listCalls(document).filter(({ path }) => path.startsWith('/send/'));
});

const SUITE = { cases: 2_000, short: 150, seed: 20_261_129 };
const USDC = getGenesisToken('USDC').mint;

/** Prepares what sensible requests name: invites that are open, and one that has ended. */
async function setUp(): Promise<void> {
  const sender = desk.sender.address;
  const open = [
    await desk.create({ amount: '5000000' }),
    await desk.create({ amount: '7000000', mint: USDC }),
  ].map(({ key }) => key.address);
  const { key } = await desk.create({ amount: '9000000' });
  const ended = deriveInvite(key.address).address;
  const back = await desk.post('craft-clawback', { invitePDA: ended, sender });
  await desk.land(back.json.tx, [desk.sender]);
  const wallets = [sender, desk.newWallet(10_000_000n).address, desk.newWallet().address, SYSTEM_PROGRAM];
  const plausible = {
    inviteSigner: [...open, desk.newKey().address, key.address, ended],
    invitePDA: [...open.map((each) => deriveInvite(each).address), ended, key.address],
    sender: [sender, sender, ...wallets],
    receiver: wallets,
    payer: [...wallets, null],
    amount: ['1', '1000000', 1_000_000, '18446744073709551615'],
    mint: [USDC, WRAPPED_SOL_MINT, null, sender],
    address: wallets,
    page: ['1', '2', '1000000'],
  };
  requests = new FuzzedRequests(plausible, ['true', '5', ...wallets]);
}
