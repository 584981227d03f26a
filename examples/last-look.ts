// What a maker looks at before it signs: that the swap is one of its own quotes, and nothing else of it is touched.
import * as kit from '@solana/kit';

const AGGREGATOR = 'JUP6LkbZbjS1jKKwapdHNy74zcZ3tLUZoi5QNyVTaV4';
const FILL_PROGRAM = 'fd3nMFYTQjX1yr5ER8u7tPdHJB7qt8RpDpNtLQX2Br5';
/** A fill that may land for longer than this many seconds is an option that nobody paid for. */
const LONGEST = 120n;

/** What was streamed and may still be taken; prices are quote atoms per whole base token. */
export interface Streamed {
  readonly bid: bigint;
  readonly ask: bigint;
  /** Base atoms on each side. */
  readonly volume: bigint;
}

/** The maker's own address and its token accounts. */
export interface Own {
  readonly maker: string;
  readonly base: string;
  readonly quote: string;
  /** Atoms of one whole base token. */
  readonly one: bigint;
}

const TOKENS = 'TokenkegQfeZyiNwAJbNbGKPFXCWuBvf9Ss623VQ5DA';
const ASSOCIATED = kit.address('ATokenGPvbdGVxr1b2hvZbsiqW5xWH25efTNsLJA8knL');

/** Fills use the maker's associated token accounts. */
export async function ownAccounts(maker: string, base: string, quote: string, one: bigint): Promise<Own> {
  const account = async (mint: string): Promise<string> => {
    const parts = [maker, TOKENS, mint];
    const seeds = parts.map((part) => kit.getAddressEncoder().encode(kit.address(part)));
    return (await kit.getProgramDerivedAddress({ programAddress: ASSOCIATED, seeds }))[0];
  };
  return { maker, base: await account(base), quote: await account(quote), one };
}

/** What a swap would do to us. */
export interface Fill {
  /** Base atoms that we sell at most; negative: that we buy. */
  readonly sells: bigint;
}

/** The fill when the swap is as we quoted; otherwise what is wrong with it. `now` is in Unix seconds. */
export function lastLook(
  messageBytes: Uint8Array,
  own: Own,
  streamed: readonly Streamed[],
  now = BigInt(Math.floor(Date.now() / 1_000)),
): Fill | string {
  const message = kit.getCompiledTransactionMessageDecoder().decode(messageBytes);
  const accounts: readonly string[] = message.staticAccounts;
  if (message.version === 'legacy' || !('instructions' in message)) return 'it is no version 0 transaction';
  if (accounts[1] !== own.maker) return 'we are not its second signer';
  const ours = [own.maker, own.base, own.quote].map((each) => accounts.indexOf(each));
  if (ours.includes(-1)) return 'our accounts are not among its own';
  const naming = message.instructions.filter((one) =>
    one.accountIndices?.some((index) => ours.includes(index)),
  );
  const [route] = naming;
  if (naming.length !== 1 || route === undefined) return 'our accounts are named outside the route';
  if (accounts[route.programAddressIndex] !== AGGREGATOR)
    return 'it is not the aggregator that names our accounts';
  const named = route.accountIndices ?? [];
  if (ours.some((index) => named.filter((other) => other === index).length !== 1))
    return 'the route names us twice';
  const at = named.indexOf(ours[0] ?? -1);
  // The fill program, the taker, us, the taker's base and quote accounts, ours, then mints, programs and the sysvar.
  const place = (offset: number) => accounts[named[at + offset] ?? -1];
  // What stands in a lookup table cannot be read from here, so the program that would take our tokens must not.
  if (place(-2) !== FILL_PROGRAM || place(3) !== own.base || place(4) !== own.quote)
    return 'our accounts are not where a fill has them';
  return readFill(Buffer.from(route.data ?? []), own, streamed, now);
}

/** The step is found by its tag and the length that fits it: 120, the side, u32 length, then the fill's parameters. */
function readFill(data: Buffer, { one }: Own, streamed: readonly Streamed[], now: bigint): Fill | string {
  const steps = [...data.keys()].filter((at) => {
    const length =
      data.length >= at + 34 && data[at] === 120 && (data[at + 1] ?? 2) < 2 ? data.readUInt32LE(at + 2) : 0;
    return length >= 44 && at + 6 + length <= data.length && length === 28 + 16 * data.readUInt32LE(at + 30);
  });
  const [at] = steps;
  if (steps.length !== 1 || at === undefined) return `it has ${steps.length} fills`;
  const buys = data[at + 1] === 0;
  const [expireAt, tick, lot] = [6, 14, 22].map((offset) => data.readBigUInt64LE(at + offset));
  if (expireAt === undefined || tick === undefined || lot === undefined)
    return 'its parameters are cut short';
  if (expireAt < now || expireAt > now + LONGEST) return `it may land until ${expireAt}, and it is ${now}`;
  let volume = 0n;
  for (let level = at + 34; level < at + 6 + data.readUInt32LE(at + 2); level += 16) {
    const price = data.readBigUInt64LE(level) * tick * one;
    volume += data.readBigUInt64LE(level + 8) * lot;
    const total = volume;
    const fair = streamed.some(
      (each) => total <= each.volume && (buys ? price >= each.ask * lot : price <= each.bid * lot),
    );
    if (!fair) return `${price / one} for ${lot} atoms, up to ${total} of them, is not what was streamed`;
  }
  return { sells: buys ? volume : -volume };
}
