import { parseExactJson } from '../../../../base/exact-json.ts';
import { DOLLAR_DECIMALS } from '../../../../base/format-dollars.ts';
import { shortenName } from '../../../../base/format-text.ts';
import { isAddress } from '../../../../base/is-address.ts';
import { getFixed, getText, getWhole, isFlagSet } from '../../../../base/read-json.ts';
import { getSecondTime } from '../../../../base/read-times.ts';
import { decodeBase58 } from '../../../../base/base58.ts';

const MAX_VENUE = 32;
const SIGNATURE_BYTES = 64;
const MAX_SIGNATURE = 90;

/** A swap of a token, as the stream of prices tells it. */
export interface PriceTrade {
  /** Unix ms. */
  readonly time: number | null;
  readonly isBuy: boolean;
  readonly venue: string;
  readonly pool: string | null;
  readonly otherMint: string;
  /** Smallest units of the token, and of the other one. */
  readonly amount: bigint;
  readonly otherAmount: bigint;
  /** Nano dollars. */
  readonly volume: bigint | null;
  readonly trader: string | null;
  readonly signature: string | null;
  /** Why it says little about the price: it was traded back, or part of a sandwich. */
  readonly isRoundTrip: boolean;
  readonly isSandwich: boolean;
}

/**
 * Reads a trade of the stream.
 *
 * @param data - One JSON text.
 * @param mint - The token that is looked at.
 * @returns null if it is none of the token
 */
export function readTrade(data: string, mint: string): PriceTrade | null {
  const reading = parseExactJson(data);
  if (!reading.ok) return null;
  const body = reading.value;
  const [inputMint, outputMint] = [readMint(body, 'inputMint'), readMint(body, 'outputMint')];
  const [input, output] = [getWhole(body, 'inputAmount'), getWhole(body, 'outputAmount')];
  if (inputMint === null || outputMint === null || input === null || output === null) return null;
  const isBuy = outputMint === mint;
  if (!isBuy && inputMint !== mint) return null;
  return {
    time: getSecondTime(body, 'timestamp'),
    isBuy,
    venue: shortenName(getText(body, 'venue') ?? 'unknown', MAX_VENUE),
    pool: readMint(body, 'pool'),
    otherMint: isBuy ? inputMint : outputMint,
    amount: isBuy ? output : input,
    otherAmount: isBuy ? input : output,
    volume: getFixed(body, 'usdVolume', DOLLAR_DECIMALS),
    trader: readMint(body, 'trader'),
    signature: readSignature(getText(body, 'signature')),
    isRoundTrip: isFlagSet(body, 'isRoundTrip'),
    isSandwich: isFlagSet(body, 'isSandwich'),
  };
}

function readMint(body: Parameters<typeof getText>[0], name: string): string | null {
  const text = getText(body, name);
  return text !== null && isAddress(text) ? text : null;
}

function readSignature(text: string | null): string | null {
  if (text === null || text.length > MAX_SIGNATURE) return null;
  return decodeBase58(text)?.length === SIGNATURE_BYTES ? text : null;
}
