import type { FlowLeg, FlowToken, RouteGraph } from './route-graph.ts';

/** A box with its upper left corner, in pixels. */
export interface FlowBox {
  readonly x: number;
  readonly y: number;
  readonly width: number;
  readonly height: number;
}

export type PlacedToken = FlowToken & { readonly box: FlowBox };
export type PlacedLeg = FlowLeg & {
  readonly box: FlowBox;
  /** The band of the step, from its input token through its box to its output token, as pieces of an SVG path. */
  readonly bands: readonly string[];
};

/** Where everything of a route is drawn. */
export interface FlowLayout {
  readonly width: number;
  readonly height: number;
  readonly tokens: readonly PlacedToken[];
  readonly legs: readonly PlacedLeg[];
}

const TOKEN = { width: 128, height: 60 };
const CARD = { width: 176, height: 74 };
/** Width of the bands between a token and a card. */
const BAND_WIDTH = { least: 28, most: 110 };
const GAP = 14;
/** How thick the band of the whole swap is. */
const WHOLE = 60;
/** Bands of shares below a thirtieth would not be seen. */
const LEAST_THICKNESS = 2;

/** Returns the width that a route needs to be drawn from left to right. */
export function computeLeastWidth({ tokens }: RouteGraph): number {
  return computeWidth(countColumns(tokens), BAND_WIDTH.least);
}

/**
 * Places a route from left to right: the tokens in columns, and between them a card for each step. A step over several columns
 * has a lane of its own through those between, so that nothing lies upon anything else.
 *
 * @param width - The width that there is; at least `computeLeastWidth`.
 */
export function layOutRoute(graph: RouteGraph, width: number): FlowLayout {
  const columns = countColumns(graph.tokens);
  const bandWidth = Math.min(
    Math.max((width - computeWidth(columns, 0)) / (2 * (columns - 1)), BAND_WIDTH.least),
    BAND_WIDTH.most,
  );
  const layers = arrangeLayers(graph, columns);
  const height = Math.max(...layers.map(computeLayerHeight));
  const pitch = TOKEN.width + CARD.width + 2 * bandWidth;
  const boxes = new Map<string, FlowBox>();
  for (const [index, layer] of layers.entries()) {
    const x = Math.floor(index / 2) * pitch + (index % 2 === 0 ? 0 : TOKEN.width + bandWidth);
    let y = (height - computeLayerHeight(layer)) / 2;
    for (const item of layer) {
      boxes.set(item.key, { x, y, width: index % 2 === 0 ? TOKEN.width : CARD.width, height: item.height });
      y += item.height + GAP;
    }
  }
  const ports = computePorts(graph, layers, boxes);
  const getBox = (key: string) => boxes.get(key) ?? { x: 0, y: 0, width: 0, height: 0 };
  return {
    width: computeWidth(columns, bandWidth),
    height,
    tokens: graph.tokens.map((token) => ({ ...token, box: getBox(token.mint) })),
    legs: graph.legs.map((leg) => ({
      ...leg,
      box: getBox(keyOfCard(leg)),
      bands: drawBands(leg, findStops(graph, leg, layers).map(getBox), ports),
    })),
  };
}

interface LayerItem {
  readonly key: string;
  readonly height: number;
  /** Keys of the items of the layer before that lead here. */
  readonly before: readonly string[];
  readonly flow: number;
}

function countColumns(tokens: readonly FlowToken[]): number {
  return Math.max(...tokens.map(({ column }) => column)) + 1;
}

function computeWidth(columns: number, bandWidth: number): number {
  return columns * TOKEN.width + (columns - 1) * (CARD.width + 2 * bandWidth);
}

function computeLayerHeight(layer: readonly LayerItem[]): number {
  return layer.reduce((sum, { height }) => sum + height, 0) + GAP * Math.max(layer.length - 1, 0);
}

function keyOfCard({ index }: FlowLeg): string {
  return `card ${index}`;
}

function keyOfLane({ index }: FlowLeg, layer: number): string {
  return `lane ${index} ${layer}`;
}

function computeThickness({ flow }: FlowLeg): number {
  return Math.max(flow * WHOLE, LEAST_THICKNESS);
}

/** Sets the items of each layer below each other: those whose sources are higher first. */
function arrangeLayers(graph: RouteGraph, columns: number): readonly (readonly LayerItem[])[] {
  const layers: LayerItem[][] = [];
  const middles = new Map<string, number>();
  for (let index = 0; index < 2 * columns - 1; index++) {
    const rank = ({ before }: LayerItem) =>
      before.reduce((sum, key) => sum + (middles.get(key) ?? 0), 0) / Math.max(before.length, 1);
    const layer = listItems(graph, index).sort(
      (one, other) => rank(one) - rank(other) || other.flow - one.flow,
    );
    let y = -computeLayerHeight(layer) / 2;
    for (const { key, height } of layer) {
      middles.set(key, y + height / 2);
      y += height + GAP;
    }
    layers.push(layer);
  }
  return layers;
}

