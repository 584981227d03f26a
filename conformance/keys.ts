import type { World } from './world.ts';

/** Creates a key that is confined to one product. */
export async function createConfinedKey(world: World, product: string): Promise<string> {
  const { slug, team } = await world.newOrganisation();
  const keys = `/admin/v1/organisations/${slug}/teams/${team}/keys`;
  return (await world.admin('POST', keys, { name: product, products: [product] })).json.key;
}

/**
 * Creates an organisation whose team has one firewall rule.
 * @param paths - The paths that the rule is for. Default: all of them.
 * @returns the key of the team
 */
export async function createKeyBehind(
  world: World,
  action: unknown,
  paths?: readonly string[],
): Promise<string> {
  const { slug, team, key } = await world.newOrganisation();
  const rules = `/admin/v1/organisations/${slug}/teams/${team}/rules`;
  const groups = paths === undefined ? [] : [[{ type: 'path', values: paths }]];
  const answer = await world.admin('POST', rules, { name: 'rule', groups, action });
  if (answer.status !== 200) throw new Error(`the rule was answered ${answer.status}: ${answer.text}`);
  return key;
}
