import { Type } from 'typebox';
import { makerStanding } from '../../../products/makers/maker-status-json.ts';
import { MakerAnswer } from './maker-schema.ts';

/**
 * A maker with its statistics, its circuit breakers and the history of its status. It stands apart from `MakerAnswer`, which
 * commands load: they load no product.
 */
export const MakerWithStanding = Type.Object({ ...MakerAnswer.properties, ...makerStanding });
