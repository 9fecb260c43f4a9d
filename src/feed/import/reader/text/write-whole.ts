import fs from 'node:fs';
import { diskError } from '#feed/import/reader/refusal.ts';

/** Appends all of the content to a file. `writeSync` alone may silently take only what there is room for. @throws Refusal disk_full */
export function writeWhole(descriptor: number, content: string | NodeJS.ArrayBufferView): void {
  try {
    fs.writeFileSync(descriptor, content);
  } catch (error) {
    throw diskError(error);
  }
}
