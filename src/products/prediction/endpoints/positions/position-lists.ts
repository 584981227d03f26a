import { Type } from 'typebox';
import type { Work } from '../../../../common/work/work.ts';
import { refuseUnknown } from '../../../../predictions/prediction-refused.ts';
import type { OpenPredictionPosition } from '../../../../predictions/prediction.ts';
import type { Address } from '../../../../solana/address.ts';
import { EXAMPLE_WALLET } from '../../../example-values.ts';
import { named } from '../../../named-schema.ts';
import { address, choice, text } from '../../../parameters/kinds.ts';
import { defineQuery, optional } from '../../../parameters/parameter.ts';
import { LazyList, writeJsonInTurns } from '../../../json-in-turns.ts';
import { PaginationJson } from '../json/amount-forms.ts';
import { getMarketAddress } from '../json/market-kind.ts';
import { PredictionPositionJson, toPositionJson } from '../json/position-json.ts';
import type { PredictionDesk } from '../prediction-services.ts';
import {
  type ListRange,
  PAGE_PARAMETERS,
  refuseParameter,
  toPagination,
  toRange,
} from '../event-parameters.ts';
import { OWNER_PARAMETERS, readOwner } from '../owner-parameters.ts';
import { definePredictionEndpoint } from '../prediction-endpoint.ts';
import { findHeldPosition, listMarketPositions, listOwnerPositions, waitForCosts } from './held-positions.ts';

/** A page of positions. */
export const PositionsJson = named(
  'PredictionPositions',
  Type.Object({ data: Type.Array(PredictionPositionJson), pagination: PaginationJson }),
);

const LIST = defineQuery(
  {
    ...OWNER_PARAMETERS,
    marketPubkey: optional(address('Of those, the positions of the market with this address.')),
    marketId: optional(text('Positions of the market with this id.')),
    isYes: optional(choice(['true', 'false'], 'Positions on this side.')),
    ...PAGE_PARAMETERS,
  },
  refuseParameter,
);

/** Which positions a request asks for. */
export interface PositionSelection {
  readonly owner: Address | null;
  readonly marketPubkey: Address | null;
  readonly marketId: string | null;
  readonly isYes: boolean | null;
}

/** `GET /positions`: the positions of a wallet or of a market. */
export const listPositions = definePredictionEndpoint({
  method: 'GET',
  path: '/prediction/v1/positions',
  operationId: 'ListPredictionPositions',
  summary: 'Positions',
  description:
    'Lists the positions of a wallet, or of a market, with what they are worth now. A position without contracts is listed as long as an order of it is open or its result can be shown. That on a forecast is listed until it is paid out.',
  example: { query: { ownerPubkey: EXAMPLE_WALLET } },
  query: LIST.schema,
  answer: PositionsJson,
  handle: (desk, { query, work }) => {
    const read = LIST.reader(query);
    const owner = readOwner(read);
    const isYes = read('isYes');
    const selection = {
      owner,
      marketPubkey: read('marketPubkey'),
      marketId: read('marketId'),
      isYes: isYes === null ? null : isYes === 'true',
    };
    return writePositions(desk, selection, { range: toRange(read('start'), read('end')), work });
  },
});

/** Writes a page of positions. */
export async function writePositions(
  desk: PredictionDesk,
  selection: PositionSelection,
  { range, work }: { readonly range: ListRange; readonly work: Work },
): Promise<Buffer> {
  await waitForCosts(desk, selection.owner);
  const positions = selectPositions(desk, selection);
  const now = Number(desk.crafting.chain.clock().unixTimestamp);
  const data = new LazyList(positions.slice(range.start, range.end), (position) => {
    const valued = desk.lists.valuePosition(position);
    return valued === null ? null : toPositionJson(valued, now);
  });
  return writeJsonInTurns({ data, pagination: toPagination(range, positions.length) }, work);
}

/** @throws PredictionRefused for a selection of neither a wallet nor a market */
function selectPositions(
  desk: PredictionDesk,
  { owner, marketPubkey, marketId, isYes }: PositionSelection,
): readonly OpenPredictionPosition[] {
  const { events } = desk;
  const market = marketId === null ? null : events.findMarket(marketId);
  if (owner === null && marketId === null) return refuseParameter('ownerPubkey is missing');
  if (marketId !== null && market === null) return [];
  const all =
    owner === null
      ? market === null
        ? []
        : listMarketPositions(desk, market)
      : listOwnerPositions(desk, owner);
  const isSelected = (position: OpenPredictionPosition) => {
    const of = events.findMarketByHash(position.marketIdHash);
    return (
      of !== null &&
      (market === null || of.marketIdHash === market.marketIdHash) &&
      (isYes === null || position.isYes === isYes) &&
      (marketPubkey === null || getMarketAddress(of) === marketPubkey)
    );
  };
  return all.filter((position) => isShown(position) && isSelected(position)).sort(compareNewest);
}

/** A position that was sold or lost completely has nothing to show. */
function isShown({ contracts, openOrders, isClaimed }: OpenPredictionPosition): boolean {
  return contracts > 0n || openOrders > 0 || isClaimed;
}

function compareNewest(one: OpenPredictionPosition, other: OpenPredictionPosition): number {
  if (one.openedAt !== other.openedAt) return one.openedAt > other.openedAt ? -1 : 1;
  return one.address < other.address ? -1 : 1;
}

/** The path of a position, as several endpoints have it. */
export const POSITION_PARAMS = defineQuery(
  { positionPubkey: address('The account of the position.') },
  refuseParameter,
);

/** The position that examples name. */
export const POSITION_EXAMPLE = { positionPubkey: EXAMPLE_WALLET };

/** `GET /positions/:positionPubkey`: one position. */
export const getPosition = definePredictionEndpoint({
  method: 'GET',
  path: '/prediction/v1/positions/:positionPubkey',
  operationId: 'GetPredictionPosition',
  summary: 'One position',
  description: 'Returns a position with what it is worth now. 404: there is none, or it is not known yet.',
  example: { params: POSITION_EXAMPLE },
  params: POSITION_PARAMS.schema,
  answer: PredictionPositionJson,
  handle: async (desk, { params }) => {
    const account = POSITION_PARAMS.reader(params)('positionPubkey');
    await waitForCosts(desk, findHeldPosition(desk, account)?.owner ?? null);
    const position = findHeldPosition(desk, account);
    const valued = position === null ? null : desk.lists.valuePosition(position);
    if (valued === null) return refuseUnknown('position_not_found', 'Position not found', 'positionPubkey');
    return toPositionJson(valued, Number(desk.crafting.chain.clock().unixTimestamp));
  },
});
