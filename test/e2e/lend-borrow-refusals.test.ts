import { PublicKey, TransactionMessage, VersionedTransaction } from '@solana/web3.js';
import { beforeAll, describe, expect, it } from 'vitest';
import { ALL, type Json, LendClient, type OperateBody } from './lend-client.ts';
import { useInstance } from './shared-instance.ts';

const instance = useInstance();
let client: LendClient;
beforeAll(() => {
  client = new LendClient(instance);
});

describe('POST operate: what the programs would refuse', () => {
  it.each([
    ['nothing to do', { ...HEALTHY, ...NOTHING }, /^VaultInvalidOperateAmount/, 6009],
    ['less than the minimum', { ...HEALTHY, colAmount: '999', debtAmount: '0' }, /at least 1000/, 6009],
    ['beyond 64 bits', { ...HEALTHY, colAmount: `${1n << 63n}`, debtAmount: '0' }, /2\^63/, 6009],
    ['one less than all', { ...HEALTHY, colAmount: `${BigInt(ALL) - 1n}`, debtAmount: '0' }, /must be/, 6009],
    [
      'more than there is',
      { ...HEALTHY, colAmount: '-60000000000', debtAmount: '0' },
      /^VaultExcessColl/,
      6017,
    ],
    ['more than is owed', { ...HEALTHY, colAmount: '0', debtAmount: '-5000000000' }, /owes 40\d{8}/, 6018],
    [
      'a rest that is too small',
      { ...HEALTHY, colAmount: '0', debtAmount: '-4002246000' },
      /at least 100\d/,
      6025,
    ],
    [
      'a loan that is too large',
      { ...HEALTHY, colAmount: '0', debtAmount: '5000000000' },
      /allows 80 %/,
      6011,
    ],
    [
      'more than is there to lend',
      { ...HEALTHY, colAmount: '50000000000000', debtAmount: '3000000000000' },
      /can lend \d+ base/,
      6029,
    ],
    [
      'everything while debt is left',
      { ...HEALTHY, colAmount: ALL, debtAmount: '0' },
      /debt and no collateral/,
      undefined,
    ],
  ])('%s', async (_, body, text, code) => {
    const answer = await refusal(body);
    expect(answer.error).toMatch(text);
    expect(answer.code).toBe(code);
  });

  it.each([
    [
      'an unknown vault',
      { ...HEALTHY, vaultId: 99, colAmount: '5000', debtAmount: '0' },
      'there is no vault 99 in the market main',
    ],
    [
      'a vault of the other market',
      { vaultId: 16, positionId: 0, colAmount: '5000', debtAmount: '0' },
      'no vault 16 in the market main',
    ],
    [
      'an unknown position',
      { ...HEALTHY, positionId: 77, colAmount: '5000', debtAmount: '0' },
      'vault 1 has no position 77',
    ],
    [
      'an unknown market',
      { ...HEALTHY, colAmount: '5000', debtAmount: '0', market: 'other' },
      'market must be main or ethena',
    ],
    [
      'a new position that repays',
      { vaultId: 1, positionId: 0, colAmount: '0', debtAmount: '-5000' },
      'nothing to withdraw or repay',
    ],
    [
      'a new position for somebody else',
      { vaultId: 1, positionId: 0, colAmount: '5000', debtAmount: '0', positionOwner: OTHER },
      "is its signer's: leave positionOwner out",
    ],
    ['no integer', { ...HEALTHY, colAmount: '1.5', debtAmount: '0' }, 'colAmount'],
    ['no number', { ...HEALTHY, colAmount: '', debtAmount: '0' }, 'colAmount'],
    ['hexadecimal digits', { ...HEALTHY, colAmount: '0x10', debtAmount: '0' }, 'colAmount'],
    ['far too many digits', { ...HEALTHY, colAmount: '9'.repeat(5_000), debtAmount: '0' }, 'colAmount'],
    [
      'no address',
      { ...HEALTHY, colAmount: '5000', debtAmount: '0', signer: 'me' },
      'signer must be an address',
    ],
  ])('%s', async (_, body, text) => {
    expect((await refusal(body)).error).toContain(text);
  });

  it('a JSON number in place of a text, and a text in place of an id', async () => {
    const loose = (fields: object) => refusal({ ...HEALTHY, ...NOTHING, ...fields } as OperateBody);
    expect((await loose({ colAmount: 5_000 })).error).toContain('colAmount');
    expect((await loose({ vaultId: '1' })).error).toContain('vaultId');
    expect((await loose({ positionId: -1 })).error).toContain('positionId');
    expect((await loose({ vaultId: 1.5 })).error).toContain('vaultId');
  });

  it('takes the market of the query before that of the body', async () => {
    const body = { vaultId: 2, positionId: 2, colAmount: '0', debtAmount: '1000000' };
    const asBody = await client.build({ ...body, market: 'ethena' });
    expect(asBody.status, JSON.stringify(asBody.body)).toBe(200);
    const before = (await client.positions(client.wallet, 'ethena'))[0];
    await client.operate({ ...body, market: 'ethena' });
    const after = (await client.positions(client.wallet, 'ethena'))[0];
    expect(Number(after.borrow) - Number(before.borrow)).toBeGreaterThanOrEqual(1_000_000);
  });
});

