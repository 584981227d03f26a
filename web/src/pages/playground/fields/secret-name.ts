/** What stands in such a field is kept out of addresses, which end up in histories and logs. */
const SECRET_NAME = /secret|password|credential|private|api-?key|bearer/i;

/** Whether a value must not be shown, nor stand in an address. */
export function isSecretName(name: string): boolean {
  return SECRET_NAME.test(name);
}
