import type { OrderFile } from '#orders/files/order-file.ts';

/** A kind of file of orders: its name for people, and its reader, which returns undefined for a document of another kind. */
export type OrderFormat<Document> = {
  readonly name: string;
  readonly read: (document: Document) => OrderFile | undefined;
};

/** The orders of a document by the first format that knows it; undefined: none does. */
export function readAs<Document>(formats: readonly OrderFormat<Document>[], document: Document): OrderFile | undefined {
  for (const { read } of formats) {
    const file = read(document);
    if (file !== undefined) return file;
  }
  return undefined;
}
