/**
 * Beginnings of reasons that the ledger keeps. The code alone does not tell whose doing a refusal was. A test holds that
 * `docs/errors.md` still lists each of them.
 */
export const REFUSAL_TEXTS = {
  refusedByNetwork: 'the network refuses the transaction: ',
  wouldFail: 'the swap would fail now: ',
  sponsor: 'the sponsor does not sign: ',
  tooExpensive: 'nothing was sent: the swap would cost the payer ',
  tooLate: 'the order had to be executed ',
  unconnected: 'the maker is not connected now',
  rejected: 'the maker rejects the swap',
  unrecorded: 'the swap could not be recorded',
  interrupted: 'the service stopped while the maker had the swap before it',
  webhookMissed: 'the maker did not land the swap by ',
  removed: 'the operator removed the maker ',
} as const;

/** Whether a reason begins with one of the texts. */
export function isReason(reason: string | null, text: keyof typeof REFUSAL_TEXTS): boolean {
  return reason?.startsWith(REFUSAL_TEXTS[text]) === true;
}

/** What a simulation, or a node, says that refuses a transaction, and what it means. */
const OBSTACLES: readonly (readonly [pattern: RegExp, obstacle: Obstacle])[] = [
  [
    /slippage|tooLittle|too little|AmountOut|0x1771|price.*moved/i,
    {
      party: 'market',
      what: 'the price had moved further than the slippage of the order allows',
      advice: 'ask-again',
    },
  ],
  [
    /NegativeLamports|insufficient|not enough|prior credit|for fee|for rent|atoms of .* which holds|shortfall/i,
    {
      party: 'taker',
      what: 'the wallet no longer held what the swap takes, with the fee and the rent of new accounts',
      advice: 'fund',
    },
  ],
  [
    /blockhash|expired|block height/i,
    { party: 'taker', what: 'it was signed and sent too late: its blockhash had run out', advice: 'sooner' },
  ],
  [/frozen/i, { party: 'taker', what: 'a token account of the swap is frozen', advice: 'thaw' }],
];

/** What stood in the way of a transaction that was not sent. */
export interface Obstacle {
  readonly party: 'market' | 'taker' | 'unclear';
  /** A clause with its own subject. */
  readonly what: string;
  readonly advice: 'ask-again' | 'fund' | 'sooner' | 'thaw';
}

const OTHER: Obstacle = {
  party: 'market',
  what: 'something that it touches had changed since the quote',
  advice: 'ask-again',
};

const LAMPORTS = /lamports|prior credit|for fee|for rent/i;
const LACK_OF_LAMPORTS: Obstacle = {
  party: 'unclear',
  what: 'the taker, or the wallet that pays the network for it, no longer held the lamports that it takes',
  advice: 'fund',
};

/**
 * Reads what a simulation says about a transaction that would fail.
 *
 * @param isPaidByOther - Whether another wallet than the taker's pays the network.
 */
export function parseObstacle(text: string, isPaidByOther: boolean): Obstacle {
  const found = OBSTACLES.find(([pattern]) => pattern.test(text))?.[1] ?? OTHER;
  return isPaidByOther && found.advice === 'fund' && LAMPORTS.test(text) ? LACK_OF_LAMPORTS : found;
}

/** What to do about each obstacle. */
export const OBSTACLE_ADVICE: Readonly<Record<Obstacle['advice'], string>> = {
  'ask-again': 'Ask for a new order and sign it at once, or allow more slippage.',
  fund: 'Give the wallet what it lacks, or swap less, and ask for a new order. An order reserves nothing in the wallet.',
  sooner: 'Ask for a new order, and sign and send it within a minute.',
  thaw: 'The authority of the token has to thaw the account. Nobody else can.',
};
