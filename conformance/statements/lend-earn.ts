import { getTransactionDecoder } from '@solana/kit';
import { type Answer, difference, firstOf, shown, unless } from '../answer.ts';
import type { Statement } from '../statement.ts';
import type { World } from '../world.ts';
import { JL_USDC, JUP, SOL, USDC } from './mints.ts';

const EARN = '/lend/v1/earn';
const LENDING = 'jup3YeL8QhtSx1e253b2FDvsMNC87fDrgQZivbrndc9';
const ALL = '18446744073709551615';
const DIGITS = /^\d+$/;
const SIGNED_DIGITS = /^-?\d+$/;

const TOKEN_TEXTS = ['totalAssets', 'totalSupply', 'convertToShares', 'convertToAssets', 'rewardsRate'];
const SUPPLY_TEXTS = [
  'supply',
  'withdrawalLimit',
  'lastUpdateTimestamp',
  'expandPercent',
  'expandDuration',
  'baseWithdrawalLimit',
  'withdrawableUntilLimit',
  'withdrawable',
];
const ASSET_FIELDS = [
  'address',
  'chain_id',
  'name',
  'symbol',
  'decimals',
  'logo_url',
  'price',
  'coingecko_id',
];

async function tokens(world: World): Promise<Answer> {
  return await world.ask(`${EARN}/tokens`);
}

async function tokenOf(world: World, mint: string) {
  const { json } = await tokens(world);
  return json.find(({ assetAddress }: { assetAddress: string }) => assetAddress === mint);
}

function post(world: World, action: string, body: unknown): Promise<Answer> {
  return world.ask(`${EARN}/${action}`, { method: 'POST', body });
}

function positionsStatement(id: string, says: string, query: (world: World) => string): Statement {
  return {
    id: `lend-earn/${id}`,
    says,
    check: async (world) => {
      const answer = await world.ask(`${EARN}/positions?${query(world)}`);
      const listed = (await tokens(world)).json;
      const isWhole = Array.isArray(answer.json) && answer.json.length === 2 * listed.length;
      return isWhole ? null : shown(answer);
    },
  };
}

function refused(id: string, says: string, ask: (world: World) => Promise<Answer>): Statement {
  return {
    id: `lend-earn/${id}`,
    says,
    check: async (world) => {
      const answer = await ask(world);
      const hasText = typeof answer.json?.error === 'string' || typeof answer.json?.message === 'string';
      return answer.status === 400 && hasText ? null : shown(answer);
    },
  };
}

