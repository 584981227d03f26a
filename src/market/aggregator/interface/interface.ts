import { AGGREGATOR_PROGRAM } from '../../../protocol/venue/aggregator-program.ts';
import type { ProgramInterface } from '../../../solana/programs/idl/idl.ts';
import { AGGREGATOR_ERRORS } from '../errors.ts';
import { AGGREGATOR_INSTRUCTIONS } from './instructions.ts';
import { AGGREGATOR_TYPES } from './types.ts';

/** The interface of the aggregator. */
export const AGGREGATOR_INTERFACE: ProgramInterface = {
  name: 'jupiter',
  version: '0.1.0',
  address: AGGREGATOR_PROGRAM,
  instructions: AGGREGATOR_INSTRUCTIONS,
  types: AGGREGATOR_TYPES,
  accounts: ['TokenLedger'],
  events: ['FeeEvent', 'SwapEvent', 'SwapsEvent'],
  errors: AGGREGATOR_ERRORS.map(({ name }) => name),
};
