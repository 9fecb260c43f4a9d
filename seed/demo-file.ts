import type { Store } from '#platform/storage/store.ts';
import { catalogueCsv } from './catalogue.ts';

/** Number of items that the demo company sells. */
export const demoItems = 5000;

/** Writes the generated catalogue as an uploaded file. */
export const writeCatalogue = ({ store }: { store: Store }, path: string, items: number): Promise<void> =>
  store.receive(path, bytesOf(catalogueCsv(items)));

async function* bytesOf(lines: Iterable<string> | AsyncIterable<string>): AsyncGenerator<Uint8Array> {
  for await (const line of lines) yield Buffer.from(line);
}
