import type { OrderFile } from '#orders/files/order-file.ts';

/** A format of order files: its name in messages, and its reader, which returns undefined for a document of another format. */
export type OrderFormat<Document> = {
  readonly name: string;
  readonly read: (document: Document) => OrderFile | undefined;
};

/** Returns the orders of a document, read by the first format that recognises it; undefined if none does. */
export function readAs<Document>(formats: readonly OrderFormat<Document>[], document: Document): OrderFile | undefined {
  for (const { read } of formats) {
    const file = read(document);
    if (file !== undefined) return file;
  }
  return undefined;
}
