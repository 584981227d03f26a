import { afterEach, expect, it } from 'vitest';
import { closeGateways, createSampleGateway } from '../../testing/gateway/sample-gateway.ts';

afterEach(closeGateways);

it('logs answers at info, except to monitors, which ask all the time and are logged when something is wrong', async () => {
  const lines: string[] = [];
  let isReady = true;
  const check = { name: 'part', unhealthy: () => (isReady ? null : 'broken') };
  const app = await createSampleGateway({ readiness: [check] }, lines);
  const levels = async (path: string) => {
    lines.length = 0;
    await app.inject(path);
    return lines
      .map((line): { msg: string; level: number } => JSON.parse(line))
      .flatMap(({ msg, level }) => (msg === 'answered' ? level : []));
  };
  const [debug, info] = [20, 30];
  expect(await levels('/sample/a?limit=1')).toEqual([info]);
  for (const path of ['/healthz', '/readyz', '/status']) expect(await levels(path), path).toEqual([debug]);
  isReady = false;
  expect(await levels('/readyz')).toEqual([info]);
});
