import {
  type AddressLookupTableAccount,
  ComputeBudgetProgram,
  Connection,
  Keypair,
  PublicKey,
  TransactionInstruction,
  TransactionMessage,
  VersionedTransaction,
} from '@solana/web3.js';
import { beforeAll, describe, expect, it } from 'vitest';
import {
  claim,
  claimV2,
  createAdminTokenAccount,
  initializeReferralAccount,
  initializeReferralAccountWithName,
  initializeReferralTokenAccount,
  nameReferral,
  type Project,
  type Referral,
} from '../../programs/referral/tests/instructions.ts';
import type { Address } from '../../src/solana/address.ts';
import type { Instruction } from '../../src/solana/messages/instruction.ts';
import { deriveAssociatedTokenAddress } from '../../src/solana/pda.ts';
import { TOKEN_2022_PROGRAM, TOKEN_PROGRAM } from '../../src/solana/program-addresses.ts';
import { createAssociatedTokenIdempotent } from '../../src/solana/programs/associated-token.ts';
import { deriveReferralTokens, REFERRAL_PROGRAM } from '../../src/solana/programs/referral/program.ts';
import { untilLanded } from './landed.ts';
import { useInstance } from './shared-instance.ts';
import { toInstruction, toLookupTables } from './web3-instructions.ts';

// The transactions are those that `@jup-ag/referral-sdk` 0.3.0 builds.
const instance = useInstance();
let connection: Connection;
let taker: Keypair;
let partner: Keypair;
beforeAll(openWallets);

describe.each([
  ['DkiqsTrw1u1bYFumumC7sCG2S8K25qc2vemJFHyW2wJc' as Address, 8_000n],
  ['45ruCyfdRkWpRNGEqWzjCiXRHkZs8WXCLQ67Pnpye7Hp' as Address, 9_750n],
])('an integrator under the public project %s', (address, shareBps) => {
  it('collects the fees of its users, and divides them with the project', async () => {
    const project = await readProject(address);
    const referral = nameReferral(project, partner.publicKey.toBase58() as Address, 'e2e');
    await land(partner, initializeReferralAccountWithName(referral.partner, referral, 'e2e'));
    await land(partner, ...MINTS.map((mint) => openFeeAccount(referral, mint)));
    expect(await referralsOf(partner)).toContain(referral.address);

    const referred = { referralAccount: referral.address, referralFee: '100' };
    const collected = new Map(MINTS.map((mint) => [mint, 0n]));
    const collect = (mint: Address, fee: bigint) => collected.set(mint, (collected.get(mint) ?? 0n) + fee);
    collect(
      SOL,
      await order('/swap/v2', { inputMint: SOL, outputMint: USDC, amount: '100000033' }, referred),
    );
    collect(
      USDC,
      await order('/ultra/v1', { inputMint: USDC, outputMint: JUP, amount: '7000001' }, referred),
    );
    collect(
      PYUSD,
      await order('/swap/v2', { inputMint: PYUSD, outputMint: BONK, amount: '5000003' }, referred),
    );
    collect(JUP, await quoteAndSwap({ inputMint: SOL, outputMint: JUP, amount: '90000000' }, referral));
    collect(BONK, await build({ inputMint: SOL, outputMint: BONK, amount: '80000000' }, referral));
    for (const [mint, fee] of collected) expect(await held(feeAccountOf(referral, mint)), mint).toBe(fee);

    const before = await holdings(project);
    await claimOne(referral, SOL);
    await claimAll(referral, MINTS.slice(1));
    for (const [index, after] of (await holdings(project)).entries()) {
      const fee = collected.get(MINTS[index] ?? SOL) ?? 0n;
      const partners = (fee * shareBps) / 10_000n;
      expect(partners).toBeGreaterThan(0n);
      const gained = after.map((amount, place) => amount - (before[index]?.[place] ?? 0n));
      expect(gained, MINTS[index]).toEqual([partners, fee - partners]);
      expect(await held(feeAccountOf(referral, MINTS[index] ?? SOL))).toBe(0n);
    }
  });

  it('does so with token accounts of the older kind', async () => {
    const project = await readProject(address);
    const key = Keypair.generate();
    const wallet = partner.publicKey.toBase58() as Address;
    const referral = { address: key.publicKey.toBase58() as Address, project, partner: wallet };
    const token = { mint: USDC, tokenProgram: TOKEN_PROGRAM };
    const account = deriveReferralTokens(referral.address, USDC);
    await land([partner, key], initializeReferralAccount(wallet, referral));
    await land(partner, initializeReferralTokenAccount(wallet, referral, token));
    const fee = await quoteAndSwap(
      { inputMint: SOL, outputMint: USDC, amount: '50000000' },
      referral,
      account,
    );
    expect(await held(account)).toBe(fee);
    const before = await held(tokensOf(wallet, USDC));
    const open = createAssociatedTokenIdempotent({ payer: wallet, owner: wallet, ...token });
    await land(partner, open, createAdminTokenAccount(project, token), claim(wallet, referral, token));
    expect([await held(account), (await held(tokensOf(wallet, USDC))) - before]).toEqual([
      0n,
      (fee * shareBps) / 10_000n,
    ]);
  });
});

