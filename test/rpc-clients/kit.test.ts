import {
  appendTransactionMessageInstruction,
  assertIsTransactionWithBlockhashLifetime,
  createKeyPairSignerFromBytes,
  createSolanaRpc,
  createSolanaRpcSubscriptions,
  createTransactionMessage,
  getSignatureFromTransaction,
  type KeyPairSigner,
  lamports,
  pipe,
  sendAndConfirmTransactionFactory,
  setTransactionMessageFeePayerSigner,
  setTransactionMessageLifetimeUsingBlockhash,
  signTransactionMessageWithSigners,
} from '@solana/kit';
import { getTransferSolInstruction } from '@solana-program/system';
import { fetchToken, getTransferInstruction } from '@solana-program/token';
import { beforeAll, describe, expect, it } from 'vitest';
import {
  ALICE,
  ALICE_TOKENS,
  BOB,
  BOB_TOKENS,
  LOOKUP_TABLE,
  MINT,
  SOL,
  createTestKeypair,
} from '../../src/testing/chain/rpc-network.ts';
import { TOKEN_PROGRAM } from '../../src/solana/program-addresses.ts';
import { startLiveRpc } from './live-rpc.ts';
import { openForAll } from '../../src/testing/opened.ts';

const network = openForAll(startLiveRpc, 'close');

