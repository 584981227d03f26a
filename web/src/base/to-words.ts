/** Turns the name of an instruction or of a field, in the program's own form, into words. */
export function toWords(name: string): string {
  return name
    .replaceAll('_', ' ')
    .replaceAll(
      /([a-z0-9])([A-Z])/g,
      (_, before: string, letter: string) => `${before} ${letter.toLowerCase()}`,
    )
    .trim();
}
