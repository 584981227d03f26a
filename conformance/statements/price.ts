import { difference, firstOf, unless } from '../answer.ts';
import type { Statement } from '../statement.ts';
import { SOL, USDC } from './mints.ts';

const FIELDS = ['createdAt', 'liquidity', 'usdPrice', 'blockId', 'decimals', 'priceChange24h'];

const quotePath = (inputMint: string, outputMint: string, amount: number) =>
  `/swap/v1/quote?inputMint=${inputMint}&outputMint=${outputMint}&amount=${amount}`;

const isNear = (text: string, price: number) => Math.abs(Number(text) / price - 1) < 0.01;

export const priceStatements: readonly Statement[] = [
  {
    id: 'price/v3-form',
    says: 'Prices are an object by mint without a wrapper, each with six fields.',
    check: async (world) => {
      const answer = await world.ask(`/price/v3?ids=${SOL},${USDC}`);
      const missing = FIELDS.filter((field) => answer.json?.[SOL]?.[field] === undefined);
      return firstOf(
        difference(answer, { status: 200 }),
        unless(missing.length === 0 && answer.json[SOL].decimals === 9, { missing }),
      );
    },
  },
  {
    id: 'price/v3-left-out',
    says: 'A mint without a price, and what is no mint, is left out; if all are, the answer is an empty object.',
    check: async (world) => {
      const none = await world.ask(`/price/v3?ids=${world.wallet.address},not-a-mint`);
      const some = await world.ask(`/price/v3?ids=${world.wallet.address}%2C${SOL},${SOL},`);
      return firstOf(
        unless(none.status === 200 && none.text === '{}', none.text),
        unless(Object.keys(some.json ?? {}).join() === SOL, some.text),
      );
    },
  },
  {
    id: 'price/v3-bounds',
    says: 'More than 50 mints, or none, are refused with 400 and a text in `error`.',
    check: async (world) => {
      const many = Array.from({ length: 51 }, (_, index) => `mint${index}`).join();
      const answers = await Promise.all([many, ''].map((ids) => world.ask(`/price/v3?ids=${ids}`)));
      return firstOf(
        ...answers.map(({ status, json, text }) =>
          unless(status === 400 && typeof json?.error === 'string', { status, text }),
        ),
      );
    },
  },
  {
    id: 'price/v3-dollars',
    says: 'Prices are numbers in US dollars for one whole token; a stablecoin has a price of one.',
    check: async (world) => {
      const { json } = await world.ask(`/price/v3?ids=${SOL},${USDC}`);
      return unless(json?.[USDC]?.usdPrice === 1 && json[SOL].usdPrice > 1, json);
    },
  },
  {
    id: 'price/v2-form',
    says: 'The older form has `data` by mint with `id`, `type` and `price` as a text, and null for a mint without a price.',
    check: async (world) => {
      const { json } = await world.ask(`/price/v2?ids=${USDC},${world.wallet.address}`);
      return firstOf(
        unless(typeof json?.timeTaken === 'number', json),
        unless(json?.data?.[world.wallet.address] === null, json),
        unless(
          JSON.stringify(json?.data?.[USDC]) ===
            JSON.stringify({ id: USDC, type: 'derivedPrice', price: '1' }),
          json,
        ),
      );
    },
  },
  {
    id: 'price/v2-extra-info',
    says:
      '`showExtraInfo=true` of `/price/v2` adds what the router quotes for the worth of one SOL in both directions, and the ' +
      'price impact in percent of 10, 100 and 1,000 SOL; together with `vsToken` it is a 400.',
    check: async (world) => {
      const { json } = await world.ask(`/price/v2?ids=${SOL}&showExtraInfo=true`);
      const { price, extraInfo } = json.data[SOL];
      const { buyPrice, sellPrice } = extraInfo.quotedPrice;
      const { buyPriceImpactRatio: buy, sellPriceImpactRatio: sell } = extraInfo.depth;
      const grow = [buy, sell].every(
        ({ depth }) => depth['10'] > 0 && depth['100'] > depth['10'] && depth['1000'] > depth['100'],
      );
      // Earlier statements may have moved a pool, so the quotes are compared with those of the router.
      const [bought, sold] = await Promise.all([
        world.ask(quotePath(USDC, SOL, Math.round(Number(price) * 1e6))),
        world.ask(quotePath(SOL, USDC, 1e9)),
      ]);
      const priceOf = (inAmount: number, outAmount: number) => (inAmount / outAmount) * 1e3;
      const near =
        isNear(buyPrice, priceOf(Number(bought.json.inAmount), Number(bought.json.outAmount))) &&
        isNear(sellPrice, Number(sold.json.outAmount) / 1e6);
      const refused = await world.ask(`/price/v2?ids=${SOL}&showExtraInfo=true&vsToken=${USDC}`);
      return unless(grow && near && refused.status === 400, json);
    },
  },
  {
    id: 'price/v2-vs-token',
    says: 'With `vsToken`, the older form gives prices in units of that token.',
    check: async (world) => {
      const { json } = await world.ask(`/price/v2?ids=${SOL}&vsToken=${SOL}`);
      return unless(json?.data?.[SOL]?.price === '1', json);
    },
  },
];
