import { Type } from 'typebox';
import { named } from '../../../named-schema.ts';

export const BorrowError = named(
  'BorrowRefusal',
  Type.Object({
    error: Type.String({ description: 'Begins with the name of the error if a program would refuse.' }),
    code: Type.Optional(Type.Integer({ description: 'The number of that error.' })),
  }),
);
