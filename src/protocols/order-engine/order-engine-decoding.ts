import {
  describeInterface,
  type ProgramInstructions,
} from '../../protocol/instructions/program-instructions.ts';
import { ORDER_ENGINE_INTERFACE } from './interface.ts';

/** The fills of webhook makers. */
export const ORDER_ENGINE_INSTRUCTIONS: ProgramInstructions = describeInterface(
  ORDER_ENGINE_INTERFACE,
  'Jupiter order engine',
  { input_amount: ['input_mint'], output_amount: ['output_mint'] },
);
