import { expect, it } from 'vitest';
import { useInstance } from './shared-instance.ts';

const instance = useInstance();

it('sluice doctor beside a running instance takes its ports for its own', async () => {
  const port = (url: string) => new URL(url).port;
  const ports = [`--rest-port=${port(instance.restUrl)}`, `--admin-port=${port(instance.adminUrl)}`];
  const network = [`--rpc-port=${port(instance.rpcUrl)}`, '--ws-port=0', '--grpc-port=0'];
  const { code, out } = await instance.run('doctor', ...ports, ...network);
  expect(out).toMatch(/^ok +rest-port +127\.0\.0\.1:\d+, served by the instance that runs$/m);
  expect(out).toMatch(/^ok +rpc-port +.*, served by the instance that runs$/m);
  expect(out).toMatch(/^ok +data-dir +.*: process \d+ runs on it$/m);
  expect(out).toMatch(/^ok +secrets of data-dir +\d files that only their owner may read$/m);
  expect(out).toMatch(/^ok +sluice\.db +\d+ MiB; /m);
  expect(out).toMatch(/^ok +instance +ready at http/m);
  expect(out).toMatch(/, 0 faults\n$/);
  expect(code).toBe(0);
  expect(out).not.toContain(instance.apiKey);
});

it('sluice doctor from another folder takes them for taken', async () => {
  const { code, out } = await instance.run(
    ...['doctor', '--data-dir=other', `--rest-port=${new URL(instance.restUrl).port}`],
    ...['--admin-port=0', '--rpc-port=0', '--ws-port=0', '--grpc-port=0'],
  );
  expect(out).toMatch(
    /^FAULT +rest-port +rest-port \d+ on 127\.0\.0\.1 is in use, .*; stop that, or choose another/m,
  );
  expect(code).toBe(1);
});
