import { eq } from 'drizzle-orm';
import { apiKeys } from '../tables/account-tables.ts';
import { meta } from '../../store/schema/meta.ts';
import type { Result } from '../../common/refusal.ts';
import { createKey, type KeyDependencies, listKeys } from './keys.ts';
import { createOrganisation, hasOrganisation } from './organisations.ts';
import { TOP_PLAN } from '../plans/plans.ts';
import { createTeam, listTeams } from './teams.ts';

const DEMO = 'demo';
/** Another instance can create the organisation, the team or the key first, so each can cost one attempt. */
const ATTEMPTS = 4;
const DONE: Result<null> = { ok: true, value: null };
const ACTOR = { who: 'first start', from: 'this process' };

/**
 * Stores the demo key of the data folder as an ordinary key of an ordinary organisation, once. Later changes by the
 * operator, including deletion, are kept.
 * @throws Error when the key cannot be stored
 */
export async function keepDemoKey(platform: KeyDependencies, key: string): Promise<void> {
  for (let attempt = 1; ; attempt++) {
    const made = await makeDemoKey(platform, key);
    if (made.ok) return;
    const { code, message } = made.error;
    // Another instance that starts on the same database may create the same rows at the same time.
    if (code !== 'already-exists' || attempt === ATTEMPTS) {
      throw new Error(`the demo key cannot be stored: ${message}`);
    }
  }
}

async function makeDemoKey(platform: KeyDependencies, key: string): Promise<Result<null>> {
  const hash = platform.hashKey(key);
  const entry = `demo-key ${hash}`;
  const [known] = await platform.store.db.select().from(meta).where(eq(meta.name, entry));
  if (known !== undefined) return DONE;
  if (!(await hasOrganisation(platform, DEMO))) {
    const organisation = await createOrganisation(platform, ACTOR, { slug: DEMO, plan: TOP_PLAN });
    if (!organisation.ok) return organisation;
  }
  const path = { organisation: DEMO, team: DEMO };
  const teams = await listTeams(platform, DEMO);
  if (!teams.ok) return teams;
  if (!teams.value.some(({ slug }) => slug === DEMO)) {
    const team = await createTeam(platform, ACTOR, path);
    if (!team.ok) return team;
  }
  if (!(await isStored(platform, hash))) {
    const keys = await listKeys(platform, path);
    if (!keys.ok) return keys;
    const taken = keys.value.some(({ name }) => name === DEMO);
    // Instances with folders of their own share a database.
    const name = taken ? `${DEMO} ${hash.slice(0, 12)}` : DEMO;
    const created = await createKey(platform, ACTOR, { ...path, key: name }, {}, key);
    if (!created.ok) return created;
  }
  await platform.store.db
    .insert(meta)
    .values({ name: entry, value: String(platform.now()) })
    .onConflictDoNothing();
  return DONE;
}

/** Whether the key exists already: a start may end after it has stored the key, and before it has noted that. */
async function isStored({ store }: KeyDependencies, hash: string): Promise<boolean> {
  const [stored] = await store.db.select({ id: apiKeys.id }).from(apiKeys).where(eq(apiKeys.hash, hash));
  return stored !== undefined;
}
