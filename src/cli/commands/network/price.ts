import type { Static } from 'typebox';
import { renderTable } from '../../../config/render.ts';
import {
  FollowerAnswer,
  FollowerState,
  PriceAnswer,
  PricesAnswer,
} from '../../../gateway/admin/network/price-schema.ts';
import { type AdminAddress, ADMIN_SETTINGS, callAdmin } from '../../admin-client/admin-call.ts';
import { checkAnswer } from '../../admin-client/platform-answers.ts';
import type { Command, CommandFlag } from '../../command-line/command.ts';
import { UsageError } from '../../command-line/command-line.ts';
import { formatForError } from '../../../common/format-for-error.ts';

type Price = Static<typeof PriceAnswer>;

const settings = ADMIN_SETTINGS;
const PRICES = 'network/prices';
const FOLLOWER = 'network/price-follower';
const WHO = 'the price process';
const HEAD = ['token', 'price in USD', 'confidence', 'moves', 'slot', 'feed'];

const WALK_FLAGS: readonly CommandFlag[] = [
  {
    name: 'sigma',
    allowed: 'percent, from 0 to 100',
    description: 'Standard deviation of the price within an hour. Default: 1.',
  },
  {
    name: 'drift',
    allowed: 'percent, from -100 to 100',
    description: 'What the price gains in an hour; negative when it falls. Default: 0.',
  },
  {
    name: 'every',
    allowed: 'seconds, from 1 to 86400',
    description: 'The length of a step, by the clock of the network. Default: 10.',
  },
  {
    name: 'walk-seed',
    allowed: 'a whole number',
    description: 'Picks the path: the same seed gives the same steps. Default: 1.',
  },
];

export const PRICE_COMMANDS: readonly Command[] = [
  {
    name: 'price list',
    summary: 'List the price feeds of the embedded network; /price/v3 has the prices of its pools.',
    words: [],
    settings,
    run: async ({ config, write }) => {
      const answer = await callAdmin(config, { method: 'GET', path: PRICES }, WHO);
      write(renderTable([HEAD, ...checkAnswer(PricesAnswer, answer).prices.map(toPriceRow)]));
      return 0;
    },
  },
  {
    name: 'price show',
    summary: 'Show the price of a token of the embedded network.',
    words: ['symbol'],
    settings,
    run: async ({ config, words: [symbol = ''], write }) => {
      const answer = await callAdmin(config, { method: 'GET', path: PRICES }, WHO);
      const { prices } = checkAnswer(PricesAnswer, answer);
      const found = prices.find((price) => price.symbol.toLowerCase() === symbol.toLowerCase());
      if (found === undefined) {
        const symbols = prices.map((price) => price.symbol).join(', ');
        throw new UsageError(`the token is ${formatForError(symbol)}, but must be one of ${symbols}`);
      }
      write(renderTable([HEAD, toPriceRow(found)]));
      return 0;
    },
  },
  {
    name: 'price set',
    summary: 'Fix the price of a token of the embedded network, in US dollars. Staked SOL follows SOL.',
    words: ['symbol', 'price'],
    settings,
    run: async ({ config, words: [symbol = '', price = ''], write }) => {
      if (!/^\d{1,19}(\.\d{1,18})?$/.test(price)) {
        throw new UsageError(`the price is ${formatForError(price)}, but must be a plain decimal number`);
      }
      const path = toPricePath(symbol);
      const answer = await moved(config, { method: 'PUT', path, body: { price } });
      write(`${answer.symbol} is worth ${answer.price} USD\n`);
      write(await describeConsequences(config, answer.symbol));
      return 0;
    },
  },
  {
    name: 'price walk',
    summary: 'Let the price of a token of the embedded network move at random, from where it is.',
    words: ['symbol'],
    settings,
    flags: WALK_FLAGS,
    run: async ({ config, words: [symbol = ''], flags, write }) => {
      const body = {
        deviation: parseDecimalFlag(flags, 'sigma', 1),
        drift: parseDecimalFlag(flags, 'drift', 0),
        seconds: parseDecimalFlag(flags, 'every', 10),
        seed: flags.get('walk-seed') ?? '1',
      };
      const answer = await moved(config, { method: 'PUT', path: `${toPricePath(symbol)}/walk`, body });
      write(`${answer.symbol} moves from ${answer.price} USD: ${formatMoves(answer)}\n`);
      return 0;
    },
  },
  {
    name: 'price follow',
    summary:
      'Let the pools of the embedded network follow its prices, by swaps of an arbitrageur, or leave them.',
    words: ['on|off'],
    settings,
    run: async ({ config, words: [text = ''], write }) => {
      if (text !== 'on' && text !== 'off') {
        throw new UsageError(`the word is ${formatForError(text)}, but must be on or off`);
      }
      const body = { following: text === 'on' };
      const call = { method: 'PUT' as const, path: FOLLOWER, body };
      const { following, trades } = checkAnswer(FollowerAnswer, await callAdmin(config, call, WHO));
      write(
        following
          ? `pools follow the prices until Sluice stops: ${trades} swaps\n`
          : 'pools stay where they are\n',
      );
      return 0;
    },
  },
  {
    name: 'price stop',
    summary: 'Stop the price of a token of the embedded network where it is.',
    words: ['symbol'],
    settings,
    run: async ({ config, words: [symbol = ''], write }) => {
      const answer = await moved(config, { method: 'DELETE', path: `${toPricePath(symbol)}/walk` });
      write(`${answer.symbol} stays at ${answer.price} USD\n`);
      return 0;
    },
  },
];

