import type { Address } from '../../../solana/address.ts';
import { requireRecord } from '../../records/account-json.ts';
import type { AddressSignature, SignatureRange } from '../../chain.ts';
import { requireList, requireText, requireU64 } from '../client/read-json.ts';
import type { RpcClient } from '../client/rpc-client.ts';

/** Implements `Chain.signaturesOf`. */
export function fetchAddressSignatures(
  client: Pick<RpcClient, 'call'>,
  address: Address,
  { limit, before, until, asOf }: SignatureRange,
): Promise<readonly AddressSignature[]> {
  const config = {
    commitment: 'confirmed',
    limit,
    ...(before === undefined ? {} : { before }),
    ...(until === undefined ? {} : { until }),
    ...(asOf === undefined ? {} : { minContextSlot: Number(asOf) }),
  };
  const read = (result: unknown) => requireList(result, 'result', readSignature).slice(0, limit);
  return client.call('getSignaturesForAddress', [address, config], read);
}

function readSignature(json: unknown, path: string): AddressSignature {
  const { signature, slot } = requireRecord(json, path);
  return { signature: requireText(signature, `${path}.signature`), slot: requireU64(slot, `${path}.slot`) };
}
