import { renderTable } from '../../../config/render.ts';
import {
  RequestAnswer,
  RequestsAnswer,
  TokenAnswer,
  TokensAnswer,
} from '../../../gateway/admin/token-decisions/token-schema.ts';
import { ADMIN_SETTINGS, callAdmin } from '../../admin-client/admin-call.ts';
import { checkAnswer, formatTimeOrNever } from '../../admin-client/platform-answers.ts';
import type { Command } from '../../command-line/command.ts';

const settings = ADMIN_SETTINGS;
const REQUESTS_HEAD = ['signature of the payment', 'mint', 'asks for', 'handle', 'description', 'since'];

export const TOKEN_COMMANDS: readonly Command[] = [
  {
    name: 'token list',
    summary: 'List the decisions about tokens.',
    words: [],
    settings,
    run: async ({ config, write }) => {
      const answer = await callAdmin(config, { method: 'GET', path: 'tokens' });
      const rows = checkAnswer(TokensAnswer, answer).decisions.map(({ mint, level, tags, details }) => [
        mint,
        level,
        tags.join(', '),
        JSON.stringify(details),
      ]);
      write(renderTable([['mint', 'level', 'tags', 'approved metadata'], ...rows]));
      return 0;
    },
  },
  decision('verify', 'verified', 'Verify a token.'),
  decision('unverify', 'unverified', 'Take verification back, also from a token of the list.'),
  decision('ban', 'banned', 'Ban a token: no answer names it any more.'),
  {
    name: 'token forget',
    summary: 'Forget the decision about a token, with the metadata that was approved.',
    words: ['mint'],
    settings,
    run: async ({ config, words: [mint = ''], write }) => {
      await callAdmin(config, { method: 'DELETE', path: tokenPath(mint) });
      write(`nothing is decided about ${mint} any more\n`);
      return 0;
    },
  },
  {
    name: 'token requests',
    summary: 'List the paid requests for verification that wait for a decision.',
    words: [],
    settings,
    run: async ({ config, write }) => {
      const answer = await callAdmin(config, { method: 'GET', path: 'token-requests' });
      const rows = checkAnswer(RequestsAnswer, answer).requests.map((request) => [
        request.signature,
        request.mint,
        [request.wantsVerification ? 'verification' : '', request.details === null ? '' : 'metadata']
          .filter((text) => text !== '')
          .join(', '),
        JSON.stringify(request.twitterHandle),
        JSON.stringify(request.description),
        formatTimeOrNever(request.createdAt),
      ]);
      write(renderTable([REQUESTS_HEAD, ...rows]));
      return 0;
    },
  },
  answerTo('approve', 'Approve a request: the token is verified, and shows the submitted metadata.'),
  answerTo('reject', 'Reject a request. The payment is not returned.'),
];

function decision(verb: string, level: string, summary: string): Command {
  return {
    name: `token ${verb}`,
    summary,
    words: ['mint'],
    settings,
    flags: [
      {
        name: 'tags',
        allowed: 'tags with commas between',
        description: 'Further tags, such as lst or stocks. Default: those that it has.',
      },
    ],
    run: async ({ config, words: [mint = ''], flags, write }) => {
      const tags = flags
        .get('tags')
        ?.split(',')
        .filter((tag) => tag !== '');
      const body = tags === undefined ? { level } : { level, tags };
      const answer = await callAdmin(config, { method: 'PUT', path: tokenPath(mint), body });
      const decided = checkAnswer(TokenAnswer, answer);
      write(
        `${decided.mint} is ${decided.level}${decided.tags.length > 0 ? ` (${decided.tags.join(', ')})` : ''}\n`,
      );
      return 0;
    },
  };
}

function answerTo(verb: 'approve' | 'reject', summary: string): Command {
  return {
    name: `token ${verb}`,
    summary,
    words: ['signature'],
    settings,
    run: async ({ config, words: [signature = ''], write }) => {
      const path = `token-requests/${encodeURIComponent(signature)}/${verb}`;
      const { mint, state } = checkAnswer(RequestAnswer, await callAdmin(config, { method: 'POST', path }));
      write(`the request for ${mint} is ${state}\n`);
      return 0;
    },
  };
}

function tokenPath(mint: string): string {
  return `tokens/${encodeURIComponent(mint)}`;
}
