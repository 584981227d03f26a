import {
  describeInterface,
  type ProgramInstructions,
  type ReadArguments,
} from '../../protocol/instructions/program-instructions.ts';
import { ArgumentVariant } from '../../protocol/instructions/read-arguments.ts';
import { RFQ_FILL_INTERFACE } from './interface.ts';

/** A taker who buys the base pays in the quote. */
function findInput({ taker_side: side }: ReadArguments): string {
  return side instanceof ArgumentVariant && side.variant === 'Bid' ? 'quote_mint' : 'base_mint';
}

/** The fills of market makers. */
export const RFQ_FILL_INSTRUCTIONS: ProgramInstructions = describeInterface(
  RFQ_FILL_INTERFACE,
  'Jupiter RFQ',
  {
    amount_in_atoms: findInput,
  },
);
