import { defineEndpoint, OtherAnswer } from '../../endpoint.ts';
import { MakerBooksAnswer, toMakerBooksJson } from '../../makers/maker-books-json.ts';
import { findCallingMaker, MakerRefusal, type MakerServices, refuseRemovedMaker } from './maker-key.ts';

export const makerBooks = defineEndpoint({
  method: 'GET',
  path: '/market-making/v1/books',
  operationId: 'GetMakerBooks',
  summary: 'The order books of a maker in the market',
  description:
    'The live order books of the maker of the key as this service would use them now: its levels after they were cut to its ' +
    'balance, what swaps under way reserve of them, and why a book is not used. It says nothing of other makers.',
  credits: 0,
  responses: { 200: MakerBooksAnswer, 401: MakerRefusal, 403: MakerRefusal },
  handle: async (services: MakerServices, { headers }) => {
    const maker = findCallingMaker(services, headers);
    if (maker instanceof OtherAnswer) return maker;
    const books = await services.desk.findBooks(maker.id);
    return books === null ? refuseRemovedMaker(maker) : toMakerBooksJson(maker.id, books);
  },
});
