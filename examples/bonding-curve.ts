// Launches a token on a bonding curve with Meteora's library, buys it through Sluice, claims the fees, and buys until the token
// graduates to its pool. Start Sluice with `npm start`, then run `npx tsx examples/bonding-curve.ts`.
import { readFileSync } from 'node:fs';
import {
  ActivationType,
  BaseFeeMode,
  buildCurveWithMarketCap,
  CollectFeeMode,
  convertToLamports,
  deriveDbcPoolAddress,
  DynamicBondingCurveClient,
  MigrationFeeOption,
  MigrationOption,
  SwapMode,
  TokenAuthorityOption,
  TokenDecimal,
  TokenType,
  U64_MAX,
} from '@meteora-ag/dynamic-bonding-curve-sdk';
import { Connection, Keypair, PublicKey, type Transaction, VersionedTransaction } from '@solana/web3.js';

const { SLUICE_URL, SOLANA_RPC_URL, SOLANA_WS_URL, SLUICE_WALLET } = process.env;
const url = SLUICE_URL ?? 'http://127.0.0.1:8787';
const connection = new Connection(SOLANA_RPC_URL ?? 'http://127.0.0.1:8899', {
  commitment: 'confirmed',
  wsEndpoint: SOLANA_WS_URL ?? 'ws://127.0.0.1:8900',
});
const meteora = DynamicBondingCurveClient.create(connection, 'confirmed');
const key = JSON.parse(readFileSync(SLUICE_WALLET ?? '.sluice/demo-wallet.json', 'utf8'));
/** It is the partner who gets half of the fees, the creator who gets the other half, and the buyer. */
const wallet = Keypair.fromSecretKey(Uint8Array.from(key));
const SOL = new PublicKey('So11111111111111111111111111111111111111112');

async function send(transaction: Transaction, signers: readonly Keypair[] = []): Promise<void> {
  const { blockhash, lastValidBlockHeight } = await connection.getLatestBlockhash();
  transaction.feePayer = wallet.publicKey;
  transaction.recentBlockhash = blockhash;
  transaction.sign(wallet, ...signers);
  const signature = await connection.sendRawTransaction(transaction.serialize());
  const { value } = await connection.confirmTransaction({ signature, blockhash, lastValidBlockHeight });
  if (value.err !== null) throw new Error(`${signature} failed: ${JSON.stringify(value.err)}`);
}

/** A configuration can be used for any number of launches. This one sells tokens from 3 to 12 SOL of market cap. */
async function createConfig(): Promise<PublicKey> {
  const config = Keypair.generate();
  const curve = buildCurveWithMarketCap({
    token: {
      tokenType: TokenType.SPLToken,
      tokenBaseDecimal: TokenDecimal.SIX,
      tokenQuoteDecimal: TokenDecimal.NINE,
      tokenAuthorityOption: TokenAuthorityOption.Immutable,
      totalTokenSupply: 1_000_000_000,
      leftover: 0,
    },
    fee: {
      baseFeeParams: {
        baseFeeMode: BaseFeeMode.FeeSchedulerLinear,
        feeSchedulerParam: { startingFeeBps: 100, endingFeeBps: 100, numberOfPeriod: 0, totalDuration: 0 },
      },
      dynamicFeeEnabled: false,
      collectFeeMode: CollectFeeMode.QuoteToken,
      creatorTradingFeePercentage: 50,
      poolCreationFee: 0,
      enableFirstSwapWithMinFee: false,
    },
    migration: {
      migrationOption: MigrationOption.MET_DAMM_V2,
      migrationFeeOption: MigrationFeeOption.FixedBps100,
      migrationFee: { feePercentage: 0, creatorFeePercentage: 0 },
    },
    liquidityDistribution: {
      partnerPermanentLockedLiquidityPercentage: 50,
      partnerLiquidityPercentage: 0,
      creatorPermanentLockedLiquidityPercentage: 50,
      creatorLiquidityPercentage: 0,
    },
    lockedVesting: {
      totalLockedVestingAmount: 0,
      numberOfVestingPeriod: 0,
      cliffUnlockAmount: 0,
      totalVestingDuration: 0,
      cliffDurationFromMigrationTime: 0,
    },
    activationType: ActivationType.Timestamp,
    initialMarketCap: 3,
    migrationMarketCap: 12,
  });
  const { publicKey } = wallet;
  const creation = await meteora.partner.createConfig({
    ...curve,
    config: config.publicKey,
    feeClaimer: publicKey,
    leftoverReceiver: publicKey,
    quoteMint: SOL,
    payer: publicKey,
  });
  await send(creation, [config]);
  return config.publicKey;
}

