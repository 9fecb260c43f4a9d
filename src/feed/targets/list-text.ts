import { textOfBytes } from '#platform/text/text-of-bytes.ts';
import { ListRefused } from './draft.ts';

/** Returns the text of a list. @throws ListRefused for NUL characters, which no text has and the database cannot store */
export function listText(bytes: Uint8Array): string {
  const text = textOfBytes(bytes);
  if (text.includes('\0')) throw new ListRefused('Die Datei ist keine Textdatei (sie enthält NUL-Zeichen).');
  return text;
}

/** The parts of a text without the white space around them. Searching the mark with that white space would take quadratic time. */
export const partsOf = (text: string, mark: RegExp): string[] => text.split(mark).map((part) => part.trim());
