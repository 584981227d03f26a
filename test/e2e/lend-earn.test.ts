import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import {
  Connection,
  Keypair,
  PublicKey,
  type TransactionInstruction,
  TransactionMessage,
  VersionedTransaction,
} from '@solana/web3.js';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { bannerValue, FREE_PORTS, type Instance, withSlotsOf } from './instance.ts';
import { startOwnInstance } from './own-instance.ts';
import { untilLanded } from './landed.ts';
import { openFolder } from '../../src/testing/test-folder.ts';

const folder = openFolder('earn');
let instance: Instance;
let connection: Connection;
let wallet: Keypair;
let client: SdkClient;
let sdk: EarnSdk;
beforeAll(setUp);
afterAll(tearDown);

describe('the public lend SDK', () => {
  it('reads the same earn tokens from the chain as over REST', async () => {
    const tokens = await client.earn.getTokens();
    expect(tokens).toHaveLength(10);
    const mints = await sdk.getLendingTokens({ connection });
    expect(new Set(mints.map(String))).toEqual(new Set(tokens.map(({ address }) => address)));
    for (const token of tokens) {
      // The SDK counts interest up to the last update only, so that it finds a little less.
      const details = await sdk.getLendingTokenDetails({
        lendingToken: new PublicKey(token.address),
        connection,
      });
      expect(Number(details.id)).toBe(token.id);
      expect(String(details.totalSupply)).toBe(token.totalSupply);
      expect(BigInt(String(details.convertToAssets))).toBeLessThanOrEqual(BigInt(token.convertToAssets) + 1n);
      expect(Math.abs(Number(details.rewardsRate) - Number(token.rewardsRate))).toBeLessThanOrEqual(1);
    }
  });

  it('deposits, withdraws, mints and redeems by transactions of the REST interface', async () => {
    const before = await positionIn(JUP);
    expect(before.shares).toBe('0');
    await landMade(client.earn.deposit({ asset: JUP, signer: user(), amount: '1000000000' }));
    const deposited = await positionIn(JUP);
    expect(BigInt(deposited.underlyingBalance)).toBe(BigInt(before.underlyingBalance) - 1_000_000_000n);
    expectClose(deposited.underlyingAssets, '1000000000');
    await landMade(client.earn.mint({ asset: JUP, signer: user(), shares: '500000000' }));
    const minted = await positionIn(JUP);
    expect(BigInt(minted.shares) - BigInt(deposited.shares)).toBeGreaterThan(499_999_990n);
    await landMade(client.earn.withdraw({ asset: JUP, signer: user(), amount: '1000000000' }));
    const withdrawn = await positionIn(JUP);
    expect(BigInt(withdrawn.underlyingBalance) - BigInt(minted.underlyingBalance)).toBe(1_000_000_000n);
    await landMade(client.earn.redeem({ asset: JUP, signer: user(), shares: '18446744073709551615' }));
    // A redemption pays a whole number of atoms, which can cost one share less than there are.
    expect(Number((await positionIn(JUP)).shares)).toBeLessThanOrEqual(1);
  });

  it('makes transactions that a node takes which simulates at its default commitment', async () => {
    const { transaction } = await client.earn.deposit({ asset: USDC, signer: user(), amount: '1000000' });
    const made = VersionedTransaction.deserialize(Buffer.from(transaction, 'base64'));
    made.sign([wallet]);
    const plain = new Connection(connection.rpcEndpoint);
    const signature = await plain.sendRawTransaction(made.serialize());
    const status = async () => (await connection.getSignatureStatus(signature)).value;
    await expect.poll(status, { interval: 50 }).toMatchObject({ err: null });
  });

  it('does the same by instructions that it makes itself, and reads the position as REST does', async () => {
    const { default: BN } = (await import('bn.js' as string)) as { default: new (value: number) => Big };
    const of = (asset: string) => ({ asset: new PublicKey(asset), signer: wallet.publicKey, connection });
    const before = await positionIn(USDC);
    await landInstruction(await sdk.getDepositIx({ ...of(USDC), amount: new BN(25_000_000) }));
    await landInstruction(await sdk.getMintIx({ ...of(USDC), shares: new BN(10_000_000) }));
    await landInstruction(await sdk.getWithdrawIx({ ...of(USDC), amount: new BN(5_000_000) }));
    await landInstruction(await sdk.getRedeemIx({ ...of(USDC), shares: new BN(1_000_000) }));
    const after = await positionIn(USDC);
    expect(BigInt(after.underlyingBalance)).toBeLessThan(BigInt(before.underlyingBalance));
    const read = await sdk.getUserLendingPositionByAsset({
      user: wallet.publicKey,
      asset: new PublicKey(USDC),
      connection,
    });
    expect(String(read.lendingTokenShares)).toBe(after.shares);
    expect(String(read.underlyingBalance)).toBe(after.underlyingBalance);
    expectClose(read.underlyingAssets, after.underlyingAssets);
    // Nothing was lent since the last operation, so both compute from the same prices.
    const token = after.token;
    const details = await sdk.getLendingTokenDetails({ lendingToken: new PublicKey(JL_USDC), connection });
    expectClose(details.convertToShares, token.convertToShares);
    expectClose(details.convertToAssets, token.convertToAssets);
    expectClose(details.totalAssets, token.totalAssets);
    expect(Number(details.supplyRate)).toBe(Number(token.supplyRate));
    expect(Number(details.rewardsRate)).toBe(Number(token.rewardsRate));
  });

  it('lists a wallet that has never lent with zeros for every token, whatever form its list has', async () => {
    const other = Keypair.generate().publicKey.toBase58();
    const positions = await client.earn.getPositions({ users: [other, user()] });
    expect(positions).toHaveLength(20);
    expect(new Set(positions.slice(0, 10).map(({ shares }) => shares))).toEqual(new Set(['0']));
    expect(positions.find(({ token }) => token.assetAddress === SOL)?.token.symbol).toBe('jlWSOL');
  });

  it('reads earnings by deposits and withdrawals, also after the instance was killed', async () => {
    const earned = async (): Promise<Earnings> => {
      const [one, ...others] = await client.earn.getEarnings({ user: user(), positions: [JL_USDC] });
      expect(others).toEqual([]);
      if (one === undefined) throw new Error('no earnings');
      return one;
    };
    const before = await earned();
    expect(before).toMatchObject({ address: USDC, ownerAddress: user() });
    // 25 USDC, and what 10 receipt tokens are worth.
    expect(BigInt(before.totalDeposits)).toBeGreaterThan(35_000_000n);
    expect(Number(before.openingAssets)).toBeGreaterThan(10_000_000_000);
    expect(before.earnings).toBeGreaterThan(0);
    expect(BigInt(before.totalAssets) - BigInt(before.openingAssets)).toBe(
      BigInt(before.totalDeposits) - BigInt(before.totalWithdraws) + BigInt(before.earnings),
    );
    await landMade(client.earn.deposit({ asset: USDC, signer: user(), amount: '7000000' }));
    await instance.stop();
    await start();
    const after = await earned();
    expect(BigInt(after.totalDeposits)).toBe(BigInt(before.totalDeposits) + 7_000_000n);
    expect(after.since).toBe(before.since);
    expect(after.openingAssets).toBe(before.openingAssets);
    expect(after.earnings).toBeGreaterThanOrEqual(before.earnings - 1);
  });
});

