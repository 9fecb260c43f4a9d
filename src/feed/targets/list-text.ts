import { textOfBytes } from '#platform/text/text-of-bytes.ts';
import { ListRefused } from './draft.ts';

/** The text of a list. @throws ListRefused for NUL, which no text has and nothing stores */
export function listText(bytes: Uint8Array): string {
  const text = textOfBytes(bytes);
  if (text.includes('\0')) throw new ListRefused('Die Datei ist keine Textdatei (sie enthält NUL-Zeichen).');
  return text;
}
