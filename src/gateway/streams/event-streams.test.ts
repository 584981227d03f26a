import { once } from 'node:events';
import { connect } from 'node:net';
import { Type } from 'typebox';
import { afterEach, describe, expect, it } from 'vitest';
import { Unavailable } from '../../common/unavailable.ts';
import { defineEndpoint, EventStream, type StreamEvent } from '../../products/endpoint.ts';
import { defineProduct } from '../../products/product.ts';
import { ManualTimers } from '../../testing/timers.ts';
import { listen } from '../http/listen.ts';
import { closeGateways, createSampleGateway } from '../../testing/gateway/sample-gateway.ts';
import { closeServer } from '../server/server.ts';
import { formatEvent } from './event-text.ts';
import type { EventStreamsOptions } from './event-streams.ts';

afterEach(closeGateways);

describe('EventStreams', () => {
  it('sends each event as it happens, and ends with the iterable', async () => {
    const source = new Source();
    const { url } = await serve(source);
    source.give({ name: 'first', data: { count: 1 } });
    const { answer, reader } = await open(url);
    expect(answer.status).toBe(200);
    expect(answer.headers.get('content-type')).toBe('text/event-stream');
    expect(answer.headers.get('cache-control')).toBe('no-cache, no-transform');
    expect(await readUntil(reader, /1\}\n\n$/)).toBe('retry: 1000\n\nevent: first\ndata: {"count":1}\n\n');
    source.give({ data: Buffer.from('{"count":2}') });
    expect(await readUntil(reader, /\n\n$/)).toBe('data: {"count":2}\n\n');
    source.give(null);
    expect(await readUntil(reader, /\n\n$/)).toBe('<end>');
  });

  it('answers an error before the first event like that of any handler, and a later one as an event', async () => {
    const source = new Source();
    const { url } = await serve(source);
    source.give(new Unavailable('The part does not answer'));
    expect((await fetch(url)).status).toBe(503);
    for (const [error, data] of [
      [new Unavailable('The part does not answer'), /\{"code":503,"message":"The part does not answer"\}/],
      [
        new Error('the password is hunter2'),
        /\{"code":500,"message":"Internal server error; the request id is [^"]+"\}/,
      ],
    ] as const) {
      source.give({ data: { count: 1 } });
      source.give(error);
      const { reader } = await open(url);
      const text = await readUntil(reader, /<never>/);
      expect(text).toMatch(/^retry: 1000\n\ndata: \{"count":1\}\n\nevent: error\ndata: /);
      expect(text).toMatch(data);
      expect(text).not.toContain('hunter2');
    }
  });

  it('stops the iterable when the client leaves, and then has its place again', async () => {
    const source = new Source();
    const { url } = await serve(source, { maxStreams: 2 });
    source.give({ data: { count: 1 } });
    const { reader } = await open(url);
    await readUntil(reader, /1\}\n\n$/);
    expect((await fetch(url)).status).toBe(503);
    await reader.cancel();
    await expect.poll(() => source.aborted).toBe(1);
    source.give({ data: { count: 2 } });
    const again = await open(url);
    expect(again.answer.status).toBe(200);
  });

  it('gives one caller a bounded number of streams', async () => {
    const source = new Source();
    source.first = { data: { count: 0 } };
    const { url } = await serve(source, { maxOfCaller: 3 });
    const opened = [await open(url), await open(url), await open(url)];
    expect(opened.map(({ answer }) => answer.status)).toEqual([200, 200, 200]);
    const refused = await fetch(url);
    expect(refused.status).toBe(503);
    expect(refused.headers.get('retry-after')).toBe('10');
    expect(await refused.json()).toEqual({
      code: 503,
      message: 'Too many event streams are open; close one, or try again later',
    });
    for (const { reader } of opened) await reader.cancel();
  });

  it('asks for no more events than a client takes, and lets go one that takes nothing', async () => {
    const source = new Source();
    const timers = new ManualTimers();
    const { url } = await serve(source, { timers, lifetimeMs: Number.MAX_SAFE_INTEGER });
    const large = 'x'.repeat(1_000_000);
    for (let count = 0; count < 100; count++) source.give({ data: large });
    const { hostname, port, pathname } = new URL(url);
    const socket = connect(Number(port), hostname);
    socket.pause();
    socket.write(`GET ${pathname} HTTP/1.1\r\nhost: a\r\n\r\n`);
    await expect.poll(() => source.asked).toBeGreaterThan(0);
    // The buffers of the two sockets take some of the events; then nothing is asked for.
    const isLetGo = () => {
      timers.advance(15_000);
      return source.aborted;
    };
    await expect.poll(isLetGo).toBe(1);
    expect(source.asked).toBeLessThan(60);
    socket.destroy();
  });

  it('keeps an idle stream alive with comments, and ends it after its lifetime', async () => {
    const source = new Source();
    const timers = new ManualTimers();
    const { url } = await serve(source, { timers, lifetimeMs: 40_000 });
    source.give({ data: { count: 1 } });
    const { reader } = await open(url);
    await readUntil(reader, /1\}\n\n$/);
    for (let times = 0; times < 2; times++) {
      timers.advance(15_000);
      expect(await readUntil(reader, /\n\n$/)).toBe(':\n\n');
    }
    timers.advance(10_000);
    expect(await readUntil(reader, /\n\n$/)).toBe('<end>');
    await expect.poll(() => source.aborted).toBe(1);
  });

  it('ends all streams when the server stops', async () => {
    const source = new Source();
    const { app, url } = await serve(source);
    source.give({ data: { count: 1 } });
    const { reader } = await open(url);
    await readUntil(reader, /1\}\n\n$/);
    const closed = closeServer(app, 60_000);
    expect(await readUntil(reader, /<never>/)).toBe('<end>');
    await closed;
    expect(source.aborted).toBe(1);
  });

  it('does not wait for the first event of a client that has left', async () => {
    const source = new Source();
    const { url } = await serve(source);
    const { hostname, port, pathname } = new URL(url);
    const socket = connect(Number(port), hostname);
    socket.write(`GET ${pathname} HTTP/1.1\r\nhost: a\r\n\r\n`);
    await expect.poll(() => source.asked).toBe(1);
    socket.destroy();
    await once(socket, 'close');
    await expect.poll(() => source.aborted).toBe(1);
  });

  it('is documented as a stream', async () => {
    const { app } = await serve(new Source());
    const { paths } = (await app.inject('/openapi.json')).json();
    expect(Object.keys(paths['/sample-stream'].get.responses[200].content)).toEqual(['text/event-stream']);
  });
});

