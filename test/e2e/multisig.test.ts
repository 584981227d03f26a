import * as web3 from '@solana/web3.js';
import { describe, expect, it } from 'vitest';
import { createMultisig, type MultisigPlan, SQUADS } from './multisig-account.ts';
import { useInstance } from './shared-instance.ts';

describe('a swap of a multisig', () => {
  const instance = useInstance();

  it('lands with the signatures of two members, and moves exactly what the order says', async () => {
    const { connection, first, second, order } = await newMultisig({ threshold: 2 });
    const { json } = await order({ signers: `${first.publicKey},${second.publicKey}` });
    expect(json).toMatchObject({ router: 'metis', taker: expect.any(String), gasless: true });
    const transaction = web3.VersionedTransaction.deserialize(Buffer.from(json.transaction, 'base64'));
    const { message } = transaction;
    expect(message.staticAccountKeys.slice(0, message.header.numRequiredSignatures)).toEqual([
      first.publicKey,
      second.publicKey,
    ]);
    const fee = BigInt((await connection.getFeeForMessage(message)).value ?? 0);
    const before = await balances(connection, json.taker, first.publicKey);
    transaction.sign([second]);
    transaction.sign([first]);
    const result = await execute(json, transaction);
    expect(result.json).toMatchObject({ status: 'Success', code: 0 });
    const after = await balances(connection, json.taker, first.publicKey);
    expect(before.lamports - after.lamports).toBe(100_000_000n);
    expect(after.usdc).toBe(BigInt(json.outAmount));
    expect(before.payer - after.payer).toBe(fee + BigInt(json.rentFeeLamports));
    // The network rounds the fee for priority up, and the interface states it rounded down.
    const stated = BigInt(json.signatureFeeLamports + json.prioritizationFeeLamports);
    expect([stated, stated + 1n]).toContain(fee);
    expect(result.json).toMatchObject({
      totalInputAmount: '100000000',
      totalOutputAmount: json.outAmount,
      inputAmountResult: '100000000',
    });
  });

  it('lands with one signature where that is the threshold, from any of its vaults', async () => {
    const { connection, first, order } = await newMultisig({ threshold: 1, vaultIndex: 200 });
    const { json } = await order({ signers: `${first.publicKey}` });
    const result = await execute(json, sign(json, [first]));
    expect(result.json).toMatchObject({ status: 'Success', totalOutputAmount: json.outAmount });
    expect((await balances(connection, json.taker, first.publicKey)).usdc).toBe(BigInt(json.outAmount));
  });

  it('pays SOL out to the vault, or wrapped with useWsol', async () => {
    const { connection, first, vault, order } = await newMultisig({ threshold: 1 }, { [USDC]: 10_000_000n });
    const sell = { inputMint: USDC, outputMint: SOL, amount: '5000000', signers: `${first.publicKey}` };
    const before = await balances(connection, vault, first.publicKey);
    const unwrapped = (await order(sell)).json;
    const result = await execute(unwrapped, sign(unwrapped, [first]));
    expect(result.json).toMatchObject({ status: 'Success', totalOutputAmount: unwrapped.outAmount });
    const between = await balances(connection, vault, first.publicKey);
    expect(between.lamports - before.lamports).toBe(BigInt(unwrapped.outAmount));
    const wrapped = (await order({ ...sell, useWsol: 'true' })).json;
    const kept = await execute(wrapped, sign(wrapped, [first]));
    expect(kept.json).toMatchObject({ status: 'Success', totalOutputAmount: wrapped.outAmount });
    const after = await balances(connection, vault, first.publicKey);
    // The vault pays for an account whose rent it could take again.
    expect(wrapped).toMatchObject({ rentFeePayer: vault });
    expect(between.lamports - after.lamports).toBe(BigInt(wrapped.rentFeeLamports));
    expect(after.wsol).toBe(BigInt(wrapped.outAmount));
    expect(between.usdc - after.usdc).toBe(5_000_000n);
  });

  it('is not executed with a signature missing, or with anything else changed', async () => {
    const { first, second, order } = await newMultisig({ threshold: 2 });
    const { json } = await order({ signers: `${first.publicKey},${second.publicKey}` });
    const partly = await execute(json, sign(json, [first]));
    expect(partly.json).toMatchObject({ status: 'Failed', code: -1003 });
    expect(partly.json.error).toContain(`lacks the signature of ${second.publicKey}`);
    const changed = sign(json, []);
    changed.message.recentBlockhash = web3.Keypair.generate().publicKey.toBase58();
    changed.sign([first, second]);
    const refused = await execute(json, changed);
    expect(refused).toMatchObject({ status: 400, json: { code: -3 } });
  });

  it('is refused by the program when a member lost its vote between order and execution', async () => {
    const { connection, first, second, settings, order } = await newMultisig({ threshold: 2 });
    const { json } = await order({ signers: `${first.publicKey},${second.publicKey}` });
    const info = await connection.getAccountInfo(settings);
    if (info === null) throw new Error('no settings');
    // What the member may do stands behind its address.
    info.data[info.data.indexOf(Buffer.from(second.publicKey.toBytes())) + 32] = 0;
    const account = {
      lamports: `${info.lamports}`,
      owner: info.owner.toBase58(),
      data: info.data.toString('base64'),
    };
    await instance.admin('POST', 'network/accounts', {
      accounts: [{ address: settings.toBase58(), account }],
    });
    const result = await execute(json, sign(json, [first, second]));
    expect(result.json).toMatchObject({ status: 'Failed' });
    expect(result.json.error).toMatch(/InsufficientVotePermissions|the swap would fail/);
  });

  it('is refused for signers that may not move the vault', async () => {
    const { first, order } = await newMultisig({ threshold: 2 });
    const refusals: readonly (readonly [Record<string, string>, string])[] = [
      [{ signers: '' }, 'signers is missing'],
      [{ signers: `${first.publicKey},${first.publicKey}` }, `signers names ${first.publicKey} twice`],
      [{ signers: DERIVED }, `signers must be wallets that sign, and a program derived "${DERIVED}"`],
      [{ signers: STRANGER }, `signers names ${STRANGER}, which is no member of settingsPda`],
      [{ signers: `${first.publicKey}` }, 'signers must name at least 2 members that may vote'],
      [{ signers: `${first.publicKey}`, settingsPda: STRANGER }, `but ${STRANGER} does not exist`],
      [{ signers: `${first.publicKey}`, inputMint: USDC }, 'inputMint and outputMint must differ'],
    ];
    for (const [query, message] of refusals) {
      const { status, json } = await order(query);
      expect(status).toBe(400);
      expect(json.error).toContain(message);
    }
  });

  async function newMultisig(
    plan: Pick<MultisigPlan, 'threshold' | 'vaultIndex'>,
    tokens: Readonly<Record<string, bigint>> = {},
  ) {
    const connection = new web3.Connection(instance.rpcUrl, 'confirmed');
    const [first, second] = [await newKey(), await newKey()];
    const { settings, vault } = await createMultisig(connection, second, {
      ...plan,
      signers: [first.publicKey, second.publicKey],
    });
    await instance.rpc('requestAirdrop', vault.toBase58(), 1_000_000_000);
    for (const [mint, amount] of Object.entries(tokens)) {
      await instance.admin('POST', 'network/faucet', { wallet: vault.toBase58(), mint, amount: `${amount}` });
    }
    await instance.confirmed(await instance.rpc('getSlot', { commitment: 'processed' }));
    const order = (query: Record<string, string>) => {
      const swap = { inputMint: SOL, outputMint: USDC, amount: '100000000' };
      const multisig = { taker: vault.toBase58(), settingsPda: settings.toBase58() };
      return instance.ask(
        `/swap/v2/squads/v5/order?${new URLSearchParams({ ...swap, ...multisig, ...query })}`,
      );
    };
    return { connection, first, second, settings, vault: vault.toBase58(), order };
  }

  async function newKey(): Promise<web3.Keypair> {
    return web3.Keypair.fromSecretKey((await instance.newWallet(1_000_000_000n)).secretKey);
  }

  function execute({ requestId }: { requestId: string }, transaction: web3.VersionedTransaction) {
    const signedTransaction = Buffer.from(transaction.serialize()).toString('base64');
    return instance.ask('/swap/v2/squads/v5/execute', { requestId, signedTransaction });
  }
});

