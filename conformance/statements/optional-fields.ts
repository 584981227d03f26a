import { unless } from '../answer.ts';
import type { Statement } from '../statement.ts';
import { resolveSchema } from './openapi.ts';

// biome-ignore lint/suspicious/noExplicitAny: a document of another shape is a finding.
type Json = any;

const LAUNCH = [
  'launchpad',
  'partnerConfig',
  'bondingCurve',
  'graduatedPool',
  'graduatedAt',
  'audit.devMints',
];
const OLDER = ['issuer', 'fees', 'stats7d.buyVolume', 'stats30d.buyVolume'];
const REWARD = ['rewardToken', 'type', 'side', 'apr', 'metadata'].map((name) => `rewards.*.${name}`);
const OF_TOKENS = ['stakingApr', 'nativeStakeVoteAccount', 'scaledUiConfig.multiplier'];
const LINKS = ['website', 'documentation', 'github', 'twitter', 'discord', 'telegram', 'medium'];
const SIDES = ['buyPriceImpactRatio', 'sellPriceImpactRatio'];

/** Fields of the contract by path, also those that an answer seldom or never has. `*` is every entry of a list or a map. */
const FIELDS: Readonly<Record<string, readonly string[]>> = {
  '/tokens/v2/search': LAUNCH.map((name) => `*.${name}`),
  '/ultra/v1/search': [...LAUNCH, ...OLDER].map((name) => `*.${name}`),
  '/tokens/v1/token/{mint}': ['minted_at', 'permanent_delegate'],
  '/lend/v1/borrow/vaults': [
    ...REWARD,
    ...OF_TOKENS.flatMap((name) => [`supplyToken.${name}`, `borrowToken.${name}`]),
    ...OF_TOKENS.map((name) => `rewards.*.rewardToken.${name}`),
  ].map((name) => `*.${name}`),
  '/lend/v1/earn/tokens': [...REWARD, 'asset.stakingApr', 'asset.scaledUiConfig.newMultiplier'].map(
    (name) => `*.${name}`,
  ),
  '/portfolio/v1/platforms': LINKS.map((name) => `*.links.${name}`),
  '/ultra/v1/shield': ['warnings.*.*.source'],
  '/price/v2': [
    'data.*.extraInfo.confidenceLevel',
    ...SIDES.flatMap((side) =>
      ['10', '100', '1000'].map((size) => `data.*.extraInfo.depth.${side}.depth.${size}`),
    ),
  ],
};

export const optionalFieldStatements: readonly Statement[] = [
  {
    id: 'openapi/optional-fields',
    says: 'The document names the fields of the contract that answers have only where they are known, down to the entries of lists.',
    check: async ({ ask }) => {
      const { json: document } = await ask('/openapi.json');
      const missing = Object.entries(FIELDS).flatMap(([path, fields]) => {
        const answer =
          document?.paths?.[path]?.get?.responses?.['200']?.content?.['application/json']?.schema;
        return fields
          .filter((field) => !documents(document, answer, field.split('.')))
          .map((field) => `${path}: ${field}`);
      });
      return unless(missing.length === 0, missing);
    },
  },
  {
    id: 'portfolio/platform-links',
    says: 'Each platform has its website, and each link is an https URL; a platform with channels names them.',
    check: async ({ ask }) => {
      const { json } = await ask('/portfolio/v1/platforms');
      const wrong = (json ?? []).filter(
        ({ links }: Json) =>
          typeof links?.website !== 'string' ||
          Object.entries(links).some(
            ([name, url]) => !LINKS.includes(name) || !/^https:\/\/\S+$/.test(String(url)),
          ),
      );
      const jupiter = (json ?? []).find(({ id }: Json) => id === 'jupiter-exchange');
      const isNamed = ['twitter', 'discord', 'github'].every((name) => jupiter?.links?.[name] !== undefined);
      return unless(wrong.length === 0 && isNamed, { wrong, jupiter });
    },
  },
];

/** Whether a schema, or one of its alternatives, has the field. */
function documents(document: Json, schema: Json, [name, ...rest]: readonly string[]): boolean {
  const found = resolveSchema(document, schema);
  if (name === undefined) return found !== undefined;
  const alternatives: readonly Json[] = found?.anyOf ?? found?.oneOf ?? [];
  if (alternatives.some((each) => documents(document, each, [name, ...rest]))) return true;
  const next =
    name === '*'
      ? (found?.items ?? found?.additionalProperties ?? Object.values(found?.patternProperties ?? {})[0])
      : found?.properties?.[name];
  return next !== undefined && documents(document, next, rest);
}