/** Returns what a price that was set changes: the tokens whose prices depend on it, lending, and the pools if they follow. */
async function describeConsequences(config: AdminAddress, symbol: string): Promise<string> {
  const list = await callAdmin(config, { method: 'GET', path: PRICES }, WHO);
  const dependent = checkAnswer(PricesAnswer, list).prices.filter(({ follows }) => follows === symbol);
  const state = await callAdmin(config, { method: 'GET', path: FOLLOWER }, WHO);
  const { following } = checkAnswer(FollowerState, state);
  return [
    ...dependent.map(({ symbol: name, price }) => `${name} follows it and is worth ${price} USD\n`),
    'lending reads these prices from now on, so that loans can become unsafe: see sluice start --liquidator\n',
    following
      ? 'pools follow by swaps, and so do quotes and /price/v3, until each pool is within its fee of the price\n'
      : 'pools, quotes and /price/v3 stay where they are: sluice price follow on lets them follow\n',
  ].join('');
}

async function moved(config: AdminAddress, call: Parameters<typeof callAdmin>[1]): Promise<Price> {
  return checkAnswer(PriceAnswer, await callAdmin(config, call, WHO));
}

function toPricePath(symbol: string): string {
  return `${PRICES}/${encodeURIComponent(symbol)}`;
}

function parseDecimalFlag(flags: ReadonlyMap<string, string>, name: string, absent: number): number {
  const text = flags.get(name);
  if (text === undefined) return absent;
  if (/^-?\d{1,6}(\.\d{1,4})?$/.test(text)) return Number(text);
  throw new UsageError(`--${name} is ${formatForError(text)}, but must be a plain decimal number`);
}

function toPriceRow(price: Price): string[] {
  const { symbol, confidence, slot, feed } = price;
  return [symbol, price.price, confidence, formatMoves(price), slot, feed];
}

function formatMoves({ follows, walk }: Price): string {
  if (follows !== null) return `with ${follows}`;
  if (walk === null) return 'fixed';
  const { deviation, drift, seconds, seed, steps } = walk;
  return `by ${deviation}% an hour, drift ${drift}%, every ${seconds} s, seed ${seed}, ${steps} steps so far`;
}
