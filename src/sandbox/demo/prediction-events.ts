import type { PostedScore } from '../../predictions/events/update-score.ts';
import type { NewPredictionEvent, NewPredictionMarket } from '../../predictions/events/event-terms.ts';

/** What the house offers on each market of the demo at each cent: 300 contracts. */
const LEVEL_CONTRACTS = 300_000_000n;
const DAY = 86_400;

/** A demo event: times are days after the network begins. */
interface PlannedEvent {
  readonly title: string;
  readonly subtitle: string;
  readonly series: string;
  readonly category: NewPredictionEvent['category'];
  readonly subcategory: string;
  readonly tags: readonly string[];
  /** When its subject begins. Absent if it has no such time. */
  readonly begins?: number;
  readonly closes: number;
  /** What decides its markets: a sentence. */
  readonly rules: string;
  /** The question of each market, and the price of yes at which the house begins, in cents. */
  readonly markets: readonly (readonly [title: string, startCents: number])[];
  /** How its game stands when the network begins. Absent: nobody has said. */
  readonly score?: PostedScore;
}

/** All names but those of tokens are invented. The order is that of the ids: append only. */
const PLANNED_EVENTS: readonly PlannedEvent[] = [
  {
    title: 'SOL price in a week',
    subtitle: 'In US dollars',
    series: 'token-prices',
    category: 'crypto',
    subcategory: 'sol',
    tags: ['sol', 'price'],
    closes: 7,
    rules: 'The price of SOL by its feed, at the close of the market.',
    markets: [
      ['Above 180 US dollars', 71],
      ['Above 200 US dollars', 50],
      ['Above 220 US dollars', 28],
    ],
  },
  {
    title: 'Bitcoin price in a month',
    subtitle: 'In US dollars',
    series: 'token-prices',
    category: 'crypto',
    subcategory: 'btc',
    tags: ['btc', 'price'],
    closes: 30,
    rules: 'The price of cbBTC by its feed, at the close of the market.',
    markets: [
      ['Above 100,000 US dollars', 74],
      ['Above 120,000 US dollars', 31],
    ],
  },
  {
    title: 'Ether against bitcoin in two weeks',
    subtitle: 'Which of them gains more?',
    series: 'token-races',
    category: 'crypto',
    subcategory: 'eth',
    tags: ['eth', 'btc'],
    closes: 14,
    rules: 'The change of both prices by their feeds, from the start of the market to its close.',
    markets: [['Ether gains more than bitcoin', 47]],
  },
  {
    title: 'Harbour City against Northgate',
    subtitle: 'Football, the cup of Norland',
    series: 'norland-cup',
    category: 'sports',
    subcategory: 'football',
    tags: ['football', 'norland'],
    begins: 3,
    closes: 3.25,
    rules: 'The result after 90 minutes and added time.',
    markets: [
      ['Harbour City wins', 44],
      ['Northgate wins', 29],
      ['A draw', 27],
    ],
  },
  {
    title: 'Ilves against Marchetti',
    subtitle: 'Tennis, the final of the Lindenburg Open',
    series: 'lindenburg-open',
    category: 'sports',
    subcategory: 'tennis',
    tags: ['tennis', 'lindenburg'],
    begins: 5,
    closes: 5.5,
    rules: 'Whoever wins the match. If it is not played, the market is cancelled.',
    markets: [['Ilves wins', 58]],
  },
  {
    title: 'Mayor of Lindenburg',
    subtitle: 'Who wins the election?',
    series: 'lindenburg-elections',
    category: 'politics',
    subcategory: 'elections',
    tags: ['elections', 'lindenburg'],
    closes: 45,
    rules: 'Whoever is declared the winner by the election office of Lindenburg.',
    markets: [
      ['Ada Brook', 46],
      ['Tomas Weir', 35],
      ['Another candidate', 19],
    ],
  },
  {
    title: 'The tram of Lindenburg',
    subtitle: 'A referendum about a new line',
    series: 'lindenburg-referendums',
    category: 'politics',
    subcategory: 'referendums',
    tags: ['referendums', 'lindenburg'],
    closes: 45,
    rules: 'More than half of the valid votes.',
    markets: [['The new line is approved', 63]],
  },
  {
    title: 'Team Ember against Team Glacier',
    subtitle: 'The final of the Winter Cup, best of five',
    series: 'winter-cup',
    category: 'esports',
    subcategory: 'winter-cup',
    tags: ['winter-cup', 'finals'],
    begins: 2,
    closes: 2.25,
    rules: 'The result that the organiser publishes.',
    markets: [
      ['Team Ember wins', 52],
      ['The final takes five maps', 36],
    ],
  },
  {
    title: 'Best film of the Lindenburg festival',
    subtitle: 'Which film wins the main prize?',
    series: 'lindenburg-festival',
    category: 'culture',
    subcategory: 'film',
    tags: ['film', 'awards'],
    closes: 21,
    rules: 'The film that the jury names. A shared prize counts for each of its films.',
    markets: [
      ['The Lighthouse Keeper', 38],
      ['Eleven Winters', 27],
      ['Salt Road', 21],
      ['Another film', 14],
    ],
  },
  {
    title: 'Next decision of the central bank of Norland',
    subtitle: 'What happens to the rate?',
    series: 'norland-rates',
    category: 'economics',
    subcategory: 'rates',
    tags: ['rates', 'norland'],
    closes: 18,
    rules: 'The rate that the bank announces, against the rate before.',
    markets: [
      ['It is lowered', 33],
      ['It stays', 61],
      ['It is raised', 6],
    ],
  },
  {
    title: 'Inflation of Norland',
    subtitle: 'In the next report, against a year ago',
    series: 'norland-inflation',
    category: 'economics',
    subcategory: 'inflation',
    tags: ['inflation', 'norland'],
    closes: 25,
    rules: 'The first figure of the report. Later corrections do not count.',
    markets: [
      ['Above 2 percent', 66],
      ['Above 3 percent', 18],
    ],
  },
  {
    title: 'The Meridian rocket',
    subtitle: 'Does it reach orbit?',
    series: 'meridian-launches',
    category: 'tech',
    subcategory: 'space',
    tags: ['space', 'launches'],
    closes: 60,
    rules: 'One orbit around the earth that its operator confirms, before the close of the market.',
    markets: [['It reaches orbit in time', 41]],
  },
  {
    title: 'Aldin against Verhoeven',
    subtitle: 'Chess, twelve games for the crown of Norland',
    series: 'norland-crown',
    category: 'sports',
    subcategory: 'chess',
    tags: ['chess', 'norland'],
    begins: 0,
    closes: 20,
    rules: 'Whoever wins the match. If both have six points, the market is cancelled.',
    markets: [['Aldin wins', 61]],
    score: {
      gameId: 'norland-crown-1',
      leagueAbbreviation: 'NCC',
      homeTeam: 'Aldin',
      awayTeam: 'Verhoeven',
      score: '3.5-2.5',
      period: 'Game 7',
      state: 'live',
    },
  },
];