export const lendEarnStatements: readonly Statement[] = [
  {
    id: 'lend-earn/tokens',
    says: 'Every earn token has an integer id, the mints of both tokens, and its amounts and rates as texts of digits.',
    check: async (world) => {
      const answer = await tokens(world);
      if (answer.status !== 200 || answer.json.length === 0) return shown(answer);
      for (const token of answer.json) {
        const isShaped =
          Number.isInteger(token.id) &&
          TOKEN_TEXTS.every((name) => DIGITS.test(token[name])) &&
          SIGNED_DIGITS.test(token.rebalanceDifference) &&
          SUPPLY_TEXTS.every((name) => DIGITS.test(token.liquiditySupplyData[name])) &&
          ASSET_FIELDS.every((name) => token.asset[name] !== undefined);
        if (!isShaped) return unless(false, token);
      }
      return null;
    },
  },
  {
    id: 'lend-earn/names',
    says: 'A receipt token is named after its token: `jupiter lend USDC`, `jlUSDC`.',
    check: async (world) => {
      const { address, name, symbol } = await tokenOf(world, USDC);
      return unless(address === JL_USDC && name === 'jupiter lend USDC' && symbol === 'jlUSDC', {
        address,
        name,
        symbol,
      });
    },
  },
  {
    id: 'lend-earn/asset-spellings',
    says: 'The fields of `asset` stand in snake case and in camel case; the price is a decimal text, the time has an offset.',
    check: async (world) => {
      const { asset } = await tokenOf(world, SOL);
      const agree =
        asset.chain_id === 'solana' &&
        asset.logo_url === asset.logoUrl &&
        asset.coingecko_id === asset.coingeckoId &&
        /^\d+(\.\d+)?$/.test(asset.price) &&
        /T[\d:.]+\+00:00$/.test(asset.updatedAt);
      return unless(agree && asset.symbol === 'WSOL' && asset.uiSymbol === 'SOL', asset);
    },
  },
  {
    id: 'lend-earn/total-rate',
    says: '`totalRate` is the sum of `supplyRate` and `rewardsRate`; 10000 is 100 %.',
    check: async (world) => {
      const { totalRate, supplyRate, rewardsRate } = await tokenOf(world, USDC);
      const adds = Number(totalRate) === Number(supplyRate) + Number(rewardsRate);
      return unless(adds && Number(rewardsRate) > 0 && Number(totalRate) < 10_000, {
        totalRate,
        supplyRate,
        rewardsRate,
      });
    },
  },
  {
    id: 'lend-earn/convert',
    says: '`convertToShares` and `convertToAssets` are what one whole unit is worth, in base units of the other token.',
    check: async (world) => {
      const { convertToShares, convertToAssets, totalAssets, totalSupply } = await tokenOf(world, USDC);
      const product = (Number(convertToShares) * Number(convertToAssets)) / 1e12;
      const price = Number(totalAssets) / Number(totalSupply);
      return unless(
        Math.abs(product - 1) < 1e-5 && Math.abs(price / (Number(convertToAssets) / 1e6) - 1) < 1e-5,
        { convertToShares, convertToAssets, totalAssets, totalSupply },
      );
    },
  },
  positionsStatement(
    'positions-list',
    'Positions have one entry for each user and earn token, zeros included.',
    ({ wallet }) => `users=${wallet.address},${SOL}`,
  ),
  positionsStatement(
    'positions-repeated',
    'The users may be given as a repeated parameter.',
    ({ wallet }) => `users=${wallet.address}&users=${SOL}`,
  ),
  positionsStatement(
    'positions-brackets',
    'The users may be given as a bracketed parameter, as the public SDK does.',
    ({ wallet }) => `users%5B%5D=${wallet.address}&users[]=${SOL}`,
  ),
  {
    id: 'lend-earn/position-fields',
    says: 'A position has shares and assets in base units as texts, the balance of the underlying, and the allowance 0.',
    check: async (world) => {
      const { json } = await world.ask(`${EARN}/positions?users=${world.wallet.address}`);
      const position = json.find(
        ({ token }: { token: { assetAddress: string } }) => token.assetAddress === USDC,
      );
      const { ownerAddress, shares, underlyingAssets, underlyingBalance, allowance } = position;
      const areTexts = [shares, underlyingAssets, underlyingBalance].every((text) => DIGITS.test(text));
      return unless(
        areTexts &&
          ownerAddress === world.wallet.address &&
          allowance === '0' &&
          Number(underlyingAssets) > Number(shares),
        position,
      );
    },
  },
  {
    id: 'lend-earn/earnings',
    says: 'Earnings are an array; `address` is the underlying mint also when the receipt mint was asked for, `earnings` a number.',
    check: async (world) => {
      const user = world.wallet.address;
      const answer = await world.ask(`${EARN}/earnings?user=${user}&positions=${JL_USDC},${SOL}`);
      const found = answer.json?.map?.(
        ({ address, ownerAddress, earnings, slot }: Record<string, unknown>) =>
          ownerAddress === user && typeof earnings === 'number' && typeof slot === 'number' && address,
      );
      return unless(found?.length === 2 && found.includes(USDC) && found.includes(SOL), answer.json);
    },
  },
  ...['deposit', 'withdraw', 'mint', 'redeem'].map((action): Statement => {
    const amount =
      action === 'deposit' || action === 'withdraw' ? { amount: '1000000' } : { shares: '1000000' };
    return {
      id: `lend-earn/${action}`,
      says: `\`${action}\` answers an unsigned transaction of the signer, and \`${action}-instructions\` the instruction, alone and in a list.`,
      check: async (world) => {
        const body = { asset: USDC, signer: world.wallet.address, ...amount };
        const [made, listed] = [
          await post(world, action, body),
          await post(world, `${action}-instructions`, body),
        ];
        if (made.status !== 200 || listed.status !== 200) return `${shown(made)}; ${shown(listed)}`;
        const bytes = Buffer.from(made.json.transaction, 'base64');
        const { signatures } = getTransactionDecoder().decode(bytes);
        const { programId, accounts, data, instructions } = listed.json;
        const main = JSON.stringify({ programId, accounts, data });
        return firstOf(
          unless(
            Object.keys(signatures).join() === body.signer && Object.values(signatures)[0] === null,
            signatures,
          ),
          unless(programId === LENDING && JSON.stringify(instructions.at(-1)) === main, listed.json),
          unless(accounts[0].pubkey === body.signer && accounts[0].isSigner, accounts[0]),
        );
      },
    };
  }),
  {
    id: 'lend-earn/all',
    says: 'The amount 18446744073709551615 stands for all that the signer has.',
    check: async (world) =>
      difference(await post(world, 'redeem', { asset: USDC, signer: world.wallet.address, shares: ALL }), {
        status: 200,
      }),
  },
  {
    id: 'lend-earn/native-coin',
    says: 'SOL is not wrapped on the way: the instruction takes it from the account of wrapped SOL.',
    check: async (world) => {
      const body = { asset: SOL, signer: world.wallet.address, amount: '1000000' };
      const { status, json, text } = await post(world, 'deposit-instructions', body);
      const programs = json?.instructions?.map(({ programId }: { programId: string }) => programId);
      const isPlain = status === 200 && !programs.includes('11111111111111111111111111111111');
      return isPlain ? null : text;
    },
  },
  refused('refused-asset', 'An asset that is no earn token is refused with 400 and a text.', (world) =>
    post(world, 'deposit', { asset: LENDING, signer: world.wallet.address, amount: '1' }),
  ),
  refused('refused-receipt', 'The receipt token is no asset.', (world) =>
    post(world, 'deposit', { asset: JL_USDC, signer: world.wallet.address, amount: '1000' }),
  ),
  refused('refused-signer', 'A signer that is no address is refused with 400 and a text.', (world) =>
    post(world, 'deposit', { asset: USDC, signer: 'me', amount: '1000' }),
  ),
  refused('refused-number', 'A JSON number is no amount.', (world) =>
    post(world, 'deposit', { asset: USDC, signer: world.wallet.address, amount: 1000 }),
  ),
  refused('refused-fraction', 'An amount with decimals is refused with 400 and a text.', (world) =>
    post(world, 'withdraw', { asset: USDC, signer: world.wallet.address, amount: '1.5' }),
  ),
  refused('refused-shares', 'A wallet without receipt tokens cannot redeem any.', (world) =>
    post(world, 'redeem', { asset: JUP, signer: LENDING, shares: '1000' }),
  ),
  refused(
    'refused-user',
    '`user` in place of `users` is refused, and the text names `users`.',
    async (world) => {
      const answer = await world.ask(`${EARN}/positions?user=${world.wallet.address}`);
      return answer.text.includes('users') ? answer : { ...answer, status: 0 };
    },
  ),
  refused('refused-earnings', 'Earnings without `positions` are refused.', (world) =>
    world.ask(`${EARN}/earnings?user=${world.wallet.address}`),
  ),
  {
    id: 'lend-earn/empty-key',
    says: 'An empty API key, which the public SDK sends, counts as none.',
    check: async (world) =>
      difference(await world.ask(`${EARN}/tokens`, { key: null, headers: { 'x-api-key': '' } }), {
        status: 200,
      }),
  },
];
