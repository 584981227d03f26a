import { eq } from 'drizzle-orm';
import { OperatorError } from '../../common/operator-error.ts';
import { meta } from '../../store/schema/meta.ts';
import type { Store } from '../../store/index.ts';
import type { HashKey } from './api-key.ts';

const ENTRY = 'key-secret-check';
const CHECKED = 'the secret that API keys are hashed with';

/**
 * The database holds a hash that was made with the secret. A start with another secret is refused, because otherwise every
 * key would be refused.
 * @throws OperatorError when the stored keys were hashed with another secret
 */
export async function checkKeySecret({ db }: Store, hashKey: HashKey): Promise<void> {
  const value = hashKey(CHECKED);
  await db.insert(meta).values({ name: ENTRY, value }).onConflictDoNothing();
  const [row] = await db.select().from(meta).where(eq(meta.name, ENTRY));
  if (row?.value === value) return;
  throw new OperatorError(
    'the API keys in the database were hashed with another secret; set key-secret to the one that the first instance on this database used, which is in the file key-secret of its data folder unless it was a setting',
  );
}
