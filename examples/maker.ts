// A market maker for SOL against USDC: quotes around a price, which its fills move, and signs the swaps that match.
// SLUICE_MAKER_KEY and SLUICE_MAKER_ID are what `sluice maker add` printed; then run `npx tsx examples/maker.ts`.
import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import * as grpc from '@grpc/grpc-js';
import { loadSync } from '@grpc/proto-loader';
import * as kit from '@solana/kit';
import { lastLook, ownAccounts, type Streamed } from './last-look.ts';

const { SLUICE_GRPC, SLUICE_MAKER_KEY, SLUICE_MAKER_ID, SLUICE_MAKER_WALLET, SLUICE_MAKER_PRICE } =
  process.env;
const maker_id = SLUICE_MAKER_ID ?? 'demo-maker';
const key = JSON.parse(readFileSync(SLUICE_MAKER_WALLET ?? 'maker-wallet.json', 'utf8'));
const maker = await kit.createKeyPairSignerFromBytes(Uint8Array.from(key));
const owner = 'TokenkegQfeZyiNwAJbNbGKPFXCWuBvf9Ss623VQ5DA';
const token = (address: string, decimals: number, symbol: string) => ({ address, decimals, symbol, owner });
const base_token = token('So11111111111111111111111111111111111111112', 9, 'SOL');
const quote_token = token('EPjFWdd5AufqSSqeM2qN1xzybapC8G4wEGGkZwyTDt1v', 6, 'USDC');
const ONE = 10n ** 9n;
const VOLUME = 50n * ONE;
/** Longer than a taker may take to sign. */
const KEPT = 60_000;
const [PING, SWAP_SUBMIT] = [0, 4];
const [QUOTE_EVERY, QUOTE_SECONDS, PING_EVERY, BACKOFF, MAX_BACKOFF] = [5_000, 30, 10_000, 500, 30_000];

const proto = loadSync(fileURLToPath(new URL('../proto/market_maker.proto', import.meta.url)), {
  keepCase: true,
  longs: String,
  enums: String,
});
const { market_maker } = grpc.loadPackageDefinition(proto) as never as Record<
  string,
  Record<string, grpc.ServiceClientConstructor>
>;
const Service = market_maker?.MarketMakerIngestionService;
if (Service === undefined) throw new Error('proto/market_maker.proto has no MarketMakerIngestionService');
const address = new URL(SLUICE_GRPC ?? 'http://127.0.0.1:50051');
const channel =
  address.protocol === 'https:' ? grpc.credentials.createSsl() : grpc.credentials.createInsecure();
const client = new Service(address.host, channel, { 'grpc.keepalive_time_ms': PING_EVERY });
const metadata = new grpc.Metadata();
metadata.set('x-api-key', SLUICE_MAKER_KEY ?? '');

/** What was streamed and may still be taken. */
let streamed: (Streamed & { readonly until: number })[] = [];

/** In quote atoms per SOL. */
let middle = BigInt(Math.round(Number(SLUICE_MAKER_PRICE ?? 200) * 1e6));
/** What each swap that we signed sells of our SOL, until it is confirmed. */
const signed = new Map<string, bigint>();

/** What we sell is in demand: two basis points dearer for each SOL, and cheaper for each that we buy. */
function confirmed(swap_uuid: string) {
  middle += ((signed.get(swap_uuid) ?? 0n) * middle) / (5_000n * ONE);
  signed.delete(swap_uuid);
}

/** A basis point to each side of the price. Put your own pricing here. */
function pricesNow() {
  return { bid: middle - middle / 10_000n, ask: middle + middle / 10_000n, volume: VOLUME };
}

const own = await ownAccounts(maker.address, base_token.address, quote_token.address, ONE);

