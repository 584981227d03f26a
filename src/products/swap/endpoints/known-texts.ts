/**
 * Texts that existing clients compare `error` with, so they must not change. A sentence about the request goes into
 * `details`.
 */
export const NO_ROUTES_FOUND = 'No routes found';
/** The text for a quote of swap v1. */
export const COULD_NOT_FIND_ANY_ROUTE = 'Could not find any route';
export const FAILED_TO_GET_QUOTES = 'Failed to get quotes';
export const ORDER_NOT_FOUND = 'Order not found, it might have expired';
