import { unless } from '../answer.ts';
import type { Statement } from '../statement.ts';
import { JUP, SOL, USDC } from './mints.ts';

// biome-ignore lint/suspicious/noExplicitAny: statements read bodies of every shape, and a wrong shape is a finding.
type Json = any;

const SEARCH = '/tokens/v2/search';
const EXPRESS = '/tokens/v2/verify/express';
/** ISO 8601 in UTC, with up to nine digits of a second. */
const ISO_TIME = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d{1,9})?Z$/;
const ADDRESS = /^[1-9A-HJ-NP-Za-km-z]{32,44}$/;
/** How long a request line may be at least. */
const LINE_BYTES = 16_384;
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
    id: 'tokens/search-of-widget',
    says: 'The public widget searches at `/_datapi/v1/assets/search` with cookies; an empty query finds the tokens that it shows first.',
    check: async ({ ask }) => {
      const headers = { origin: 'https://widget.example' };
      const one = await ask(`/_datapi/v1/assets/search?query=${USDC}`, { headers });
      const first = await ask('/_datapi/v1/assets/search?query=', { headers });
      const isReadable = [one, first].every(
        (answer) =>
          answer.headers.get('access-control-allow-origin') === headers.origin &&
          answer.headers.get('access-control-allow-credentials') === 'true',
      );
      const ids = (first.json ?? []).map(({ id }: Json) => id);
      const isRight = one.json?.[0]?.id === USDC && [SOL, USDC].every((mint) => ids.includes(mint));
      return unless(isReadable && isRight, { one: one.json, ids });
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
    id: 'tokens/launch-on-curve',
    says: 'A token on a bonding curve has its launchpad, the configuration, the percentage that is raised, its creator and how many mints that has, and no pool yet.',
    check: async ({ ask }) => {
      const { json } = await ask(`${SEARCH}?query=TINCOMET&limit=1`);
      const { launchpad, partnerConfig, bondingCurve, dev, audit } = json?.[0] ?? {};
      const isThere =
        launchpad === 'met-dbc' && [partnerConfig, dev].every((address) => ADDRESS.test(address ?? ''));
      const isRaised = bondingCurve > 0 && bondingCurve < 100;
      const isGraduated = 'graduatedPool' in (json?.[0] ?? {}) || 'graduatedAt' in (json?.[0] ?? {});
      return unless(isThere && isRaised && audit?.devMints > 1 && !isGraduated, json);
    },
  },
  {
    id: 'tokens/launch-graduated',
    says: 'A token whose liquidity has migrated has its pool and the time, the curve as its first pool, and no percentage; one that was not launched has none of the fields.',
    check: async ({ ask }) => {
      const { json } = await ask(`${SEARCH}?query=HARBOR&limit=1`);
      const [graduated = {}] = json ?? [];
      const isGraduated =
        graduated.launchpad === 'met-dbc' &&
        ADDRESS.test(graduated.graduatedPool ?? '') &&
        ISO_TIME.test(graduated.graduatedAt ?? '') &&
        graduated.firstPool?.id !== graduated.graduatedPool &&
        graduated.createdAt < graduated.graduatedAt &&
        !('bondingCurve' in graduated);
      const { json: other } = await ask(`${SEARCH}?query=${USDC}`);
      const fields = ['launchpad', 'partnerConfig', 'bondingCurve', 'graduatedPool', 'graduatedAt'];
      return unless(isGraduated && other?.length === 1 && !fields.some((name) => name in other[0]), [
        json,
        other,
      ]);
    },
  },
  {
    id: 'tokens/ignored-parameters',
    says: '`filters` and `sortBy`, which some clients send, change nothing, in a search and in a category.',
    check: async ({ ask }) => {
      const plain = await ask(`${SEARCH}?query=USDC&limit=1`);
      const sent = await ask(`${SEARCH}?query=USDC&limit=1&filters=verified&filters=lst&sortBy=mcap`);
      const category = await ask('/tokens/v2/toptraded/24h?filters=verified&sortBy=mcap');
      const id = plain.json?.[0]?.id;
      return unless(
        id === USDC && sent.json?.[0]?.id === id && Array.isArray(category.json) && category.status === 200,
        [sent, category].map(({ status, text }) => ({ status, text: text.slice(0, 200) })),
      );
    },
  },
  {
    id: 'tokens/long-request-line',
    says: 'A list of 100 mints with encoded commas and blanks is taken, and so is a request line of 16 kB.',
    check: async ({ ask }) => {
      const mints = await ask(`${SEARCH}?query=${Array(100).fill(JUP).join('%2C%20')}`);
      const start = `${SEARCH}?query=JUP&limit=1&filters=`;
      const shortest = `GET ${start} HTTP/1.1\r\n`.length;
      const long = await ask(`${start}${'a'.repeat(LINE_BYTES - shortest)}`);
      return unless(
        mints.json?.length === 1 && mints.json[0].id === JUP && long.json?.[0]?.id === JUP,
        [mints, long].map(({ status, text }) => ({ status, text: text.slice(0, 200) })),
      );
    },
  },
  {
    id: 'tokens/content',
    says: 'The withdrawn content of tokens is answered with 404, and `error` says that it is not served.',
    check: async ({ ask }) => {
      const bare = await ask('/tokens/v2/content');
      if (bare.status !== 404) return `content: ${bare.status}`;
      for (const path of ['feed', 'cooking', 'summaries']) {
        const { status, json } = await ask(`/tokens/v2/content/${path}?mint=${JUP}&mints=${JUP}`);
        if (status !== 404 || typeof json?.error !== 'string') return `${path}: ${status}`;
      }
      return null;
    },
  },
  {
    id: 'tokens/times',
    says: '`updatedAt` and all other times of a token are in ISO 8601, in UTC.',
    check: async ({ ask }) => {
      const { json } = await ask('/tokens/v2/tag?query=verified');
      const times = (json ?? []).flatMap(({ updatedAt, createdAt, firstPool }: Json) => [
        updatedAt,
        ...[createdAt, firstPool?.createdAt].filter((time) => time !== undefined),
      ]);
      const wrong = times.filter((time: Json) => typeof time !== 'string' || !ISO_TIME.test(time));
      return unless(times.length > 2 && wrong.length === 0, wrong);
    },
  },
  {
    id: 'tokens/verify-codes',
    says: 'Requests for express verification that cannot be taken are answered 400 with the `code` that clients know, `status`, and the reason as `error` and `message`.',
    check: async ({ ask, wallet }) => {
      const senderAddress = wallet.address;
      const texts = { transaction: 'AA==', requestId: 'x', twitterHandle: '', description: '' };
      const execute = (fields: object) =>
        ask(`${EXPRESS}/execute`, { method: 'POST', body: { ...texts, ...fields } });
      const wrong: string[] = [];
      for (const [answer, code] of [
        [await ask(`${EXPRESS}/check-eligibility`), 'INVALID_TOKEN_ID'],
        [await ask(`${EXPRESS}/check-eligibility?tokenId=JUP`), 'INVALID_TOKEN_ID'],
        [await ask(`${EXPRESS}/craft-txn`), 'INVALID_PAYLOAD'],
        [await ask(`${EXPRESS}/craft-txn?senderAddress=JUP`), 'INVALID_PAYLOAD'],
        [await ask(`${EXPRESS}/craft-txn?senderAddress=${JUP}&paymentCurrency=EUR`), 'INVALID_PAYLOAD'],
        [await execute({}), 'INVALID_PAYLOAD'],
        [await execute({ senderAddress, tokenId: 'JUP' }), 'INVALID_TOKEN_ID'],
        [await execute({ senderAddress: 'x', tokenId: JUP }), 'INVALID_PAYLOAD'],
        [await execute({ senderAddress, tokenId: JUP, paymentCurrency: 'EUR' }), 'INVALID_PAYLOAD'],
        [await execute({ senderAddress, tokenId: JUP }), 'INVALID_PAYLOAD'],
      ] as const) {
        const { status, json, text } = answer;
        const isSaid = typeof json?.error === 'string' && json.message === json.error;
        const holds = status === 400 && json?.status === 400 && json.code === code && isSaid;
        if (!holds) wrong.push(`${status} ${text} instead of ${code}`);
      }
      return unless(wrong.length === 0, wrong);
    },
  },
  {
    id: 'tokens/verify-swapped',
    says:
      'A payment in SOL or USDC names its input twice, describes a little more than 1,000 JUP, and states no fee; ' +
      'execute demands its currency and `paymentAmount`.',
    check: async ({ ask, wallet }) => {
      const senderAddress = wallet.address;
      for (const [paymentCurrency, inputMint, inputDecimals] of [
        ['SOL', SOL, 9],
        ['USDC', USDC, 6],
      ] as const) {
        const query = `senderAddress=${senderAddress}&paymentCurrency=${paymentCurrency}`;
        const { json } = await ask(`${EXPRESS}/craft-txn?${query}`);
        const { quotedInputAmount, requestId, transaction } = json;
        const holds =
          json.code === 0 &&
          json.inputMint === inputMint &&
          json.inputDecimals === inputDecimals &&
          json.maxInputAmount === quotedInputAmount &&
          json.mint === JUP &&
          Number(json.amount) >= 1e9 &&
          Number(json.amount) < 1.02e9 &&
          json.feeLamports === 0 &&
          json.feeAmount === 0 &&
          json.feeUsdAmount === 0 &&
          json.tokenUsdRate > 0;
        if (!holds) return JSON.stringify(json);
        const payment = { requestId, transaction, senderAddress, tokenId: JUP };
        const texts = { twitterHandle: '', description: '' };
        for (const claim of [{ paymentCurrency }, { paymentAmount: quotedInputAmount }]) {
          const body = { ...payment, ...texts, ...claim };
          const { status, text } = await ask(`${EXPRESS}/execute`, { method: 'POST', body });
          if (status !== 400 || !text.includes('payment')) return `${status} ${text}`;
        }
      }
      return null;
    },
  },
  {
    id: 'tokens/apy',
    says: '`apy.jupEarn` is the `totalRate` of the earn token in percent; a token that nobody can lend has no `apy`.',
    check: async ({ ask }) => {
      const { json: earn } = await ask('/lend/v1/earn/tokens');
      const { json: tokens } = await ask('/tokens/v2/tag?query=verified');
      const rates = new Map<string, number>(
        earn.map(({ assetAddress, totalRate }: Json) => [assetAddress, Number(totalRate) / 100]),
      );
      // Interest may change between the two requests.
      const wrong = tokens.filter(
        ({ id, apy }: Json) => Math.abs((apy?.jupEarn ?? -1) - (rates.get(id) ?? -1)) > 0.02,
      );
      const shown = tokens.filter(({ apy }: Json) => apy !== undefined);
      return unless(shown.length > 0 && wrong.length === 0, wrong);
    },
  },
  {
    id: 'tokens/strict-clients',
    says: 'Each token of a search, a list, a category and the newest tokens has the supplies and the time of its first pool, SOL too.',
    check: async ({ ask }) => {
      const wrong: Json[] = [];
      for (const path of [
        `${SEARCH}?query=${[SOL, USDC, JUP].join(',')}`,
        `/ultra/v1/search?query=${SOL}`,
        '/tokens/v2/tag?query=verified',
        '/tokens/v2/toporganicscore/24h',
        '/tokens/v2/recent',
      ]) {
        const { json } = await ask(path);
        if (!Array.isArray(json)) return `${path}: ${JSON.stringify(json)}`;
        wrong.push(
          ...json.filter(
            ({ totalSupply, circSupply, firstPool, createdAt }: Json) =>
              !(totalSupply > 0 && circSupply > 0 && circSupply <= totalSupply) ||
              ![firstPool?.createdAt, createdAt].every((time) => ISO_TIME.test(time)),
          ),
        );
      }
      return unless(wrong.length === 0, wrong);
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
