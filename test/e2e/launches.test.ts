import { beforeAll, describe, expect, it, vi } from 'vitest';
import { transferDbcPoolCreator } from '../../src/protocols/meteora-dbc/program/instructions-launch.ts';
import { parseTransaction, signTransaction } from '../../src/solana/messages/transaction.ts';
import { TokenLauncher, USDC } from './launched-token.ts';
import { useInstance } from './shared-instance.ts';

const instance = useInstance();
let launcher: TokenLauncher;
beforeAll(setUp);

describe('a launched token', () => {
  it('trades from its launch on, migrates by itself once its curve is complete, and trades on in its pool', async () => {
    const { wallet } = launcher;
    const keys = await launcher.launch();
    await vi.waitFor(async () =>
      expect(await find(keys.baseMint)).toMatchObject({
        bondingCurve: 0,
        launchpad: 'met-dbc',
        partnerConfig: keys.config,
        dev: wallet.address,
        audit: { devMints: 1 },
      }),
    );
    const onCurve = await trade(USDC, keys.baseMint, '80000000');
    expect(onCurve.routePlan.map((leg) => leg.swapInfo.ammKey)).toEqual([keys.pool]);
    await vi.waitFor(async () => expect((await find(keys.baseMint)).bondingCurve).toBeGreaterThan(9));
    await launcher.buy(keys);
    await vi.waitFor(async () =>
      expect(await find(keys.baseMint)).toMatchObject({
        graduatedPool: expect.any(String),
        graduatedAt: expect.stringMatching(/Z$/),
      }),
    );
    const token = await find(keys.baseMint);
    expect(token).not.toHaveProperty('bondingCurve');
    const inPool = await trade(keys.baseMint, USDC, '1000000000');
    expect(inPool.routePlan.map((leg) => leg.swapInfo.ammKey)).toEqual([token.graduatedPool]);
  });

  it('is one more mint of its creator, also after its rights were handed to somebody else', async () => {
    const { wallet } = launcher;
    const keys = await launcher.launch({ tokenDecimal: 6 });
    const famous = await instance.newWallet(1_000_000n, {});
    await launcher.land(
      [transferDbcPoolCreator(keys, { creator: wallet.address, newCreator: famous.address })],
      [],
    );
    await vi.waitFor(async () =>
      expect(await find(keys.baseMint)).toMatchObject({ dev: wallet.address, audit: { devMints: 2 } }),
    );
  });
});

interface TradedOrder {
  readonly routePlan: readonly { readonly swapInfo: { readonly ammKey: string } }[];
}

async function setUp(): Promise<void> {
  const wallet = await instance.newWallet(10_000_000_000n, { [USDC]: 1_000_000_000_000n });
  launcher = new TokenLauncher(wallet, (method, ...params) => instance.rpc(method, ...params));
}

/** Finds a token by its mint. */
async function find(mint: string) {
  const { json } = await instance.ask(`/tokens/v2/search?query=${mint}`);
  expect(json).toHaveLength(1);
  return json[0];
}

/** Orders a swap and executes it. */
async function trade(inputMint: string, outputMint: string, amount: string): Promise<TradedOrder> {
  const query = new URLSearchParams({ inputMint, outputMint, amount, taker: launcher.wallet.address });
  const { json: order } = await instance.ask(`/swap/v2/order?${query}`);
  expect(order.transaction, JSON.stringify(order)).toEqual(expect.any(String));
  const { messageBytes } = parseTransaction(new Uint8Array(Buffer.from(order.transaction, 'base64')));
  const signedTransaction = Buffer.from(signTransaction(messageBytes, [launcher.wallet])).toString('base64');
  const { json } = await instance.ask('/swap/v2/execute', { signedTransaction, requestId: order.requestId });
  expect(json).toMatchObject({ status: 'Success', outputAmountResult: order.outAmount });
  return order;
}
