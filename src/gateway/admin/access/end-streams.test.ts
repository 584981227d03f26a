import { once } from 'node:events';
import { Readable } from 'node:stream';
import Fastify from 'fastify';
import { expect, it } from 'vitest';
import { openTestPlatform } from '../../../testing/platform/test-platform.ts';
import { openForEach } from '../../../testing/opened.ts';
import { endStreamsOfOthers } from './end-streams.ts';

const platform = openForEach(() => openTestPlatform(), 'cleanUp');

it.each([
  ['asks about an answer while it is sent', false, 1],
  ['asks nothing about an answer that has ended before', true, 0],
])('%s', async (_, hasEnded, asked) => {
  let checks = 0;
  const app = Fastify();
  app.decorateRequest('principal', null);
  app.addHook('onRequest', async (request) => {
    Object.assign(request, { principal: { session: { id: 'one' } } });
  });
  endStreamsOfOthers(app, platform, () => {
    checks++;
    return () => {};
  });
  app.get('/', async (_request, reply) => {
    const payload = hasEnded ? new Readable({ read: () => {} }) : Readable.from(['text']);
    if (hasEnded) await once(payload.destroy(), 'close');
    return reply.send(payload);
  });
  await app.inject('/').catch(() => undefined);
  expect(checks).toBe(asked);
  await app.close();
});
