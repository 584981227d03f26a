/**
 * Shows what an order is worth in US dollars, rounded down to cents, because a worth just below the minimum must not be shown as
 * the minimum. One below a cent is not shown as nothing.
 *
 * @param format - Writes the rounded number. Default: without zeros at its end.
 */
export function formatWorth(dollars: number, format: (rounded: number) => string = String): string {
  return dollars < 0.01 ? 'less than 0.01' : format(Math.floor(dollars * 100) / 100);
}
