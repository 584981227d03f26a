import { readFile } from 'node:fs/promises';
import { resolve } from 'node:path';
import { OperatorError } from '../../../common/operator-error.ts';
import { formatForError } from '../../../common/format-for-error.ts';
import { EVENT_CATEGORIES } from '../../../predictions/prediction.ts';
import { parseChoiceFlag } from '../../admin-client/platform-answers.ts';
import type { CommandFlag } from '../../command-line/command.ts';
import { UsageError } from '../../command-line/command-line.ts';

const TIME = 'a time such as 2027-01-31T00:00:00Z, or how long from now, such as 90m, 24h or 7d';

/** The flags that describe an event with one market. */
const TERM_FLAGS: readonly CommandFlag[] = [
  { name: 'title', allowed: 'a text', description: 'The subject of the event.' },
  { name: 'category', allowed: EVENT_CATEGORIES.join('|'), description: 'The category of the event.' },
  { name: 'closes', allowed: TIME, description: 'When trading ends, by the clock of the network.' },
  {
    name: 'market',
    allowed: 'a text',
    description: 'The question of its market, which is answered by yes or no. Default: the title.',
  },
  { name: 'rules', allowed: 'a text', description: 'What decides the market.' },
  {
    name: 'price',
    allowed: 'a whole number from 1 to 99',
    description: 'The price of yes at which the house begins, in cents. Default: 50.',
  },
  {
    name: 'contracts',
    allowed: 'a number',
    description: 'How many contracts the house offers at each cent; 0: it offers nothing. Default: 100.',
  },
  {
    name: 'id',
    allowed: 'letters, digits, points and hyphens',
    description: 'The id of the event. Default: drawn.',
  },
  { name: 'subtitle', allowed: 'a text', description: 'More about the subject.' },
  { name: 'subcategory', allowed: 'a text', description: 'A subject within the category.' },
  { name: 'tags', allowed: 'tags with commas between', description: 'The tags of the event. Default: none.' },
  { name: 'begins', allowed: TIME, description: 'When its subject begins. Default: it has no such time.' },
  { name: 'image', allowed: 'a URL', description: 'The image of the event. Default: none.' },
];

/** The flags of `sluice prediction event create`. */
export const EVENT_FLAGS: readonly CommandFlag[] = [
  {
    name: 'file',
    allowed: 'a file',
    description:
      'Describes the event in JSON, as `POST /admin/v1/prediction-events` takes it: with several markets, and with all fields. No other flag can be given with it.',
  },
  ...TERM_FLAGS,
];

/**
 * Returns the body of the request that creates an event, from the flags or from the file that they name. What the fields
 * may contain is checked by the instance.
 *
 * @throws UsageError when a required flag is missing, or two flags contradict each other
 * @throws OperatorError when the file cannot be read, or holds no JSON object
 */
export async function readEventBody(flags: ReadonlyMap<string, string>, cwd: string): Promise<object> {
  const file = flags.get('file');
  if (file === undefined) return toEventBody(flags);
  const other = TERM_FLAGS.find(({ name }) => flags.has(name));
  if (other !== undefined) {
    throw new UsageError(`--file describes the whole event, so --${other.name} cannot be given with it`);
  }
  const text = await readFile(resolve(cwd, file), 'utf8').catch((error: Error) => {
    throw new OperatorError(`the file ${file} cannot be read: ${error.message}`);
  });
  return parseEventFile(file, text);
}

function parseEventFile(file: string, text: string): object {
  let parsed: unknown;
  try {
    parsed = JSON.parse(text);
  } catch (error) {
    throw new OperatorError(`the file ${file} is no JSON: ${error instanceof Error ? error.message : error}`);
  }
  if (typeof parsed !== 'object' || parsed === null || Array.isArray(parsed)) {
    throw new OperatorError(`the file ${file} must hold one JSON object, the event`);
  }
  return parsed;
}

/** The price of yes at which the house begins, in cents. */
const DEFAULT_PRICE = 50;

function toEventBody(flags: ReadonlyMap<string, string>): object {
  const title = requireFlag(flags, 'title');
  const tags = flags.get('tags');
  const texts = { subtitle: 'subtitle', subcategory: 'subcategory', beginAt: 'begins', imageUrl: 'image' };
  return {
    ...(flags.has('id') ? { eventId: flags.get('id') } : {}),
    title,
    category: parseChoiceFlag('category', requireFlag(flags, 'category'), EVENT_CATEGORIES),
    closeAt: requireFlag(flags, 'closes'),
    ...Object.fromEntries(
      Object.entries(texts).flatMap(([field, flag]) => (flags.has(flag) ? [[field, flags.get(flag)]] : [])),
    ),
    ...(tags === undefined ? {} : { tags: tags.split(',').filter((tag) => tag !== '') }),
    markets: [
      {
        title: flags.get('market') ?? title,
        ...(flags.has('rules') ? { rulesPrimary: flags.get('rules') } : {}),
        house: {
          startCents: parsePriceFlag(flags),
          contractsPerCent: parseNumberFlag(flags, 'contracts', 100),
        },
      },
    ],
  };
}

function requireFlag(flags: ReadonlyMap<string, string>, name: string): string {
  const text = flags.get(name);
  if (text !== undefined) return text;
  throw new UsageError(`--${name} is missing: an event takes --title, --category and --closes, or --file`);
}

function parsePriceFlag(flags: ReadonlyMap<string, string>): number {
  const text = flags.get('price');
  if (text === undefined) return DEFAULT_PRICE;
  if (/^[1-9]\d?$/.test(text)) return Number(text);
  throw new UsageError(
    `flag --price is ${formatForError(text)}, but must be a whole number of cents from 1 to 99`,
  );
}

function parseNumberFlag(flags: ReadonlyMap<string, string>, name: string, usual: number): number {
  const text = flags.get(name);
  if (text === undefined) return usual;
  if (/^\d{1,7}(\.\d{1,2})?$/.test(text)) return Number(text);
  throw new UsageError(
    `flag --${name} is ${formatForError(text)}, but must be a number below 10,000,000 with at most 2 decimals`,
  );
}
