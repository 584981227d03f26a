import * as kit from '@solana/kit';
import { difference, firstOf, unless } from '../answer.ts';
import type { Statement } from '../statement.ts';
import type { World } from '../world.ts';
import { SOL } from './mints.ts';

const PATH = '/portfolio/v1/positions';

// biome-ignore lint/suspicious/noExplicitAny: statements read bodies of every shape, and a wrong shape is a finding.
type Json = any;

function positions(world: World, query = ''): Promise<{ readonly status: number; readonly json: Json }> {
  return world.ask(`${PATH}/${world.wallet.address}${query}`);
}

/** Returns every asset in an element, wherever its type keeps them. */
function assetsOf({ type, data }: Json): readonly Json[] {
  if (type === 'multiple') return data.assets;
  if (type === 'liquidity')
    return data.liquidities.flatMap((each: Json) => [...each.assets, ...each.rewardAssets]);
  if (type === 'trade') return [data.assets.input, data.assets.output].filter((asset) => asset !== null);
  if (type === 'borrowlend') return [...data.suppliedAssets, ...data.borrowedAssets, ...data.rewardAssets];
  return [];
}

const REQUIRED: Readonly<Record<string, readonly string[]>> = {
  multiple: ['assets'],
  liquidity: ['liquidities'],
  leverage: ['value'],
  borrowlend: [
    ...['value', 'suppliedAssets', 'borrowedAssets', 'rewardAssets', 'suppliedValue', 'borrowedValue'],
    ...['rewardValue', 'suppliedYields', 'borrowedYields', 'healthRatio'],
  ],
  trade: [
    ...['assets', 'inputAddress', 'outputAddress', 'initialInputAmount', 'withdrawnOutputAmount'],
    ...['inputPrice', 'outputPrice', 'filledPercentage'],
  ],
};

/** The labels that go with each type. Earn vaults are liquidity with one asset. */
const LABELS: Readonly<Record<string, readonly string[]>> = {
  multiple: ['Wallet', 'Staked', 'Vault', 'Deposit', 'Rewards', 'Airdrop', 'Vesting'],
  liquidity: ['LiquidityPool', 'Farming', 'Vault'],
  leverage: ['Leverage', 'Margin'],
  borrowlend: ['Lending'],
  trade: ['LimitOrder', 'DCA', 'SmartDCA'],
};

