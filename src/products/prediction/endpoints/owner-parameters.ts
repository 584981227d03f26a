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

/**
 * Reads the wallet of a query; null without one.
 * @throws PredictionRefused for two wallets
 */
export function readOwner(read: (name: keyof typeof OWNER_PARAMETERS) => Address | null): Address | null {
  return takeOne({ ownerPubkey: read('ownerPubkey'), owner: read('owner'), userPubkey: read('userPubkey') });
}

/** A request that names two wallets would get an answer for one that it may not mean. */
function takeOne<Wallet extends string>(given: Readonly<Record<string, Wallet | null>>): Wallet | null {
  const [first, ...others] = Object.entries(given).filter(([, wallet]) => wallet !== null);
  const other = others.find(([, wallet]) => wallet !== first?.[1]);
  if (other !== undefined) return refuseParameter(`${other[0]} is another wallet than ${first?.[0]}`);
  return first?.[1] ?? null;
}

const walletField = (description: string) => Type.Optional(Type.String({ description }));

/** The names under which clients send the wallet in a body. */
export const OWNER_FIELDS = {
  ownerPubkey: walletField('The wallet, which signs.'),
  owner: walletField('The same as `ownerPubkey`.'),
  userPubkey: walletField('The same as `ownerPubkey`.'),
} as const;

/** The wallet of a body, under any of its names. */
type OwnerBody = Readonly<Partial<Record<keyof typeof OWNER_FIELDS, string>>>;

/** @throws PredictionRefused without a wallet, for two wallets, or for a text that is no address */
export function readOwnerField({ ownerPubkey, owner, userPubkey }: OwnerBody): Address {
  const given = takeOne({
    ownerPubkey: ownerPubkey ?? null,
    owner: owner ?? null,
    userPubkey: userPubkey ?? null,
  });
  if (given === null) return refuseParameter('ownerPubkey is missing');
  return readAddress(given, 'ownerPubkey', refuseParameter);
}
