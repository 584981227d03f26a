import { plainOf, plainText } from '../../../common/plain-data.ts';
import type { StoredOrder } from './stored-order.ts';

/** An order as a text from which `orderOf` makes an equal one, whatever plain data it carries. */
export function orderText(order: StoredOrder): string {
  return plainText(order);
}

/** @param text of `orderText`, in this process or another */
export function orderOf(text: string): StoredOrder {
  return plainOf(text) as StoredOrder;
}
