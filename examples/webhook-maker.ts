// A market maker for SOL against USDC that is asked by webhook: it quotes around a price, checks each swap against its
// quotes, signs it and lands it. Run `npx tsx examples/webhook-maker.ts`, then register its URL with `sluice maker add`.
import { readFileSync } from 'node:fs';
import { createServer, type IncomingMessage } from 'node:http';
import * as kit from '@solana/kit';
import { decodeSwap, problemOf, type Quote, rejectionAskedFor } from './webhook-last-look.ts';

const env = process.env;
const rpc = kit.createSolanaRpc(env.SOLANA_RPC_URL ?? 'http://127.0.0.1:8899');
const key = JSON.parse(readFileSync(env.SLUICE_MAKER_WALLET ?? 'maker-wallet.json', 'utf8'));
const maker = await kit.createKeyPairSignerFromBytes(Uint8Array.from(key));
const [SOL, USDC] = [
  'So11111111111111111111111111111111111111112',
  'EPjFWdd5AufqSSqeM2qN1xzybapC8G4wEGGkZwyTDt1v',
];
/** USDC atoms for a SOL, and how many basis points we keep to each side of it. */
const [PRICE, SPREAD] = [
  BigInt(Math.round(Number(env.SLUICE_MAKER_PRICE ?? 200) * 1e6)),
  BigInt(env.SLUICE_MAKER_SPREAD_BPS ?? 25),
];
/** Lamports of the largest swap, and milliseconds for which a quote binds us. */
const [MOST, KEPT_MS] = [10_000_000_000n, 60_000];
/** The acceptance suite of the public toolkit sends a swap of somebody else's quote, without any signature. */
const ACCEPTANCE = env.SLUICE_MAKER_ACCEPTANCE === '1';

type Body = Readonly<Record<string, string>>;
type Answer = readonly [status: number, body: unknown];
const quotes = new Map<string, Quote>();

function quote(asked: Body): Answer {
  const { requestId, quoteId, tokenIn, tokenOut, quoteType = '', protocol, amount = '' } = asked;
  const { taker, receiver } = asked;
  if (!/^\d{1,20}$/.test(amount) || !/^exact_?(in|out)$/i.test(quoteType))
    return [400, { message: 'amount or quoteType is invalid' }];
  const sells = tokenIn === SOL && tokenOut === USDC;
  if (!sells && !(tokenIn === USDC && tokenOut === SOL)) return [404, { message: 'this pair is not quoted' }];
  const [numerator, denominator] = sells
    ? [PRICE * (10_000n - SPREAD), 10n ** 13n]
    : [10n ** 13n, PRICE * (10_000n + SPREAD)];
  const [given, isIn] = [BigInt(amount), /in$/i.test(quoteType)];
  const amountIn = isIn ? given : (given * denominator + numerator - 1n) / numerator;
  const amountOut = isIn ? (given * numerator) / denominator : given;
  const lamports = sells ? amountIn : amountOut;
  if (lamports > MOST || amountIn === 0n || amountOut === 0n)
    return [404, { message: 'this size is not quoted' }];
  const now = Date.now();
  for (const [id, { until }] of quotes) if (until < now) quotes.delete(id);
  quotes.set(quoteId ?? '', {
    tokenIn: tokenIn ?? '',
    tokenOut: tokenOut ?? '',
    amountIn,
    amountOut,
    receiver,
    until: now + KEPT_MS,
  });
  const amounts = { amountIn: String(amountIn), amountOut: String(amountOut) };
  // By repeating the receiver we say that we would sign a swap whose taker hands the output on.
  const echoed = { requestId, quoteId, tokenIn, tokenOut, quoteType, protocol, taker, receiver };
  return [200, { ...echoed, ...amounts, maker: maker.address }];
}

async function swap({ requestId = '', quoteId = '', transaction = '' }: Body): Promise<Answer> {
  const asked = rejectionAskedFor(requestId);
  if (asked !== null) return [200, { quoteId, ...asked }];
  const decoded = decodeSwap(transaction);
  if (decoded === null) return [400, { message: 'transaction is not a transaction in base64' }];
  const quoted = quotes.get(quoteId);
  const problem = problemOf(maker.address, decoded.messageBytes, quoted);
  if (ACCEPTANCE && problem !== null) return [200, { quoteId, state: 'accepted' }];
  if (problem !== null) return [200, { quoteId, state: 'rejected', rejectionReason: problem }];
  quotes.delete(quoteId); // Each quote is good for one swap.
  const signed = await kit.partiallySignTransaction([maker.keyPair], decoded);
  if (!kit.isFullySignedTransaction(signed))
    return [200, { quoteId, state: { rejectedWithReason: 'signatureVerificationFailed' } }];
  const wire = kit.getBase64EncodedWireTransaction(signed);
  const sent = await rpc.sendTransaction(wire, { encoding: 'base64' }).send();
  // A network drops transactions, so it is sent again for as long as the quote could be filled.
  for (let again = 2_000; again < 40_000; again += 2_000) setTimeout(() => resend(wire), again).unref();
  console.log(`filled ${quoteId} in ${sent}`);
  return [200, { quoteId, state: 'accepted', txSignature: sent }];
}

function resend(wire: kit.Base64EncodedWireTransaction) {
  rpc
    .sendTransaction(wire, { encoding: 'base64', skipPreflight: true })
    .send()
    .catch(() => {});
}

async function answer(request: IncomingMessage): Promise<Answer> {
  if (request.method === 'GET' && request.url === '/tokens') return [200, [SOL, USDC]];
  if (request.method !== 'POST') return [404, { message: 'there is nothing here' }];
  let text = '';
  for await (const chunk of request) {
    text += chunk;
    if (text.length > 16_384) return [400, { message: 'the body is too large' }];
  }
  if (env.SLUICE_WEBHOOK_KEY !== undefined && request.headers['x-api-key'] !== env.SLUICE_WEBHOOK_KEY)
    return [401, { message: 'the key is wrong' }];
  if (request.url === '/quote') return quote(JSON.parse(text));
  return request.url === '/swap' ? swap(JSON.parse(text)) : [404, { message: 'there is nothing here' }];
}

const server = createServer((request, response) => {
  const failed = (error: Error): Answer => {
    if (error instanceof SyntaxError) return [400, { message: error.message }];
    console.error(error);
    return [500, { message: error.message }];
  };
  const send = ([status, body]: Answer) =>
    response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body));
  answer(request).catch(failed).then(send);
});
server.listen(Number(env.SLUICE_WEBHOOK_PORT ?? 8080), '127.0.0.1', () => {
  const url = `http://127.0.0.1:${(server.address() as { port: number }).port}`;
  console.log(`${maker.address} answers at ${url}`);
  process.send?.(url); // To a process that started this one.
});
process.once('SIGTERM', () => process.exit(0)).once('disconnect', () => process.exit(0));
