import { once } from 'node:events';
import { type AddressInfo, createServer, type Server } from 'node:net';
import { afterEach, expect, it } from 'vitest';
import { refuseTakenPorts } from '../common/refuse-taken-ports.ts';
import { listChosenPorts } from '../config/chosen-ports.ts';
import { toConfig } from '../config/config.ts';
import { loadSettings } from '../config/load.ts';
import { createLogger } from '../gateway/http/log/log.ts';
import { startApp } from './app.ts';

afterEach(() => {
  for (const server of taken.splice(0)) server.close();
});

it('an instance names all ports that are taken, and not only the first', async () => {
  const settings = ['rest-port', 'admin-port', 'rpc-port', 'ws-port', 'grpc-port'];
  const ports = await Promise.all(settings.map(take));
  const addresses = [await take(), await take()];
  const config = configWith({
    ...Object.fromEntries(settings.map((setting, index) => [setting, ports[index]])),
    'landing-address': `${HOST}:${addresses[0]}`,
    'metrics-address': `${HOST}:${addresses[1]}`,
  });
  const failed = await startApp(config, createLogger('silent', { write: () => {} })).catch(
    (error: Error) => error,
  );
  const lines = failed instanceof Error ? failed.message.split('\n') : [];
  const named = [...settings, 'landing-address', 'metrics-address'];
  expect(lines).toEqual(
    named.map((setting, index) => {
      const port = [...ports, ...addresses][index];
      return `${setting} ${port} on ${HOST} is in use, perhaps by another instance; stop that, or choose another with --${setting}`;
    }),
  );
});

it('ports that the system chooses, and those of a network that is elsewhere, are not tried', async () => {
  const free = { 'rest-port': 0, 'admin-port': 0, 'grpc-port': 0, 'rpc-url': 'http://127.0.0.1:1' };
  expect(listChosenPorts(configWith(free))).toEqual([]);
  const port = await take();
  for (const server of taken.splice(0)) {
    server.close();
    await once(server, 'close');
  }
  // It is free again for the server itself.
  for (let times = 0; times < 2; times++)
    await refuseTakenPorts([{ host: HOST, port, setting: 'rest-port' }]);
});

const HOST = '127.0.0.1';
const taken: Server[] = [];

async function take(): Promise<number> {
  const server = createServer().listen(0, HOST);
  taken.push(server);
  await once(server, 'listening');
  return (server.address() as AddressInfo).port;
}

function configWith(file: Readonly<Record<string, unknown>>) {
  const { settings } = loadSettings({ flags: new Map(), file: null, environment: {}, cwd: '/nonexistent' });
  return toConfig({ ...settings, ephemeral: true, ...file }, '/');
}