describe('@solana/kit', () => {
  let payer: KeyPairSigner;
  beforeAll(setUp);

  it('sends and confirms at every commitment', async () => {
    const clients = connect();
    const source = payer;
    const { address: destination } = createTestKeypair('kit');
    for (const [count, commitment] of (['processed', 'confirmed', 'finalized'] as const).entries()) {
      const amount = lamports(SOL + BigInt(count));
      const signature = await sendFromAlice(
        clients,
        getTransferSolInstruction({ source, destination, amount }),
        commitment,
      );
      const { value } = await clients.rpc.getSignatureStatuses([signature]).send();
      expect(value[0]).toMatchObject({ err: null });
    }
    const { value } = await clients.rpc.getBalance(destination, { commitment: 'finalized' }).send();
    expect(value).toBe(3n * SOL + 3n);
  });

  it('reads tokens, programs and transactions', async () => {
    const clients = connect();
    const { rpc } = clients;
    const authority = payer;
    const transfer = { source: ALICE_TOKENS, destination: BOB_TOKENS, authority, amount: 1_000_000n };
    const signature = await sendFromAlice(clients, getTransferInstruction(transfer), 'confirmed');
    const bobs = await fetchToken(rpc, BOB_TOKENS, { commitment: 'confirmed' });
    expect(bobs.data).toMatchObject({ mint: MINT, owner: BOB.address, amount: 6_000_000n });
    const found = await rpc
      .getTransaction(signature, {
        commitment: 'confirmed',
        encoding: 'jsonParsed',
        maxSupportedTransactionVersion: 0,
      })
      .send();
    expect(found?.transaction.message.instructions).toMatchObject([
      { program: 'spl-token', parsed: { type: 'transfer', info: { amount: '1000000' } } },
    ]);
    expect(found?.meta?.postTokenBalances).toHaveLength(2);
    const owned = await rpc
      .getTokenAccountsByOwner(
        ALICE.address,
        { mint: MINT },
        { encoding: 'jsonParsed', commitment: 'confirmed' },
      )
      .send();
    expect(owned.value[0]?.account.data.parsed.info.tokenAmount).toMatchObject({
      decimals: 6,
      uiAmountString: '999',
    });
    const listed = await rpc
      .getProgramAccounts(TOKEN_PROGRAM, {
        encoding: 'base64',
        filters: [{ dataSize: 165n }, { memcmp: { offset: 0n, bytes: MINT, encoding: 'base58' } } as never],
      })
      .send();
    expect(listed).toHaveLength(2);
    const [latest] = await rpc
      .getSignaturesForAddress(BOB_TOKENS, { commitment: 'confirmed', limit: 1 })
      .send();
    expect(latest?.signature).toBe(signature);
  });

  it('reads about the network, with exact integers', async () => {
    const { rpc } = connect();
    expect(await rpc.getHealth().send()).toBe('ok');
    expect(await rpc.getGenesisHash().send()).toBe(network.bank.genesisHash);
    expect((await rpc.getIdentity().send()).identity).toBe(network.bank.identity);
    expect((await rpc.getEpochInfo().send()).slotsInEpoch).toBe(432_000n);
    expect(await rpc.getMinimumBalanceForRentExemption(165n).send()).toBe(2_039_280n);
    const { value: supply } = await rpc.getSupply().send();
    expect(supply.total).toBeGreaterThan(1_000_000n * SOL);
    expect(supply.circulating).toBe(supply.total);
    const { value } = await rpc.getAccountInfo(ALICE.address, { encoding: 'base64' }).send();
    expect(value?.space).toBe(0n);
    const table = await rpc.getAccountInfo(LOOKUP_TABLE, { encoding: 'jsonParsed' }).send();
    expect(table.value?.data).toMatchObject({
      parsed: { info: { deactivationSlot: '18446744073709551615' } },
    });
    const slot = await rpc.getSlot({ commitment: 'confirmed' }).send();
    expect(await rpc.getBlockTime(slot).send()).toBe(1_700_000_000n);
    await expect(rpc.getBlockTime(slot + 1_000_000n).send()).rejects.toThrow();
  });

  it('simulates, and reads why a transaction was refused', async () => {
    const clients = connect();
    const source = payer;
    const tooMuch = getTransferSolInstruction({ source, destination: BOB.address, amount: 10_000n * SOL });
    const failure = await sendFromAlice(clients, tooMuch, 'confirmed').catch((error: unknown) => error);
    expect(failure).toMatchObject({
      context: { logs: expect.arrayContaining([expect.stringContaining('insufficient')]) },
    });
  });

  it('follows accounts, logs and slots', async () => {
    const clients = connect();
    const abort = new AbortController();
    const options = { abortSignal: abort.signal };
    const { address: watched } = createTestKeypair('kit watched');
    const accounts = await clients.rpcSubscriptions
      .accountNotifications(watched, { commitment: 'confirmed', encoding: 'base64' })
      .subscribe(options);
    const logs = await clients.rpcSubscriptions
      .logsNotifications({ mentions: [watched] }, { commitment: 'confirmed' })
      .subscribe(options);
    const slots = await clients.rpcSubscriptions.slotNotifications().subscribe(options);
    const first = async <T>(each: AsyncIterable<T>): Promise<T> => {
      for await (const value of each) return value;
      throw new Error('the subscription ended');
    };
    // What comes before somebody asks for it is not kept.
    const told = Promise.all([first(accounts), first(logs), first(slots)]);
    const instruction = getTransferSolInstruction({ source: payer, destination: watched, amount: SOL });
    const signature = await sendFromAlice(clients, instruction, 'processed');
    const [account, log, slot] = await told;
    expect(account.value.lamports).toBe(SOL);
    expect(log.value).toMatchObject({ signature, err: null });
    expect(slot.parent).toBe(slot.slot - 1n);
    abort.abort();
  });

  it('asks for airdrops', async () => {
    const { rpc } = connect();
    const { address: wallet } = createTestKeypair('kit airdrop');
    await rpc.requestAirdrop(wallet, lamports(SOL)).send();
    expect((await rpc.getBalance(wallet, { commitment: 'processed' }).send()).value).toBe(SOL);
  });

  async function setUp(): Promise<void> {
    payer = await createKeyPairSignerFromBytes(ALICE.secretKey);
  }

  const connect = () => {
    const rpc = createSolanaRpc(network.server.httpUrl);
    const rpcSubscriptions = createSolanaRpcSubscriptions(network.server.webSocketUrl);
    return {
      rpc,
      rpcSubscriptions,
      sendAndConfirm: sendAndConfirmTransactionFactory({ rpc, rpcSubscriptions }),
    };
  };

  async function sendFromAlice(
    clients: ReturnType<typeof connect>,
    instruction: Parameters<typeof appendTransactionMessageInstruction>[0],
    commitment: 'processed' | 'confirmed' | 'finalized',
  ) {
    const { value: blockhash } = await clients.rpc.getLatestBlockhash({ commitment: 'confirmed' }).send();
    const message = pipe(
      createTransactionMessage({ version: 0 }),
      (each) => setTransactionMessageFeePayerSigner(payer, each),
      (each) => setTransactionMessageLifetimeUsingBlockhash(blockhash, each),
      (each) => appendTransactionMessageInstruction(instruction, each),
    );
    const transaction = await signTransactionMessageWithSigners(message);
    assertIsTransactionWithBlockhashLifetime(transaction);
    await clients.sendAndConfirm(transaction, { commitment });
    return getSignatureFromTransaction(transaction);
  }
});
