import type { Labels } from '../../../common/ports/metrics.ts';

/** Returns a text that two sets of labels share if they are equal. A label that is empty counts as one that is missing. */
export function makeLabelsKey(labels: Labels): string {
  return Object.keys(labels)
    .filter((label) => labels[label] !== '')
    .sort()
    .map((label) => `${label}\u0000${labels[label]}\u0001`)
    .join('');
}

/** Returns the labels that are named, without those that are empty. */
export function keepLabels(labels: Labels, names: readonly string[]): Labels {
  return Object.fromEntries(
    names.flatMap((name) =>
      Object.hasOwn(labels, name) && labels[name] !== '' ? [[name, labels[name] ?? '']] : [],
    ),
  );
}

/** Returns all labels but one. */
export function removeLabel(labels: Labels, name: string): Labels {
  return Object.fromEntries(Object.entries(labels).filter(([label]) => label !== name));
}
