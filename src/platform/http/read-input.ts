import type { FastifyRequest } from 'fastify';
import { z } from 'zod';
import { KontorError } from '#platform/errors.ts';
import { type Call, isRead } from '#shared/http/call.ts';
import { fromSegment } from '#shared/http/path-segment.ts';
import { refusalText } from './refusal-texts.ts';
import { unreadableForm } from './error-body.ts';

z.config({ localeError: refusalText });

const maxDepth = 32;

/** Returns the values that `pathOf` filled into a path. */
export const pathValues = (params: unknown): Record<string, string> =>
  Object.fromEntries(Object.entries(Object(params)).map(([name, value]) => [name, fromSegment(String(value))]));

/** Parses one part of a call's request by its schema. @throws KontorError 400 or 422 in German, with the invalid fields */
export function readInput(call: Call, part: 'params' | 'query' | 'body', value: unknown): unknown {
  const schema = call[part];
  if (!schema) return undefined;
  const parsed = schema.safeParse(value ?? undefined);
  if (parsed.success) return parsed.data;
  const fields = parsed.error.issues
    .slice(0, 20)
    .map((issue) => ({ field: issue.path.join('.'), message: issue.message }));
  // Field names are technical: they are sent next to the sentence, not in it.
  const reason = fields[0]?.message ?? '';
  const sentence = /[.!?]$/.test(reason) ? reason : `${reason}.`;
  throw new KontorError(
    part === 'params' ? 400 : 422,
    'invalid',
    `Die Angaben sind unvollständig oder falsch: ${sentence}${isRead(call) ? '' : ' Es wurde nichts gespeichert.'}`,
    { fields },
  );
}

/**
 * Makes a body fit for the database. Deep nesting would cost stack in every later walk over it; no text column can store NUL.
 * Lone surrogates are replaced by U+FFFD as a text column would, because the database refuses JSON that contains them.
 * @throws KontorError 400 for deep nesting, 422 for NUL
 */
export function makeStorable(value: unknown, depth = 0): void {
  if (depth > maxDepth)
    throw new KontorError(400, 'unreadable', 'Die Anfrage ist nicht lesbar: sie ist zu tief verschachtelt.');
  if (typeof value === 'string' && value.includes('\0')) {
    throw new KontorError(
      422,
      'nul_character',
      'Die Angaben enthalten das unsichtbare Zeichen NUL. Es wurde nichts gespeichert; bitte entfernen Sie es.',
    );
  }
  if (typeof value !== 'object' || value === null) return;
  for (const [name, inner] of Object.entries(value)) {
    if (typeof inner === 'string' && !inner.isWellFormed()) Reflect.set(value, name, inner.toWellFormed());
    makeStorable(inner, depth + 1);
  }
}

/** Returns the fields of a multipart form as texts (HDR-06). Files are uploaded by other calls. */
export async function fieldsOf(request: FastifyRequest): Promise<Record<string, string>> {
  const fields: [string, string][] = [];
  try {
    for await (const part of request.parts({ limits: { files: 0, fields: 200, fieldSize: 1024 * 1024 } })) {
      if (part.type === 'field') fields.push([part.fieldname, String(part.value)]);
    }
  } catch (error) {
    throw unreadableForm(error);
  }
  const all = Object.fromEntries(fields);
  makeStorable(all);
  return all;
}

/**
 * Returns the revision number of an If-Match header; undefined without a header or with `*`, where any revision will do.
 * @throws 400 for an unreadable header: a save that was meant to be guarded must not continue without its guard
 */
export function revisionOf(header: string | undefined): number | undefined {
  if (header === undefined || header === '*') return undefined;
  const digits = header.match(/^(?:W\/)?"?(\d{1,9})"?$/)?.[1];
  if (digits === undefined)
    throw new KontorError(
      400,
      'if_match_unreadable',
      'Die Kopfzeile If-Match nennt keine Revision. Es wurde nichts gespeichert; erwartet wird die Nummer, die beim Laden oder Speichern genannt wurde.',
    );
  return Number(digits);
}