function listItems(graph: RouteGraph, layer: number): LayerItem[] {
  const column = layer / 2;
  const from = ({ leg }: FlowLeg) => findColumn(graph, leg.inputMint);
  const to = ({ leg }: FlowLeg) => findColumn(graph, leg.outputMint);
  const lanes = graph.legs
    .filter((leg) => layer > 2 * from(leg) + 1 && layer < 2 * to(leg))
    .map((leg) => ({
      key: keyOfLane(leg, layer),
      height: computeThickness(leg),
      before: [layer - 1 === 2 * from(leg) + 1 ? keyOfCard(leg) : keyOfLane(leg, layer - 1)],
      flow: leg.flow,
    }));
  if (layer % 2 === 1) {
    const cards = graph.legs
      .filter((leg) => 2 * from(leg) + 1 === layer)
      .map((leg) => ({
        key: keyOfCard(leg),
        height: Math.max(CARD.height, computeThickness(leg)),
        before: [leg.leg.inputMint],
        flow: leg.flow,
      }));
    return [...cards, ...lanes];
  }
  const tokens = graph.tokens
    .filter((token) => token.column === column)
    .map(({ mint, flow }) => {
      const arriving = graph.legs.filter(({ leg }) => leg.outputMint === mint);
      const leaving = graph.legs.filter(({ leg }) => leg.inputMint === mint);
      const sum = (legs: readonly FlowLeg[]) => legs.reduce((total, leg) => total + computeThickness(leg), 0);
      return {
        key: mint,
        height: Math.max(TOKEN.height, sum(arriving), sum(leaving)),
        before: arriving.map((leg) =>
          layer - 1 === 2 * from(leg) + 1 ? keyOfCard(leg) : keyOfLane(leg, layer - 1),
        ),
        flow,
      };
    });
  return [...tokens, ...lanes];
}

function findColumn({ tokens }: RouteGraph, mint: string): number {
  return tokens.find((token) => token.mint === mint)?.column ?? 0;
}

/** The boxes that the band of a step passes: its input, its card, its lanes, its output. */
function findStops(graph: RouteGraph, leg: FlowLeg, layers: readonly unknown[]): readonly string[] {
  const from = findColumn(graph, leg.leg.inputMint);
  const to = findColumn(graph, leg.leg.outputMint);
  const lanes = [...layers.keys()].filter((layer) => layer > 2 * from + 1 && layer < 2 * to);
  return [
    leg.leg.inputMint,
    keyOfCard(leg),
    ...lanes.map((layer) => keyOfLane(leg, layer)),
    leg.leg.outputMint,
  ];
}

/** Heights of the middles of the bands at the tokens, from the top, by `legIndex side`. */
type Ports = ReadonlyMap<string, number>;

/** Sets the bands at each token below each other, in the order of where they lead or come from. */
function computePorts(
  graph: RouteGraph,
  layers: readonly (readonly LayerItem[])[],
  boxes: ReadonlyMap<string, FlowBox>,
): Ports {
  const ports = new Map<string, number>();
  const middle = (key: string) => {
    const box = boxes.get(key);
    return box === undefined ? 0 : box.y + box.height / 2;
  };
  for (const { mint } of graph.tokens) {
    for (const side of ['in', 'out'] as const) {
      const legs = graph.legs.filter(({ leg }) => (side === 'in' ? leg.outputMint : leg.inputMint) === mint);
      const neighbour = (leg: FlowLeg) => findStops(graph, leg, layers).at(side === 'in' ? -2 : 1) ?? '';
      const sorted = [...legs].sort((one, other) => middle(neighbour(one)) - middle(neighbour(other)));
      let y = middle(mint) - legs.reduce((sum, leg) => sum + computeThickness(leg), 0) / 2;
      for (const leg of sorted) {
        const thickness = computeThickness(leg);
        ports.set(`${leg.index} ${side}`, y + thickness / 2);
        y += thickness;
      }
    }
  }
  return ports;
}

function drawBands(leg: FlowLeg, stops: readonly FlowBox[], ports: Ports): readonly string[] {
  const thickness = computeThickness(leg);
  const last = stops.length - 1;
  const level = (index: number) => {
    const box = stops[index] ?? { y: 0, height: 0 };
    if (index === 0) return ports.get(`${leg.index} out`) ?? 0;
    return index === last ? (ports.get(`${leg.index} in`) ?? 0) : box.y + box.height / 2;
  };
  const isLane = (index: number) => index > 1 && index < last;
  return stops.slice(1).map((box, index) => {
    const before = stops[index] ?? box;
    const band = drawBand(before.x + before.width, level(index), box.x, level(index + 1), thickness);
    return isLane(index + 1)
      ? `${band} ${drawBand(box.x, level(index + 1), box.x + box.width, level(index + 1), thickness)}`
      : band;
  });
}

function drawBand(x1: number, y1: number, x2: number, y2: number, thickness: number): string {
  const half = thickness / 2;
  const bend = (x1 + x2) / 2;
  const at = (x: number, y: number) => `${round(x)} ${round(y)}`;
  return [
    `M${at(x1, y1 - half)}`,
    `C${at(bend, y1 - half)} ${at(bend, y2 - half)} ${at(x2, y2 - half)}`,
    `L${at(x2, y2 + half)}`,
    `C${at(bend, y2 + half)} ${at(bend, y1 + half)} ${at(x1, y1 + half)}Z`,
  ].join('');
}

function round(value: number): number {
  return Math.round(value * 100) / 100;
}
