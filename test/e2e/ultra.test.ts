import { Keypair, VersionedTransaction } from '@solana/web3.js';
import { beforeAll, describe, expect, it } from 'vitest';
import { useInstance } from './shared-instance.ts';

const instance = useInstance();
/** Its trades and holdings are those of this file alone. */
let wallet: Keypair;

beforeAll(async () => {
  const { secretKey } = await instance.newWallet(10_000_000_000n, { [USDC]: 1_000_000_000n });
  wallet = Keypair.fromSecretKey(secretKey);
});

describe('the older managed product', () => {
  it('lists the routers, and finds tokens as its successor does', async () => {
    expect((await ask('/ultra/v1/order/routers')).json).toEqual([
      { id: 'metis', name: 'Metis', icon: expect.stringMatching(/^data:image\/svg\+xml,/) },
      { id: 'jupiterz', name: 'JupiterZ', icon: expect.stringMatching(/^data:image\/svg\+xml,/) },
    ]);
    const { status, json } = await ask(`/ultra/v1/search?query=${USDC}`);
    expect(status).toBe(200);
    expect(json).toMatchObject([{ id: USDC, symbol: 'USDC', decimals: 6 }]);
  });

  it('says what a wallet holds', async () => {
    const address = wallet.publicKey.toBase58();
    const { json: holdings } = await ask(`/ultra/v1/holdings/${address}`);
    const { json: native } = await ask(`/ultra/v1/holdings/${address}/native`);
    const { json: balances } = await ask(`/ultra/v1/balances/${address}`);
    expect(Object.keys(native)).toEqual(['amount', 'uiAmount', 'uiAmountString']);
    expect(holdings).toMatchObject(native);
    const [usdc] = holdings.tokens[USDC];
    expect(usdc).toMatchObject({ decimals: 6, isAssociatedTokenAccount: true, isFrozen: false });
    expect(balances[USDC]).toMatchObject({ amount: usdc.amount, uiAmount: usdc.uiAmount, isFrozen: false });
    expect(balances.SOL).toMatchObject({ amount: native.amount });
    const refused = await ask('/ultra/v1/holdings/nonsense');
    expect(refused.status).toBe(400);
    expect(refused.json.error).toContain('address must be an address');
  });

  it('warns of what holders can lose by', async () => {
    const sol = 'So11111111111111111111111111111111111111112';
    const { json } = await ask(`/ultra/v1/shield?mints=${USDC},${sol},${wallet.publicKey.toBase58()}`);
    expect(Object.keys(json.warnings)).toHaveLength(3);
    expect(json.warnings[sol]).toEqual([]);
    expect(json.warnings[USDC].map(({ type }: { type: string }) => type)).toContain('HAS_FREEZE_AUTHORITY');
    expect(json.warnings[wallet.publicKey.toBase58()]).toMatchObject([
      { type: 'NOT_SELLABLE', severity: 'critical' },
    ]);
    expect(await ask('/ultra/v1/shield?mints=')).toMatchObject({ status: 400 });
    const many = Array.from({ length: 101 }, () => USDC).join(',');
    expect((await ask(`/ultra/v1/shield?mints=${many}`)).json.error).toContain(
      'at most 100 addresses, got 101',
    );
  });

  it('transfers tokens and SOL, and closes the account when it is empty again', async () => {
    const [sender, receiver] = [wallet.publicKey.toBase58(), Keypair.generate()];
    const to = receiver.publicKey.toBase58();
    const lamports = 50_000_000;
    const { json: native } = await ask(
      `/ultra/v1/transfer/craft-native?senderAddress=${sender}&receiverAddress=${to}&amount=${lamports}`,
    );
    expect(await execute('/ultra/v1/transfer/execute', native)).toMatchObject({
      status: 200,
      json: { status: 'Success', code: 0, signature: expect.any(String) },
    });
    const account = async (owner: string) =>
      (await ask(`/ultra/v1/holdings/${owner}`)).json.tokens[USDC]?.[0] ?? null;
    const tokenTransfer = async (from: string, receiverAddress: string, amount: number) => {
      const query = {
        senderAddress: from,
        senderTokenAccountAddress: (await account(from)).account,
        receiverAddress,
        amount: String(amount),
        mint: USDC,
        tokenDecimals: '6',
        tokenProgramId: TOKEN_PROGRAM,
      };
      return ask(`/ultra/v1/transfer/craft-token?${new URLSearchParams(query)}`);
    };
    const { json: crafted } = await tokenTransfer(sender, to, 1_234_567);
    expect(crafted).toMatchObject({ rentAmount: 2_039_280, receivedAmount: '1234567' });
    const sent = await execute('/ultra/v1/transfer/execute', crafted);
    expect(sent).toMatchObject({ status: 200, json: { status: 'Success' } });
    expect(await execute('/ultra/v1/transfer/execute', crafted)).toMatchObject({
      status: 200,
      json: { signature: sent.json.signature },
    });
    expect(await account(to)).toMatchObject({ amount: '1234567', isAssociatedTokenAccount: true });
    const craftReclaim = () =>
      ask('/ultra/v1/reclaim/craft', { owner: to, mints: [USDC], burnWorthless: null });
    expect((await craftReclaim()).json).toMatchObject({
      transactions: [],
      code: 0,
      skippedMints: [{ mint: USDC, reason: 'verified' }],
    });
    const { json: back } = await tokenTransfer(to, sender, 1_234_567);
    expect(await execute('/ultra/v1/transfer/execute', back, receiver)).toMatchObject({ status: 200 });
    // A transfer that has not happened is no 200, because clients show its signature as a payment.
    const { json: tooMuch } = await tokenTransfer(sender, to, 1);
    expect(
      await ask('/ultra/v1/transfer/execute', {
        requestId: native.requestId,
        signedTransaction: sign(tooMuch.transaction),
      }),
    ).toMatchObject({ status: 400, json: { status: 'Failed', code: -1 } });
    expect(await account(to)).toMatchObject({ amount: '0', reclaimableLamports: '2039280' });
    const { json: reclaim } = await craftReclaim();
    expect(reclaim).toMatchObject({
      totalLamportsReclaimed: '2039280',
      serviceFeeLamports: '0',
      skippedMints: [],
    });
    const [closing] = reclaim.transactions;
    expect(await execute('/ultra/v1/transfer/execute', closing, receiver)).toMatchObject({ status: 400 });
    expect(await execute('/ultra/v1/reclaim/execute', closing, receiver)).toMatchObject({
      status: 200,
      json: { status: 'Success', code: 0 },
    });
    expect(await account(to)).toBeNull();
    const { json: left } = await ask(`/ultra/v1/holdings/${to}/native`);
    expect(Number(left.amount)).toBe(lamports - back.feeAmount + Number(reclaim.netLamportsReclaimed));
  });

  it('refuses what is no request', async () => {
    const address = wallet.publicKey.toBase58();
    for (const [path, body, text] of [
      [
        'transfer/craft-native?senderAddress=a&receiverAddress=b&amount=1',
        undefined,
        'senderAddress must be',
      ],
      [
        `transfer/craft-native?senderAddress=${address}&receiverAddress=${USDC}&amount=0`,
        undefined,
        'amount must be',
      ],
      ['transfer/execute', {}, 'requestId'],
      ['transfer/execute', { requestId: 'a', signedTransaction: 'b' }, 'must be a transaction'],
      ['reclaim/craft', { owner: address, mints: [] }, 'mints'],
      ['reclaim/craft', { owner: address, mints: Array.from({ length: 201 }, () => USDC) }, 'mints'],
      ['reclaim/execute', { requestId: 'a', signedTransaction: '' }, 'must be a transaction'],
    ] as const) {
      const { status, json } = await ask(`/ultra/v1/${path}`, body);
      expect(status, path).toBe(400);
      expect(json.error, path).toContain(text);
    }
  });

  it('lists the swaps of a wallet as they were executed', async () => {
    const taker = wallet.publicKey.toBase58();
    const sol = 'So11111111111111111111111111111111111111112';
    const bonk = 'DezXAZ8z7PnrnRJjz3wXBoRgixCa6xjnB7YaB1pPB263';
    const executed: { txHash: string; paid: number; received: number }[] = [];
    for (const [inputMint, outputMint, amount, inDecimals, outDecimals] of [
      [sol, USDC, 100_000_000, 9, 6],
      [USDC, bonk, 5_000_000, 6, 5],
    ] as const) {
      const query = new URLSearchParams({ inputMint, outputMint, amount: String(amount), taker });
      const { json: order } = await ask(`/ultra/v1/order?${query}`);
      const { json } = await execute('/ultra/v1/execute', order);
      expect(json).toMatchObject({ status: 'Success', code: 0 });
      executed.unshift({
        txHash: json.signature,
        paid: Number(json.totalInputAmount) / 10 ** inDecimals,
        received: Number(json.totalOutputAmount) / 10 ** outDecimals,
      });
    }
    const history = (query: string) => ask(`/_datapi/v1/txs/users?addresses=${taker}&${query}`);
    const { status, json } = await history('includeCapitalSide=true&limit=20');
    expect([status, json.next]).toEqual([200, null]);
    expect(json.userTrades.slice(0, 4)).toMatchObject([
      { type: 'sell', txHash: executed[0]?.txHash, assetId: USDC, amount: executed[0]?.paid },
      { type: 'buy', txHash: executed[0]?.txHash, assetId: bonk, amount: executed[0]?.received },
      { type: 'sell', txHash: executed[1]?.txHash, assetId: sol, amount: executed[1]?.paid },
      { type: 'buy', txHash: executed[1]?.txHash, assetId: USDC, amount: executed[1]?.received },
    ]);
    for (const { usdVolume, blockTime, price } of json.userTrades.slice(0, 4)) {
      expect(usdVolume).toBeGreaterThan(1);
      expect(price).toBeGreaterThan(0);
      expect(new Date(blockTime).toISOString()).toBe(blockTime);
    }
    expect((await history(`assetId=${bonk}`)).json.userTrades).toMatchObject([
      { type: 'buy', assetId: bonk },
    ]);
    const { json: first } = await history('includeCapitalSide=true&limit=2');
    expect(first.next).toBe(executed[0]?.txHash);
    const { json: second } = await history(`includeCapitalSide=true&limit=2&offset=${first.next}`);
    expect(second.userTrades).toMatchObject([
      { txHash: executed[1]?.txHash },
      { txHash: executed[1]?.txHash },
    ]);
    expect((await history('fromTs=2100-01-01T00:00:00.000Z')).json).toEqual({ userTrades: [], next: null });
    for (const wrong of ['limit=31', 'offset=x', 'fromTs=yesterday', 'assetId=x']) {
      expect(await history(wrong), wrong).toMatchObject({ status: 400 });
    }
  });
});

const TOKEN_PROGRAM = 'TokenkegQfeZyiNwAJbNbGKPFXCWuBvf9Ss623VQ5DA';
const USDC = 'EPjFWdd5AufqSSqeM2qN1xzybapC8G4wEGGkZwyTDt1v';

const ask = (path: string, body?: object) => instance.ask(path, body);

function sign(transaction: string, by = wallet): string {
  const parsed = VersionedTransaction.deserialize(Buffer.from(transaction, 'base64'));
  parsed.sign([by]);
  return Buffer.from(parsed.serialize()).toString('base64');
}

/** Signs what was crafted and lands it. */
function execute(path: string, crafted: { requestId: string; transaction: string }, by = wallet) {
  return ask(path, { requestId: crafted.requestId, signedTransaction: sign(crafted.transaction, by) });
}
