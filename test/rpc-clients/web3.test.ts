import {
  AddressLookupTableProgram,
  ComputeBudgetProgram,
  Connection,
  Keypair,
  LAMPORTS_PER_SOL,
  NonceAccount,
  PublicKey,
  SystemProgram,
  sendAndConfirmTransaction,
  Transaction,
  TransactionMessage,
  VersionedTransaction,
} from '@solana/web3.js';
import { afterAll, describe, expect, it } from 'vitest';
import {
  ALICE,
  ALICE_TOKENS,
  BOB,
  FEE_MINT,
  LOOKUP_TABLE,
  MINT,
  createTestKeypair,
} from '../../src/testing/chain/rpc-network.ts';
import { closeConnection } from '../../src/testing/chain/web3-connection.ts';
import { TOKEN_2022_PROGRAM, TOKEN_PROGRAM } from '../../src/solana/program-addresses.ts';
import { startLiveRpc } from './live-rpc.ts';
import { openForAll } from '../../src/testing/opened.ts';

const network = openForAll(startLiveRpc, 'close');

describe('@solana/web3.js 1.x', () => {
  afterAll(() => connections.forEach(closeConnection));

  it('sends and confirms legacy transactions, and reads them back', async () => {
    const connection = connect();
    const transaction = new Transaction().add(
      ComputeBudgetProgram.setComputeUnitPrice({ microLamports: 5 }),
      SystemProgram.transfer({
        fromPubkey: alice.publicKey,
        toPubkey: key('web3'),
        lamports: LAMPORTS_PER_SOL,
      }),
    );
    const signature = await sendAndConfirmTransaction(connection, transaction, [alice]);
    expect(await connection.getBalance(key('web3'))).toBe(LAMPORTS_PER_SOL);
    const parsed = await connection.getParsedTransaction(signature);
    expect(parsed?.transaction.message.instructions[1]).toMatchObject({
      program: 'system',
      parsed: { type: 'transfer', info: { lamports: LAMPORTS_PER_SOL } },
    });
    const raw = await connection.getTransaction(signature, { maxSupportedTransactionVersion: 0 });
    expect(raw?.transaction.message.compiledInstructions).toHaveLength(2);
    expect(raw?.meta?.fee).toBe(5_000 + 1);
    const [info] = await connection.getSignaturesForAddress(key('web3'));
    expect(info).toMatchObject({ signature, err: null, confirmationStatus: expect.any(String) });
    expect((await connection.getSignatureStatus(signature)).value?.err).toBeNull();
    expect(await connection.getParsedTransactions([signature, signature])).toHaveLength(2);
  });

  it('sends versioned transactions with lookup tables', async () => {
    const connection = connect();
    const { value: table } = await connection.getAddressLookupTable(new PublicKey(LOOKUP_TABLE));
    if (table === null) throw new Error('no lookup table');
    const { blockhash, lastValidBlockHeight } = await connection.getLatestBlockhash();
    const instruction = SystemProgram.transfer({
      fromPubkey: alice.publicKey,
      toPubkey: bob,
      lamports: 12_345,
    });
    const message = new TransactionMessage({
      payerKey: alice.publicKey,
      recentBlockhash: blockhash,
      instructions: [instruction],
    }).compileToV0Message([table]);
    expect((await connection.getFeeForMessage(message)).value).toBe(5_000);
    const transaction = new VersionedTransaction(message);
    transaction.sign([alice]);
    const simulated = await connection.simulateTransaction(transaction, {
      sigVerify: true,
      innerInstructions: true,
    });
    expect(simulated.value).toMatchObject({ err: null, unitsConsumed: 150, innerInstructions: [] });
    const signature = await connection.sendTransaction(transaction);
    const { value } = await connection.confirmTransaction(
      { signature, blockhash, lastValidBlockHeight },
      'finalized',
    );
    expect(value.err).toBeNull();
    const found = await connection.getTransaction(signature, { maxSupportedTransactionVersion: 0 });
    expect(found?.meta?.loadedAddresses?.writable.map(String)).toEqual([BOB.address]);
  });

  it('reads accounts, parsed and not', async () => {
    const connection = connect();
    const owner = new PublicKey(ALICE.address);
    const tokens = await connection.getParsedTokenAccountsByOwner(owner, {
      programId: new PublicKey(TOKEN_PROGRAM),
    });
    expect(tokens.value.map(({ pubkey }) => String(pubkey))).toEqual([ALICE_TOKENS]);
    expect(tokens.value[0]?.account.data.parsed.info.mint).toBe(MINT);
    const fees = await connection.getTokenAccountsByOwner(owner, {
      programId: new PublicKey(TOKEN_2022_PROGRAM),
    });
    expect(fees.value).toHaveLength(1);
    expect((await connection.getTokenAccountBalance(new PublicKey(ALICE_TOKENS))).value.decimals).toBe(6);
    expect((await connection.getTokenSupply(new PublicKey(FEE_MINT))).value.uiAmountString).toBe('50');
    expect((await connection.getTokenLargestAccounts(new PublicKey(MINT))).value).toHaveLength(2);
    expect((await connection.getAccountInfo(new PublicKey(MINT)))?.data).toHaveLength(82);
    expect((await connection.getParsedAccountInfo(new PublicKey(MINT))).value?.data).toMatchObject({
      parsed: { type: 'mint' },
    });
    const several = await connection.getMultipleAccountsInfo([owner, key('nobody'), new PublicKey(MINT)]);
    expect(several.map((account) => account?.data.length ?? null)).toEqual([0, null, 82]);
    const filters = [{ memcmp: { offset: 32, bytes: ALICE.address } }];
    expect(await connection.getProgramAccounts(new PublicKey(TOKEN_PROGRAM), { filters })).toHaveLength(1);
    expect(await connection.getParsedProgramAccounts(new PublicKey(TOKEN_PROGRAM), { filters })).toHaveLength(
      1,
    );
  });

  it('reads about the network', async () => {
    const connection = connect();
    expect(await connection.getGenesisHash()).toBe(network.bank.genesisHash);
    expect((await connection.getVersion())['solana-core']).toMatch(/^\d+\.\d+\.\d+$/);
    expect(await connection.getSlotLeader()).toBe(network.bank.identity);
    expect((await connection.getClusterNodes())[0]?.pubkey).toBe(network.bank.identity);
    expect((await connection.getEpochSchedule()).slotsPerEpoch).toBe(432_000);
    expect((await connection.getEpochInfo()).slotsInEpoch).toBe(432_000);
    expect((await connection.getSupply()).value.nonCirculatingAccounts).toEqual([]);
    expect(await connection.getMinimumBalanceForRentExemption(0)).toBe(890_880);
    expect(await connection.getRecentPrioritizationFees()).toEqual(expect.any(Array));
    const slot = await connection.getSlot();
    expect(await connection.getBlockTime(slot)).toBe(1_700_000_000);
    expect(await connection.getBlocks(slot - 2, slot)).toEqual([slot - 2, slot - 1, slot]);
    expect(await connection.getFirstAvailableBlock()).toBeLessThanOrEqual(slot);
    expect(await connection.getTransactionCount()).toBeGreaterThan(0);
    const { blockhash } = await connection.getLatestBlockhash();
    expect((await connection.isBlockhashValid(blockhash)).value).toBe(true);
  });

  it('notifies of accounts, programs, logs, signatures and slots', async () => {
    const connection = connect();
    const to = key('web3 watched');
    const ids: (() => Promise<void>)[] = [];
    const account = new Promise<number>((resolve) => {
      const id = connection.onAccountChange(to, ({ lamports }) => resolve(lamports));
      ids.push(() => connection.removeAccountChangeListener(id));
    });
    const program = new Promise<string>((resolve) => {
      const listener = ({ accountId }: { accountId: PublicKey }) => {
        if (accountId.equals(to)) resolve(String(accountId));
      };
      const id = connection.onProgramAccountChange(SystemProgram.programId, listener);
      ids.push(() => connection.removeProgramAccountChangeListener(id));
    });
    const logs = new Promise<string>((resolve) => {
      const id = connection.onLogs(to, ({ signature }) => resolve(signature));
      ids.push(() => connection.removeOnLogsListener(id));
    });
    const slot = new Promise<number>((resolve) => {
      const id = connection.onSlotChange(({ slot }) => resolve(slot));
      ids.push(() => connection.removeSlotChangeListener(id));
    });
    const root = new Promise<number>((resolve) => {
      const id = connection.onRootChange(resolve);
      ids.push(() => connection.removeRootChangeListener(id));
    });
    await Promise.all([slot, root]);
    const transaction = new Transaction().add(
      SystemProgram.transfer({ fromPubkey: alice.publicKey, toPubkey: to, lamports: LAMPORTS_PER_SOL }),
    );
    const sent = await connection.sendTransaction(transaction, [alice]);
    const status = await new Promise((resolve) =>
      connection.onSignature(sent, ({ err }) => resolve(err), 'finalized'),
    );
    expect(status).toBeNull();
    expect([await account, await program, await logs]).toEqual([LAMPORTS_PER_SOL, String(to), sent]);
    await Promise.all(ids.map((remove) => remove()));
  });

  it('creates lookup tables and nonces', async () => {
    const connection = connect();
    const recentSlot = await connection.getSlot('finalized');
    const [create, table] = AddressLookupTableProgram.createLookupTable({
      authority: alice.publicKey,
      payer: alice.publicKey,
      recentSlot,
    });
    const extend = AddressLookupTableProgram.extendLookupTable({
      payer: alice.publicKey,
      authority: alice.publicKey,
      lookupTable: table,
      addresses: [bob],
    });
    await sendAndConfirmTransaction(connection, new Transaction().add(create, extend), [alice]);
    const { value } = await connection.getAddressLookupTable(table);
    expect(value?.state.addresses.map(String)).toEqual([BOB.address]);
    const nonce = Keypair.generate();
    const createNonce = SystemProgram.createNonceAccount({
      fromPubkey: alice.publicKey,
      noncePubkey: nonce.publicKey,
      authorizedPubkey: alice.publicKey,
      lamports: LAMPORTS_PER_SOL,
    });
    await sendAndConfirmTransaction(connection, new Transaction().add(createNonce), [alice, nonce]);
    const account = await connection.getNonce(nonce.publicKey);
    expect(account).toBeInstanceOf(NonceAccount);
    const parsed = await connection.getParsedAccountInfo(nonce.publicKey);
    expect(parsed.value?.data).toMatchObject({
      program: 'nonce',
      parsed: { info: { blockhash: account?.nonce } },
    });
  });

  it('reads the logs of a refused transaction', async () => {
    const connection = connect();
    const transaction = new Transaction().add(
      SystemProgram.transfer({
        fromPubkey: alice.publicKey,
        toPubkey: bob,
        lamports: 10_000 * LAMPORTS_PER_SOL,
      }),
    );
    const refused = await connection.sendTransaction(transaction, [alice]).catch((error: unknown) => error);
    expect(String(refused)).toContain('custom program error: 0x1');
    expect(refused).toHaveProperty('logs');
  });

  it('asks for airdrops', async () => {
    const connection = connect();
    const signature = await connection.requestAirdrop(key('web3 airdrop'), LAMPORTS_PER_SOL);
    const latest = await connection.getLatestBlockhash();
    await connection.confirmTransaction({ signature, ...latest });
    expect(await connection.getBalance(key('web3 airdrop'))).toBe(LAMPORTS_PER_SOL);
    expect((await connection.getParsedTransaction(signature))?.meta?.err).toBeNull();
  });

  const alice = Keypair.fromSecretKey(ALICE.secretKey);
  const bob = new PublicKey(BOB.address);
  const key = (name: string) => new PublicKey(createTestKeypair(name).address);
  const connections: Connection[] = [];
  const connect = () => {
    const connection = new Connection(network.server.httpUrl, {
      commitment: 'confirmed',
      wsEndpoint: network.server.webSocketUrl,
    });
    connections.push(connection);
    return connection;
  };
});
