/** A choice of venues by label. */
export interface VenueChoice {
  readonly kind: 'only' | 'except';
  readonly labels: ReadonlySet<string>;
}

export function allowsVenue(choice: VenueChoice | undefined, label: string): boolean {
  return choice === undefined || choice.labels.has(label) === (choice.kind === 'only');
}
