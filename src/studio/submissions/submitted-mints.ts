import { eq } from 'drizzle-orm';
import type { Address } from '../../solana/address.ts';
import type { Database } from '../../store/index.ts';
import { studioLaunches } from './studio-tables.ts';

/** Whether the launch of a token was submitted, on whichever network the instance was then. */
export async function wasSubmitted(db: Database, mint: Address): Promise<boolean> {
  const rows = await db
    .select({ mint: studioLaunches.mint })
    .from(studioLaunches)
    .where(eq(studioLaunches.mint, mint))
    .limit(1);
  return rows.length > 0;
}
