import Fastify from 'fastify';
import { afterAll, describe, expect, it } from 'vitest';
import { createKeypairFromSeed } from '../../solana/keypair.ts';
import { TOKEN_PROGRAM } from '../../solana/program-addresses.ts';
import { encodeTokenAccount } from '../../solana/programs/token/account.ts';
import { createAccountDecoder } from '../../transactions/decoding/accounts/decode-account.ts';
import { compileValidator } from '../http/validation.ts';
import { registerAccounts } from './accounts-endpoint.ts';

describe('GET /portal/data/accounts/{address}', () => {
  it('answers with what the account is, its fields in units, and what it names', async () => {
    const answer = await ask(ACCOUNT);
    expect(answer.statusCode).toBe(200);
    expect(answer.headers['cache-control']).toBe('no-store');
    expect(answer.json()).toMatchObject({
      address: ACCOUNT,
      exists: true,
      lamports: '2039280',
      ownerLabel: 'Token program',
      kind: 'Token account',
      bytes: 165,
      links: { pool: false, token: false },
    });
    const { fields, related } = answer.json();
    expect(fields).toContainEqual({
      name: 'amount',
      value: '1500000',
      kind: 'amount',
      decimals: 6,
      symbol: 'USDC',
      mint: MINT,
    });
    expect(related).toContainEqual({ role: 'mint', label: 'USDC mint', address: MINT });
  });

  it('answers for an address without an account, and says so', async () => {
    expect((await ask(MINT)).json()).toMatchObject({ exists: false, lamports: '0', kind: null, fields: [] });
  });

  it.each([
    ['a text that is no address', 'nothing', 'address must be 32 bytes in base58, got "nothing"'],
    ['markup', '%3Cscript%3E', 'address must be 32 bytes in base58'],
    ['a long text', '1'.repeat(65), ''],
  ])('refuses %s', async (_, address, message) => {
    const answer = await ask(address);
    expect(answer.statusCode).toBe(400);
    expect(answer.body).toContain(JSON.stringify(message).slice(1, -1));
  });

  it('reads nothing of an outside RPC when the budget for it is used up', async () => {
    reads = 0;
    const answer = await ask(ACCOUNT, '/limited');
    expect([answer.statusCode, reads]).toEqual([429, 0]);
  });
});

const getKey = (byte: number) => createKeypairFromSeed(new Uint8Array(32).fill(byte)).address;
const [ACCOUNT, MINT, OWNER] = [getKey(1), getKey(2), getKey(3)];

let reads = 0;
const HELD = {
  lamports: 2_039_280n,
  owner: TOKEN_PROGRAM,
  executable: false,
  rentEpoch: 0n,
  data: encodeTokenAccount({
    mint: MINT,
    owner: OWNER,
    amount: 1_500_000n,
    delegate: null,
    state: 'initialized',
    nativeReserve: null,
    delegatedAmount: 0n,
    closeAuthority: null,
    extensions: [],
  }),
};
const accounts = createAccountDecoder({
  chain: {
    getAccounts: async (addresses) => {
      reads += 1;
      return addresses.map((address) => ({ address, slot: 7n, account: address === ACCOUNT ? HELD : null }));
    },
  },
  accounts: [],
  programs: [],
  findToken: (mint) => (mint === MINT ? { symbol: 'USDC', decimals: 6 } : null),
  findPool: () => null,
});
const app = Fastify();
app.setValidatorCompiler(compileValidator);
registerAccounts(app, '/accounts', {}, accounts, null);
registerAccounts(app, '/limited', {}, accounts, {
  take: (_, reply) => reply.code(429).send({ message: 'no more' }),
});
afterAll(() => app.close());

function ask(address: string, path = '/accounts') {
  return app.inject({ method: 'GET', url: `${path}/${address}` });
}
