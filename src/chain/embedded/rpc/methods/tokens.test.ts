import { describe, expect, it } from 'vitest';
import {
  SYSTEM_PROGRAM,
  TOKEN_2022_PROGRAM,
  TOKEN_PROGRAM,
  WRAPPED_SOL_MINT,
} from '../../../../solana/program-addresses.ts';
import { approve, transfer } from '../../../../solana/programs/token/instructions.ts';
import {
  ALICE,
  ALICE_FEE_TOKENS,
  ALICE_TOKENS,
  BOB,
  BOB_TOKENS,
  FEE_MINT,
  MINT,
  signBase64Transaction,
  startTestRpc,
  createTestKeypair,
} from '../../../../testing/chain/rpc-network.ts';
import { openForAll } from '../../../../testing/opened.ts';

const rpc = openForAll(startTestRpc, 'close');

describe('getTokenAccountBalance', () => {
  it('returns the balance with the decimals of the mint', async () => {
    expect(await rpc.call('getTokenAccountBalance', ALICE_FEE_TOKENS)).toMatchObject({
      value: { amount: '5000', decimals: 2, uiAmount: 50, uiAmountString: '50' },
    });
  });

  it('rejects an account that is not a token account', async () => {
    for (const address of [createTestKeypair('nobody').address, ALICE.address, MINT]) {
      expect(await rpc.refuse('getTokenAccountBalance', address)).toMatchObject({ code: -32602 });
    }
    const nobody = await rpc.refuse('getTokenAccountBalance', createTestKeypair('nobody').address);
    expect(nobody.message).toContain('could not find account');
  });
});

describe('getTokenSupply', () => {
  it('returns the supply of a mint', async () => {
    expect(await rpc.call('getTokenSupply', MINT)).toMatchObject({
      value: { amount: '1005000000', decimals: 6, uiAmount: 1005, uiAmountString: '1005' },
    });
    for (const address of [createTestKeypair('nobody').address, ALICE.address, ALICE_TOKENS]) {
      expect(await rpc.refuse('getTokenSupply', address)).toMatchObject({ code: -32602 });
    }
  });
});

describe('getTokenLargestAccounts', () => {
  it('returns the largest first', async () => {
    expect(await rpc.call('getTokenLargestAccounts', MINT)).toMatchObject({
      value: [
        { address: ALICE_TOKENS, amount: '1000000000', decimals: 6, uiAmount: 1000, uiAmountString: '1000' },
        { address: BOB_TOKENS, amount: '5000000' },
      ],
    });
    await send(
      transfer(TOKEN_PROGRAM, {
        source: ALICE_TOKENS,
        destination: BOB_TOKENS,
        authority: ALICE.address,
        amount: 999_000_000n,
      }),
    );
    expect(await rpc.call('getTokenLargestAccounts', MINT, processed)).toMatchObject({
      value: [{ address: BOB_TOKENS }, { address: ALICE_TOKENS, amount: '1000000' }],
    });
    expect(await rpc.refuse('getTokenLargestAccounts', ALICE.address)).toMatchObject({ code: -32602 });
  });
});

describe('getTokenAccountsByOwner', () => {
  it('selects by mint and by program', async () => {
    expect((await byOwner({ mint: MINT })).value.map(({ pubkey }) => pubkey)).toEqual([ALICE_TOKENS]);
    expect((await byOwner({ programId: TOKEN_PROGRAM })).value.map(({ pubkey }) => pubkey)).toEqual([
      ALICE_TOKENS,
    ]);
    const { value } = await byOwner({ programId: TOKEN_2022_PROGRAM });
    expect(value).toMatchObject([
      {
        pubkey: ALICE_FEE_TOKENS,
        account: { data: { program: 'spl-token-2022', parsed: { type: 'account' } } },
      },
    ]);
    expect((await byOwner({ mint: FEE_MINT }, { encoding: 'base64' })).value[0]?.account.data).toMatchObject([
      expect.any(String),
      'base64',
    ]);
  });

  it('returns nothing for an owner without accounts, also for wrapped SOL', async () => {
    const nobody = createTestKeypair('nobody').address;
    expect(await rpc.call('getTokenAccountsByOwner', nobody, { mint: WRAPPED_SOL_MINT })).toMatchObject({
      value: [],
    });
  });

  it.each([
    ['a mint that does not exist', { mint: createTestKeypair('nobody').address }],
    ['a mint that is none', { mint: ALICE.address }],
    ['another program', { programId: SYSTEM_PROGRAM }],
    ['both', { mint: MINT, programId: TOKEN_PROGRAM }],
    ['neither', {}],
    ['text', MINT],
  ])('refuses %s', async (_, filter) => {
    expect(await rpc.refuse('getTokenAccountsByOwner', ALICE.address, filter)).toMatchObject({
      code: -32602,
    });
  });

  interface Found {
    readonly value: readonly { readonly pubkey: string; readonly account: { readonly data: unknown } }[];
  }
  const byOwner = async (filter: object, config: object = { encoding: 'jsonParsed' }) =>
    (await rpc.call('getTokenAccountsByOwner', ALICE.address, filter, config)) as Found;
});

describe('getTokenAccountsByDelegate', () => {
  it('returns accounts whose tokens the address may move', async () => {
    await send(
      approve(TOKEN_PROGRAM, {
        account: ALICE_TOKENS,
        delegate: BOB.address,
        owner: ALICE.address,
        amount: 5n,
      }),
    );
    const config = { encoding: 'jsonParsed', ...processed };
    expect(await rpc.call('getTokenAccountsByDelegate', BOB.address, { mint: MINT }, config)).toMatchObject({
      value: [
        {
          pubkey: ALICE_TOKENS,
          account: {
            data: { parsed: { info: { delegate: BOB.address, delegatedAmount: { amount: '5' } } } },
          },
        },
      ],
    });
    expect(await rpc.call('getTokenAccountsByDelegate', ALICE.address, { mint: MINT }, config)).toMatchObject(
      {
        value: [],
      },
    );
  });
});

const processed = { commitment: 'processed' };

async function send(...instructions: Parameters<typeof signBase64Transaction>[2]) {
  const config = { encoding: 'base64', preflightCommitment: 'processed' };
  await rpc.call('sendTransaction', signBase64Transaction(rpc.bank, [ALICE], instructions), config);
}
