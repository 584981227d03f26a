import * as kit from '@solana/kit';
import * as web3 from '@solana/web3.js';
import { describe, expect, it } from 'vitest';
import { untilLanded } from './landed.ts';
import { useInstance } from './shared-instance.ts';
import { toInstruction, toLookupTables } from './web3-instructions.ts';

describe('the separate quote and swap of /swap/v2', () => {
  const instance = useInstance();

  it('quotes, builds, signs and lands with @solana/web3.js', async () => {
    const { connection, signer } = await newTaker();
    const quoteResponse = await quote();
    const { status, json } = await instance.ask('/swap/v2/swap', { quoteResponse, taker: signer.address });
    expect(status, JSON.stringify(json)).toBe(200);
    const transaction = web3.VersionedTransaction.deserialize(Buffer.from(json.swapTransaction, 'base64'));
    transaction.sign([signer.web3]);
    const signature = await connection.sendRawTransaction(transaction.serialize(), { skipPreflight: true });
    await untilLanded(connection, signature);
    expect(await held(connection, signer.address)).toBe(BigInt(quoteResponse.outAmount));
    // The wallet paid the amount, a signature, the priority fee and the rent of its account of USDC.
    const spent = FUNDS - BigInt(await connection.getBalance(signer.web3.publicKey));
    const fees = 5_000 + Math.ceil((Number(json.computeUnitPrice) * 1_400_000) / 1e6);
    expect(spent).toBe(BigInt(quoteResponse.inAmount) + BigInt(fees) + RENT);
  });

  it('quotes, builds, signs and lands with @solana/kit', async () => {
    const { connection, signer } = await newTaker();
    const quoteResponse = await quote();
    const { json } = await instance.ask('/swap/v2/swap', { quoteResponse, taker: signer.address });
    const keyPair = await kit.createKeyPairFromBytes(signer.web3.secretKey);
    const wire = Uint8Array.from(kit.getBase64Codec().encode(json.swapTransaction));
    const signed = await kit.partiallySignTransaction([keyPair], kit.getTransactionDecoder().decode(wire));
    const rpc = kit.createSolanaRpc(instance.rpcUrl);
    const signature = await rpc
      .sendTransaction(kit.getBase64EncodedWireTransaction(signed), {
        encoding: 'base64',
        skipPreflight: true,
      })
      .send();
    await untilLanded(connection, signature);
    expect(await held(connection, signer.address)).toBe(BigInt(quoteResponse.outAmount));
  });

  it('gives instructions with their lookup tables, for a transaction that another wallet pays for', async () => {
    const { connection, signer } = await newTaker();
    const payer = (await newTaker()).signer;
    const quoteResponse = await quote();
    const body = { quoteResponse, taker: signer.address, payer: payer.address, tipAmount: '1000000' };
    const { json } = await instance.ask('/swap/v2/swap-instructions', body);
    const steps = [
      ...json.computeBudgetInstructions,
      ...json.setupInstructions,
      json.swapInstruction,
      ...(json.cleanupInstruction === null ? [] : [json.cleanupInstruction]),
      ...json.otherInstructions,
      json.tipInstruction,
    ];
    const message = new web3.TransactionMessage({
      payerKey: payer.web3.publicKey,
      recentBlockhash: new web3.PublicKey(json.blockhashWithMetadata.blockhash).toBase58(),
      instructions: steps.map(toInstruction),
    }).compileToV0Message(toLookupTables(json.addressesByLookupTableAddress));
    const transaction = new web3.VersionedTransaction(message);
    transaction.sign([payer.web3, signer.web3]);
    await untilLanded(connection, await connection.sendRawTransaction(transaction.serialize()));
    expect(await held(connection, signer.address)).toBe(BigInt(quoteResponse.outAmount));
    const left = BigInt(await connection.getBalance(signer.web3.publicKey));
    expect(FUNDS - left).toBe(BigInt(quoteResponse.inAmount));
  });

  it.each<[string, object, string]>([
    ['no taker', { taker: '' }, 'taker is missing'],
    ['a tip below the minimum', { tipAmount: '5' }, 'tipAmount must be at least 1000000 lamports, got "5"'],
    ['an unknown level', { computeUnitPricePercentile: 'low' }, 'computeUnitPricePercentile'],
    ['too long a lifetime', { blockhashSlotsToExpiry: 301 }, 'blockhashSlotsToExpiry'],
    ['a quote that was cut down', { quoteResponse: { inputMint: SOL } }, 'quoteResponse.inAmount is missing'],
  ])('is refused with %s', async (_, fields, message) => {
    const valid = { quoteResponse: await quote(), taker: SOL };
    for (const path of ['swap', 'swap-instructions']) {
      const { status, json } = await instance.ask(`/swap/v2/${path}`, { ...valid, ...fields });
      expect(status).toBe(400);
      expect(json.error).toContain(message);
    }
  });

  it('has the text of a missing route that clients compare', async () => {
    const query = new URLSearchParams({ inputMint: SOL, outputMint: USDC, amount: '1' });
    const { status, json } = await instance.ask(`/swap/v2/quote?${query}`);
    expect(status).toBe(400);
    expect(json).toMatchObject({
      error: 'Could not find any route',
      errorCode: 'COULD_NOT_FIND_ANY_ROUTE',
    });
  });

  async function quote() {
    const query = new URLSearchParams({ inputMint: SOL, outputMint: USDC, amount: '1000000000' });
    const { status, json } = await instance.ask(`/swap/v2/quote?${query}&slippageBps=50`);
    expect(status, JSON.stringify(json)).toBe(200);
    return json;
  }

  async function newTaker() {
    const connection = new web3.Connection(instance.rpcUrl, 'confirmed');
    const wallet = await instance.newWallet(FUNDS);
    return {
      connection,
      signer: { address: wallet.address, web3: web3.Keypair.fromSecretKey(wallet.secretKey) },
    };
  }
});

const SOL = 'So11111111111111111111111111111111111111112';
const USDC = 'EPjFWdd5AufqSSqeM2qN1xzybapC8G4wEGGkZwyTDt1v';
const FUNDS = 5_000_000_000n;
/** Of a token account. */
const RENT = 2_039_280n;

async function held(connection: web3.Connection, owner: string): Promise<bigint> {
  const { value } = await connection.getParsedTokenAccountsByOwner(new web3.PublicKey(owner), {
    mint: new web3.PublicKey(USDC),
  });
  return value.reduce((sum, { account }) => sum + BigInt(account.data.parsed.info.tokenAmount.amount), 0n);
}
