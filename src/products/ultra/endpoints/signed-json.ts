import { OtherAnswer } from '../../endpoint.ts';
import { SignedCode, type SignedResult } from '../../../transactions/signed/execute-signed.ts';
import type { SignedJson } from './transfer-schema.ts';

/** Returns what is said about a result, and whether it is sent as a success, a refusal or a failure of the network. */
export function toSignedJson(
  result: SignedResult,
  totalTime: number,
): { readonly status: 200 | 400 | 500; readonly json: SignedJson } {
  switch (result.kind) {
    case 'landed': {
      const { signature, slot } = result;
      return { status: 200, json: { status: 'Success', signature, slot: String(slot), code: 0, totalTime } };
    }
    case 'failed': {
      const { signature, code, error, slot } = result;
      const json: SignedJson = { status: 'Failed', signature, code, error, totalTime };
      if (slot !== null) json.slot = String(slot);
      return { status: 200, json };
    }
    case 'unknown': {
      const { signature, error } = result;
      return {
        status: 500,
        json: { status: 'Failed', signature, code: SignedCode.UNKNOWN, error, totalTime },
      };
    }
    case 'refused':
      return {
        status: 400,
        json: { status: 'Failed', code: result.code, error: result.error, totalTime },
      };
  }
}

/** A body that does not fit its schema is answered in the same form. */
export function toInvalidSignedAnswer(_body: unknown, error: Error): OtherAnswer {
  const code = SignedCode.INVALID_SIGNED_TRANSACTION;
  return new OtherAnswer(400, { status: 'Failed', code, error: error.message, totalTime: 0 });
}
