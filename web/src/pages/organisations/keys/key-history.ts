import { shape, type ShapeValue } from '../../../base/json-shape.ts';

/** What the audit log says of a change of a key. */
const readEntry = shape.object({
  at: shape.number,
  actor: shape.text,
  action: shape.text,
  subject: shape.text,
  after: shape.nullable(shape.object({ name: shape.nullable(shape.text) })),
});

export const readKeyEntries = shape.object({
  entries: shape.list(readEntry),
  next: shape.nullable(shape.text),
});

export type KeyEntry = ShapeValue<typeof readEntry>;

/**
 * Finds who created the keys that there are now. A key that was renamed is followed, and a name that was used twice is that of the
 * newer key.
 *
 * @param entries - The changes of keys, newest first.
 * @returns who created each, by `acme/web/ci`
 */
export function findKeyCreators(entries: readonly KeyEntry[]): ReadonlyMap<string, string> {
  const creators = new Map<string, string>();
  for (const { action, subject, actor, after } of entries.toReversed()) {
    if (action === 'api_key.created') creators.set(subject, actor);
    if (action === 'api_key.deleted') creators.delete(subject);
    const renamed = action === 'api_key.renamed' ? (after?.name ?? null) : null;
    if (renamed === null) continue;
    const creator = creators.get(subject);
    creators.delete(subject);
    const renamedSubject = `${subject.split('/').slice(0, 2).join('/')}/${renamed}`;
    if (creator === undefined) creators.delete(renamedSubject);
    else creators.set(renamedSubject, creator);
  }
  return creators;
}
