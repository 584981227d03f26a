import { Type } from 'typebox';
import type { Address } from '../../../solana/address.ts';
import { address, readAddress } from '../../parameters/kinds.ts';
import { optional } from '../../parameters/parameter.ts';
import { refuseParameter } from './event-parameters.ts';

/** The names under which clients send the wallet in a query. */
export const OWNER_PARAMETERS = {
  ownerPubkey: optional(address('The wallet.')),
  owner: optional(address('The same as `ownerPubkey`.')),
  userPubkey: optional(address('The same as `ownerPubkey`.')),
};

/** Reads the wallet of a query; null without one. */
export function readOwner(read: (name: keyof typeof OWNER_PARAMETERS) => Address | null): Address | null {
  return read('ownerPubkey') ?? read('owner') ?? read('userPubkey');
}

const walletField = (description: string) => Type.Optional(Type.String({ description }));

/** The names under which clients send the wallet in a body. */
export const OWNER_FIELDS = {
  ownerPubkey: walletField('The wallet, which signs.'),
  owner: walletField('The same as `ownerPubkey`.'),
  userPubkey: walletField('The same as `ownerPubkey`.'),
} as const;

/** The wallet of a body, under any of its names. */
interface OwnerBody {
  readonly ownerPubkey?: string;
  readonly owner?: string;
  readonly userPubkey?: string;
}

/** @throws PredictionRefused without a wallet, or for a text that is no address */
export function readOwnerField({ ownerPubkey, owner, userPubkey }: OwnerBody): Address {
  const given = ownerPubkey ?? owner ?? userPubkey;
  if (given === undefined) return refuseParameter('ownerPubkey is missing');
  return readAddress(given, 'ownerPubkey', refuseParameter);
}
