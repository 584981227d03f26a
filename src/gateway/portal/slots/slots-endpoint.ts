import type { FastifyInstance, RouteShorthandOptions } from 'fastify';
import { SYSTEM_TIMERS } from '../../../common/ports/timers.ts';
import { EventStream, type StreamEvent } from '../../../products/endpoint.ts';
import type { EventStreams } from '../../streams/event-streams.ts';
import { type PortalSlots, SlotFeed } from './slot-feed.ts';

/** Registers `GET /portal/data/slots/stream`: the newest slots, and then each as it is confirmed. */
export function registerPortalSlots(
  app: FastifyInstance,
  path: string,
  options: RouteShorthandOptions,
  slots: PortalSlots,
  streams: EventStreams,
): void {
  const feed = new SlotFeed(slots, SYSTEM_TIMERS);
  app.get(path, options, async (request, reply) =>
    streams.send(new EventStream((signal) => toEvents(feed, signal)), request, reply),
  );
}

async function* toEvents(feed: SlotFeed, signal: AbortSignal): AsyncGenerator<StreamEvent> {
  for await (const data of feed.follow(signal)) yield { name: 'slots', data };
}