describe('POST operate: other wallets', () => {
  it('lets anybody deposit and repay, and only the owner take', async () => {
    const before = await client.position(1, 2);
    const usdc = before.vault.borrowToken.address;
    const held = await client.balance(usdc, other());
    const repay = { ...HEALTHY, positionOwner: owner(), colAmount: '0', debtAmount: '-1000000000' };
    await client.operate(repay, other());
    expect((await client.balance(usdc, other())) - held).toBe(-1_000_000_001n);
    const after = await client.position(1, 2);
    expect(Number(before.borrow) - Number(after.borrow)).toBeGreaterThan(999_990_000);
    const signer = other().publicKey.toBase58();
    for (const amounts of [
      { colAmount: '-1000000', debtAmount: '0' },
      { colAmount: '0', debtAmount: '1000000' },
      { colAmount: ALL, debtAmount: ALL },
    ]) {
      expect(await refusal({ ...HEALTHY, positionOwner: owner(), signer, ...amounts })).toMatchObject({
        code: 6045,
        error: expect.stringContaining(`only the owner of position 2, ${owner()}`),
      });
    }
    const claimed = { ...HEALTHY, signer, colAmount: '-1000000', debtAmount: '0' };
    expect(await refusal(claimed)).toMatchObject({ code: 6001 });
  });

  it('refuses on chain what was built before the position changed', async () => {
    const body = { vaultId: 3, positionId: 2, colAmount: '0', debtAmount: '200000000' };
    const stale = (await client.build(body)).body.transaction;
    await client.operate({ ...body, colAmount: '100000000', debtAmount: '0' });
    const landed = await client.land(stale);
    expect(landed).toMatchObject({ InstructionError: [expect.any(Number), { Custom: 6035 }] });
    const later = (await client.build(body)).body.transaction;
    // Another amount, since the same transaction with the same blockhash would count as landed.
    await client.operate({ ...body, debtAmount: '200000001' });
    const refused = await client.land(later);
    expect(refused).toMatchObject({ InstructionError: [expect.any(Number), { Custom: expect.any(Number) }] });
  });

  it('follows a position to the wallet that gets its token', async () => {
    const [from, to] = [client.wallet, other()];
    const token = await import('@solana/spl-token' as string);
    const { address } = await client.position(2, 2);
    const mint = new PublicKey(address);
    const accounts = [from, to].map(({ publicKey }) => token.getAssociatedTokenAddressSync(mint, publicKey));
    const instructions = [
      token.createAssociatedTokenAccountIdempotentInstruction(
        from.publicKey,
        accounts[1],
        to.publicKey,
        mint,
      ),
      token.createTransferInstruction(accounts[0], accounts[1], from.publicKey, 1),
    ];
    const recentBlockhash = PublicKey.default.toBase58();
    const message = new TransactionMessage({ payerKey: from.publicKey, recentBlockhash, instructions });
    const transaction = new VersionedTransaction(message.compileToV0Message());
    const landed = await client.land(Buffer.from(transaction.serialize()).toString('base64'));
    expect(landed).toBeNull();
    expect(await client.position(2, 2)).toBeUndefined();
    expect(await client.position(2, 2, to)).toMatchObject({ ownerAddress: to.publicKey.toBase58() });
    const body = { vaultId: 2, positionId: 2, colAmount: '1000000', debtAmount: '0' };
    expect(await refusal(body)).toMatchObject({ code: 6001 });
  });

  const owner = () => client.wallet.publicKey.toBase58();
  const other = () => client.wallets[4] ?? client.wallet;
});

const HEALTHY = { vaultId: 1, positionId: 2 };
const OTHER = 'So11111111111111111111111111111111111111112';
const NOTHING = { colAmount: '0', debtAmount: '0' };

async function refusal(body: OperateBody): Promise<Json> {
  const { status, body: answer } = await client.build(body);
  expect(status, JSON.stringify(answer)).toBe(400);
  return answer;
}
