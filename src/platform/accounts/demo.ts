import { eq } from 'drizzle-orm';
import { meta } from '../../store/schema.ts';
import { PlatformRefused } from '../errors.ts';
import { createKey, listKeys } from './keys.ts';
import { createOrganisation, hasOrganisation } from './organisations.ts';
import type { PlatformParts } from '../parts.ts';
import { TOP_PLAN } from '../plans/plans.ts';
import { createTeam, listTeams } from './teams.ts';

const DEMO = 'demo';
/** Organisation, team and key can each be met by another instance once. */
const ATTEMPTS = 4;
const ACTOR = { who: 'first start', from: 'this process' };

/**
 * Makes the data folder's key an ordinary key of an ordinary organisation, once: what the operator does to them
 * afterwards, deletion included, is left as it is.
 */
export async function keepDemoKey(parts: PlatformParts, key: string): Promise<void> {
  for (let attempt = 1; ; attempt++) {
    try {
      return await makeDemoKey(parts, key);
    } catch (error) {
      // Another instance that starts on the same database made the same at the same time.
      if (!(error instanceof PlatformRefused) || error.statusCode !== 409 || attempt === ATTEMPTS)
        throw error;
    }
  }
}

async function makeDemoKey(parts: PlatformParts, key: string): Promise<void> {
  const hash = parts.hashKey(key);
  const entry = `demo-key ${hash}`;
  const [known] = await parts.store.db.select().from(meta).where(eq(meta.name, entry));
  if (known !== undefined) return;
  if (!(await hasOrganisation(parts, DEMO))) {
    await createOrganisation(parts, ACTOR, { slug: DEMO, plan: TOP_PLAN });
  }
  const path = { organisation: DEMO, team: DEMO };
  if (!(await listTeams(parts, DEMO)).some(({ slug }) => slug === DEMO)) await createTeam(parts, ACTOR, path);
  const taken = (await listKeys(parts, path)).some(({ name }) => name === DEMO);
  // Instances with folders of their own share a database.
  const name = taken ? `${DEMO} ${hash.slice(0, 12)}` : DEMO;
  await createKey(parts, ACTOR, { ...path, key: name }, {}, key);
  await parts.store.db
    .insert(meta)
    .values({ name: entry, value: String(parts.now()) })
    .onConflictDoNothing();
}