const SOL = 'So11111111111111111111111111111111111111112';
const USDC = 'EPjFWdd5AufqSSqeM2qN1xzybapC8G4wEGGkZwyTDt1v';
const JL_USDC = '9BEcn9aPEmhSPbPQeFGjidRiEKki46fVQDyPpSQXPA2D';
const JUP = 'JUPyiwrYJFskUPiHa7hkeR8VUtAeFoSYbKedZNsDvCN';

interface EarnToken {
  readonly id: number;
  readonly address: string;
  readonly symbol: string;
  readonly assetAddress: string;
  readonly totalAssets: string;
  readonly totalSupply: string;
  readonly convertToShares: string;
  readonly convertToAssets: string;
  readonly supplyRate: string;
  readonly rewardsRate: string;
}
interface EarnPosition {
  readonly token: EarnToken;
  readonly ownerAddress: string;
  readonly shares: string;
  readonly underlyingAssets: string;
  readonly underlyingBalance: string;
}
interface Amount {
  readonly asset: string;
  readonly signer: string;
  readonly amount: string;
}
interface Shares {
  readonly asset: string;
  readonly signer: string;
  readonly shares: string;
}
interface Made {
  readonly transaction: string;
}
interface Earnings {
  readonly address: string;
  readonly ownerAddress: string;
  readonly earnings: number;
  readonly totalDeposits: string;
  readonly totalWithdraws: string;
  readonly totalAssets: string;
  readonly openingAssets: string;
  readonly since: string | null;
}