const SOL = 'So11111111111111111111111111111111111111112' as Address;
const USDC = 'EPjFWdd5AufqSSqeM2qN1xzybapC8G4wEGGkZwyTDt1v' as Address;
const JUP = 'JUPyiwrYJFskUPiHa7hkeR8VUtAeFoSYbKedZNsDvCN' as Address;
const BONK = 'DezXAZ8z7PnrnRJjz3wXBoRgixCa6xjnB7YaB1pPB263' as Address;
const PYUSD = '2b1kV6DkPAnxd5ixfnxCpjxmKwqjjaYmCZfHsFu24GXo' as Address;
const MINTS: readonly Address[] = [SOL, USDC, PYUSD, JUP, BONK];
const CLAIM_LOOKUP_TABLE = 'GBzQG2iFrPwXjGtCnwNt9S5eHd8xAR8jUMt3QDJpnjud' as Address;

async function openWallets(): Promise<void> {
  connection = new Connection(instance.rpcUrl, 'confirmed');
  const tokens = { [USDC]: 100_000_000n, [PYUSD]: 100_000_000n };
  taker = Keypair.fromSecretKey((await instance.newWallet(10_000_000_000n, tokens)).secretKey);
  partner = Keypair.fromSecretKey((await instance.newWallet(10_000_000_000n)).secretKey);
}

/** Reads what clients read of a project: its base and its admin. */
async function readProject(address: Address): Promise<Project> {
  const { data } = (await connection.getAccountInfo(new PublicKey(address))) ?? { data: Buffer.alloc(0) };
  const at = (offset: number) => new PublicKey(data.subarray(offset, offset + 32)).toBase58() as Address;
  return { address, base: at(8), admin: at(40) };
}

/** Returns the referral accounts that the search of clients by the partner finds. */
async function referralsOf({ publicKey }: Keypair): Promise<readonly string[]> {
  const memcmp = { offset: 8, bytes: publicKey.toBase58() };
  const found = await connection.getProgramAccounts(new PublicKey(REFERRAL_PROGRAM), {
    filters: [{ memcmp }],
  });
  return found.map(({ pubkey }) => pubkey.toBase58());
}

function tokenOf(mint: Address) {
  return { mint, tokenProgram: mint === PYUSD ? TOKEN_2022_PROGRAM : TOKEN_PROGRAM };
}

function tokensOf(owner: Address, mint: Address): Address {
  return deriveAssociatedTokenAddress(owner, mint, tokenOf(mint).tokenProgram);
}

function feeAccountOf({ address }: Referral, mint: Address): Address {
  return tokensOf(address, mint);
}

function openFeeAccount({ address: owner, partner: payer }: Referral, mint: Address): Instruction {
  return createAssociatedTokenIdempotent({ payer, owner, ...tokenOf(mint) });
}

async function held(account: Address): Promise<bigint> {
  const found = await connection.getAccountInfo(new PublicKey(account));
  return found?.data.readBigUInt64LE(64) ?? 0n;
}

/** Returns what partner and admin hold of each mint. */
function holdings({ admin }: Project): Promise<readonly bigint[][]> {
  const wallets = [partner.publicKey.toBase58() as Address, admin];
  return Promise.all(MINTS.map((mint) => Promise.all(wallets.map((wallet) => held(tokensOf(wallet, mint))))));
}

/** Claims one mint, at the price of compute units that clients ask for. */
async function claimOne(referral: Referral, mint: Address): Promise<void> {
  const token = tokenOf(mint);
  const { json } = await instance.ask('/_cache/reference-fees');
  const price = ComputeBudgetProgram.setComputeUnitPrice({ microLamports: json.referral });
  const instructions = [
    createAdminTokenAccount(referral.project, token),
    claimV2(referral.partner, referral, token),
  ];
  await landAll([partner], [price, ...instructions.map(toWeb3)]);
}

