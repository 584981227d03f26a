import { Redis } from 'ioredis';
import postgres from 'postgres';
import { deriveNamespace } from '../../src/store/shared/index.ts';

/** Every row of every table, as text. */
export async function databaseText(url: string): Promise<string> {
  const client = postgres(url, { max: 1, onnotice: () => undefined });
  try {
    const tables = await client`
      select table_name from information_schema.tables where table_schema = 'public' and table_type = 'BASE TABLE'`;
    let text = '';
    for (const { table_name: table } of tables) {
      const rows = await client`select row.*::text as line from ${client(table)} as row`;
      text += `${table}\n${rows.map(({ line }) => line).join('\n')}\n`;
    }
    return text;
  } finally {
    await client.end();
  }
}

/** Every entry of the instances that have this secret, as text. */
export async function valkeyText(url: string, keySecret: string): Promise<string> {
  const redis = new Redis(url);
  try {
    let text = '';
    for (const key of await redis.keys(`${deriveNamespace(keySecret)}:*`)) {
      const read: Record<string, () => Promise<unknown>> = {
        string: () => redis.get(key),
        hash: () => redis.hgetall(key),
        list: () => redis.lrange(key, 0, -1),
      };
      const type = await redis.type(key);
      // It ends whenever its time is over.
      if (type === 'none') continue;
      const value = read[type];
      if (value === undefined) throw new Error(`${key} is of the type ${type}, which this cannot read`);
      text += `${key} ${JSON.stringify(await value())}\n`;
    }
    return text;
  } finally {
    redis.disconnect();
  }
}