describe('formatEvent', () => {
  it('refuses what would end the event', () => {
    expect(() => formatEvent({ data: Buffer.from('{\n}') })).toThrow('line break');
    expect(() => formatEvent({ name: 'a\ndata: 1', data: 1 })).toThrow('line break');
    expect(formatEvent({ data: 'a\nb' })).toBe('data: "a\\nb"\n\n');
  });
});

/** A source of events that tests feed, and that counts what is asked for. */
class Source {
  asked = 0;
  aborted = 0;
  /** The first event of every stream. */
  first: StreamEvent | null = null;
  readonly #queue: (StreamEvent | Error | null)[] = [];
  #wake: () => void = () => undefined;

  give(event: StreamEvent | Error | null): void {
    this.#queue.push(event);
    this.#wake();
  }

  async *events(signal: AbortSignal): AsyncGenerator<StreamEvent> {
    signal.addEventListener('abort', () => {
      this.aborted++;
      this.#wake();
    });
    if (this.first !== null) yield this.first;
    while (!signal.aborted) {
      this.asked++;
      while (this.#queue.length === 0 && !signal.aborted) {
        await new Promise<void>((resolve) => {
          this.#wake = resolve;
        });
      }
      const next = this.#queue.shift();
      if (next === undefined || next === null) return;
      if (next instanceof Error) throw next;
      yield next;
    }
  }
}

async function serve(source: Source, streams: Partial<EventStreamsOptions> = {}) {
  const streaming = defineProduct({
    name: 'sample',
    description: 'A sample.',
    basePaths: ['/sample-stream'],
    endpoints: [
      defineEndpoint({
        method: 'GET',
        path: '/sample-stream',
        operationId: 'stream',
        summary: 'Sample',
        description: 'Sample.',
        streams: true,
        responses: { 200: Type.Object({ count: Type.Integer() }) },
        handle: () => new EventStream((signal) => source.events(signal)),
      }),
    ],
    open: () => ({ services: null }),
  });
  const app = await createSampleGateway({ products: [await streaming.open({})], streams });
  const url = await listen(app, { host: '127.0.0.1', port: 0, setting: 'rest-port' });
  return { app, url: `${url}/sample-stream` };
}

/** Reads a stream until its text fits. */
async function readUntil(reader: ReadableStreamDefaultReader<Uint8Array>, end: RegExp): Promise<string> {
  let text = '';
  while (!end.test(text)) {
    const { done, value } = await reader.read();
    if (done) return `${text}<end>`;
    text += Buffer.from(value).toString();
  }
  return text;
}

async function open(url: string) {
  const answer = await fetch(url);
  if (answer.body === null) throw new Error('the answer has no body');
  return { answer, reader: answer.body.getReader() };
}