export const portfolioStatements: readonly Statement[] = [
  {
    id: 'portfolio/top-level',
    says: 'The positions carry all six fields of the top level, and the owner as it was asked for.',
    check: async (world) => {
      const { json } = await positions(world);
      const names = ['date', 'owner', 'duration', 'fetcherReports', 'elements', 'tokenInfo'];
      const missing = names.filter((name) => json?.[name] === undefined);
      return unless(missing.length === 0 && json.owner === world.wallet.address, {
        missing,
        owner: json?.owner,
      });
    },
  },
  {
    id: 'portfolio/element-types',
    says: 'Elements are of the types multiple, liquidity, leverage, borrowlend and trade.',
    check: async (world) => {
      const { json } = await positions(world);
      const types = new Set((json?.elements ?? []).map(({ type }: Json) => type));
      return unless(types.size === 5, [...types]);
    },
  },
  {
    id: 'portfolio/required-fields',
    says: 'Each element has networkId `solana`, platformId, fetcherId, label, value, and the required data of its type.',
    check: async (world) => {
      const { json } = await positions(world);
      const wrong = (json?.elements ?? []).filter((element: Json) => {
        const head = ['platformId', 'fetcherId', 'label', 'value'].every(
          (name) => element[name] !== undefined,
        );
        const data = (REQUIRED[element.type] ?? []).every((name) => element.data?.[name] !== undefined);
        return !head || !data || element.networkId !== 'solana';
      });
      return unless(wrong.length === 0, wrong);
    },
  },
  {
    id: 'portfolio/labels',
    says: 'Each element has a label that goes with its type.',
    check: async (world) => {
      const { json } = await positions(world);
      const wrong = (json?.elements ?? []).filter(
        ({ type, label }: Json) => !(LABELS[type] ?? []).includes(label),
      );
      return unless(json?.elements.length > 0 && wrong.length === 0, wrong);
    },
  },
  {
    id: 'portfolio/orders',
    says: 'Orders name both mints, and have prices and a filled share from 0 to 1; one is of each kind.',
    check: async (world) => {
      const { json } = await positions(world, '?platforms=jupiter-exchange');
      const orders = (json?.elements ?? []).filter(({ type }: Json) => type === 'trade');
      const wrong = orders.filter(({ data }: Json) => {
        const { inputAddress, outputAddress, filledPercentage, inputPrice, outputPrice } = data;
        const isNamed = typeof inputAddress === 'string' && typeof outputAddress === 'string';
        const isPriced = inputPrice > 0 && outputPrice > 0;
        return !isNamed || !isPriced || !(filledPercentage >= 0 && filledPercentage <= 1);
      });
      const labels = new Set(orders.map(({ label }: Json) => label));
      return unless(wrong.length === 0 && labels.size === 3, { wrong, labels: [...labels] });
    },
  },
  {
    id: 'portfolio/airdrops',
    says: 'What an airdrop pays now is an asset with `isClaimable`; what unlocks later has `lockedUntil` in Unix ms.',
    check: async (world) => {
      const { json } = await positions(world, '?platforms=jupiter-jupuary');
      const [airdrop] = (json?.elements ?? []).filter(({ label }: Json) => label === 'Airdrop');
      const assets: readonly Json[] = airdrop?.data.assets ?? [];
      const claimable = assets.filter(({ attributes }) => attributes.isClaimable === true);
      const locked = assets.filter(({ attributes }) => attributes.lockedUntil > Date.now());
      return unless(claimable.length === 1 && locked.length === 1, airdrop);
    },
  },
  {
    id: 'portfolio/assets',
    says: 'Each asset has a type, networkId, value, attributes and data, and tokens have address, amount and price.',
    check: async (world) => {
      const { json } = await positions(world);
      const wrong = (json?.elements ?? [])
        .flatMap(assetsOf)
        .filter(({ type, networkId, value, attributes, data }: Json) => {
          const isComplete = networkId === 'solana' && value !== undefined && attributes !== undefined;
          const isToken = ['address', 'amount', 'price'].every((name) => data?.[name] !== undefined);
          return !isComplete || (type === 'token' && !isToken);
        });
      return unless(wrong.length === 0, wrong.slice(0, 3));
    },
  },
  {
    id: 'portfolio/generic-assets',
    says: 'What is no mint, such as voting power, is an asset of type `generic` with an amount, and a value of null if it has no price.',
    check: async (world) => {
      const { json } = await positions(world, '?platforms=jupiter-governance');
      const generic = (json?.elements ?? []).flatMap(assetsOf).filter(({ type }: Json) => type === 'generic');
      const isRight = ({ name, value, data }: Json) =>
        name === 'Voting power' && value === null && data.amount > 0;
      return unless(generic.length === 1 && generic.every(isRight), generic);
    },
  },
  {
    id: 'portfolio/token-info',
    says: 'tokenInfo has an entry for every mint that an asset names, with filters too.',
    check: async (world) => {
      const bodies = [await positions(world), await positions(world, '?platforms=raydium,orca')];
      const missing = bodies.flatMap(({ json }) =>
        (json?.elements ?? [])
          .flatMap(assetsOf)
          // What is no mint has no description.
          .filter(({ type }: Json) => type !== 'generic')
          .map(({ data }: Json) => data.address)
          .filter((mint: string) => json.tokenInfo.solana[mint]?.symbol === undefined),
      );
      return unless(missing.length === 0, missing);
    },
  },
  {
    id: 'portfolio/reports',
    says: 'Each fetcher has a report: `succeeded` with a duration, or `failed` with an error.',
    check: async (world) => {
      const { json } = await positions(world);
      const wrong = (json?.fetcherReports ?? []).filter(({ id, status, duration, error }: Json) => {
        if (typeof id !== 'string') return true;
        return status === 'succeeded'
          ? typeof duration !== 'number'
          : status !== 'failed' || typeof error !== 'string';
      });
      return unless(json?.fetcherReports.length > 0 && wrong.length === 0, wrong);
    },
  },
  {
    id: 'portfolio/query-form',
    says: 'The query form answers like the path form.',
    check: async (world) => {
      const { json } = await world.ask(`${PATH}?wallet=${world.wallet.address}`);
      return unless(json?.owner === world.wallet.address && json.elements.length > 0, json);
    },
  },
  {
    id: 'portfolio/platforms-filter',
    says: '`platforms` runs only the fetchers of the named platforms.',
    check: async (world) => {
      const { json } = await positions(world, '?platforms=native-stake,jupiter-governance');
      const ids = (json?.fetcherReports ?? []).map(({ id }: Json) => id);
      const isFiltered = ids.every((id: string) => /^(native-stake|jupiter-governance)-/.test(id));
      return unless(ids.length === 2 && isFiltered, ids);
    },
  },
  {
    id: 'portfolio/empty-wallet',
    says: 'A wallet with nothing is answered 200 with no elements, and reports.',
    check: async (world) => {
      const fresh = await kit.generateKeyPairSigner();
      const { json, status } = await world.ask(`${PATH}/${fresh.address}`);
      return unless(status === 200 && json.elements.length === 0 && json.fetcherReports.length > 0, json);
    },
  },
  {
    id: 'portfolio/not-an-address',
    says: 'An address that is no public key is a 400 with `error`.',
    check: async (world) => {
      const answers = [await world.ask(`${PATH}/abc`), await world.ask(`${PATH}?wallet=abc`)];
      return firstOf(
        ...answers.map((answer) => difference(answer, { status: 400 })),
        unless(
          answers.every(({ json }) => typeof json?.error === 'string'),
          answers.map(({ text }) => text),
        ),
      );
    },
  },
  {
    id: 'portfolio/native-as-wrapped',
    says: 'The native coin is shown under the mint of wrapped SOL.',
    check: async (world) => {
      const { json } = await positions(world, '?platforms=wallet-tokens');
      const native = json?.elements.find(
        ({ fetcherId }: Json) => fetcherId === 'wallet-tokens-solana-native',
      );
      return unless(native?.data.assets[0].data.address === SOL, native);
    },
  },
  {
    id: 'portfolio/platforms',
    says: 'The platforms are a list with id, name, image, tags, links and isDeprecated.',
    check: async (world) => {
      const { json } = await world.ask('/portfolio/v1/platforms');
      const names = ['id', 'name', 'image', 'tags', 'isDeprecated'];
      const wrong = (json ?? []).filter(
        (platform: Json) =>
          !names.every((name) => platform[name] !== undefined) || platform.links?.website === undefined,
      );
      const hasOwn = (json ?? []).some(({ id }: Json) => id === 'jupiter-exchange');
      return unless(hasOwn && wrong.length === 0, wrong);
    },
  },
  {
    id: 'portfolio/staked-jup',
    says: 'staked-jup answers whole tokens and Unix ms, parts with a memo too, and zeros for a wallet that never staked.',
    check: async (world) => {
      const staked = await world.ask(`/portfolio/v1/staked-jup/${world.wallet.address}`);
      const fresh = await world.newWallet();
      const none = await world.ask(`/portfolio/v1/staked-jup/${fresh.address}`);
      const byQuery = await world.ask(`/portfolio/v1/staked-jup?wallet=${world.wallet.address}`);
      const parts: readonly Json[] = staked.json?.unstaking ?? [];
      const until = parts[0]?.until;
      const unstaked = parts.reduce((total, { amount }) => total + amount, 0);
      return firstOf(
        difference(staked, { status: 200, body: { stakedAmount: 1500 } }),
        difference(byQuery, { status: 200, body: staked.json }),
        unless(until > Date.now() && Number.isInteger(until), { until }),
        unless(unstaked === 250, { unstaked }),
        difference(none, { status: 200, body: { stakedAmount: 0, unstaking: [] } }),
      );
    },
  },
];
