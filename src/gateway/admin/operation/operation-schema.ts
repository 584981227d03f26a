import { Type } from 'typebox';

const Milliseconds = (description: string) =>
  Type.Integer({ description: `Unix milliseconds. ${description}` });
const OrNull = <T extends Parameters<typeof Type.Union>[0][number]>(schema: T, description: string) =>
  Type.Union([schema, Type.Null()], { description });
const Name = Type.String({ description: 'Unique within its list.' });
const Meaning = Type.String({
  description: 'What it is and what happens when it fails or is full, in full sentences.',
});
const Lamports = (description: string) =>
  Type.String({ pattern: '^-?\\d+$', description: `Lamports. ${description}` });

const PartAnswer = Type.Object({
  name: Name,
  works: Type.Boolean(),
  optional: Type.Boolean({ description: 'Whether the instance is ready without it.' }),
  reason: OrNull(Type.String(), 'Why it does not work; null while it works.'),
  since: Milliseconds('Since when it works or does not, as far as this process has seen.'),
  checkedAt: Milliseconds('When it was last checked.'),
  tookMs: Type.Integer({ description: 'Milliseconds that the last check took.' }),
  runbook: Type.String({ description: 'The section of the documentation that says what to do.' }),
});

const ChangeAnswer = Type.Object({
  part: Type.String(),
  at: Milliseconds('When it was noticed.'),
  reason: OrNull(Type.String(), 'Why the part stopped working; null: it works again.'),
});

const StoreAnswer = Type.Object({
  name: Name,
  kind: Type.Union([Type.Literal('SQLite'), Type.Literal('PostgreSQL'), Type.Literal('Valkey')]),
  part: Type.String({ description: 'The part that says whether it works.' }),
  meaning: Meaning,
  bytes: OrNull(Type.Integer(), 'Its size; null if it does not say.'),
  latencyMicros: OrNull(
    Type.Integer(),
    'How long it took to say so, in microseconds; null if it did not answer.',
  ),
  readAt: OrNull(Type.Integer(), 'When it answered last, in Unix milliseconds; null if it has not.'),
});

const NodeAnswer = Type.Object({
  name: Name,
  host: Type.String({ description: 'The host alone: the rest of the URL may hold a key.' }),
  meaning: Meaning,
  slots: OrNull(
    Type.Object({
      processed: Type.String(),
      confirmed: Type.String(),
      finalized: Type.String(),
      blockhashAgeMs: OrNull(Type.Integer(), 'How long ago the newest blockhash was received.'),
    }),
    'The slots that this instance knows from it; null for a node that is only sent to.',
  ),
  calls: OrNull(
    Type.Object({
      sent: Type.Integer({ description: 'Since the start, repeats included.' }),
      failed: Type.Integer({ description: 'Without an answer, or with one that could not be used.' }),
      waiting: Type.Integer({ description: 'Calls that wait for their turn.' }),
      lastFailure: OrNull(
        Type.Object({ at: Milliseconds('When it failed.'), reason: Type.String() }),
        'Null: none has failed.',
      ),
      pausedUntil: OrNull(
        Type.Integer(),
        'Until when the node has asked not to be called, in Unix milliseconds.',
      ),
    }),
    'Null: calls to it are not counted.',
  ),
  webSocket: OrNull(
    Type.Object({
      isUp: Type.Boolean(),
      since: Milliseconds('Since when it is up or down.'),
      reason: OrNull(Type.String(), 'Why it is down.'),
    }),
    'Null: it has none.',
  ),
});

const QueueAnswer = Type.Object({
  name: Name,
  meaning: Meaning,
  waiting: Type.Integer(),
  limit: OrNull(Type.Integer(), 'The most that may wait; null: something else bounds it.'),
  lost: OrNull(Type.Integer(), 'Lost or refused since the start; null: nothing of it is ever lost.'),
});

const StreamsAnswer = Type.Object({
  name: Name,
  meaning: Meaning,
  open: Type.Integer(),
  limit: OrNull(Type.Integer(), 'The most that may be open; null: their number has no limit.'),
});

const BudgetAnswer = Type.Object({
  name: Name,
  window: Type.Union([Type.Literal('hour'), Type.Literal('day')], {
    description: '`hour`: the last 60 minutes; `day`: since midnight UTC.',
  }),
  spent: OrNull(Lamports('What counts within the window.'), 'Null: the store has not said.'),
  limit: Lamports('The most within the window.'),
  limitOfOne: OrNull(Lamports('The most of one user within the window.'), 'Null: there is none.'),
  held: OrNull(
    Lamports(
      'What is counted of it for transactions under way at this instance, and comes back if they cost less.',
    ),
    'Null: it is not known apart.',
  ),
  atLimit: Type.String({ description: 'What happens at the limit, in full sentences.' }),
  readAt: OrNull(Type.Integer(), 'When the store has said so, in Unix milliseconds.'),
});

const WalletAnswer = Type.Object({
  names: Type.Array(Type.String(), { description: 'One wallet may pay for several things.' }),
  address: Type.String(),
  meaning: Meaning,
  lamports: OrNull(Lamports('What it holds.'), 'Null: the network has not said yet.'),
  lastsSeconds: OrNull(
    Type.String({ pattern: '^\\d+$' }),
    'For how many seconds its lamports last at the pace of its budgets; null: nothing was spent, or the pace is not known.',
  ),
  budgets: Type.Array(BudgetAnswer),
});

const ReserveAnswer = Type.Object({
  name: Name,
  meaning: Meaning,
  microDollars: OrNull(
    Type.String({ pattern: '^-?\\d+$' }),
    'Millionths of a US dollar; null: not known yet.',
  ),
});

export const OperationAnswer = Type.Object(
  {
    instance: Type.Object({
      name: Type.String({
        description: 'The name of this instance. Everything else in the answer is about it alone.',
      }),
      version: Type.String(),
      startedAt: Milliseconds('The start of the process.'),
      now: Milliseconds('The clock of this instance.'),
      network: Type.Union([Type.Literal('embedded'), Type.Literal('rpc')]),
      isKeeper: Type.Boolean({ description: 'Whether it fills orders that wait.' }),
      isShared: Type.Boolean({ description: 'Whether it shares its work with others through Valkey.' }),
    }),
    works: Type.Boolean({ description: 'Whether every part works that must.' }),
    parts: Type.Array(PartAnswer),
    changes: Type.Array(ChangeAnswer, {
      description: 'Parts that came and went, the newest first, at most 100.',
    }),
    stores: Type.Array(StoreAnswer),
    nodes: Type.Array(NodeAnswer),
    streams: Type.Array(StreamsAnswer),
    queues: Type.Array(QueueAnswer),
    wallets: Type.Array(WalletAnswer),
    reserves: Type.Array(ReserveAnswer),
    landings: OrNull(
      Type.Object({
        since: Milliseconds('Landings that were accepted from then on are counted.'),
        outcomes: Type.Array(
          Type.Object({
            outcome: Type.String({ description: 'As of the landings, or `under-way`.' }),
            count: Type.Integer(),
          }),
        ),
        readAt: Milliseconds('When they were counted.'),
      }),
      'Landings of the last hour of all instances on one database; null: the database has not said.',
    ),
  },
  { title: 'Operation' },
);