async function launch(config: PublicKey): Promise<PublicKey> {
  const mint = Keypair.generate();
  const creation = await meteora.creator.createPool({
    name: 'Paper Lark',
    symbol: 'LARK',
    uri: 'https://example.com/lark.json',
    config,
    baseMint: mint.publicKey,
    poolCreator: wallet.publicKey,
    payer: wallet.publicKey,
  });
  await send(creation, [mint]);
  return mint.publicKey;
}

async function ask(path: string, body?: object) {
  const request =
    body === undefined
      ? {}
      : {
          method: 'POST',
          headers: { 'content-type': 'application/json' },
          body: JSON.stringify(body),
        };
  const response = await fetch(`${url}${path}`, request);
  if (!response.ok) throw new Error(`${path} answered ${response.status}: ${await response.text()}`);
  return JSON.parse(await response.text());
}

/** Swaps by order and execute. Returns what it paid, in atoms. */
async function swap(inputMint: PublicKey, outputMint: PublicKey, amount: string): Promise<string> {
  const query = new URLSearchParams({
    inputMint: inputMint.toBase58(),
    outputMint: outputMint.toBase58(),
    amount,
    taker: wallet.publicKey.toBase58(),
  });
  const order = await ask(`/swap/v2/order?${query}`);
  if (!order.transaction) throw new Error(order.error);
  const transaction = VersionedTransaction.deserialize(Buffer.from(order.transaction, 'base64'));
  transaction.sign([wallet]);
  const signedTransaction = Buffer.from(transaction.serialize()).toString('base64');
  const { requestId } = order;
  const result = await ask('/swap/v2/execute', { signedTransaction, requestId });
  if (result.status !== 'Success') throw new Error(`${result.code}: ${result.error}`);
  return result.totalOutputAmount;
}

/** Claims what trades have paid to the creator and to the partner. */
async function claimFees(pool: PublicKey): Promise<void> {
  const { publicKey: owner } = wallet;
  const all = { payer: owner, pool, receiver: owner, maxBaseAmount: U64_MAX, maxQuoteAmount: U64_MAX };
  await send(await meteora.creator.claimCreatorTradingFee2({ ...all, creator: owner }));
  await send(await meteora.partner.claimPartnerTradingFee2({ ...all, feeClaimer: owner }));
}

/** Buys what is left of the curve. What that does not cost stays in the wallet. */
async function buyOut(pool: PublicKey): Promise<void> {
  const purchase = await meteora.pool.swap2({
    owner: wallet.publicKey,
    pool,
    swapBaseForQuote: false,
    referralTokenAccount: null,
    swapMode: SwapMode.PartialFill,
    amountIn: convertToLamports(10, TokenDecimal.NINE),
    minimumAmountOut: convertToLamports(1, TokenDecimal.SIX),
  });
  await send(purchase);
}

type Token = { launchpad?: string; bondingCurve?: number; graduatedPool?: string };

/** Waits until Sluice shows a token as the condition wants it. */
async function waitForToken(mint: PublicKey, isAsWanted: (token: Token) => boolean): Promise<Token> {
  for (;;) {
    const [token] = await ask(`/tokens/v2/search?query=${mint.toBase58()}`);
    if (token !== undefined && isAsWanted(token)) return token;
    await new Promise((resolve) => setTimeout(resolve, 500));
  }
}

async function main(): Promise<void> {
  const config = await createConfig();
  const mint = await launch(config);
  const pool = deriveDbcPoolAddress(SOL, mint, config);
  console.log(`launched ${mint} on the curve ${pool}`);

  const bought = await swap(SOL, mint, '500000000');
  const { launchpad, bondingCurve } = await waitForToken(mint, (token) => (token.bondingCurve ?? 0) > 0);
  console.log(`0.5 SOL bought ${Number(bought) / 1e6} LARK; ${launchpad} shows ${bondingCurve}% raised`);

  const fees = await meteora.state.getPoolFeeMetrics(pool);
  const claimable = fees.current.creatorQuoteFee.add(fees.current.partnerQuoteFee);
  await claimFees(pool);
  console.log(`claimed ${claimable.toNumber() / 1e9} SOL of fees`);

  await buyOut(pool);
  const { graduatedPool } = await waitForToken(mint, (token) => token.graduatedPool !== undefined);
  console.log(`graduated to the pool ${graduatedPool}`);
  console.log(`sold for ${Number(await swap(mint, SOL, bought)) / 1e9} SOL`);
}

main();
