import { createWriteStream } from 'node:fs';
import { mkdir } from 'node:fs/promises';
import { dirname } from 'node:path';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { catalogueCsv } from './catalogue.ts';

/** How many items the demo company sells. */
export const demoItems = 5000;

/** The generated catalogue as an uploaded file. */
export async function writeCatalogue(file: string, items: number): Promise<void> {
  await mkdir(dirname(file), { recursive: true });
  await pipeline(Readable.from(catalogueCsv(items)), createWriteStream(file, { flush: true }));
}
