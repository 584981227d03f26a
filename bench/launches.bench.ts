import { LaunchDesk } from '../src/testing/products/launch-desk.ts';
import { latencyRow } from './latency.ts';
import type { Row } from './row.ts';

export const title = 'Launches';

const [WARM, MEASURED] = [200, 1_000];

/** Prepares launches one after another, each with keys, a curve, two signatures and two signed URLs of its own. */
export async function run(): Promise<readonly Row[]> {
  const desk = await LaunchDesk.open();
  try {
    const times: number[] = [];
    for (let at = 0; at < WARM + MEASURED; at++) {
      const from = performance.now();
      const { status, json } = await desk.create();
      if (status !== 200) throw new Error(JSON.stringify(json));
      if (at >= WARM) times.push(performance.now() - from);
    }
    times.sort((one, other) => one - other);
    return [latencyRow('`create-tx` of the studio', times, 3, 15)];
  } finally {
    await desk.close();
  }
}
