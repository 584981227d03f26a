import { Type } from 'typebox';
import type { Work } from '../../../common/work/work.ts';
import { EXAMPLE_WALLET } from '../../example-values.ts';
import { writeJsonInTurns } from '../../json-in-turns.ts';
import { defineEndpoint, EventStream, type StreamEvent } from '../../endpoint.ts';
import { named } from '../../named-schema.ts';
import type { PortfolioEvent } from '../stream/follow.ts';
import type { ValuedElement } from '../valuation/valued.ts';
import { toElementJson } from './elements-json.ts';
import { parsePositionsRequest, TIMEOUT_MS } from './positions.ts';
import { toPositionsJson, toReportJson, toTokenInfoJson } from './positions-json.ts';
import { POSITIONS_QUERY, PositionsResponse, Refusal, WALLET_PATH } from './positions-schema.ts';
import type { PortfolioServices } from './services.ts';

/** The price is high because a wallet is evaluated repeatedly, for up to ten minutes. */
const CREDITS = 500;

const keys = Type.Array(Type.String(), { description: 'A key for each of `elements`.' });
const ElementKeys = named('ElementKeys', Type.Object({ keys }));
const ChangedPositions = named(
  'ChangedPositions',
  Type.Object({
    date: Type.Number(),
    owner: Type.String(),
    fetcherReports: Type.Array(Type.Unknown(), {
      description: 'Those that have begun or ceased to fail.',
    }),
    elements: Type.Array(Type.Unknown(), {
      description: 'Those that are new or have changed.',
    }),
    keys,
    removed: Type.Array(Type.String(), { description: 'Keys of elements that are gone.' }),
    tokenInfo: Type.Unknown({ description: 'Of the tokens of `elements`.' }),
  }),
);
const Event = Type.Union([Type.Intersect([PositionsResponse, ElementKeys]), ChangedPositions]);

const writeElementText = async (element: ValuedElement, work: Work) =>
  (await writeJsonInTurns(toElementJson(element), work)).toString();

export const positionsStream = defineEndpoint({
  method: 'GET',
  path: '/portfolio/v1/positions/:address/stream',
  operationId: 'StreamPositions',
  example: { params: { address: EXAMPLE_WALLET } },
  summary: 'Positions of a wallet, and their changes',
  description:
    'Server-sent events: `positions` with all positions at once, then `changes` with the elements that changed, after the ' +
    'slot of the change is confirmed. Prices are looked at every ten seconds. A stream ends after ten minutes; open it again.',
  credits: CREDITS,
  timeoutMs: TIMEOUT_MS,
  streams: true,
  params: WALLET_PATH.schema,
  query: POSITIONS_QUERY.schema,
  responses: { 200: Event, 400: Refusal },
  handle: ({ follower }: PortfolioServices, { params, query, beginWork }) => {
    const request = parsePositionsRequest(params, query);
    return new EventStream((signal) =>
      toStreamEvents(follower.follow({ request, textOf: writeElementText, beginWork, signal })),
    );
  },
});

async function* toStreamEvents(events: AsyncIterable<PortfolioEvent>): AsyncGenerator<StreamEvent> {
  for await (const event of events) {
    yield { name: event.kind, data: await writeJsonInTurns(toEventJson(event), event.work) };
  }
}

function toEventJson(event: PortfolioEvent): object {
  if (event.kind === 'positions') {
    return { ...toPositionsJson(event.portfolio), keys: event.elements.map(({ key }) => key) };
  }
  const { portfolio, changed, removed, outcomes, tokens } = event.changes;
  return {
    date: portfolio.date,
    owner: portfolio.owner,
    fetcherReports: outcomes.map(toReportJson),
    elements: changed.map(({ element }) => toElementJson(element)),
    keys: changed.map(({ key }) => key),
    removed,
    tokenInfo: toTokenInfoJson(tokens),
  };
}
