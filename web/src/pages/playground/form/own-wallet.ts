import type { FormField } from '../../../openapi/form/fields.ts';
import type { FormValue } from '../../../openapi/form/values.ts';
import type { OperationFields, RequestForm } from './request-form.ts';

/** The names under which requests name the wallet that signs. */
const WALLET_NAMES: ReadonlySet<string> = new Set([
  'taker',
  'userPublicKey',
  'user',
  'maker',
  'payer',
  'signer',
  'sender',
  'senderAddress',
  'receiver',
  'owner',
  'ownerPubkey',
  'ownerWallet',
  'walletPubkey',
  'userAddress',
  'userPubkey',
]);

/** Whether a form names the wallet that signs, and it is this one. */
export function hasSigningWallet(fields: OperationFields, form: RequestForm, address: string): boolean {
  return replaceSigningWallet(fields, form, address, '') !== form;
}

/**
 * Puts another wallet where a form names the one that signs. Addresses that are only read stay. Returns the same form if
 * there is none.
 */
export function replaceSigningWallet(
  fields: OperationFields,
  form: RequestForm,
  from: string,
  to: string,
): RequestForm {
  let isChanged = false;
  const replace = (field: FormField, value: FormValue): FormValue => {
    if (value.kind === 'typed') {
      const text = field.kind === 'json' ? value.text.replaceAll(`"${from}"`, `"${to}"`) : value.text;
      const next = WALLET_NAMES.has(field.name) && text === from ? to : text;
      if (next === value.text) return value;
      isChanged = true;
      return { kind: 'typed', text: next };
    }
    if (value.kind !== 'members' || field.kind !== 'object') return value;
    const members = field.members.flatMap((member): [string, FormValue][] => {
      const own = value.members.get(member.name);
      return own === undefined ? [] : [[member.name, replace(member, own)]];
    });
    return { kind: 'members', members: new Map(members) };
  };
  const parameters = fields.parameters.flatMap(({ key, field }): [string, FormValue][] => {
    const value = form.parameters.get(key);
    return value === undefined ? [] : [[key, replace(field, value)]];
  });
  const body =
    form.body?.mode === 'fields' && fields.body !== null
      ? ({ mode: 'fields', value: replace(fields.body, form.body.value) } as const)
      : form.body;
  return isChanged ? { parameters: new Map(parameters), body } : form;
}