/** Claims several mints in one transaction, which only fits with the lookup table. */
async function claimAll(referral: Referral, mints: readonly Address[]): Promise<void> {
  const { value: table } = await connection.getAddressLookupTable(new PublicKey(CLAIM_LOOKUP_TABLE));
  const { partner: payer, project } = referral;
  const instructions = mints
    .map(tokenOf)
    .flatMap((token) => [
      createAssociatedTokenIdempotent({ payer, owner: payer, ...token }),
      createAdminTokenAccount(project, token),
      claimV2(payer, referral, token),
    ]);
  await landAll([partner], instructions.map(toWeb3), table === null ? [] : [table]);
}

/** Swaps by an order, and returns the fee that it said it would take. */
async function order(path: string, query: Query, more: Readonly<Record<string, string>>): Promise<bigint> {
  const asked = new URLSearchParams({ ...query, ...more, taker: taker.publicKey.toBase58() });
  const { json } = await instance.ask(`${path}/order?${asked}`);
  const transaction = VersionedTransaction.deserialize(Buffer.from(json.transaction, 'base64'));
  transaction.sign([taker]);
  const signedTransaction = Buffer.from(transaction.serialize()).toString('base64');
  const done = await instance.ask(`${path}/execute`, { signedTransaction, requestId: json.requestId });
  expect(done.json).toMatchObject({ status: 'Success', totalOutputAmount: json.outAmount });
  expect(json).toMatchObject({ feeBps: 100, referralAccount: more.referralAccount });
  return BigInt(json.platformFee.amount);
}

/** Swaps by the older interface, and returns the fee that the quote named. */
async function quoteAndSwap(query: Query, referral: Referral, account?: Address): Promise<bigint> {
  const asked = new URLSearchParams({ ...query, platformFeeBps: '85' });
  const { json: quoteResponse } = await instance.ask(`/swap/v1/quote?${asked}`);
  const feeAccount = account ?? feeAccountOf(referral, query.outputMint);
  const userPublicKey = taker.publicKey.toBase58();
  const { json } = await instance.ask('/swap/v1/swap', { userPublicKey, quoteResponse, feeAccount });
  const transaction = VersionedTransaction.deserialize(Buffer.from(json.swapTransaction, 'base64'));
  transaction.sign([taker]);
  await untilLanded(connection, await connection.sendRawTransaction(transaction.serialize()));
  return BigInt(quoteResponse.platformFee.amount);
}

/** Swaps by instructions, and returns the fee: 85 basis points of what the route pays, in a new account. */
async function build(query: Query, referral: Referral): Promise<bigint> {
  const feeAccount = feeAccountOf(referral, query.outputMint);
  const fee = { platformFeeBps: '85', feeAccount };
  const asked = new URLSearchParams({ ...query, ...fee, taker: taker.publicKey.toBase58() });
  const { json } = await instance.ask(`/swap/v2/build?${asked}`);
  const cleanup = json.cleanupInstruction ?? null;
  const steps = [...json.computeBudgetInstructions, ...json.setupInstructions, json.swapInstruction];
  const tables = toLookupTables(json.addressesByLookupTableAddress ?? {});
  const limit = ComputeBudgetProgram.setComputeUnitLimit({ units: 600_000 });
  const instructions = [...steps, ...(cleanup === null ? [] : [cleanup])].map(toInstruction);
  await landAll([taker], [limit, ...instructions], tables);
  const collected = await held(feeAccount);
  expect(collected).toBe(((BigInt(json.outAmount) + collected) * 85n) / 10_000n);
  return collected;
}

interface Query {
  readonly inputMint: Address;
  readonly outputMint: Address;
  readonly amount: string;
  readonly [more: string]: string;
}

function toWeb3({ programAddress, accounts, data }: Instruction): TransactionInstruction {
  return new TransactionInstruction({
    programId: new PublicKey(programAddress),
    keys: accounts.map(({ address, role }) => ({
      pubkey: new PublicKey(address),
      isSigner: (role & 2) !== 0,
      isWritable: (role & 1) !== 0,
    })),
    data: Buffer.from(data),
  });
}

function land(by: Keypair | readonly Keypair[], ...instructions: readonly Instruction[]): Promise<void> {
  return landAll(by instanceof Keypair ? [by] : by, instructions.map(toWeb3));
}

async function landAll(
  signers: readonly Keypair[],
  instructions: TransactionInstruction[],
  tables: AddressLookupTableAccount[] = [],
): Promise<void> {
  const { blockhash: recentBlockhash } = await connection.getLatestBlockhash();
  const payerKey = signers[0]?.publicKey ?? partner.publicKey;
  const message = new TransactionMessage({ payerKey, recentBlockhash, instructions }).compileToV0Message(
    tables,
  );
  const transaction = new VersionedTransaction(message);
  transaction.sign([...signers]);
  await untilLanded(connection, await connection.sendRawTransaction(transaction.serialize()));
}