/** The client of the public SDK. Its types are not used: they bring those of a whole framework. */
interface SdkClient {
  readonly http: { readonly defaults: { baseURL: string } };
  readonly earn: {
    getTokens(): Promise<EarnToken[]>;
    getPositions(query: { readonly users: readonly string[] }): Promise<EarnPosition[]>;
    getEarnings(query: { readonly user: string; readonly positions: readonly string[] }): Promise<Earnings[]>;
    deposit(body: Amount): Promise<Made>;
    withdraw(body: Amount): Promise<Made>;
    mint(body: Shares): Promise<Made>;
    redeem(body: Shares): Promise<Made>;
  };
}

type Big = { toString(): string };
type Build = (options: Record<string, unknown>) => Promise<TransactionInstruction>;
interface EarnSdk {
  readonly getLendingTokens: (options: { connection: Connection }) => Promise<PublicKey[]>;
  readonly getLendingTokenDetails: (options: {
    lendingToken: PublicKey;
    connection: Connection;
  }) => Promise<Record<keyof EarnToken, Big>>;
  readonly getUserLendingPositionByAsset: (options: {
    user: PublicKey;
    asset: PublicKey;
    connection: Connection;
  }) => Promise<{ lendingTokenShares: Big; underlyingAssets: Big; underlyingBalance: Big }>;
  readonly getDepositIx: Build;
  readonly getWithdrawIx: Build;
  readonly getMintIx: Build;
  readonly getRedeemIx: Build;
}

async function setUp(): Promise<void> {
  await start();
}

async function tearDown(): Promise<void> {
  await instance?.stop();
}

async function start(): Promise<void> {
  instance = startOwnInstance({ reason: 'is killed', flags: [...withSlotsOf(50), ...FREE_PORTS], folder });
  const banner = await instance.ready();
  connection = new Connection(bannerValue(banner, 'Solana RPC'), {
    commitment: 'confirmed',
    wsEndpoint: bannerValue(banner, 'Solana WebSocket'),
  });
  const key: number[] = JSON.parse(readFileSync(join(folder, '.sluice', 'demo-wallet.json'), 'utf8'));
  wallet = Keypair.fromSecretKey(Uint8Array.from(key));
  const { Client } = (await import('@jup-ag/lend/api' as string)) as { Client: new () => SdkClient };
  client = new Client();
  client.http.defaults.baseURL = `${bannerValue(banner, 'REST')}/lend`;
  sdk = await import('@jup-ag/lend/earn' as string);
}

const user = () => wallet.publicKey.toBase58();

async function land(transaction: VersionedTransaction): Promise<void> {
  const { blockhash } = await connection.getLatestBlockhash();
  transaction.message.recentBlockhash = blockhash;
  transaction.sign([wallet]);
  await untilLanded(connection, await connection.sendRawTransaction(transaction.serialize()));
}

async function landMade(made: Promise<Made>): Promise<void> {
  await land(VersionedTransaction.deserialize(Buffer.from((await made).transaction, 'base64')));
}

async function landInstruction(instruction: TransactionInstruction): Promise<void> {
  const { blockhash: recentBlockhash } = await connection.getLatestBlockhash();
  const message = { payerKey: wallet.publicKey, recentBlockhash, instructions: [instruction] };
  await land(new VersionedTransaction(new TransactionMessage(message).compileToV0Message()));
}

async function positionIn(asset: string): Promise<EarnPosition> {
  const positions = await client.earn.getPositions({ users: [user()] });
  const position = positions.find(({ token }) => token.assetAddress === asset);
  if (position === undefined) throw new Error(`no position in ${asset}`);
  return position;
}

/** Interest that accrues between two readings moves a number by less than a millionth. */
function expectClose(actual: Big | string, expected: string): void {
  const [one, other] = [BigInt(String(actual)), BigInt(expected)];
  const difference = one > other ? one - other : other - one;
  expect(difference, `${one} and ${other}`).toBeLessThanOrEqual(other / 1_000_000n + 1n);
}