async function cosign(swap_uuid: string, text: string): Promise<string> {
  const transaction = kit.getTransactionDecoder().decode(Buffer.from(text, 'base64'));
  streamed = streamed.filter(({ until }) => until > Date.now());
  const fill = lastLook(Uint8Array.from(transaction.messageBytes), own, streamed);
  if (typeof fill === 'string') throw new Error(fill);
  signed.set(swap_uuid, fill.sells);
  return kit.getBase64EncodedWireTransaction(
    await kit.partiallySignTransaction([maker.keyPair], transaction),
  );
}

/** What is streamed next; it may be taken from then on. */
function snapshot(sequence: bigint) {
  const prices = pricesNow();
  streamed.push({ ...prices, until: Date.now() + KEPT });
  const level = (price: bigint) => [{ price: String(price), volume: String(VOLUME) }];
  return {
    maker_id,
    maker_address: maker.address,
    timestamp: `${Date.now()}000`,
    sequence_number: String(sequence),
    quote_expiry_time: QUOTE_SECONDS,
    lot_size_base: 1_000,
    cluster: 1,
    token_pair: { base_token, quote_token },
    bid_levels: level(prices.bid),
    ask_levels: level(prices.ask),
  };
}

type Texts<Names extends string> = Record<Names, string>;
type SwapUpdate = Texts<
  'message_type' | 'swap_uuid' | 'unsigned_transaction' | 'transaction_signature' | 'status_message'
>;
type LastSequence = Texts<'last_sequence_number'>;

/** Resolves when the connection is gone; the swap stream is opened first, because quotes without it are refused. */
function session(onReady: () => void): Promise<string> {
  return new Promise((resolve) => {
    const swaps = client.StreamSwap?.(metadata);
    const quotes = client.StreamQuotes?.(metadata);
    const timers: NodeJS.Timeout[] = [];
    const end = (why: unknown) => {
      for (const timer of timers) clearInterval(timer);
      swaps.cancel();
      quotes.cancel();
      resolve(why instanceof Error ? why.message : String(why));
    };
    for (const stream of [swaps, quotes])
      stream.on('error', end).on('end', () => end('the stream has ended'));
    quotes.on('data', (update: Texts<'update_type' | 'status_message'>) => {
      if (update.update_type === 'UPDATE_TYPE_REJECTED')
        console.log(`quote rejected: ${update.status_message}`);
    });
    swaps.on('data', (update: SwapUpdate) => {
      const { swap_uuid, transaction_signature, status_message } = update;
      const type = update.message_type.replace('SWAP_MESSAGE_TYPE_', '');
      const words = [type, swap_uuid, transaction_signature, status_message];
      if (type !== 'PONG') console.log(words.filter(Boolean).join(' '));
      if (type === 'TRANSACTION_CONFIRMED') confirmed(swap_uuid);
      if (type === 'ERROR') signed.delete(swap_uuid);
      if (type !== 'SWAP_AVAILABLE') return;
      cosign(swap_uuid, update.unsigned_transaction).then(
        (signed_transaction) => swaps.write({ message_type: SWAP_SUBMIT, swap_uuid, signed_transaction }),
        (error) => console.log(`not signed ${swap_uuid}: ${error.message}`),
      );
    });
    const ping = { message_type: PING, swap_uuid: '', signed_transaction: '' };
    timers.push(setInterval(() => swaps.write(ping), PING_EVERY));
    const request = { maker_id, auth_token: SLUICE_MAKER_KEY ?? '' };
    client.GetLastSequenceNumber?.(request, metadata, (error: Error | null, last: LastSequence) => {
      if (error !== null) return end(error);
      let sequence = BigInt(last.last_sequence_number);
      const quote = () => quotes.write(snapshot(++sequence));
      onReady();
      quote();
      timers.push(setInterval(quote, QUOTE_EVERY));
    });
  });
}

// A maker that another process started ends with that.
process.once('disconnect', () => process.exit(0));
let wait = BACKOFF;
for (;;) {
  const ended = await session(() => (wait = BACKOFF));
  console.log(`disconnected: ${ended}; again in ${wait} ms`);
  await new Promise((resolve) => setTimeout(resolve, wait));
  wait = Math.min(2 * wait, MAX_BACKOFF);
}
