import { unless } from '../answer.ts';
import type { Statement } from '../statement.ts';
import { SOL, USDC } from './mints.ts';

// biome-ignore lint/suspicious/noExplicitAny: statements read bodies of every shape, and a wrong shape is a finding.
type Json = any;

const JUP = 'JUPyiwrYJFskUPiHa7hkeR8VUtAeFoSYbKedZNsDvCN';
const SEARCH = '/tokens/v2/search';
const REQUIRED = ['id', 'name', 'symbol', 'decimals', 'tokenProgram', 'organicScore', 'organicScoreLabel'];

export const tokenStatements: readonly Statement[] = [
  {
    id: 'tokens/search-fields',
    says: 'Every token has the fields on which clients rely, with a score from 0 to 100.',
    check: async ({ ask }) => {
      const { json } = await ask(`${SEARCH}?query=${[SOL, USDC, JUP].join(',')}`);
      const missing = (json ?? []).flatMap((token: Json) =>
        REQUIRED.filter((name) => token[name] === undefined),
      );
      const scored = (json ?? []).every(
        (token: Json) => token.organicScore >= 0 && token.organicScore <= 100,
      );
      return unless(json?.length === 3 && missing.length === 0 && scored, { missing, json });
    },
  },
  {
    id: 'tokens/search-first-hit',
    says: 'A search for a symbol with `limit=1` answers the verified token of that symbol.',
    check: async ({ ask }) => {
      for (const [symbol, mint] of [
        ['SOL', SOL],
        ['USDC', USDC],
        ['jup', JUP],
      ]) {
        const { json } = await ask(`${SEARCH}?query=${symbol}&limit=1`);
        if (json?.length !== 1 || json[0].id !== mint) return `${symbol} finds ${JSON.stringify(json)}`;
      }
      return null;
    },
  },
  {
    id: 'tokens/search-mixed-list',
    says: 'A list may hold symbols and mints; each symbol finds its best match, and what is unknown is left out.',
    check: async ({ ask }) => {
      const { json } = await ask(`${SEARCH}?query=SOL,USDC,${JUP},qqqqqqqqqq`);
      const ids = (json ?? []).map(({ id }: Json) => id).sort();
      return unless(JSON.stringify(ids) === JSON.stringify([SOL, USDC, JUP].sort()), ids);
    },
  },
  {
    id: 'tokens/nothing-found',
    says: 'A search that finds nothing answers 200 with an empty list.',
    check: async ({ ask }) => {
      const { status, json } = await ask(`${SEARCH}?query=qqqqqqqqqq`);
      return unless(status === 200 && Array.isArray(json) && json.length === 0, { status, json });
    },
  },
  {
    id: 'tokens/bad-parameters',
    says: 'An empty query, more than 100 mints, an unknown tag and an unknown interval are answered 400 with `error`.',
    check: async ({ ask }) => {
      const paths = [
        `${SEARCH}?query=`,
        `${SEARCH}?query=${Array(101).fill(SOL).join(',')}`,
        '/tokens/v2/tag?query=strict',
        '/tokens/v2/toptraded/h1',
        '/tokens/v2/toptraded/1h?limit=101',
      ];
      for (const path of paths) {
        const { status, json } = await ask(path);
        if (status !== 400 || typeof json?.error !== 'string') return `${path.slice(0, 80)}: ${status}`;
      }
      return null;
    },
  },
  {
    id: 'tokens/tag-verified',
    says: 'The list of verified tokens is whole, and every token in it says that it is verified.',
    check: async ({ ask }) => {
      const { json } = await ask('/tokens/v2/tag?query=verified');
      const wrong = (json ?? []).filter(
        ({ isVerified, tags }: Json) => !isVerified || !tags.includes('verified'),
      );
      return unless(json?.length > 2 && wrong.length === 0, wrong);
    },
  },
  {
    id: 'tokens/supply',
    says: '`fdv` is the total supply times the price, `mcap` the circulating supply times the price.',
    check: async ({ ask }) => {
      const [token] = (await ask(`${SEARCH}?query=${JUP}`)).json;
      return unless(
        token.fdv === token.totalSupply * token.usdPrice && token.mcap === token.circSupply * token.usdPrice,
        token,
      );
    },
  },
];
