import { z } from 'zod';
import { unprocessable } from '#platform/errors.ts';
import type { OutputFormat } from '#shared/exports/schema.ts';

const JsonObject = z.record(z.string(), z.unknown());

/** Checks the members around a JSON file's items. @throws KontorError 422 naming the member if they would make it invalid */
export function requireFormatFits({ kind, member, head }: OutputFormat): void {
  if (kind !== 'json' || head.trim() === '') return;
  const refuse = (code: string, message: string) =>
    unprocessable(code, `${message} Es wurde nichts gespeichert.`, [{ field: 'format.head', message }]);
  if (member === '') {
    throw refuse(
      'head_without_member',
      'Weitere Angaben um die Artikel gibt es nur, wenn die Liste der Artikel einen Namen hat. Bitte geben Sie ihn an oder leeren Sie die Angaben.',
    );
  }
  const found = JsonObject.safeParse(parsed(head)).data;
  if (!found) {
    throw refuse(
      'head_no_object',
      'Die weiteren Angaben sind kein JSON-Objekt. Bitte schreiben Sie sie so: {"version": "2.0"}.',
    );
  }
  if (Object.hasOwn(found, member)) {
    throw refuse(
      'head_has_member',
      `Die weiteren Angaben enthalten „${member}“ schon, den Namen der Artikelliste. Bitte benennen Sie eines von beiden um.`,
    );
  }
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
