import { lastLook, type Own, ownAccounts } from '../../../examples/last-look.ts';
import type { ManualTimers } from '../timers.ts';
import { type Keypair, createKeypairFromSeed } from '../../solana/keypair.ts';
import { WRAPPED_SOL_MINT } from '../../solana/program-addresses.ts';
import { addSignatures, parseTransaction } from '../../solana/messages/transaction.ts';
import { makerRecord, snapshot, type TestRfq, USDC } from './test-rfq.ts';
import type { QuoteStream } from '../../rfq/streams/quote-streams.ts';
import type { SwapMessage } from '../../rfq/streams/swap-connections.ts';
import type { SwapStream } from '../../rfq/streams/swap-streams.ts';

export const MAKER = createKeypairFromSeed(new Uint8Array(32).fill(42));
export const MAKER_ID = 'maker-1';
const ONE_SOL = 10n ** 9n;
const STREAMED = { bid: 99_000_000n, ask: 101_000_000n, volume: ONE_SOL };
const QUOTE_EVERY_MS = 1_000;
const COMES_BACK_AFTER_MS = 500;

/** What a maker does; each field in place of what a good one would. */
export interface Conduct {
  /** The transaction to return, as base64; null: none. */
  readonly look?: (wire: Uint8Array, wrong: string | null) => string | null;
  /** @param connections - How often it has connected. */
  readonly sequence?: (last: bigint, connections: number) => bigint;
  readonly comesBack?: boolean;
  readonly quotes?: boolean;
  /** Of what the service sent on its swap stream: how many messages are unread. */
  readonly unread?: (sent: readonly SwapMessage[]) => number;
}

/** A maker within the process, which speaks over the streams' inner side. */
export class StreamingMaker {
  readonly sent: SwapMessage[] = [];
  /** Why it did not sign, in order. */
  readonly objections: string[] = [];
  readonly #test: TestRfq;
  readonly #conduct: Conduct;
  readonly #own: Own;
  #swaps: SwapStream | null = null;
  #connections = 0;

  private constructor(test: TestRfq, conduct: Conduct, own: Own) {
    this.#test = test;
    this.#conduct = conduct;
    this.#own = own;
  }

  /** A maker with an inventory, connected and quoting. */
  static async start(test: TestRfq, conduct: Conduct): Promise<StreamingMaker> {
    test.rfq.setRecords([makerRecord(test.chain, 1, { address: MAKER.address })]);
    const own = await ownAccounts(MAKER.address, WRAPPED_SOL_MINT, USDC, ONE_SOL);
    const maker = new StreamingMaker(test, conduct, own);
    maker.connect();
    return maker;
  }

  leave(): void {
    this.#swaps?.closed();
  }

  connect(): void {
    const { rfq, timers } = this.#test;
    const connection = ++this.#connections;
    let open = true;
    let quotes: QuoteStream | null = null;
    const close = () => {
      if (!open) return;
      open = false;
      quotes?.closed();
      if (this.#conduct.comesBack !== false) timers.after(COMES_BACK_AFTER_MS, () => this.connect());
    };
    this.#swaps = rfq.swapStreams.open(MAKER_ID, {
      send: (message) => this.#receive(message),
      end: close,
      unread: () => this.#conduct.unread?.(this.sent) ?? 0,
    });
    quotes = rfq.quoteStreams.open(MAKER_ID, {
      send: () => undefined,
      end: close,
      unread: () => 0,
      pause: () => undefined,
      resume: () => undefined,
    });
    let sequence = rfq.makers.get(MAKER_ID)?.lastSequence ?? 0n;
    const quote = () => {
      if (!open) return;
      sequence = this.#conduct.sequence?.(sequence, connection) ?? sequence + 1n;
      const fields = { sequence, makerAddress: MAKER.address };
      if (this.#conduct.quotes !== false) quotes.received(snapshot(timers.now(), fields), 0);
      timers.after(QUOTE_EVERY_MS, quote);
    };
    quote();
  }

  #receive(message: SwapMessage): void {
    this.sent.push(message);
    if (message.kind !== 'available') return;
    const wrong = this.#wrong(message.transaction);
    if (wrong !== null) this.objections.push(wrong);
    const look = this.#conduct.look ?? goodLook;
    const signedTransaction = look(message.transaction, wrong);
    const { swapUuid } = message;
    // As over a network, nothing is answered before the message was sent.
    if (signedTransaction !== null) {
      queueMicrotask(() => this.#swaps?.received({ kind: 'submit', swapUuid, signedTransaction }));
    }
  }

  #wrong(wire: Uint8Array): string | null {
    const { messageBytes } = parseTransaction(wire);
    const now = BigInt(Math.floor(this.#test.timers.now() / 1_000));
    const looked = lastLook(Uint8Array.from(messageBytes), this.#own, [STREAMED], now);
    return typeof looked === 'string' ? looked : null;
  }
}

function goodLook(wire: Uint8Array, wrong: string | null): string | null {
  return wrong === null ? signed(wire) : null;
}

export function signed(wire: Uint8Array, by: Keypair = MAKER): string {
  return Buffer.from(addSignatures(parseTransaction(wire), [by])).toString('base64');
}

/** With another last byte in the message's last instruction; the very last says that there are no lookups. */
export function modified(wire: Uint8Array): string {
  const changed = Buffer.from(wire);
  changed[changed.length - 2] = (changed[changed.length - 2] ?? 0) ^ 1;
  return changed.toString('base64');
}

/** Lets time pass in small steps until the condition is true. */
export async function pass(timers: ManualTimers, condition: () => boolean): Promise<void> {
  for (let step = 0; !condition(); step++) {
    if (step > 10_000) throw new Error('the condition has not come true in 500 s of the test’s time');
    timers.advance(50);
    await new Promise(setImmediate);
  }
}
