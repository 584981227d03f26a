import {
  describeInterface,
  nameInstructions,
  type ProgramInstructions,
} from '../../protocol/instructions/program-instructions.ts';
import { DCA_INTERFACE } from './interface.ts';

const DECLARED = describeInterface(DCA_INTERFACE, 'Jupiter DCA', {
  in_amount: ['input_mint'],
  in_amount_per_cycle: ['input_mint'],
  deposit_in: ['input_mint'],
});

/** The instructions of orders that buy again and again. */
export const DCA_INSTRUCTIONS: ProgramInstructions = {
  ...DECLARED,
  instructions: [...DECLARED.instructions, ...nameInstructions('initiate_dlmm_fill fulfill_dlmm_fill')],
};
