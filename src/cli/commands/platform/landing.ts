import type { Static } from 'typebox';
import { OperatorError } from '../../../common/operator-error.ts';
import { renderTable } from '../../../config/render.ts';
import { LandingsAnswer } from '../../../gateway/admin/landings/landing-schema.ts';
import { ADMIN_SETTINGS, callAdmin } from '../../admin-client/admin-call.ts';
import { checkAnswer, toOrganisationPath, formatTimeOrNever } from '../../admin-client/platform-answers.ts';
import type { Command } from '../../command-line/command.ts';

type ListedLanding = Static<typeof LandingsAnswer>['landings'][number];

export const landingShowCommand: Command = {
  name: 'landing show',
  summary:
    'Show what became of a submitted transaction, by its signature or by the id of a request that submitted it.',
  words: ['signature'],
  settings: ADMIN_SETTINGS,
  flags: [
    {
      name: 'of',
      allowed: 'organisation',
      description: 'Only the report of this organisation. Default: of all, which takes the operator.',
    },
  ],
  run: async ({ config, words: [name = ''], flags, write }) => {
    const of = flags.get('of');
    const path = `landings/${encodeURIComponent(name)}`;
    const answer = await callAdmin(config, {
      method: 'GET',
      path: of === undefined ? path : `${toOrganisationPath(of)}/${path}`,
    });
    const { landings } = checkAnswer(LandingsAnswer, answer);
    if (landings.length === 0) {
      throw new OperatorError(
        `no transaction or request ${name} was submitted for landing within seven days`,
      );
    }
    write(landings.map((landing) => renderTable(toLandingRows(landing))).join('\n'));
    return 0;
  },
};

function toLandingRows(landing: ListedLanding): string[][] {
  const { signature, organisation, requestId, outcome, slot, error, sends, acceptedAt } = landing;
  const step = (name: string, at: number | null) => [
    name,
    at === null ? 'not yet' : `${at - acceptedAt} ms later`,
  ];
  return [
    ['signature', signature],
    ['submitted by', organisation ?? 'a caller without a key'],
    ['request', requestId],
    ['outcome', outcome ?? 'under way'],
    ...(error === null ? [] : [['error', error]]),
    ...(slot === null ? [] : [['slot', slot]]),
    ['sent', sends === 1 ? 'once' : `${sends} times`],
    ['accepted', formatTimeOrNever(acceptedAt)],
    step('forwarded', landing.forwardedAt),
    step('seen', landing.seenAt),
    ...(landing.firstSeenBy === null ? [] : [['first seen by', landing.firstSeenBy]]),
    step('confirmed', landing.confirmedAt),
    step('ended', landing.endedAt),
  ];
}