const SOL = 'So11111111111111111111111111111111111111112';
const USDC = 'EPjFWdd5AufqSSqeM2qN1xzybapC8G4wEGGkZwyTDt1v';
/** An address that a program derives. */
const DERIVED = web3.PublicKey.findProgramAddressSync([Buffer.from('35')], SQUADS)[0].toBase58();
const STRANGER = web3.Keypair.fromSeed(new Uint8Array(32).fill(35)).publicKey.toBase58();

function sign({ transaction }: { transaction: string }, signers: web3.Keypair[]): web3.VersionedTransaction {
  const unsigned = web3.VersionedTransaction.deserialize(Buffer.from(transaction, 'base64'));
  unsigned.sign(signers);
  return unsigned;
}

async function balances(connection: web3.Connection, vault: string, payer: web3.PublicKey) {
  const owner = new web3.PublicKey(vault);
  const held = async (mint: string) => {
    const { value } = await connection.getParsedTokenAccountsByOwner(owner, {
      mint: new web3.PublicKey(mint),
    });
    return value.reduce((sum, { account }) => sum + BigInt(account.data.parsed.info.tokenAmount.amount), 0n);
  };
  return {
    lamports: BigInt(await connection.getBalance(owner)),
    payer: BigInt(await connection.getBalance(payer)),
    usdc: await held(USDC),
    wsol: await held(SOL),
  };
}
