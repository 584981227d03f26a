import { open } from 'node:fs/promises';

/** Makes the names in a folder durable. Windows has no such call and does not need it. */
export async function syncFolder(path: string): Promise<void> {
  if (process.platform === 'win32') return;
  const folder = await open(path, 'r');
  await folder.sync();
  await folder.close();
}