/** Returns the score with which an event of the demo begins; null if it has none. */
export function findDemoScore(eventId: string): PostedScore | null {
  return PLANNED_EVENTS.find((_, index) => toEventId(index) === eventId)?.score ?? null;
}

function toEventId(index: number): string {
  return `DEMO-${1_001 + index}`;
}

/**
 * Lists the events that the embedded network offers from its first start.
 *
 * @param now - Unix seconds at which the network begins.
 * @returns the same events for the same time; their ids do not depend on it
 */
export function listDemoEvents(now: number): readonly NewPredictionEvent[] {
  return PLANNED_EVENTS.map((plan, index) => {
    const eventId = toEventId(index);
    const closeAt = now + Math.round(plan.closes * DAY);
    return {
      eventId,
      title: plan.title,
      subtitle: plan.subtitle,
      series: plan.series,
      category: plan.category,
      subcategory: plan.subcategory,
      tags: plan.tags,
      ...(plan.begins === undefined ? {} : { beginAt: now + Math.round(plan.begins * DAY) }),
      closeAt,
      closeCondition: plan.rules,
      markets: plan.markets.map(
        ([title, startCents], place): NewPredictionMarket => ({
          marketId: `${eventId}-${place + 1}`,
          title,
          rulesPrimary: plan.rules,
          openAt: now,
          closeAt,
          house: { startCents, levelContracts: LEVEL_CONTRACTS },
        }),
      ),
    };
  });
}
